#pragma once

#include <memory>
#include <vector>

#include "fewdim/link_graph.hpp"
#include "ranking/pull.hpp"

namespace fewdim {

/// Products with the adjacency matrix A, A(u, v) the weight of the link from u to v.
class Adjacency {
 public:
  Adjacency(const LinkGraph& graph, const Execution& exec);

  Index size() const { return incoming_.vertices; }
  /// y = A x: what each vertex points to.
  void apply(const double* x, double* y) const { pull_all(outgoing_, forward_, x, y); }
  /// y = Aᵀ x: what points to each vertex.
  void apply_adjoint(const double* x, double* y) const { pull_all(incoming_, backward_, x, y); }

  /// The part of each vertex, so that AᵀA is irreducible in every part: two vertices are together when one vertex
  /// points to both. -1 where nothing points to.
  std::vector<std::int32_t> parts() const;

 private:
  void pull_all(const LinkView& rows, const PullBlocks& blocks, const double* x, double* y) const;

  const Execution& exec_;
  LinkView incoming_, outgoing_;  ///< outgoing links as rows: `sources` holds where they lead
  std::shared_ptr<std::int64_t[]> offsets_;
  std::shared_ptr<std::int32_t[]> targets_;
  std::shared_ptr<double[]> weights_;
  PullBlocks backward_, forward_;
};

}  // namespace fewdim
