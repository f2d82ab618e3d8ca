#include "ranking/pull.hpp"

#include <algorithm>

namespace fewdim {

namespace {

/// Links and vertices before vertex v: what a sweep has to touch.
std::int64_t work_before(const LinkView& graph, Index v) { return graph.offsets[v] + 4 * std::int64_t{v}; }

/// The first vertex with at least that much work before it.
Index vertex_at(const LinkView& graph, std::int64_t work, Index first, Index last) {
  while (first < last) {
    const Index middle = first + (last - first) / 2;
    if (work_before(graph, middle) < work)
      first = middle + 1;
    else
      last = middle;
  }
  return first;
}

}  // namespace

PullBlocks::PullBlocks(const LinkView& graph, Index stages) {
  constexpr std::int64_t work_a_block = 16384, most_blocks = 16;
  const std::int64_t total = work_before(graph, graph.vertices);
  cuts.push_back(0);
  stage_cuts.push_back(0);
  for (Index s = 0; s < stages; ++s) {
    const std::int64_t begin = total * s / stages, end = total * (s + 1) / stages;
    const std::int64_t blocks = std::clamp<std::int64_t>((end - begin) / work_a_block, 1, most_blocks);
    for (std::int64_t b = 1; b <= blocks; ++b) {
      const bool last = s + 1 == stages && b == blocks;
      const Index cut =
          last ? graph.vertices : vertex_at(graph, begin + (end - begin) * b / blocks, cuts.back(), graph.vertices);
      if (cut > cuts.back()) cuts.push_back(cut);
    }
    if (count() > stage_cuts.back()) stage_cuts.push_back(count());
  }
}

}  // namespace fewdim
