#pragma once

#include <string_view>
#include <vector>

#include "quality/embedding/distance_measures.hpp"
#include "quality/embedding/rank_correlation.hpp"
#include "quality/embedding/rank_measures.hpp"
#include "quality/embedding/row_distances.hpp"

namespace fewdim {

/// What is known of each row that was looked at.
struct RowResults {
  std::vector<RankRow> ranks;
  std::vector<PairSums> sums;
  DistanceShift shift;
};

/// Compares some rows with all others, in the original and in the embedding, a few rows of distances at a time; their
/// pairs go to the sample. `who` is for messages.
RowResults look_at(const std::vector<Index>& which, const RowDistances& original, const RowDistances& embedding,
                   const RankMeasures& measures, PairSample& sample, std::string_view who, const Execution& exec);

}  // namespace fewdim
