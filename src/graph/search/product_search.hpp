#pragma once

#include "graph/search/candidates.hpp"

namespace fewdim {

/// Offers `found` every pair that its bounds let through, by tiles of all distances. Where the metric has a matrix
/// product, the tile holds it, and only pairs that may be near enough for all its rounding are measured by differences.
/// Takes each pair of `points` once when they are searched among themselves (`queries` is the same object).
/// Candidates: NearestCandidates, RadiusCandidates, or OutsideCandidates (which are of two sets).
template <class C, class Candidates>
void search_by_products(const MetricRows<C>& queries, const MetricRows<C>& points, std::string_view who,
                        const Execution& exec, Candidates& found);

}  // namespace fewdim
