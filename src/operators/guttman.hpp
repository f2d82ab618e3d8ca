#pragma once

#include "features/pair_distances.hpp"

/// The passes over all pairs that stress majorization makes. X is N×k, t_ij = shift + factor·δ_ij, d_ij = ‖x_i − x_j‖.
namespace fewdim {

struct PairSums {
  double residual = 0.0;  ///< Σ (t − d)²
  double square = 0.0;    ///< Σ d²
  double cross = 0.0;     ///< Σ t d
  double plain = 0.0;     ///< Σ d; of measure_pairs alone
};

struct Affine {
  double shift = 0.0, factor = 1.0;
};

/// The Guttman transform (1/N) B(X) X, with rows (1/N) Σ_j (t_ij/d_ij)(x_i − x_j), where a distance of 0 counts
/// nothing; and the sums at X. Same bits at any thread count: tiles go to lanes, and lanes are added in their order.
template <class S>
PairSums guttman_transform(const PairDistances<S>& deltas, const Affine& t, const Matrix<double>& x,
                           Matrix<double>& image, const Execution& exec);

/// The sums alone.
template <class S>
PairSums measure_pairs(const PairDistances<S>& deltas, const Affine& t, const Matrix<double>& x, const Execution& exec);

/// Σ_j (t_ij − d_ij)² for each object i.
template <class S>
Vector<double> stress_by_object(const PairDistances<S>& deltas, const Affine& t, const Matrix<double>& x,
                                const Execution& exec);

/// Σ_j (t_j/d_j)(y − x_j), d_j = ‖y − x_j‖, for one point y among the N of the map, on this thread.
void guttman_pull(const Matrix<double>& x, const double* targets, const double* y, double* out);

/// Bytes of the lanes.
std::uint64_t guttman_bytes(Index objects, Index components);

}  // namespace fewdim
