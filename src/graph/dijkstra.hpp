#pragma once

#include <limits>

#include "graph/shortest_sweep.hpp"

namespace fewdim {

/// Dijkstra's search from one place, with a heap of four children a node; keeps its memory between calls.
template <class C>
class Dijkstra {
 public:
  /// Sets labels[v] to the distance of each vertex from a place that is linked to the starts first .. last (infinity
  /// where there is no path) and returns the vertices reached, nearest first. A label is the least, over paths, of the
  /// lengths summed from that place outward. As rounded addition never falls when a term grows, that number is unique:
  /// any order of search finds the same bits.
  const std::vector<std::int32_t>& run(const EdgeLists<C>& graph, const Edge<C>* first, const Edge<C>* last,
                                       C* labels) {
    std::fill_n(labels, graph.vertices(), std::numeric_limits<C>::infinity());
    settled_.clear();
    heap_.clear();
    for (const Edge<C>* start = first; start != last; ++start) {
      if (!(start->length < labels[start->target])) continue;
      labels[start->target] = start->length;
      push({start->length, start->target});
    }
    while (!heap_.empty()) {
      const Item nearest = pop();
      if (nearest.label > labels[nearest.vertex]) continue;
      settled_.push_back(nearest.vertex);
      for (const Edge<C>* e = graph.begin(nearest.vertex); e != graph.end(nearest.vertex); ++e) {
        const C label = nearest.label + e->length;
        if (!(label < labels[e->target])) continue;
        labels[e->target] = label;
        push({label, e->target});
      }
    }
    return settled_;
  }

 private:
  struct Item {
    C label;
    std::int32_t vertex;
  };

  void push(Item item) {
    heap_.push_back(item);
    std::size_t at = heap_.size() - 1;
    while (at > 0 && item.label < heap_[(at - 1) / 4].label) {
      heap_[at] = heap_[(at - 1) / 4];
      at = (at - 1) / 4;
    }
    heap_[at] = item;
  }

  Item pop() {
    const Item top = heap_.front(), item = heap_.back();
    heap_.pop_back();
    const std::size_t n = heap_.size();
    std::size_t at = 0;
    for (std::size_t child = 1; child < n; child = 4 * at + 1) {
      const std::size_t last = std::min(child + 4, n);
      std::size_t least = child;
      for (std::size_t c = child + 1; c < last; ++c)
        if (heap_[c].label < heap_[least].label) least = c;
      if (!(heap_[least].label < item.label)) break;
      heap_[at] = heap_[least];
      at = least;
    }
    if (n > 0) heap_[at] = item;
    return top;
  }

  std::vector<Item> heap_{};
  std::vector<std::int32_t> settled_{};
};

}  // namespace fewdim
