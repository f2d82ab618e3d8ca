#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "solvers/sparse/elimination.hpp"

namespace fewdim {

/// Room for fronts, passed from hand to hand: fresh pages are dear.
class FrontRoom {
 public:
  explicit FrontRoom(Index size) : size_(size) {}

  /// At least `count` numbers, not cleared.
  std::vector<double> take(std::size_t count);
  void give_back(std::vector<double>&& room);
  /// A number for each step, not cleared.
  std::vector<std::int32_t> take_map();
  void give_back(std::vector<std::int32_t>&& map);

 private:
  Index size_;
  std::mutex mutex_{};
  std::vector<std::vector<double>> rooms_{};
  std::vector<std::vector<std::int32_t>> maps_{};
};

/// A front under way: the panel of its own columns and the square that it will hand to its parent, lower triangles.
struct Front {
  Index width = 0, below = 0;
  double* panel = nullptr;   ///< (width+below)×width
  double* update = nullptr;  ///< below×below
  bool adds = true;          ///< there are children, whose updates come first; else the update is not cleared
};

/// The children of every supernode, rising.
struct Children {
  std::vector<std::int32_t> offsets, list;
};
Children children_of(const Elimination& e);

/// Sums the matrix's entries (with `shift` on the diagonal) and what the children hand over into a front, and
/// notes where the children's rows are in it.
void assemble(const SparseSymmetric& a, const Elimination& e, Index s, double shift, const Children& children,
              const std::vector<std::vector<double>>& updates, const Front& front, std::vector<std::int32_t>& relative,
              FrontRoom& room);

/// Cholesky of the panel, and its product taken off the update. False where a pivot is not positive.
bool factor_front(const Front& front);
/// The same by tiles on many threads.
bool factor_large_front(const Front& front, const Execution& exec);

}  // namespace fewdim
