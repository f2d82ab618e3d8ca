#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "fewdim/attachment.hpp"
#include "fewdim/certificate.hpp"
#include "fewdim/dataset.hpp"
#include "fewdim/diagnostic.hpp"
#include "fewdim/disparity.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/kernel.hpp"
#include "fewdim/metric.hpp"
#include "fewdim/neighborhood.hpp"
#include "fewdim/options.hpp"
#include "fewdim/plan.hpp"
#include "fewdim/random_map.hpp"

namespace fewdim {

struct TextIndex;
struct ImageIndex;
struct RatingsIndex;

/// How a model places points it has not seen.
enum class Extension { exact, nystrom, heuristic, none };

/// Where a model comes from.
struct Provenance {
  std::string version;  ///< of fewdim
  std::string date;     ///< UTC, ISO 8601; SOURCE_DATE_EPOCH is honored
  Seed seed = 0;
  std::string input;       ///< the data set's source
  std::string input_hash;  ///< as Dataset::hash
  Index rows = 0;          ///< objects it was fitted on
  /// Of the weights of the rows, which the model does not keep: verify asks for the same ones. Empty: all count alike.
  std::string weights_hash{};
};

/// Limits for the two distances of a row to a fitted PCA plane (Jackson 1991, ch. 2).
struct DistanceLimits {
  double confidence = 0.95;
  double t2 = 0.0;   ///< Hotelling's T²: inside the plane, scaled by its spread; F distribution
  double spe = 0.0;  ///< squared prediction error: off the plane; Box's g·χ²_h. 0: nothing is left off the plane
};

/// What every spectral shape has: how much each component has, and its share of the whole. These are the arrays of the
/// model file. Of linear models, maps by stress and kernel PCA they are variances, λ/(N − ddof); of classical MDS,
/// Isomap and maps from neighborhoods they are eigenvalues λ. Model::eigenvalues() and Model::variances() tell them
/// apart.
struct Spectrum {
  Vector<double> explained_variance;
  Vector<double> explained_variance_ratio;
  double total_variance = 0.0;       ///< the denominator of every ratio
  Vector<double> all_eigenvalues{};  ///< of the method's own matrix, where a fit finds more than it keeps; falling
};

/// How the linear shape finds the coordinates of a row x. With r_j = (x_j − mean_j)/scale_j, m_j row j of the map and
/// penalty(y) = Σ_c ridge_c y_c² + 2 lasso Σ_c |y_c|:
enum class RowFit {
  product,      ///< y = diag(output_scale) Σ_j r_j m_j
  nonnegative,  ///< the y ≥ 0 of least Σ_j (r_j − m_j·y)² + penalty(y)
  observed,     ///< the y of least Σ (r_j − m_j·y)² + penalty(y), over the entries that the row has
  implicit  ///< the y of least Σ_j (1 + confidence x_j) (p_j − m_j·y)² + penalty(y), p_j = 1 where x_j > 0, else 0
};

/// What a fit by least squares needs.
struct RowRegression {
  Vector<double> ridge{};       ///< one per component; empty: 0
  bool ridge_by_count = false;  ///< ridge times the number of entries that the row has (Zhou et al. 2008)
  double lasso = 0.0;
  double confidence = 0.0;
};

/// The linear shape: y = diag(output_scale) · mapᵀ ((x − mean) / scale), and back by the pseudo-inverse.
struct LinearModel : Spectrum {
  Vector<double> mean;                 ///< empty: not centered
  Vector<double> scale;                ///< empty: not scaled
  Matrix<double> map;                  ///< D×k; its columns are the directions, orthonormal for PCA and SVD
  Matrix<double> inverse_map;          ///< D×k: takes y/output_scale back; empty: the map itself, orthonormal
  RandomMap random;                    ///< drawn when needed, in place of `map`
  Vector<double> output_scale;         ///< empty: ones; whitening has 1/√λ
  Vector<double> singular_values;      ///< of the (centered, scaled, weighted) data
  Vector<double> column_variance;      ///< of the input's columns, before scaling; empty: not kept
  std::vector<DistanceLimits> limits;  ///< one per confidence level
  RowFit row_fit = RowFit::product;    ///< otherwise the way back is mean + scale ∘ (map y)
  RowRegression regression;

