#pragma once

#include "base/describe.hpp"
#include "graph/neighbor_graph.hpp"

namespace fewdim {

/// The options of a neighbor graph, the same for every method that has one.
template <class Visitor>
void describe_neighborhood(Neighborhood& o, Visitor&& field) {
  field(o.k, {.name = "neighbors", .help = "nearest rows that a row is linked to; a link counts both ways"});
  field(o.radius, {.name = "radius", .help = "instead of neighbors: link all rows at most this far apart; 0 is off"});
  field(o.search, {.name = "search",
                   .help = "how neighbors are found; approximate (HNSW) is for very many rows, its recall measured"});
  field(o.disconnected,
        {.name = "disconnected",
         .help = "a graph in parts: refuse it (error), bridge it by the shortest links with a warning, or take the "
                 "largest part"});
}

}  // namespace fewdim
