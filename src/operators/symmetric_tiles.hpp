#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "fewdim/execution.hpp"
#include "operators/operator.hpp"

namespace fewdim {

/// A symmetric N×N matrix of similarities or distances, by its lower tiles of 512×512: filled once and kept, or
/// computed anew for every product when they don't fit. S is the type an entry is stored in; products are in double
/// either way.
template <class S>
class SymmetricTiles {
 public:
  static constexpr Index kTile = 512;

  /// Writes entries (row .. row+m, col .. col+n) to out, row-major, n apart. Called for row ≥ col only, from many
  /// threads.
  using Fill = std::function<void(Index row, Index m, Index col, Index n, S* out)>;

  /// `keep`: fills all tiles now. `stage` names the filling in progress reports.
  SymmetricTiles(Index size, Fill fill, bool keep, std::string_view stage, const Execution& exec);

  /// Takes row i of the matrix, of which what is right of its diagonal tile is not used. From any thread, in any order.
  using TakeRow = std::function<void(Index i, const S* entries)>;

  /// Keeps all tiles, from rows: `give` hands over every row once. Where (i, j) and (j, i) differ, that of the later
  /// row counts.
  SymmetricTiles(Index size, const std::function<void(const TakeRow&)>& give, const Execution& exec);

  Index size() const { return size_; }
  bool kept() const { return values_ != nullptr; }
  /// Bytes of the kept tiles of an N×N matrix.
  static std::uint64_t kept_bytes(Index size);

  /// y = K x. Partial sums are kept in eight lanes and added in their order: the same bits at any thread count.
  void apply(ConstBlock<double> x, Block<double> y) const;

  /// Calls use(row, m, col, n, tile) for every lower tile, from many threads.
  void for_each(const std::function<void(Index row, Index m, Index col, Index n, const S* tile)>& use) const;

 private:
  struct Place {
    Index row, m, col, n;
  };
  /// Columns first .. first+count of y, at most 16 of them.
  void apply_some(ConstBlock<double> x, Index first, Index count, Block<double> y) const;
  Index tiles() const;
  Place place(Index tile) const;
  /// The tile's entries: where they are kept, or computed into `scratch`.
  const S* entries(Index tile, const Place& place, std::vector<S>& scratch) const;

  Index size_;
  Fill fill_;
  const Execution& exec_;
  std::shared_ptr<S[]> values_;

  /// Room for one product, kept from call to call: fresh pages would cost a third of the product.
  struct Scratch {
    Index width = 0;
    std::shared_ptr<double[]> rows{};
    std::vector<std::shared_ptr<double[]>> sums{};
  };
  Scratch take_scratch(Index width, Index lanes) const;
  struct Spare {
    std::mutex mutex{};
    Scratch scratch{};
  };
  std::shared_ptr<Spare> spare_ = std::make_shared<Spare>();
};

/// W^½ J K Jᵀ W^½ with J = I − 1wᵀ and W = diag(N·w): double centering about the weighted mean, applied and never
/// formed; without weights w = 1/N and it is J K J. Refers to `k` and `weights`.
template <class S>
SymmetricOperator double_centered(const SymmetricTiles<S>& k, const Vector<double>& weights, double factor);

}  // namespace fewdim
