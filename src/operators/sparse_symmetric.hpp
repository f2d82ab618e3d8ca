#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "fewdim/execution.hpp"
#include "operators/operator.hpp"

namespace fewdim {

/// A symmetric sparse matrix, both triangles in compressed rows: row i has columns[offsets[i] .. offsets[i+1]), rising.
struct SparseSymmetric {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> columns{};
  std::vector<double> values{};

  Index size() const { return std::ssize(offsets) - 1; }
  Index nonzeros() const { return std::ssize(columns); }

  /// y = A x; each entry is summed in the order of its row, at any thread count.
  void apply(ConstBlock<double> x, Block<double> y, const Execution& exec) const;
  /// The products alone; refers to this matrix and to `exec`.
  SymmetricOperator products(const Execution& exec) const;

  double trace() const;
  /// max over rows of Σ|a_ij|: not below the largest eigenvalue in magnitude.
  double norm_bound() const;
  /// All of it, for small ones.
  Matrix<double> dense() const;
  /// Throws DataError where an entry is not finite, a column is out of place, or (i, j) and (j, i) differ.
  void require_symmetric(const std::string& who) const;
};

/// The vertices of each of many small pieces, one list behind the other: piece p has
/// vertices[offsets[p] .. offsets[p+1]), no vertex twice, in any order.
struct PieceLists {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> vertices{};

  Index count() const { return std::ssize(offsets) - 1; }
  Index size(Index piece) const {
    return offsets[static_cast<std::size_t>(piece) + 1] - offsets[static_cast<std::size_t>(piece)];
  }
};

/// Writes the symmetric m×m matrices of pieces first .. last to `out`, one behind the other, in full. Called from many
/// threads.
using FillPieces = std::function<void(Index first, Index last, double* out)>;

/// A = Σ_p S_p M_p S_pᵀ with S_p the columns of the identity at the vertices of piece p: the sum of small matrices,
/// each added to the rows and columns of its vertices. Pieces are made in rounds, never all at once, and each entry is
/// summed in the order of the pieces: the same bits at any thread count. Every pair of a piece is an entry, be it 0.
SparseSymmetric sum_of_pieces(Index size, const PieceLists& pieces, const FillPieces& fill, std::string_view stage,
                              const Execution& exec);

/// Bytes that sum_of_pieces takes beside its result.
std::uint64_t sum_of_pieces_bytes(Index size, const PieceLists& pieces);

}  // namespace fewdim
