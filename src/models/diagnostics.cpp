#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "fewdim/diagnostic.hpp"

namespace fewdim {

namespace {

struct KnownDiagnostic {
  std::string_view name;  ///< "excess_kurtosis_": with any number behind it
  Unit unit;
  std::string_view meaning;
};

/// What every measure of a fit means; methods add them by name, and files keep no more than name and value.
constexpr std::array known_diagnostics{
    // Eigenvalues of similarities.
    KnownDiagnostic{"goodness_of_fit_absolute", Unit::share, "the kept eigenvalues, of the sum of all sizes"},
    KnownDiagnostic{"goodness_of_fit_positive", Unit::share, "the kept eigenvalues, of the sum of the positive ones"},
    KnownDiagnostic{"goodness_of_fit_squares", Unit::share, "the squares of the kept eigenvalues, of all squares"},
    KnownDiagnostic{"lowest_eigenvalue", Unit::none, "the smallest eigenvalue"},
    KnownDiagnostic{"lowest_eigenvalue_at_most", Unit::none, "a bound that the smallest eigenvalue is not above"},
    KnownDiagnostic{"negative_eigenvalues", Unit::count, "eigenvalues below 0 by more than rounding"},
    KnownDiagnostic{"negative_share", Unit::share, "what negative eigenvalues have of the sum of all sizes"},
    KnownDiagnostic{"triangle_breaches", Unit::count, "triples that break the triangle inequality"},
    KnownDiagnostic{"correction", Unit::none, "the constant that makes the distances Euclidean"},
    KnownDiagnostic{"off_from_full", Unit::share, "distance from the map of all distances, of its size"},
    KnownDiagnostic{"residual_variance", Unit::share, "1 - r^2 of the distances and those of the map"},
    KnownDiagnostic{"residual_variance_", Unit::share, "1 - r^2 of the paths and the distances in so many dimensions"},
    KnownDiagnostic{"elbow", Unit::count, "dimensions from which the residual variance hardly falls"},
    // Approximations of kernels.
    KnownDiagnostic{"landmarks", Unit::count, "objects that the others are placed by"},
    KnownDiagnostic{"trace_error", Unit::share, "what the landmarks leave of the kernel's trace"},
    KnownDiagnostic{"variance_error_at_most", Unit::none, "no variance is off by more"},
    KnownDiagnostic{"inverse_error", Unit::length, "root mean square of what the way back leaves of the rows"},
    KnownDiagnostic{"fourier_features", Unit::count, "cosines and sines that stand for the kernel"},
    KnownDiagnostic{"kernel_error", Unit::none, "root mean square error of the kernel, over sampled pairs"},
    // Neighbor graphs and their lowest eigenvectors.
    KnownDiagnostic{"links", Unit::count, "links of the neighbor graph"},
    KnownDiagnostic{"links_per_object", Unit::count, "links that an object has on average"},
    KnownDiagnostic{"parts", Unit::count, "connected parts of the graph, before any were joined"},
    KnownDiagnostic{"neighbor_recall", Unit::share, "true neighbors that the approximate search has found"},
    KnownDiagnostic{"reconstruction_error", Unit::share, "distance of rows from what their neighbors rebuild"},
    KnownDiagnostic{"rows_chosen_by_none", Unit::count, "rows that are no neighbor of another"},
    KnownDiagnostic{"neighbor_distance_error", Unit::share, "error of the map's distances between neighbors"},
    KnownDiagnostic{diagnostic::next_eigenvalue, Unit::none, "the eigenvalue after the last that is kept"},
    KnownDiagnostic{"eigenvalue_gap", Unit::share, "from the last kept eigenvalue to the next"},
    KnownDiagnostic{"zero_eigenvalues", Unit::count, "eigenvalues that are 0 to rounding"},
    KnownDiagnostic{"bandwidth", Unit::variance, "t of the weight exp(-d^2/t) of a link"},
    KnownDiagnostic{"trustworthiness", Unit::share, "1: neighbors in the map are neighbors in the data"},
    KnownDiagnostic{"continuity", Unit::share, "1: neighbors in the data are neighbors in the map"},
    KnownDiagnostic{"standard_error_of_these", Unit::share, "of trustworthiness and continuity, which are sampled"},
    KnownDiagnostic{"jump_at_training_rows", Unit::share,
                    "largest jump of a place beside a training row, of the map's "
                    "size"},
    // Unfolding.
    KnownDiagnostic{"retained_variance", Unit::share, "what the kept coordinates have of the unfolded variance"},
    KnownDiagnostic{"effective_rank", Unit::count, "dimensions that the variance is spread over"},
    KnownDiagnostic{"constraint_violation", Unit::share, "largest error of a linked pair's distance"},
    KnownDiagnostic{"certified_gap", Unit::share, "no other map has more variance than this allows"},
    KnownDiagnostic{"lowest_dual_eigenvalue", Unit::none, "of the stresses that prove the bound; 1 at the optimum"},
    KnownDiagnostic{"merged_duplicates", Unit::count, "objects at the place of another"},
    // Stress.
    KnownDiagnostic{"disparity_knots", Unit::count, "steps of the ordinal disparities"},
    KnownDiagnostic{"last_decrease", Unit::share, "of the stress, by the last step"},
    KnownDiagnostic{"normalized_stress", Unit::share, "squared errors of the distances, of the disparities' squares"},
    KnownDiagnostic{"r_squared", Unit::share, "squared correlation of disparities and distances"},
    KnownDiagnostic{"residual", Unit::share, "what one more step would move of the map"},
    KnownDiagnostic{"stress_1", Unit::share, "Kruskal's stress: the root of the normalized stress"},
    // Likelihoods.
    KnownDiagnostic{"bic", Unit::nats, "Bayesian information criterion: smaller is better"},
    KnownDiagnostic{"log_likelihood", Unit::nats, "of the data, at its maximum"},
    KnownDiagnostic{"noise_variance", Unit::variance, "along every axis outside of the components"},
    KnownDiagnostic{"missing_values", Unit::count, "values that were not there"},
    KnownDiagnostic{"patterns", Unit::count, "ways in which rows miss values"},
    KnownDiagnostic{"chi_squared", Unit::none, "Bartlett's statistic of the number of factors"},
    KnownDiagnostic{"degrees_of_freedom", Unit::count, "of that statistic"},
    KnownDiagnostic{"p_value", Unit::share, "of that statistic: small, and there are more factors"},
    // Sources and parts.
    KnownDiagnostic{"gaussian_sources", Unit::count, "sources that can't be told from a Gaussian"},
    KnownDiagnostic{"relative_gradient", Unit::share, "what is left of the gradient"},
    KnownDiagnostic{"excess_kurtosis_", Unit::none, "of the source; 0 for a Gaussian"},
    KnownDiagnostic{"loss", Unit::variance, "squared errors of the approximation"},
    KnownDiagnostic{diagnostic::explained, Unit::share, "what all parts explain of the sum of squares"},
    KnownDiagnostic{"objective", Unit::none, "what was minimized: squared errors and penalties"},
    KnownDiagnostic{"projected_gradient", Unit::share, "what is left of the gradient that does not point below 0"},
    KnownDiagnostic{"zeros_in_parts", Unit::share, "entries of the parts that are 0"},
    KnownDiagnostic{"zeros_in_weights", Unit::share, "entries of the weights that are 0"},
    KnownDiagnostic{"unused_parts", Unit::count, "parts that are all 0"},
    // Random maps.
    KnownDiagnostic{"distortion_least", Unit::share, "least ratio of squared distances, less 1, over sampled pairs"},
    KnownDiagnostic{"distortion_mean", Unit::share, "mean ratio of squared distances, less 1, over sampled pairs"},
    KnownDiagnostic{"distortion_most", Unit::share, "largest ratio of squared distances, less 1, over sampled pairs"},
    KnownDiagnostic{"distortion_pairs", Unit::count, "pairs that the distortion was measured on"},
    // Documents.
    KnownDiagnostic{diagnostic::documents, Unit::count, "documents in the index"},
    KnownDiagnostic{"terms", Unit::count, "distinct terms that are kept"},
    KnownDiagnostic{"terms_before_limits", Unit::count, "distinct terms that were found"},
    KnownDiagnostic{"words", Unit::count, "words that were read"},
    KnownDiagnostic{"entries_per_document", Unit::count, "distinct terms that a document has on average"},
    KnownDiagnostic{"documents_without_terms", Unit::count, "documents that have none of the terms"},
    // Ratings.
    KnownDiagnostic{"values", Unit::count, "values that are there"},
    KnownDiagnostic{diagnostic::mean_value, Unit::length, "of the values"},
    KnownDiagnostic{"components", Unit::count, "factors that were taken"},
    KnownDiagnostic{"ridge", Unit::none, "what large factors cost, in the unit of the option"},
    KnownDiagnostic{"lambda", Unit::none, "what large factors cost, as the solver has it"},
    KnownDiagnostic{"training_rmse", Unit::length, "root mean square error of the values themselves"},
    KnownDiagnostic{"held out at ", Unit::length, "error on entries that were held out"},
};

/// "residual_variance_3" by "residual_variance_", and "held out at 5 components" by "held out at ".
bool is_known_as(std::string_view name, std::string_view known) {
  if (name == known) return true;
  if (!name.starts_with(known)) return false;
  if (known.back() == ' ') return true;
  return known.back() == '_' && name.find_first_not_of("0123456789", known.size()) == std::string_view::npos;
}

}  // namespace

Diagnostic::Diagnostic(std::string its_name, double its_value) : name(std::move(its_name)), value(its_value) {
  const auto known =
      std::ranges::find_if(known_diagnostics, [&](const KnownDiagnostic& k) { return is_known_as(name, k.name); });
  if (known == known_diagnostics.end()) return;
  unit = known->unit;
  meaning = known->meaning;
}

const Diagnostic* find_diagnostic(const std::vector<Diagnostic>& diagnostics, std::string_view name) {
  const auto found = std::ranges::find(diagnostics, name, &Diagnostic::name);
  return found == diagnostics.end() ? nullptr : &*found;
}

std::string diagnostic::residual_variance(Index dimensions) { return fmt::format("residual_variance_{}", dimensions); }

}  // namespace fewdim
