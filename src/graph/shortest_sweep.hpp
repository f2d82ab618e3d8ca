#pragma once

#include <vector>

#include "fewdim/types.hpp"

namespace fewdim {

/// A directed edge as the searches read it: 8 bytes in float, 16 in double.
template <class C>
struct Edge {
  std::int32_t target = 0;
  C length = 0;
};

/// Compressed rows of edges.
template <class C>
struct EdgeLists {
  std::vector<std::int64_t> offsets{};
  std::vector<Edge<C>> edges{};

  Index vertices() const { return std::ssize(offsets) - 1; }
  const Edge<C>* begin(std::int32_t v) const { return edges.data() + offsets[static_cast<std::size_t>(v)]; }
  const Edge<C>* end(std::int32_t v) const { return edges.data() + offsets[static_cast<std::size_t>(v) + 1]; }
};

/// Sources that are searched together: the distances of a vertex to all of them fill two cache lines in float, four in
/// double.
template <class C>
constexpr Index kSweepLanes = 32;

/// One pass over the vertices marked `dirty` (all of them when `all`), in `order` or against it: each takes, for every
/// lane, the least of its label and of its neighbors' labels plus the edge. A vertex whose labels fall marks its
/// neighbors. Returns how many vertices had their labels fall. `labels` is aligned to 64 bytes.
Index sweep(const EdgeLists<float>& graph, const std::int32_t* order, bool forward, bool all, std::uint8_t* dirty,
            float* labels);
Index sweep(const EdgeLists<double>& graph, const std::int32_t* order, bool forward, bool all, std::uint8_t* dirty,
            double* labels);

}  // namespace fewdim
