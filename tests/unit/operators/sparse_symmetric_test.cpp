#include "operators/sparse_symmetric.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "fewdim/error.hpp"
#include "support/data.hpp"
#include "support/sparse.hpp"

namespace fewdim {
namespace {

/// Pieces of 1 to `most` vertices out of `size`; the entry of piece p for vertices u, v is a function of the three.
PieceLists some_pieces(Index size, Index count, Index most) {
  PieceLists pieces;
  for (Index p = 0; p < count; ++p) {
    const auto chosen = draw_without_replacement(size, 1 + p % most, 7, static_cast<std::uint32_t>(p));
    for (const Index v : chosen) pieces.vertices.push_back(static_cast<std::int32_t>(v));
    pieces.offsets.push_back(std::ssize(pieces.vertices));
  }
  return pieces;
}

double entry_of(Index p, std::int32_t u, std::int32_t v) {
  return std::sin(static_cast<double>(p + 1) * (u + v + 1)) + static_cast<double>(u) * v;
}

FillPieces filling(const PieceLists& pieces) {
  return [&pieces](Index first, Index last, double* out) {
    for (Index p = first; p < last; ++p) {
      const std::int32_t* v = pieces.vertices.data() + pieces.offsets[static_cast<std::size_t>(p)];
      for (Index j = 0; j < pieces.size(p); ++j)
        for (Index i = 0; i < pieces.size(p); ++i) *out++ = entry_of(p, v[i], v[j]);
    }
  };
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

TEST(SparseSymmetric, MultipliesAsItsDenseTwin) {
  const SparseSymmetric a = test::random_positive(1100, 5, 3);  // more rows than a task has
  a.require_symmetric("test");
  const Matrix<double> dense = a.dense();
  EXPECT_NEAR(a.trace(), dense.trace(), 1e-12 * dense.trace());
  EXPECT_GE(a.norm_bound(), dense.cwiseAbs().rowwise().sum().maxCoeff() * (1 - 1e-14));
  for (const Index columns : {1, 7, 8, 9, 20}) {
    const Matrix<double> x = test::sample(1100, columns, 5);
    Matrix<double> y(1100, columns), again(1100, columns);
    a.products({.threads = 1}).apply(x, y);
    // Sums of some 30 products, each entry below 10.
    EXPECT_LE((y - dense * x).cwiseAbs().maxCoeff(), 1e-12);
    for (const int threads : {2, 3}) {
      const Execution exec{.threads = threads};
      a.apply(x, again, exec);
      EXPECT_EQ(std::memcmp(y.data(), again.data(), static_cast<std::size_t>(y.size()) * sizeof(double)), 0);
    }
  }
}

TEST(SparseSymmetric, TellsWhatIsWrongWithAMatrix) {
  SparseSymmetric a = test::laplacian(5, test::path(5));
  EXPECT_NO_THROW(a.require_symmetric("test"));
  a.values[1] = 7.0;
  EXPECT_THROW(a.require_symmetric("test"), DataError);
  a.values[1] = std::nan("");
  EXPECT_THROW(a.require_symmetric("test"), DataError);
  SparseSymmetric b = test::laplacian(5, test::path(5));
  std::swap(b.columns[0], b.columns[1]);
  EXPECT_THROW(b.require_symmetric("test"), DataError);
}

TEST(SumOfPieces, IsTheSumOfTheDensePieces) {
  for (const Index size : {1, 3, 200}) {
    const PieceLists pieces = some_pieces(size, 150, std::min<Index>(size, 9));
    const SparseSymmetric a = sum_of_pieces(size, pieces, filling(pieces), "sum", {});
    a.require_symmetric("test");
    Matrix<double> dense = Matrix<double>::Zero(size, size);
    Matrix<double> touched = dense;
    for (Index p = 0; p < pieces.count(); ++p) {
      const std::int32_t* v = pieces.vertices.data() + pieces.offsets[static_cast<std::size_t>(p)];
      for (Index i = 0; i < pieces.size(p); ++i)
        for (Index j = 0; j < pieces.size(p); ++j)
          dense(v[i], v[j]) += entry_of(p, v[i], v[j]), touched(v[i], v[j]) = 1;
    }
    EXPECT_EQ(a.dense(), dense) << size;  // added in the same order: the same bits
    EXPECT_EQ(static_cast<double>(a.nonzeros()), touched.sum());
  }
}

TEST(SumOfPieces, HasTheSameBitsInRoundsAndAtAnyThreadCount) {
  // 3,000 pieces of up to 50 vertices: more than the 2²¹ numbers of a round.
  const PieceLists pieces = some_pieces(700, 3000, 50);
  const SparseSymmetric one = sum_of_pieces(700, pieces, filling(pieces), "sum", {.threads = 1});
  for (const int threads : {2, 3}) {
    const SparseSymmetric some = sum_of_pieces(700, pieces, filling(pieces), "sum", {.threads = threads});
    EXPECT_EQ(one.columns, some.columns);
    EXPECT_TRUE(same_bits(one.values, some.values));
  }
}

TEST(SumOfPieces, LeavesRowsWithoutAPieceEmptyAndTakesNoPieces) {
  PieceLists pieces;
  SparseSymmetric a = sum_of_pieces(4, pieces, filling(pieces), "sum", {});
  EXPECT_EQ(a.size(), 4);
  EXPECT_EQ(a.nonzeros(), 0);
  pieces.vertices = {3, 1}, pieces.offsets = {0, 2};
  a = sum_of_pieces(4, pieces, filling(pieces), "sum", {});
  EXPECT_EQ(a.offsets, (std::vector<std::int64_t>{0, 0, 2, 2, 4}));
  EXPECT_EQ(a.columns, (std::vector<std::int32_t>{1, 3, 1, 3}));
}

TEST(SumOfPieces, StopsWhenToldTo) {
  const PieceLists pieces = some_pieces(50, 100, 5);
  const Execution exec{.progress = [](const Progress&) { return false; }};
  EXPECT_THROW(sum_of_pieces(50, pieces, filling(pieces), "sum", exec), Interrupted);
}

}  // namespace
}  // namespace fewdim