  // Where the model has a noise (ppca, factor-analysis, pca of rows with missing values), (x − mean)/scale = loadings z
  // + e with z ~ N(0, factor_correlation) and e ~ N(0, diag(noise)). Missing values are filled in by it.
  Matrix<double> loadings;            ///< D×k
  Vector<double> noise;               ///< D; empty: there is none
  Matrix<double> factor_correlation;  ///< k×k; empty: the identity
};

/// How the kernel shape compares a new object with a training object: a kernel k(x,y), or −½d(x,y)² of a distance, or
/// of the length of the shortest path through a graph of neighbors. fourier: no training objects, but the cosines and
/// sines of ω_j·x, whose frequencies ω_j are the rows of `objects`.
enum class Similarity { kernel, distance, geodesic, fourier };

/// How a kernel model goes back from coordinates y to the input space: no way, or to the point whose features are near
/// the one that y stands for.
enum class Preimage {
  none,
  ridge,  ///< a regression of the inputs on their coordinates, solved once with the fit (Bakır, Weston & Schölkopf
          ///< 2004)
  fixed_point,  ///< the nearest in feature space, by iteration; gaussian kernel (Mika et al. 1999)
  distances     ///< from its distances to the nearest training points (Kwok & Tsang 2004)
};

/// What goes back keeps.
struct KernelInverse {
  Preimage kind = Preimage::none;
  double gamma = 0.0;        ///< ridge: of the gaussian kernel between coordinates
  Matrix<double> places{};   ///< ridge: N×k, coordinates of the training objects
  Matrix<double> weights{};  ///< ridge: N×D; x = mean + Σ_i exp(−γ‖y − places_i‖²) weights_i
  Vector<double> mean{};     ///< ridge: D
};

/// The graph that shortest paths run along. A new object is linked to its nearest vertices, by the same rule.
struct GeodesicPaths {
  Index neighbors = 0;                    ///< links of a new object; 0: by radius, or as they are given
  double radius = 0.0;                    ///< 0: by neighbors
  bool given = false;                     ///< a new object comes as its links: one number a vertex, 0 for none
  Index vertices = 0;                     ///< training objects that were kept
  std::vector<Link> links{};              ///< of the vertices, rising
  std::vector<std::int32_t> landmarks{};  ///< vertices that objects are compared with, rising; empty: all
  std::vector<std::int32_t> left_out{};   ///< training rows that are no vertices, rising
  Matrix<double> geodesics{};             ///< landmarks×vertices; empty: searched when needed
};

/// The kernel shape: with s_j the similarity of a new object to training object j (or landmark j, where there are any),
/// and w_j their weights (1/N each where there are none),
///
///   y_c = Σ_j (s_j − Σ_i w_i s_i − means_j + mean) coefficients_jc,
///
/// which takes a training object to its own place. Without centering it is Σ_j s_j coefficients_jc.
struct KernelModel : Spectrum {
  Similarity similarity = Similarity::kernel;
  KernelKind kernel = KernelKind::gaussian;
  double gamma = 1.0;
  double offset = 0.0;
  Index degree = 3;
  Metric metric = Metric::euclidean;  ///< of a distance
  double distance_shift = 0.0;        ///< added to every distance that is not 0
  double square_shift = 0.0;          ///< added to the square of every distance that is not 0
  Matrix<double> objects;       ///< N×D; empty: precomputed, a new object comes as its N kernel values or distances
  Matrix<double> coefficients;  ///< N×k
  Vector<double> means;         ///< N: the mean similarity of training object j to all; empty: not centered
  double mean = 0.0;            ///< the mean of those
  Vector<double> weights;       ///< N, summing to 1; empty: 1/N each
  Vector<double> shift;         ///< k: taken off y_c at the end; empty: nothing
  GeodesicPaths paths{};        ///< of geodesics
  StringKernel strings{};       ///< of the spectrum kernel, in place of `objects`
  KernelInverse inverse{};
};

/// The shape of scaling by stress: a map of the training objects. A new object goes where its own stress with them is
/// least, Σ_j (t(δ_j) − ‖y − x_j‖)², and one at distance 0 from a training object to that object's place. With t the
/// disparity of a dissimilarity: shift + factor·δ, or between knots by straight lines and level beyond them.
struct StressModel : Spectrum {
  Metric metric = Metric::euclidean;
  Disparity type = Disparity::ratio;
  double shift = 0.0, factor = 1.0;    ///< unless ordinal
  Vector<double> knots, knot_heights;  ///< of ordinal disparities: δ rising, t never falling
  Matrix<double> objects;              ///< N×D; empty: precomputed, a new object comes as its N distances
  Matrix<double> configuration;        ///< N×k: centered, axes uncorrelated
  Vector<double> point_stress;  ///< N: the share of Σ(t − d)² that each object's pairs have; the sum is 1, or 0
};

/// How the places of its neighbors make up the place of a new object. With w_j the weights of its links to them, and
/// places y_j:
enum class Placement {
  barycentric,  ///< Σ w_j y_j, where the w_j rebuild the object from its neighbors and sum to 1 (Saul & Roweis 2003)
  random_walk,  ///< Σ w_j a_j y_jc / (f_c Σ w_j a_j), a_j the scales and f_c the factors (Bengio et al. 2004)
  symmetric,    ///< Σ w_j a_j y_jc / (f_c √(Σ w_j))
  unnormalized  ///< Σ w_j y_jc / (Σ w_j − f_c)
};

/// What the graph of the fit has for a vertex's link to itself. A new object that is all but at a training object's
/// place has a link of weight 1 to it, which then stands for that object's own.
enum class OwnLink {
  ignored,  ///< by model files that say nothing of it: places jump where a new object meets a training object
  none,     ///< Laplacian eigenmaps: the link counts the less as a neighbor's, the nearer the object is
  one       ///< diffusion maps: of weight 1
};

/// The neighbor shape: the training objects with their places, and a rule that places a new object among its
/// nearest. One at distance 0 from a training object goes to that object's place.
struct NeighborModel : Spectrum {
  Metric metric = Metric::euclidean;
  Placement placement = Placement::barycentric;
  Index neighbors = 0;          ///< links of a new object; 0: by radius, or as they are given
  double radius = 0.0;          ///< 0: by neighbors
  bool given = false;           ///< a new object comes as its links: one number a training object, 0 for none
  double regularization = 0.0;  ///< barycentric: r of (G + r k diag(G)) w ∝ 1, G the inner products of differences
  double bandwidth = 0.0;       ///< t of the weight exp(−d²/t); 0: every link weighs 1; −1: the given numbers do
  Vector<double> factors;       ///< f_c; empty where weights are barycentric
  Vector<double> scales;        ///< a_j; empty: 1 each
  OwnLink own = OwnLink::ignored;
  /// N: a training object is linked to the new ones that are no farther than this: halfway from the last neighbor that
  /// it chose to the next one. Empty: a new object is linked to those that it chooses, no others.
  Vector<double> reach{};
  Matrix<double> objects;        ///< N×D; empty: a new object comes as its distances or links to all
  Matrix<double> distances;      ///< N×N, between training objects, where weights need them and there are no rows
  Matrix<double> configuration;  ///< N×k
  std::vector<std::int32_t> left_out{};  ///< training rows that have no place, rising
};

/// How a model places objects. What all shapes can tell is asked of the model.
using AnyShape = std::variant<LinearModel, KernelModel, StressModel, NeighborModel>;

/// A fitted model: places points, goes back, says how far it can be trusted, is saved and loaded.
class FEWDIM_API Model {
 public:
  struct Head {
    std::string method;
    Precision precision = Precision::float64;
    OptionMap options;  ///< as they were chosen, and nothing else
    Provenance provenance;
    Certificate certificate;
    Extension extension = Extension::exact;
    std::vector<std::string> feature_names;               ///< empty, or one per input column
    std::vector<std::string> component_names;             ///< "PC1", "PC2", ...
    std::vector<Diagnostic> diagnostics;                  ///< measures of the fit
    std::vector<std::pair<std::string, double>> seconds;  ///< by stage; not saved
    std::optional<Plan> plan{};                           ///< that the fit went by; not saved
  };

