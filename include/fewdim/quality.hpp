#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/metric.hpp"
#include "fewdim/options.hpp"

namespace fewdim {

/// QualityOptions::sample for "every row, however long it takes".
inline constexpr Index every_row = -1;

struct QualityOptions {
  Index neighbors = 10;               ///< K of trustworthiness, continuity and neighbors kept: below half of the rows
  Metric metric = Metric::automatic;  ///< of the original; precomputed: it holds distances, such as geodesics
  /// Above 0: of the original, distances along the graph of so many nearest neighbors instead, as Isomap takes them.
  Index geodesics = 0;
  /// Rows that are looked at, drawn at random; each is compared with all others. 0: all of them where that takes
  /// seconds, else 200 to 1,000.
  Index sample = 0;
  Seed seed = 0;  ///< of the drawing
};

/// The options as a front end shows and delivers them; `sample` takes "all" too.
FEWDIM_API std::vector<OptionField> quality_fields();
FEWDIM_API QualityOptions quality_options(const OptionMap& map);

/// One number about an embedding.
struct Measure {
  std::string name{};
  std::optional<double> value{};  ///< none where it is not defined for these data: the note says why
  double standard_error = 0.0;    ///< from looking at some rows or pairs only; 0: exact
  std::string note{};
};

/// How many of the K nearest neighbors are still among the K nearest in the embedding.
struct CurvePoint {
  Index neighbors = 0;          ///< K
  double kept = 0.0;            ///< Q_NX(K), the share of them
  double beyond_chance = 0.0;   ///< R_NX(K): 0 for rows placed at random, 1 where all are kept
  double standard_error = 0.0;  ///< of R_NX(K)
};

struct QualityReport {
  Index rows = 0;
  Index sampled = 0;  ///< rows looked at
  Index neighbors = 0;
  Metric metric = Metric::euclidean;  ///< as it was taken
  std::string metric_name{};          ///< as options spell it
  /// trustworthiness, continuity, neighbors_kept, rnx_area, residual_variance, pearson, spearman, distance_correlation,
  /// stress, stress_scaled, best_scale.
  std::vector<Measure> measures{};
  std::vector<CurvePoint> curve{};   ///< at no more than 64 values of K, evenly spaced in log K, from 1 to rows − 2
  std::vector<std::string> notes{};  ///< spoken() says the options in them

  bool exact() const { return sampled == rows; }
  /// The measure of that name; throws Unsupported when there is none.
  FEWDIM_API const Measure& operator[](std::string_view name) const;
};

/// How well the rows of an embedding keep the neighbors and the distances of the original rows, which come in the same
/// order. Distances in the embedding are euclidean. Ties between distances go to the lower row.
FEWDIM_API QualityReport embedding_quality(const Dataset& original, const Dataset& embedding,
                                           const QualityOptions& options = {}, const Execution& exec = {});

/// One measure of it (Venna & Kaski 2001): neighbors in the embedding that are none in the original count against
/// trustworthiness, neighbors in the original that are none in the embedding against continuity.
FEWDIM_API Measure trustworthiness(const Dataset& original, const Dataset& embedding,
                                   const QualityOptions& options = {}, const Execution& exec = {});
FEWDIM_API Measure continuity(const Dataset& original, const Dataset& embedding, const QualityOptions& options = {},
                              const Execution& exec = {});

struct ProcrustesOptions {
  bool scaling = true;     ///< may the other be stretched?
  bool reflection = true;  ///< may it be mirrored?
};

/// The map that lays one point set on another: aligned = scale · other · rotation + shift. Where one has fewer columns,
/// columns of zeros are added to it.
struct Procrustes {
  Matrix<double> rotation;  ///< columns of the other × columns of the wider one
  double scale = 1.0;
  Vector<double> shift;  ///< one per column of the wider one
  double disparity = 0.0;  ///< Σ‖reference − aligned‖² / Σ‖reference − its mean‖², as scipy.spatial.procrustes has it
  double rms_error = 0.0;  ///< √(mean ‖reference − aligned‖²), in units of the reference

  FEWDIM_API Matrix<double> apply(const Dataset& other) const;
};

/// The best translation, rotation and, where allowed, reflection and scaling of `other` onto `reference`, row by row in
/// the sense of least squares (Schönemann 1966; Gower 1975).
FEWDIM_API Procrustes procrustes(const Dataset& reference, const Dataset& other, const ProcrustesOptions& options = {},
                                 const Execution& exec = {});

}  // namespace fewdim
