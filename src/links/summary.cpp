#include <algorithm>
#include <numeric>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "base/sets.hpp"
#include "links/storage.hpp"

namespace fewdim {

namespace {

/// Strongly connected components (Tarjan 1972, without recursion; the numbers of Pearce 2016). Links turned around make
/// no difference to them, so incoming ones do.
class StrongComponents {
 public:
  StrongComponents(const LinkView& graph, const Execution& exec)
      : graph_(graph), order_(static_cast<std::size_t>(graph.vertices), 0), low_(order_.size(), 0) {
    for (Index v = 0; v < graph.vertices; ++v) {
      if ((v & 0xFFFFF) == 0) report_progress(exec, "components", v, graph.vertices, "vertices");
      if (order_[static_cast<std::size_t>(v)] == 0) search(static_cast<std::int32_t>(v));
    }
  }

  Index count = 0, largest = 0;

 private:
  struct Frame {
    std::int32_t vertex;
    std::int64_t next;
  };

  void open(std::int32_t v) {
    order_[static_cast<std::size_t>(v)] = low_[static_cast<std::size_t>(v)] = ++visited_;
    open_.push_back(v);
    frames_.push_back({v, graph_.offsets[v]});
  }

  void search(std::int32_t root) {
    open(root);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const std::int32_t v = frame.vertex;
      if (frame.next < graph_.offsets[v + 1]) {
        const std::int32_t u = graph_.sources[frame.next++];
        const std::uint32_t order = order_[static_cast<std::size_t>(u)];
        if (order == 0)
          open(u);
        else
          lower(v, order);  // a closed vertex has the highest number: no effect
        continue;
      }
      frames_.pop_back();
      const std::uint32_t low = low_[static_cast<std::size_t>(v)];
      if (!frames_.empty()) lower(frames_.back().vertex, low);
      if (low == order_[static_cast<std::size_t>(v)]) close(v);
    }
  }

  void lower(std::int32_t v, std::uint32_t to) {
    auto& low = low_[static_cast<std::size_t>(v)];
    low = std::min(low, to);
  }

  void close(std::int32_t root) {
    Index size = 0;
    for (std::int32_t v = -1; v != root; ++size) {
      v = open_.back();
      open_.pop_back();
      order_[static_cast<std::size_t>(v)] = UINT32_MAX;
    }
    ++count;
    largest = std::max(largest, size);
  }

  const LinkView& graph_;
  std::vector<std::uint32_t> order_, low_;
  std::vector<std::int32_t> open_;
  std::vector<Frame> frames_;
  std::uint32_t visited_ = 0;
};

/// Components along links of either direction, by union and halving of paths.
void weak_components(const LinkView& graph, LinkSummary& summary) {
  Sets sets(graph.vertices);
  for (Index v = 0; v < graph.vertices; ++v)
    for (std::int64_t e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e)
      sets.join(static_cast<std::int32_t>(v), graph.sources[e]);
  std::vector<std::int32_t> sizes(static_cast<std::size_t>(graph.vertices), 0);
  for (Index v = 0; v < graph.vertices; ++v) {
    const auto size = ++sizes[static_cast<std::size_t>(sets.of(static_cast<std::int32_t>(v)))];
    summary.weak_components += size == 1;
    summary.largest_weak = std::max<Index>(summary.largest_weak, size);
  }
}

}  // namespace

LinkSummary summarize(const LinkGraph& graph, const Execution& exec) {
  const LinkView view = graph.view();
  LinkSummary summary{.vertices = view.vertices, .links = view.links(), .repeated = graph.repeated()};
  require_memory(exec, static_cast<std::uint64_t>(view.vertices) * 28, "components of the graph",
                 raise_option("memory_limit"));
  for (Index v = 0; v < view.vertices; ++v) {
    summary.dangling += view.outgoing[v] == 0.0;
    summary.unlinked += view.offsets[v] == view.offsets[v + 1];
    summary.self_loops += std::binary_search(view.sources + view.offsets[v], view.sources + view.offsets[v + 1],
                                             static_cast<std::int32_t>(v));
  }
  const StrongComponents strong(view, exec);
  summary.strong_components = strong.count;
  summary.largest_strong = strong.largest;
  weak_components(view, summary);
  return summary;
}

}  // namespace fewdim
