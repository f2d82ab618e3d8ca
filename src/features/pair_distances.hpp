#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"

namespace fewdim {

/// Pairs (i, j), j < i, of N objects.
constexpr std::uint64_t pair_count(Index objects) {
  return objects < 2 ? 0 : static_cast<std::uint64_t>(objects) * static_cast<std::uint64_t>(objects - 1) / 2;
}

/// Where the pair stands when the lower triangle is stored row by row.
constexpr std::uint64_t pair_place(Index i, Index j) { return pair_count(i) + static_cast<std::uint64_t>(j); }

/// The pair that stands there.
std::pair<Index, Index> pair_at(std::uint64_t place);

/// One number for each pair of N objects, read by pieces of rows of the lower triangle: a given matrix where it lies,
/// a packed triangle, or tiles computed anew whenever they are read.
template <class S>
class PairDistances {
 public:
  /// Writes entries (row .. row+m, col .. col+n) to out, row-major. Called from many threads.
  using Fill = std::function<void(Index row, Index m, Index col, Index n, S* out)>;

  /// Some entries of consecutive rows.
  struct Piece {
    const S* base = nullptr;
    Index stride = 0;  ///< 0: a packed triangle
    Index first = 0, col = 0;
    /// From entry (i, col) on, as far as the diagonal.
    const S* row(Index i) const { return stride > 0 ? base + (i - first) * stride : base + pair_place(i, col); }
  };

  PairDistances() = default;
  /// A full symmetric matrix of the type S, which must outlive this; no number is copied.
  static PairDistances given(const Dataset& full);
  static PairDistances anew(Index objects, Fill fill);
  /// A triangle of pair_count(objects) numbers.
  static PairDistances packed(Index objects, std::shared_ptr<const S[]> values);
  /// All of them computed now and kept: pair_count(objects)·sizeof(S) bytes.
  PairDistances kept(std::string_view stage, const Execution& exec) const;

  Index objects() const { return objects_; }
  /// Rows row .. row+m, columns from col on, n at most. `scratch` holds what must be computed.
  Piece piece(Index row, Index m, Index col, Index n, std::vector<S>& scratch) const;
  double entry(Index i, Index j) const;  ///< of either half

 private:
  Index objects_ = 0;
  const S* lying_ = nullptr;
  Index stride_ = 0;
  std::shared_ptr<const S[]> packed_;
  Fill fill_;
};

/// The lower triangle cut into square tiles, numbered row by row. Their size depends on N alone.
class PairTiles {
 public:
  struct Tile {
    Index row, m, col, n;
    bool diagonal() const { return row == col; }
  };
  explicit PairTiles(Index objects) : objects_(objects), side_(objects < 4096 ? 128 : 256) {}
  Index count() const;
  Tile tile(Index number) const;
  Index side() const { return side_; }

 private:
  Index objects_, side_;
};

}  // namespace fewdim
