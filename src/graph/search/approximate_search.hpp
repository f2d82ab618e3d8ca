#pragma once

#include "graph/search/neighbors.hpp"

namespace fewdim {

/// The k nearest as found by an HNSW graph (Malkov & Yashunin 2018), for metrics that are distances of vectors:
/// euclidean, cosine, correlation; others are refused. Rows enter the graph one after the other, on one thread, so that
/// it is the same every time; the search runs on all. Distances are measured anew by distance(). A row for which the
/// graph brings fewer than k is searched exactly. `trace` gets the recall, measured against the exact neighbors of a
/// sample of rows.
template <class C>
NeighborLists search_approximately(const MetricRows<C>& queries, const MetricRows<C>& points, Index k,
                                   std::string_view who, const Execution& exec, SearchTrace& trace);

}  // namespace fewdim
