#pragma once

#include "graph/search/candidates.hpp"

namespace fewdim {

/// Whether a k-d tree can be searched by the metric: not hamming, which is no distance in space.
bool has_tree(Metric metric);

/// Offers `found` every pair that its bounds let through, by a k-d tree over `points`. When `queries` is the same
/// object, no row is offered to itself.
template <class C, class Candidates>
void search_by_tree(const MetricRows<C>& queries, const MetricRows<C>& points, std::string_view who,
                    const Execution& exec, Candidates& found);

}  // namespace fewdim
