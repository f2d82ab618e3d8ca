#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/method.hpp"
#include "fewdim/model.hpp"
#include "fewdim/options.hpp"
#include "fewdim/route.hpp"

namespace fewdim {

/// Rows with missing values (NaN): refused, or kept, with what they have, by the noise of probabilistic PCA.
enum class Missing { refuse, em };

struct PcaOptions {
  Components components = 2;  ///< a number, a share of variance, or a criterion
  bool scale = false;         ///< divide each column by its standard deviation (correlation PCA)
  bool whiten = false;        ///< scores with unit variance
  int ddof = 1;               ///< normalizer N − ddof
  PcaRoute route = PcaRoute::automatic;
  Accuracy accuracy = Accuracy::standard;
  double tolerance = 0.0;  ///< of each residual, relative to its own eigenvalue; 0: 1e-10 (float64), 1e-5 (float32)
  Seed seed = 0;
  Missing missing = Missing::refuse;
  bool embedding = false;    ///< keep the training scores in the model
  Vector<double> weights{};  ///< per row; empty: ones
};

FEWDIM_API Model fit_pca(const Dataset& data, const PcaOptions& options = {}, const Execution& exec = {});
FEWDIM_API Plan plan_pca(const DataShape& shape, const PcaOptions& options = {}, const Execution& exec = {});
FEWDIM_API const MethodCard& pca_card();

/// What an accumulator knows of the rows that it was given: all that it takes to go on with others.
struct PcaMoments {
  Index rows = 0;
  double weight = 0.0;  ///< of all rows; as many as there are where they have none
  Vector<double> mean{};
  Matrix<double> scatter{};  ///< Σ w (x − mean)(x − mean)ᵀ, its lower triangle
  Precision precision = Precision::float64;
  Accuracy accuracy = Accuracy::high;  ///< standard: some float32 part was multiplied in float32
  std::vector<std::string> column_names{};
};

/// PCA of rows that come in parts. Parts merge exactly: the order of arrival changes nothing but rounding.
class FEWDIM_API PcaAccumulator {
 public:
  PcaAccumulator();
  /// Goes on from moments that were taken before. Throws DataError where sizes do not fit or numbers are not finite.
  explicit PcaAccumulator(PcaMoments moments);
  PcaAccumulator(PcaAccumulator&&) noexcept;
  PcaAccumulator& operator=(PcaAccumulator&&) noexcept;
  ~PcaAccumulator();

  /// `accuracy` high: float32 rows with float64 products.
  void partial_fit(const Dataset& rows, const Execution& exec = {}, Accuracy accuracy = Accuracy::standard);
  void merge(const PcaAccumulator& other);
  Index rows() const;
  const PcaMoments& moments() const;
  Model finish(const PcaOptions& options = {}, const Execution& exec = {}) const;

  /// An option map as the method's card takes it. Throws InvalidOption for what it does not take, and for what needs
  /// rows, which an accumulator does not keep.
  static PcaOptions options_of(const OptionMap& map);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Per row: scores², their contributions and cos², T² and SPE.
struct RowStatistics {
  Vector<double> t2;             ///< Hotelling's T²
  Vector<double> spe;            ///< squared distance to the plane
  Matrix<double> contributions;  ///< N×k, each column sums to 1
  Matrix<double> cos2;           ///< N×k, each row sums to at most 1
};
/// Per column (feature) of the data.
struct ColumnStatistics {
  Matrix<double> loadings;       ///< D×k: direction times √λ
  Matrix<double> contributions;  ///< D×k, each column sums to 1
  Matrix<double> correlations;   ///< D×k; empty when the columns' variances are not known
  Matrix<double> cos2;           ///< correlations squared
};
FEWDIM_API RowStatistics row_statistics(const Model& model, const Dataset& data, const Execution& exec = {});
FEWDIM_API ColumnStatistics column_statistics(const Model& model);

/// A certificate recomputed from the data alone, and how far what the model keeps of them is from what they have.
struct Verification {
  Certificate certificate;      ///< residuals, bounds and orthogonality of the model's components
  double mean_error = 0.0;      ///< largest |difference| of a column's mean over |mean| + standard deviation
  double scale_error = 0.0;     ///< largest relative difference of a column's scale
  double variance_error = 0.0;  ///< relative difference of the total variance
  /// Of models of neighbors: largest relative difference of what they keep to place new objects (rows or distances,
  /// bandwidth, scales, factors).
  double placement_error = 0.0;
  Vector<double> allowed{};  ///< largest residual of each component; empty: the certificate's tolerance for all
  /// Eigenvectors below the last one kept that the model lacks, proven by counting the eigenvalues below (Sylvester's
  /// law of inertia); −1: not counted. Others with the same value as the last are not missing: which of them were kept
  /// is arbitrary, and a warning of the certificate says so.
  Index missing = -1;
  /// By how much the largest eigenvalue found outside of the components is above that of the last one, relative to it:
  /// above 0 a larger direction was missed. What is known of others that were not found: the certificate's
  /// outside_bound.
  double missed = 0.0;
};
/// For models of PCA, SVD, kernel PCA, MDS, LLE and its relatives, Laplacian eigenmaps and diffusion maps. Weights are
/// taken from the data set. Throws DataError when the shape is another, Unsupported for other models.
FEWDIM_API Verification verify(const Model& model, const Dataset& data, const Execution& exec = {});

}  // namespace fewdim
