#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "base/describe.hpp"
#include "fewdim/laplacian.hpp"
#include "methods/shared/neighbor_objects.hpp"
#include "operators/sparse_symmetric.hpp"

/// What Laplacian eigenmaps and diffusion maps share: weights of links, and matrices made of them.
namespace fewdim {

template <>
struct EnumNames<LinkWeights> {
  static constexpr std::array names{std::pair{LinkWeights::heat, "heat"}, std::pair{LinkWeights::binary, "binary"},
                                    std::pair{LinkWeights::given, "given"}};
};

template <class Visitor>
void describe_weights(bool& graph, LinkWeights& weights, double& bandwidth, Visitor&& field) {
  field(graph, {.name = "graph", .help = "the data are the graph: a square matrix, 0 where there is no link"});
  field(weights, {.name = "weights",
                  .help = "of links: exp(-d²/t), 1 each, or (given) the numbers in the graph, which are lengths else"});
  field(bandwidth, {.name = "bandwidth",
                    .minimum = 0,
                    .help = "t of the weights exp(-d²/t); 0 means the median squared length of a link"});
}

/// One weight for each entry of the graph, and their sums by vertex.
struct WeightedLinks {
  std::vector<double> weights{};  ///< as the graph's targets
  Vector<double> sums{};
  double bandwidth = 0.0;  ///< as NeighborModel has it
};

/// Throws InvalidOption for given weights without a given graph; DataError where a vertex's links weigh nothing.
WeightedLinks weigh_links(const NeighborGraph& graph, bool is_graph, LinkWeights weights, double bandwidth,
                          std::string_view who, const Execution& exec);

/// diagonal_i on the diagonal, −factor_i factor_j w_ij beside it.
SparseSymmetric laplacian_matrix(const NeighborGraph& graph, const WeightedLinks& links, const Vector<double>& diagonal,
                                 const Vector<double>& factors, const Execution& exec);

/// The number of eigenvalues 0 is that of the parts of the graph: one. Throws DataError where there are more.
void require_one_part(Index zeros, double bandwidth, std::string_view who);

}  // namespace fewdim
