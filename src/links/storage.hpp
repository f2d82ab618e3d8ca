#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fewdim/link_graph.hpp"

namespace fewdim {

/// What vertices are called: texts, numbers (ascending), or nothing but their place.
struct VertexNames {
  std::vector<std::string> texts;
  std::vector<std::uint32_t> numbers;
  std::uint32_t first = 0;  ///< the number of vertex 0 where both are empty

  std::string of(Index vertex) const;
};

struct LinkGraph::Storage {
  Index vertices = 0;
  std::shared_ptr<std::int64_t[]> offsets;
  std::shared_ptr<std::int32_t[]> sources;
  std::shared_ptr<double[]> weights, outgoing;
  VertexNames names;
  bool undirected = false;
  std::int64_t repeated = 0;
};

/// Links in the order of the input.
struct LinkList {
  std::shared_ptr<std::int32_t[]> from, to;
  std::shared_ptr<double[]> weights;  ///< null: all are 1
  std::int64_t count = 0;

  static LinkList with_room_for(std::size_t count, bool weighted);
};

/// Throws DataError when a graph of so many vertices can't be numbered with 31 bits.
void require_vertex_count(std::uint64_t vertices, const std::string& source);

/// What is wrong with a weight, or empty.
std::string weight_fault(double weight);

/// Sorts the links by where they lead; `source` is for messages. Weights must be checked already.
LinkGraph build_links(Index vertices, LinkList&& list, const LinkOptions& options, VertexNames names,
                      const std::string& source, const Execution& exec);

}  // namespace fewdim
