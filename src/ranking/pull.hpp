#pragma once

#include <vector>

#include "fewdim/link_graph.hpp"

namespace fewdim {

/// Vertices in fixed blocks of about the same number of links, and blocks in stages: a cut that depends on the graph
/// alone, so that threads change no bits.
struct PullBlocks {
  explicit PullBlocks(const LinkView& graph, Index stages);

  Index count() const { return static_cast<Index>(cuts.size()) - 1; }
  Index stages() const { return static_cast<Index>(stage_cuts.size()) - 1; }

  std::vector<Index> cuts;        ///< block b holds vertices cuts[b] .. cuts[b+1]
  std::vector<Index> stage_cuts;  ///< stage s holds blocks stage_cuts[s] .. stage_cuts[s+1]
};

/// Σ y[source] over the links e = first .. last-1; four sums side by side, always the same way.
inline double pull(const std::int32_t* sources, std::int64_t first, std::int64_t last, const double* y) {
  double a = 0.0, b = 0.0, c = 0.0, d = 0.0;
  std::int64_t e = first;
  for (; e + 4 <= last; e += 4) {
    a += y[sources[e]];
    b += y[sources[e + 1]];
    c += y[sources[e + 2]];
    d += y[sources[e + 3]];
  }
  for (; e < last; ++e) a += y[sources[e]];
  return (a + b) + (c + d);
}

/// Σ weight · y[source].
inline double pull(const std::int32_t* sources, const double* weights, std::int64_t first, std::int64_t last,
                   const double* y) {
  double a = 0.0, b = 0.0, c = 0.0, d = 0.0;
  std::int64_t e = first;
  for (; e + 4 <= last; e += 4) {
    a += weights[e] * y[sources[e]];
    b += weights[e + 1] * y[sources[e + 1]];
    c += weights[e + 2] * y[sources[e + 2]];
    d += weights[e + 3] * y[sources[e + 3]];
  }
  for (; e < last; ++e) a += weights[e] * y[sources[e]];
  return (a + b) + (c + d);
}

}  // namespace fewdim
