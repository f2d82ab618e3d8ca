#include "features/pair_distances.hpp"

#include <gtest/gtest.h>

#include "support/data.hpp"

namespace fewdim {
namespace {

TEST(PairDistances, PlacesCountTheLowerTriangle) {
  std::uint64_t place = 0;
  for (Index i = 0; i < 200; ++i)
    for (Index j = 0; j < i; ++j, ++place) {
      EXPECT_EQ(pair_place(i, j), place);
      EXPECT_EQ(pair_at(place), std::pair(i, j));
    }
  EXPECT_EQ(place, pair_count(200));
  // Near the end of what 32 bits count, where a square root in double must not slip.
  for (const Index i : {65'535, 92'681, 3'000'000})
    for (const Index j : {Index{0}, i - 1}) EXPECT_EQ(pair_at(pair_place(i, j)), std::pair(i, j));
}

TEST(PairTiles, CoverEveryPairOnce) {
  for (const Index n : {2, 127, 128, 129, 300, 4097}) {
    const PairTiles tiles(n);
    std::uint64_t covered = 0;
    for (Index t = 0; t < tiles.count(); ++t) {
      const auto at = tiles.tile(t);
      EXPECT_LE(at.col, at.row);
      EXPECT_LE(at.row + at.m, n);
      for (Index i = at.row; i < at.row + at.m; ++i) covered += static_cast<std::uint64_t>(std::min(at.n, i - at.col));
    }
    EXPECT_EQ(covered, pair_count(n)) << n;
  }
}

template <class S>
void expect_same_entries(const PairDistances<S>& pairs, const Matrix<S>& d) {
  const Index n = d.rows();
  std::vector<S> scratch;
  for (const auto& [row, m, col, width] : {std::array<Index, 4>{0, n, 0, n}, {n - 3, 3, 1, 2}, {5, 1, 2, 3}}) {
    const auto piece = pairs.piece(row, m, col, width, scratch);
    for (Index i = row; i < row + m; ++i)
      for (Index j = 0; j < std::min(width, i - col); ++j) EXPECT_EQ(piece.row(i)[j], d(i, col + j));
  }
  EXPECT_EQ(pairs.entry(4, 2), static_cast<double>(d(4, 2)));
  EXPECT_EQ(pairs.entry(2, 4), static_cast<double>(d(4, 2)));
  EXPECT_EQ(pairs.entry(3, 3), 0.0);
}

TEST(PairDistances, GivenPackedAndAnewAreTheSame) {
  const Index n = 150;
  Matrix<double> d = test::sample(n, n).cwiseAbs();
  d = (d + d.transpose()).eval();
  d.diagonal().setZero();
  const RowMatrix<double> rows = d;
  const Dataset by_columns(d), by_rows(rows);
  const auto given = PairDistances<double>::given(by_columns);
  expect_same_entries(given, d);
  expect_same_entries(PairDistances<double>::given(by_rows), d);
  expect_same_entries(given.kept("distances", {}), d);
  const auto anew = PairDistances<double>::anew(n, [&](Index row, Index m, Index col, Index width, double* out) {
    for (Index i = 0; i < m; ++i)
      for (Index j = 0; j < width; ++j) out[i * width + j] = d(row + i, col + j);
  });
  expect_same_entries(anew, d);
  expect_same_entries(anew.kept("distances", {.threads = 3}), d);
  const Matrix<float> single = d.cast<float>();
  const Dataset floats(single);
  expect_same_entries(PairDistances<float>::given(floats), single);
  const DenseView<double> every_other{d.data(), n / 2, n / 2, 2, 2 * n};  // unit stride on neither side
  const Dataset strided(every_other);
  EXPECT_EQ(PairDistances<double>::given(strided).entry(3, 1), d(6, 2));
}

}  // namespace
}  // namespace fewdim
