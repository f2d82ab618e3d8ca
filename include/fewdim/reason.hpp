#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "fewdim/export.hpp"
#include "fewdim/route.hpp"

/// Why a fit goes the way it goes, as values: what decided, and the numbers that it was decided by. words_of() makes
/// the sentence.
namespace fewdim {

/// Behind each kind stand its numbers, in order. Sizes are counts, memory is in bytes, shares are of 1.
enum class ReasonKind {
  told,       ///< `text`: a sentence that a model file holds; files keep no numbers
  asked_for,  ///< an option names the route

  covariance_formed,   ///< columns: the covariance of so many is formed in one pass
  products_formed,     ///< columns: the same without centering
  fewer_rows,          ///< rows < columns: the Gram matrix is the small one
  sparse_products,     ///< share of entries filled, components, most components: products with the data alone
  cheaper_products,    ///< components, most components: products are estimated to be faster than any matrix
  forming_over_limit,  ///< components, most components, bytes > limit: the leanest matrix does not fit
  did_not_converge,    ///< `route` was tried before
  columns_filled,      ///< columns with entries < columns
  merged_parts,        ///< moments of several parts were merged

  whole_spectrum,         ///< objects: few enough for LAPACK
  some_pairs,             ///< components, objects
  few_rows,               ///< rows: few enough for LAPACK
  products_alone,         ///< without a factor
  factor_fill,            ///< numbers a row, flops, bytes of the factor
  factor_over_limit,      ///< numbers a row, flops, bytes > limit
  factor_slower,          ///< numbers a row, flops, bytes
  factor_shift,           ///< what was added to the diagonal
  on_surface,             ///< supposed: the data lie on a surface
  approximate_neighbors,  ///< share of the true ones found, rows looked at

  tiles_kept,       ///< bytes
  tiles_anew,       ///< bytes, bytes beside them, limit: bytes + beside > limit
  matrix_given,     ///< nothing is computed
  distances_kept,   ///< bytes
  distances_anew,   ///< bytes, bytes beside them, limit: bytes + beside > limit
  distances_given,  ///< nothing is computed
  pair_order,       ///< bytes for the order of all pairs

  all_paths,        ///< objects, bits of a number
  landmark_paths,   ///< landmarks, objects, bits of a number
  wide_over_limit,  ///< bytes in float64 > limit
  landmarks_asked,  ///< landmarks
  landmarks_taken,  ///< landmarks, objects
  nystrom_asked,    ///< landmarks, rows
  fourier_asked,    ///< features, rows
  nystrom_trace,    ///< landmarks, rows, share of the trace that is left
  fourier_error,    ///< features, error of their kernel
  median_sigma,     ///< σ from the data
  median_gamma,     ///< γ from the data
  short_strings,    ///< strings that are shorter than, all strings, characters

  links_by_size,         ///< objects, links about
  inequality_form,       ///< distances may shrink
  equality_form,         ///< distances stay
  interior_points,       ///< columns of the factor
  multipliers,           ///< columns of the factor, rounds
  equality_multipliers,  ///< columns of the factor, rounds from the inequality form
  csdp,                  ///< code that CSDP ended with; 0: solved

  sweeps,                ///< values at most
  values_there,          ///< values, rows, columns
  likelihood_starts,     ///< the plan of a factor analysis
  starts_agree,          ///< starts that end at the greatest likelihood, starts
  missing_values,        ///< missing values, values, patterns
  relevance,             ///< components are dropped step by step
  map_kept,              ///< a random map is part of the model
  map_drawn,             ///< a random map is drawn from its seed
  fast_transforms,       ///< and multiplied by fast transforms
  map_density,           ///< share of a random map that is not 0
  for_whitening,         ///< what follows is of the whitening
  for_start,             ///< what follows is of the start
  fixed_points_stalled,  ///< steps after which fixed points had not converged
  whitened_passes,       ///< passes over the rows, whitened on `route`
  parts_from,            ///< `text`: the start of non-negative parts
  documents_added,       ///< documents
  documents_removed,     ///< documents
  counts_on_disk         ///< counts of words lay in a file, as the memory limit asks
};

struct Reason {
  explicit Reason(ReasonKind what) : kind(what) {}
  template <class... Number>
  requires(sizeof...(Number) > 0 && (std::is_arithmetic_v<Number> && ...)) explicit Reason(ReasonKind what,
                                                                                           Number... values)
      : kind(what), numbers{static_cast<double>(values)...} {}

  ReasonKind kind;
  std::vector<double> numbers{};
  Route route = Route::none;  ///< that it speaks of
  std::string text{};

  bool operator==(const Reason&) const = default;
};

/// "20 columns: their 20×20 covariance is formed in one pass; 17 of 20 columns hold entries".
FEWDIM_API std::string words_of(const Reason& reason);
FEWDIM_API std::string words_of(const std::vector<Reason>& why);

}  // namespace fewdim
