#pragma once

#include <cstdint>
#include <vector>

#include "fewdim/execution.hpp"
#include "operators/sparse_symmetric.hpp"

namespace fewdim {

/// How a symmetric sparse matrix is to be eliminated: an order that keeps the factor sparse, and the columns of the
/// factor in groups of (nearly) the same pattern, supernodes, which form a forest. Made from the pattern alone, before
/// any number is looked at.
struct Elimination {
  std::vector<std::int32_t> order;     ///< order[k]: the row eliminated at step k
  std::vector<std::int32_t> position;  ///< its inverse
  std::vector<std::int32_t> first;     ///< supernode s has steps first[s] .. first[s+1]
  std::vector<std::int32_t> parent;    ///< of a supernode; larger than it, -1 at a root
  std::vector<std::int64_t> row_offsets;
  std::vector<std::int32_t>
      rows;  ///< steps below supernode s that it updates, rising: [row_offsets[s], row_offsets[s+1])

  Index nonzeros = 0;  ///< of the factor, as stored
  double flops = 0.0;  ///< multiplications and additions of the factorization
  std::uint64_t factor_bytes = 0;
  std::uint64_t peak_bytes = 0;  ///< of the factorization, the factor included

  Index size() const { return std::ssize(order); }
  Index supernodes() const { return std::ssize(parent); }
  Index width(Index s) const { return first[static_cast<std::size_t>(s) + 1] - first[static_cast<std::size_t>(s)]; }
  Index below(Index s) const {
    return row_offsets[static_cast<std::size_t>(s) + 1] - row_offsets[static_cast<std::size_t>(s)];
  }
};

/// A fill-reducing order, the elimination tree, and relaxed supernodes.
Elimination plan_elimination(const SparseSymmetric& a, const Execution& exec);

}  // namespace fewdim
