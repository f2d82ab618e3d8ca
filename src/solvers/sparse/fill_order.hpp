#pragma once

#include <cstdint>
#include <vector>

#include "fewdim/execution.hpp"
#include "operators/sparse_symmetric.hpp"

namespace fewdim {

/// The pattern of a symmetric matrix by groups of rows: two groups are neighbors where any of their rows are.
struct GroupedPattern {
  std::vector<std::int32_t> member_offsets, members;  ///< rows of each group
  std::vector<std::int32_t> offsets, neighbors;       ///< of each group, itself included
  std::vector<std::int32_t> order;                    ///< order[k]: the group eliminated at step k

  Index groups() const { return std::ssize(order); }
  std::int32_t weight(Index group) const {
    return member_offsets[static_cast<std::size_t>(group) + 1] - member_offsets[static_cast<std::size_t>(group)];
  }
};

/// An order of elimination that keeps the factor sparse, by approximate minimum degree (Amestoy, Davis & Duff 1996).
/// Where rows have many entries it orders pairs of rows with nearly the same neighbors: on two-hop graphs of nearest
/// neighbors that takes 12 ms instead of 33 ms at 10,000 rows, for 1.2 times the flops, and the analysis that follows
/// is cheaper by pairs too. (Groups of four: 7 ms and 2.0 times the flops.) Else each row is a group. The same order at
/// any thread count.
GroupedPattern fill_reducing_order(const SparseSymmetric& a, const Execution& exec);

}  // namespace fewdim
