#include "graph/search/neighbors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "fewdim/error.hpp"
#include "unit/graph/graph_helpers.hpp"

namespace fewdim {
namespace {

constexpr std::array kExact{NeighborSearch::tree, NeighborSearch::products};

/// Every metric by every engine that has it, against sorting.
template <class C>
void expect_naive(const Matrix<C>& x, const Matrix<C>& y, Index k, double radius) {
  for (const auto& [metric, name] : EnumNames<Metric>::names) {
    if (!compares_rows(metric)) continue;
    const Vector<double> center = metric_center(Dataset(x), metric, {});
    const auto points = pack_rows<C>(Dataset(x), metric, center, "test", {});
    const auto queries = pack_rows<C>(Dataset(y), metric, center, "test", {});
    for (const NeighborSearch search : kExact) {
      if (metric == Metric::hamming && search == NeighborSearch::tree) continue;
      const std::string what = std::string(name) + " by " + enum_text(search);
      test::expect_same(nearest_neighbors(points, k, search, "test", {}), test::naive_neighbors(points, points, k),
                        what);
      test::expect_same(nearest_neighbors(queries, points, k, search, "test", {}),
                        test::naive_neighbors(queries, points, k), what);
      test::expect_same(neighbors_within(points, radius, search, "test", {}),
                        test::naive_neighbors(points, points, points.rows, radius), what);
      test::expect_same(neighbors_within(queries, points, radius, search, "test", {}),
                        test::naive_neighbors(queries, points, points.rows, radius), what);
    }
  }
}

TEST(Neighbors, AreThoseOfSortingAllDistances) {
  // 700 rows: two blocks of products, the second not full.
  expect_naive<double>(test::sample(700, 4), test::sample(70, 4, 2), 9, 0.3);
  expect_naive<float>(test::sample<float>(700, 4), test::sample<float>(70, 4, 2), 9, 0.3);
  expect_naive<float>(test::sample<float>(300, 21), test::sample<float>(33, 21, 2), 5, 0.6);
  // The tree knows two and three columns when it is compiled.
  for (const Index cols : {2, 3}) {
    expect_naive<double>(test::sample(300, cols), test::sample(33, cols, 2), 7, 0.3);
    expect_naive<float>(test::sample<float>(300, cols), test::sample<float>(33, cols, 2), 7, 0.3);
  }
}

TEST(Neighbors, TiesGoToTheLowerIndex) {
  // Points of a 5×5×5 grid, each of them three times: nearly every distance is a tie, and many are 0.
  Matrix<float> x(375, 3);
  for (Index i = 0; i < 375; ++i) x.row(i) << float(i % 5), float(i / 5 % 5), float(i / 25 % 5);
  const Matrix<float> shifted = x.array() + 1.0F;  // no all-zero rows, which have no cosine
  Matrix<float> tilted = shifted;
  tilted.col(2) *= 1.5F;  // no constant rows, which have no correlation
  tilted.col(1).array() += 0.25F;
  expect_naive<float>(tilted, tilted.topRows(40).eval(), 7, 1.0);
}

TEST(Neighbors, AreExactAtEveryNumberOfThem) {
  // Lists of up to 32 are kept in order, longer ones as heaps; those of few columns side by side.
  for (const Index k : {1, 2, 8, 31, 32, 33, 64}) {
    expect_naive<double>(test::sample(150, 3), test::sample(20, 3, 2), k, 0.3);
    expect_naive<float>(test::sample<float>(150, 9), test::sample<float>(20, 9, 2), k, 0.3);
  }
}

TEST(Neighbors, EqualDistancesOfDifferentSquaresAreTies) {
  // Points of a circle and its center: their squares differ in the last bit, and most roots of them are the same.
  Matrix<double> x(301, 2);
  for (Index i = 0; i < 300; ++i) x.row(i) << std::cos(0.37 * double(i)), std::sin(0.37 * double(i));
  x.row(300) << 0.0, 0.0;
  const auto points = pack_rows<double>(Dataset(x), Metric::euclidean, {}, "test", {});
  std::set<double> squares, roots;
  for (Index i = 0; i < 300; ++i) squares.insert(x.row(i).squaredNorm()), roots.insert(x.row(i).norm());
  ASSERT_GT(squares.size(), roots.size());
  for (const Index k : {1, 5, 20})
    test::expect_same(nearest_neighbors(points, k, NeighborSearch::tree, "test", {}),
                      test::naive_neighbors(points, points, k), std::to_string(k));
}

TEST(Neighbors, DuplicatesAreAtExactlyZero) {
  // Rows far from their mean, so that products alone would be off by ε‖x‖² = 1e-7·1e4.
  Matrix<float> x = test::sample<float>(600, 30);
  x.topRows(300).array() += 40.0F;
  for (Index i = 0; i < 20; ++i) x.row(599 - i) = x.row(i);
  const auto points = test::packed(x);
  for (const NeighborSearch search : kExact) {
    const NeighborLists lists = nearest_neighbors(points, 3, search, "test", {});
    for (std::int32_t i = 0; i < 20; ++i) {
      EXPECT_EQ(lists.indices[static_cast<std::size_t>(3 * i)], 599 - i);
      EXPECT_EQ(lists.distances[static_cast<std::size_t>(3 * i)], 0.0);
    }
    test::expect_same(lists, test::naive_neighbors(points, points, 3), enum_text(search));
  }
}

TEST(Neighbors, AllEqualRowsAreNeighborsInOrder) {
  const auto points = test::packed<double>(Matrix<double>::Constant(600, 3, 2.5));
  for (const NeighborSearch search : kExact)
    test::expect_same(nearest_neighbors(points, 4, search, "test", {}), test::naive_neighbors(points, points, 4),
                      enum_text(search));
}

TEST(Neighbors, TheExactOrderDecidesWhereProductsLoseAllDigits) {
  // Two clusters 2e4 apart and 1e-3 wide: in float32 the product's error of about 10 hides all distances within one.
  Matrix<float> x = test::sample<float>(200, 6, 1, 0.0) * 1e-3F;
  x.topRows(100).col(0).array() += 1e4F;
  x.bottomRows(100).col(1).array() += 2e4F;
  const auto points = test::packed(x);
  for (const NeighborSearch search : kExact)
    test::expect_same(nearest_neighbors(points, 6, search, "test", {}), test::naive_neighbors(points, points, 6),
                      enum_text(search));
}

TEST(Neighbors, SquaresThatOverflowOrVanishAreMeasuredByDifferences) {
  for (const float scale : {1e30F, 1e-30F}) {
    const auto points = test::packed<float>(test::sample<float>(90, 5) * scale);
    for (const NeighborSearch search : kExact)
      test::expect_same(nearest_neighbors(points, 4, search, "test", {}), test::naive_neighbors(points, points, 4),
                        enum_text(search));
  }
}

TEST(Neighbors, SameBitsAtAnyNumberOfThreads) {
  const auto points = test::packed<float>(test::sample<float>(2100, 6));  // five blocks: an odd number
  for (const NeighborSearch search : {NeighborSearch::tree, NeighborSearch::products, NeighborSearch::approximate}) {
    const NeighborLists one = nearest_neighbors(points, 8, search, "test", {.threads = 1});
    for (const int threads : {2, 3, 8})
      test::expect_same(nearest_neighbors(points, 8, search, "test", {.threads = threads}), one, enum_text(search));
  }
  const NeighborLists one = neighbors_within(points, 0.9, NeighborSearch::products, "test", {.threads = 1});
  for (const int threads : {2, 3, 8})
    test::expect_same(neighbors_within(points, 0.9, NeighborSearch::products, "test", {.threads = threads}), one, "");
}

TEST(Neighbors, KIsAtMostTheOthers) {
  const auto points = test::packed<double>(test::sample(20, 3));
  EXPECT_EQ(nearest_neighbors(points, 19, NeighborSearch::automatic, "test", {}).count(), 20 * 19);
  for (const Index k : {0, -1, 20}) {
    try {
      nearest_neighbors(points, k, NeighborSearch::automatic, "isomap", {});
      ADD_FAILURE() << k;
    } catch (const InvalidOption& e) {
      EXPECT_NE(std::string(e.what()).find("must be between 1 and 19"), std::string::npos) << e.what();
    }
  }
  const auto one = test::packed<double>(test::sample(1, 3));
  EXPECT_THROW(nearest_neighbors(one, 1, NeighborSearch::automatic, "test", {}), DataError);
  EXPECT_EQ(nearest_neighbors(one, points, 1, NeighborSearch::automatic, "test", {}).count(), 1);
  EXPECT_EQ(neighbors_within(one, 1.0, NeighborSearch::automatic, "test", {}).count(), 0);
}

TEST(Neighbors, RefusesARadiusThatIsNone) {
  const auto points = test::packed<double>(test::sample(20, 3));
  for (const double radius :
       {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    EXPECT_THROW(neighbors_within(points, radius, NeighborSearch::automatic, "test", {}), InvalidOption) << radius;
}

TEST(Neighbors, ARadiusWhoseListsOutgrowTheLimitIsRefused) {
  const auto points = test::packed<float>(test::sample<float>(1200, 8));
  EXPECT_THROW(neighbors_within(points, 100.0, NeighborSearch::products, "test", {.memory_limit = 1 << 20}),
               OverMemory);
}

TEST(Neighbors, TheTreeIsForFewColumns) {
  EXPECT_EQ(choose_search(Metric::euclidean, 3), NeighborSearch::tree);
  EXPECT_EQ(choose_search(Metric::euclidean, 50), NeighborSearch::products);
  EXPECT_EQ(choose_search(Metric::hamming, 3), NeighborSearch::products);
  const auto points = test::packed<double>(test::sample(20, 3), Metric::hamming);
  EXPECT_THROW(nearest_neighbors(points, 2, NeighborSearch::tree, "test", {}), Unsupported);
}

TEST(Neighbors, ApproximateOnesComeWithTheirRecall) {
  const auto points = test::packed<float>(test::sample<float>(1500, 10));
  SearchTrace trace;
  const NeighborLists found = nearest_neighbors(points, 10, NeighborSearch::approximate, "test", {}, &trace);
  EXPECT_EQ(trace.search, NeighborSearch::approximate);
  EXPECT_EQ(trace.recall_rows, 256);
  const NeighborLists exact = test::naive_neighbors(points, points, 10);
  EXPECT_EQ(found.offsets, exact.offsets);
  std::size_t right = 0;
  for (std::size_t e = 0; e < found.indices.size(); ++e) {
    const auto row = static_cast<Index>(e) / 10;
    EXPECT_NE(found.indices[e], row);
    EXPECT_EQ(found.distances[e], distance(points, row, points, found.indices[e]));
    if (found.distances[e] <= exact.distances[static_cast<std::size_t>(10 * row + 9)]) ++right;
  }
  // The graph searches 100 wide for 10: on so few points it misses next to nothing.
  const double recall = static_cast<double>(right) / 15000.0;
  EXPECT_GT(recall, 0.99);
  EXPECT_NEAR(trace.recall, recall, 0.02);  // 2,560 of the 15,000 neighbors
  EXPECT_THROW(nearest_neighbors(test::packed<float>(test::sample<float>(30, 3), Metric::manhattan), 3,
                                 NeighborSearch::approximate, "test", {}),
               Unsupported);
  EXPECT_THROW(neighbors_within(points, 1.0, NeighborSearch::approximate, "test", {}), Unsupported);
}

TEST(Neighbors, ApproximateOnesAreCompleteAmongDuplicates) {
  Matrix<float> x = Matrix<float>::Zero(300, 4);
  x.bottomRows(5).setRandom();
  const auto points = test::packed(x);
  const NeighborLists found = nearest_neighbors(points, 12, NeighborSearch::approximate, "test", {});
  for (std::size_t i = 0; i < 300; ++i) EXPECT_EQ(found.offsets[i + 1] - found.offsets[i], 12);
}

}  // namespace
}  // namespace fewdim
