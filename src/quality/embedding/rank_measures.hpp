#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "fewdim/types.hpp"
#include "quality/embedding/ordering.hpp"

namespace fewdim {

/// What one row adds to the measures of ranks; each measure of the embedding is the mean over rows.
struct RankRow {
  static constexpr std::size_t most_points = 64;

  double trustworthiness = 0.0;
  double continuity = 0.0;
  double kept = 0.0;                                ///< share of the K nearest that stay so
  bool collapsed = false;                           ///< it shares its place with another row, in the embedding alone
  double area = 0.0;                                ///< under R_NX over log K
  std::array<std::uint32_t, most_points> within{};  ///< rows of rank at most ladder()[p] in both
};

/// Ranks of all other rows as one row sees them, in the original (ρ) and in the embedding (r), compared: with
/// m_j = max(ρ_j, r_j), Q_NX(K) is the share of m_j ≤ K (Lee & Verleysen 2009).
class RankMeasures {
 public:
  /// N rows, K neighbors.
  RankMeasures(Index rows, Index neighbors);

  /// Values of K where the curve is kept.
  const std::vector<Index>& ladder() const { return ladder_; }

  /// Room for the ranks of one row; one per thread.
  struct Scratch {
    Ordering original, embedding;
    std::vector<std::uint32_t> ranks;
  };
  /// Row i by its distances to all rows.
  RankRow row(Index i, const double* original, const double* embedding, Scratch& scratch) const;

  /// R_NX(K) = ((N−1) Q_NX(K) − K)/(N−1−K): 0 for rows placed at random, 1 where every neighbor is kept.
  double beyond_chance(Index neighbors, double kept) const;

 private:
  Index rows_, neighbors_;
  std::vector<Index> ladder_;
  std::vector<std::uint8_t> step_;    ///< step_[m]: the first of the ladder that is at least m
  std::vector<double> area_weights_;  ///< what one m adds to the area
};

}  // namespace fewdim
