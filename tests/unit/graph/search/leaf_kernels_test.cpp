#include "graph/search/leaf_kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "unit/graph/graph_helpers.hpp"

namespace fewdim {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

/// Column l of the matrix is row l of the leaf: numbers lie column by column.
Matrix<double> leaf_of(Index cols, std::uint64_t seed) { return test::sample(kLeaf, cols, seed); }

double square_of(const Matrix<double>& a, Index i, const Matrix<double>& b, Index j) {
  double sum = 0.0;
  for (Index c = 0; c < a.cols(); ++c) sum += (a(i, c) - b(j, c)) * (a(i, c) - b(j, c));
  return sum;
}

TEST(LeafKernels, SquaresAreThoseOfPairs) {
  for (const Index cols : {1, 2, 3, 8, 11}) {
    const Matrix<double> a = leaf_of(cols, 1), b = leaf_of(cols, 2);
    double out[kLeaf];
    for (Index q = 0; q < kLeaf; ++q) {
      squares_to_rows(a.data() + q, b.data(), cols, out);
      for (Index l = 0; l < kLeaf; ++l) EXPECT_EQ(out[l], square_of(a, q, b, l));
    }
  }
}

TEST(LeafKernels, ABoxIsAtTheDistanceOfItsNearestPoint) {
  const double box[] = {-1.0, 1.0, 2.0, 3.0};
  Matrix<double> leaf = Matrix<double>::Zero(kLeaf, 2);
  leaf.row(0) << 0.0, 2.5;   // inside
  leaf.row(1) << 4.0, 2.5;   // 3 to the right
  leaf.row(2) << -2.0, 0.0;  // 1 to the left, 2 below
  double out[kLeaf];
  squares_to_box(leaf.data(), box, 2, out);
  EXPECT_EQ(out[0], 0.0);
  EXPECT_EQ(out[1], 9.0);
  EXPECT_EQ(out[2], 5.0);
}

/// Three leaves put in place one after the other, for k of 1, of fewer than were compared, and of all of them.
TEST(LeafKernels, TheLeastAreInOrderAndInTheirPlaces) {
  const Matrix<double> queries = leaf_of(3, 1);
  const std::vector<Matrix<double>> leaves{queries, leaf_of(3, 2), leaf_of(3, 3)};
  for (const Index k : {1, 5, 12, 23}) {
    std::vector<double> least(static_cast<std::size_t>(k * kLeaf), kFar), squares;
    std::vector<std::int32_t> names;
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
      double out[kLeaf * kLeaf];
      put_in_place(queries.data(), leaves[leaf].data(), kLeaf, 3, leaf == 0, k, least.data(), out);
      squares.insert(squares.end(), out, out + kLeaf * kLeaf);
      for (Index l = 0; l < kLeaf; ++l) names.push_back(static_cast<std::int32_t>(names.size()));
    }
    std::vector<std::int32_t> places(static_cast<std::size_t>((k + 1) * kLeaf), -1);
    std::int32_t counts[kLeaf] = {};
    find_places(squares.data(), names.data(), std::ssize(names), least.data(), k, least.data() + (k - 1) * kLeaf,
                places.data(), counts);
    for (Index q = 0; q < kLeaf; ++q) {
      std::vector<std::pair<double, std::int32_t>> all;
      for (std::size_t i = 0; i < names.size(); ++i)
        if (static_cast<Index>(i) != q)  // itself is in the first leaf
          all.emplace_back(square_of(queries, q, leaves[i / kLeaf], static_cast<Index>(i % kLeaf)), names[i]);
      std::ranges::sort(all);
      EXPECT_EQ(counts[q], k);
      for (Index i = 0; i < k; ++i) {
        EXPECT_EQ(least[static_cast<std::size_t>(i * kLeaf + q)], all[static_cast<std::size_t>(i)].first);
        EXPECT_EQ(places[static_cast<std::size_t>(i * kLeaf + q)], all[static_cast<std::size_t>(i)].second);
      }
    }
  }
}

TEST(LeafKernels, RootsThatAreEqualAreTold) {
  // Two squares next to each other whose roots are the same double.
  const double a = 2.0, b = std::nextafter(a, 3.0);
  ASSERT_EQ(std::sqrt(a), std::sqrt(b));
  double least[3 * kLeaf];
  for (Index q = 0; q < kLeaf; ++q) least[q] = 1.0, least[kLeaf + q] = a, least[2 * kLeaf + q] = q == 5 ? b : 4.0;
  EXPECT_EQ(take_roots(3, least), 1U << 5);
  EXPECT_EQ(least[kLeaf], std::sqrt(2.0));
  EXPECT_EQ(least[2 * kLeaf], 2.0);
}

}  // namespace
}  // namespace fewdim