  Model() = default;
  Model(Head head, AnyShape shape);

  const Head& head() const { return head_; }
  Head& head() { return head_; }
  const std::string& method() const { return head_.method; }
  const Certificate& certificate() const { return head_.certificate; }
  Index features() const;  ///< columns it takes; 0 where it takes texts
  Index components() const;

  /// Coordinates of rows in the model's space. Checks the number of columns, and their names where both have any.
  Dataset transform(const Dataset& data, const Execution& exec = {}) const;
  /// Back to the input space from coordinates.
  Dataset inverse_transform(const Dataset& coordinates, const Execution& exec = {}) const;

  /// Eigen in, Eigen out.
  template <class T, int Options>
  Matrix<T> transform(const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Options>& x,
                      const Execution& exec = {}) const {
    return transform(Dataset(x), exec).template matrix<T>();
  }
  template <class T, int Options>
  Matrix<T> inverse_transform(const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Options>& y,
                              const Execution& exec = {}) const {
    return inverse_transform(Dataset(y), exec).template matrix<T>();
  }

  /// Coordinates of the training rows, when the fit was asked to keep them; throws Unsupported otherwise.
  const Matrix<double>& embedding() const;
  void keep_embedding(Matrix<double> coordinates);
  bool has_embedding() const { return embedding_.size() > 0; }
  /// Training rows that are not part of the fit and have no coordinates in embedding(), counted from 0, rising.
  const std::vector<std::int32_t>& left_out() const;

