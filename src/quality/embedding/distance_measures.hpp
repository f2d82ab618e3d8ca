#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "fewdim/quality.hpp"

namespace fewdim {

/// Numbers near the distances, taken off before they are summed, so that little is lost to rounding.
struct DistanceShift {
  double original = 0.0, embedding = 0.0;  ///< the mean distance of one row
  double scale = 0.0;                      ///< the best factor for the embedding's distances, by that row
};
DistanceShift distance_shift(Index i, const double* original, const double* embedding, Index rows);

/// Sums over the pairs of one row, or of several: every measure is a function of them. δ are the distances of the
/// original, d those of the embedding.
struct PairSums {
  double rows = 0.0, pairs = 0.0;
  double x = 0.0, y = 0.0, xx = 0.0, yy = 0.0, xy = 0.0;  ///< of δ and d less their shifts
  double original_square = 0.0, embedding_square = 0.0;   ///< δ², d²
  double product = 0.0;                                   ///< δd
  double difference_square = 0.0;                         ///< (δ − d)²
  double residual_square = 0.0, residual_product = 0.0;   ///< (δ − c d)² and (δ − c d)d, c the shift's scale
  double row_xx = 0.0, row_yy = 0.0, row_xy = 0.0;        ///< of the rows' own sums A = Σδ, B = Σd

  PairSums& operator+=(const PairSums& other);
  PairSums& operator-=(const PairSums& other);
};
PairSums pair_sums(Index i, const double* original, const double* embedding, Index rows, const DistanceShift& shift);

/// residual_variance, pearson, distance_correlation, stress, stress_scaled, best_scale, from the sums of the rows that
/// were looked at, of N. Where those are not all, the standard error is the jackknife's over rows.
std::vector<Measure> distance_measures(const std::vector<PairSums>& rows, Index n, const DistanceShift& shift);

}  // namespace fewdim
