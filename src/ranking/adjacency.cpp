#include "ranking/adjacency.hpp"

#include <numeric>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "base/sets.hpp"
#include "data/table/block.hpp"

namespace fewdim {

Adjacency::Adjacency(const LinkGraph& graph, const Execution& exec)
    : exec_(exec), incoming_(graph.view()), outgoing_(incoming_), backward_(incoming_, 1), forward_(backward_) {
  if (graph.undirected()) return;  // A is its own transpose
  const auto n = static_cast<std::size_t>(size());
  const auto links = static_cast<std::size_t>(incoming_.links());
  require_memory(exec, links * (graph.weighted() ? 12 : 4) + n * 16, "hits: links the other way",
                 raise_option("memory_limit"));
  offsets_ = make_large_array<std::int64_t>(n + 1);
  targets_ = make_large_array<std::int32_t>(links);
  if (graph.weighted()) weights_ = make_large_array<double>(links);
  std::vector<std::int64_t> next(n + 1, 0);
  for (std::size_t e = 0; e < links; ++e) ++next[static_cast<std::size_t>(incoming_.sources[e]) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::copy(next.begin(), next.end(), offsets_.get());
  for (std::size_t v = 0; v < n; ++v)  // in the order of v: rows come out sorted
    for (std::int64_t e = incoming_.offsets[v]; e < incoming_.offsets[v + 1]; ++e) {
      const auto to = static_cast<std::size_t>(next[static_cast<std::size_t>(incoming_.sources[e])]++);
      targets_[to] = static_cast<std::int32_t>(v);
      if (weights_) weights_[to] = incoming_.weights[e];
    }
  outgoing_.offsets = offsets_.get();
  outgoing_.sources = targets_.get();
  outgoing_.weights = weights_.get();
  forward_ = PullBlocks(outgoing_, 1);
}

void Adjacency::pull_all(const LinkView& rows, const PullBlocks& blocks, const double* x, double* y) const {
  parallel_for(exec_, blocks.count(), [&](Index b) {
    const Index last = blocks.cuts[static_cast<std::size_t>(b) + 1];
    for (Index v = blocks.cuts[static_cast<std::size_t>(b)]; v < last; ++v)
      y[v] = rows.weights ? pull(rows.sources, rows.weights, rows.offsets[v], rows.offsets[v + 1], x)
                          : pull(rows.sources, rows.offsets[v], rows.offsets[v + 1], x);
  });
}

std::vector<std::int32_t> Adjacency::parts() const {
  Sets sets(size());
  for (Index u = 0; u < size(); ++u)
    for (std::int64_t e = outgoing_.offsets[u] + 1; e < outgoing_.offsets[u + 1]; ++e)
      sets.join(outgoing_.sources[e - 1], outgoing_.sources[e]);
  std::vector<std::int32_t> part(static_cast<std::size_t>(size()));
  for (Index v = 0; v < size(); ++v)
    part[static_cast<std::size_t>(v)] =
        incoming_.offsets[v] == incoming_.offsets[v + 1] ? -1 : sets.of(static_cast<std::int32_t>(v));
  return part;
}

}  // namespace fewdim