  const AnyShape& shape() const { return shape_; }
  /// The shape, where the model is of that one; null otherwise.
  template <class S>
  const S* as() const {
    return std::get_if<S>(&shape_);
  }
  /// The same; throws Unsupported where it is of another one.
  const LinearModel& linear() const;
  const KernelModel& kernel() const;
  const StressModel& stress() const;
  const NeighborModel& neighbor() const;
  /// Places strings: data sets of texts, as read_lines() or read_documents() gives them.
  bool takes_text() const;
  /// What a new object is compared by: "distance", "link" or "kernel value" to each training object, one a column;
  /// empty where it comes as a row of features.
  std::string new_object() const;
  /// Of the distances between objects that the model was made from; none where it was made from something else.
  std::optional<Metric> metric() const;
  /// Coordinates of the training objects, where the model has them: kept on request, or part of its shape; else null.
  const Matrix<double>* places() const;

  /// What stands beside the model; see attachment.hpp.
  void keep(Attachment beside) { beside_ = std::move(beside); }
  template <class Held>
  const Held* beside(const Held* = nullptr) const {
    return beside_.get<Held>();
  }
  /// The documents and words of a model of texts; throws Unsupported where it is none.
  const TextIndex& index() const;
  /// How the rows of a model of images are pictures; throws Unsupported where it is none.
  const ImageIndex& images() const;
  /// Users, and what they have rated, of a model of ratings; throws Unsupported where it is none.
  const RatingsIndex& ratings() const;
  /// What all shapes have in common.
  const Spectrum& spectrum() const;
  /// One a component: the eigenvalues of the matrix that the method decomposes. That is the covariance matrix of PCA,
  /// AᵀA of the SVD, the (centered) kernel matrix of kernel PCA, −½JΔ²J of classical MDS and Isomap (of their
  /// landmarks, where there are any), the inner products of MVU, the matrix whose lowest eigenvectors a map from
  /// neighborhoods has, and the walk's of diffusion maps. Empty where components are no eigenvectors.
  Vector<double> eigenvalues() const;
  /// One a component: the variance of the fitted objects along it, with the divisor N − 1 where nothing else was asked
  /// for; a sum of squares where nothing is centered. Empty for maps that are scaled at will.
  Vector<double> variances() const;
  /// The denominator of the components' shares, as a variance; 0 where there are none.
  double total_of_variances() const;

  /// One safetensors file. It appears whole or not at all.
  void save(const std::string& path, bool overwrite = false) const;
  static Model load(const std::string& path);

 private:
  Head head_;
  AnyShape shape_;
  Matrix<double> embedding_;
  Attachment beside_;
};

}  // namespace fewdim
