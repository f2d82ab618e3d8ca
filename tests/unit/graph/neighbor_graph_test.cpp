#include "graph/neighbor_graph.hpp"

#include <gtest/gtest.h>

#include "fewdim/error.hpp"
#include "graph/connect.hpp"
#include "unit/graph/graph_helpers.hpp"

namespace fewdim {
namespace {

/// Points on a line: 6 from 0 on, 4 from 20 on, 3 from 27 on, one step apart.
Matrix<double> three_groups() {
  Matrix<double> x = Matrix<double>::Zero(13, 2);
  for (Index i = 0; i < 13; ++i) x(i, 0) = static_cast<double>(i < 6 ? i : i < 10 ? 14 + i : 17 + i);
  return x;
}

Matrix<double> all_distances(const Matrix<double>& x) {
  Matrix<double> d(x.rows(), x.rows());
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < x.rows(); ++j) d(i, j) = (x.row(i) - x.row(j)).norm();
  return d;
}

void expect_symmetric(const NeighborGraph& graph) {
  for (std::int32_t i = 0; i < graph.vertices(); ++i)
    for (auto e = graph.offsets[static_cast<std::size_t>(i)]; e < graph.offsets[static_cast<std::size_t>(i) + 1]; ++e) {
      const std::int32_t j = graph.targets[static_cast<std::size_t>(e)];
      EXPECT_NE(i, j);
      if (e > graph.offsets[static_cast<std::size_t>(i)]) {
        EXPECT_LT(graph.targets[static_cast<std::size_t>(e) - 1], j);
      }
      const auto first = graph.targets.begin() + graph.offsets[static_cast<std::size_t>(j)];
      const auto last = graph.targets.begin() + graph.offsets[static_cast<std::size_t>(j) + 1];
      const auto back = std::find(first, last, i);
      ASSERT_NE(back, last);
      EXPECT_EQ(graph.lengths[static_cast<std::size_t>(back - graph.targets.begin())],
                graph.lengths[static_cast<std::size_t>(e)]);
    }
}

std::string message_of(const Matrix<double>& x, Neighborhood neighborhood) {
  neighborhood.disconnected = Disconnected::error;
  try {
    // Manhattan rows are not centered: whole numbers stay whole.
    neighbor_graph(test::packed(x, Metric::manhattan), neighborhood, "isomap", {});
  } catch (const DataError& e) {
    return e.message(speak_command_line);
  }
  return "no error";
}

TEST(NeighborGraph, ReachIsHalfwayToTheNextNeighborAndLeavesTheGraphAsItIs) {
  Matrix<double> line(4, 1);
  line << 0, 1, 3, 7;
  const NeighborGraph graph =
      neighbor_graph(test::packed(line, Metric::manhattan), {.k = 1}, "test", {}, {.reach = true});
  EXPECT_EQ(graph.reach, (std::vector<double>{2.0, 1.5, 2.5, 5.0}));
  EXPECT_EQ(graph.ties, 0);
  line << 0, 1, 2, 3;  // those inside have two at distance 1, and those at the ends one
  EXPECT_EQ(neighbor_graph(test::packed(line, Metric::manhattan), {.k = 1, .disconnected = Disconnected::bridge},
                           "test", {}, {.reach = true})
                .ties,
            2);
  for (const Index k : {6, 78, 79}) {  // the last one has no next neighbor
    const auto points = test::packed<double>(test::sample(80, 3));
    const NeighborGraph plain = neighbor_graph(points, {.k = k}, "test", {});
    const NeighborGraph reaching = neighbor_graph(points, {.k = k}, "test", {}, {.reach = true});
    EXPECT_EQ(plain.targets, reaching.targets);
    EXPECT_EQ(plain.lengths, reaching.lengths);
    EXPECT_TRUE(plain.reach.empty());
    ASSERT_EQ(reaching.reach.size(), 80u);
  }
}

TEST(NeighborGraph, HasAnEdgeIfEitherChoseIt) {
  const auto points = test::packed<double>(test::sample(80, 3));
  const NeighborGraph graph = neighbor_graph(points, {.k = 6}, "test", {});
  expect_symmetric(graph);
  const NeighborLists lists = test::naive_neighbors(points, points, 6);
  Matrix<double> edge = Matrix<double>::Zero(80, 80);
  for (std::size_t e = 0; e < lists.indices.size(); ++e) {
    edge(static_cast<Index>(e) / 6, lists.indices[e]) = lists.distances[e];
    edge(lists.indices[e], static_cast<Index>(e) / 6) = lists.distances[e];
  }
  EXPECT_EQ(graph.offsets.back(), (edge.array() > 0).count());
  for (Index i = 0; i < 80; ++i)
    for (auto e = graph.offsets[static_cast<std::size_t>(i)]; e < graph.offsets[static_cast<std::size_t>(i) + 1]; ++e)
      EXPECT_EQ(graph.lengths[static_cast<std::size_t>(e)], edge(i, graph.targets[static_cast<std::size_t>(e)]));
  EXPECT_EQ(graph.parts, std::vector<Index>{80});
}

TEST(NeighborGraph, OfDistancesIsThatOfTheRows) {
  const Matrix<double> x = test::sample(60, 3), d = all_distances(x);
  const DenseView<double> view{d.data(), 60, 60, 1, 60};
  for (const Neighborhood& neighborhood : {Neighborhood{.k = 7}, Neighborhood{.radius = 1.5}}) {
    Neighborhood joined = neighborhood;
    joined.disconnected = Disconnected::bridge;
    const NeighborGraph by_rows = neighbor_graph(test::packed(x), joined, "test", {});
    const NeighborGraph by_distances = neighbor_graph(view, joined, "test", {});
    EXPECT_EQ(by_rows.offsets, by_distances.offsets);
    EXPECT_EQ(by_rows.targets, by_distances.targets);
    for (std::size_t e = 0; e < by_rows.lengths.size(); ++e)  // another order of three sums
      EXPECT_NEAR(by_rows.lengths[e], by_distances.lengths[e], 1e-14);
  }
}

TEST(NeighborGraph, InPartsIsRefusedWithTheKThatConnects) {
  // A point of the first group has 5 neighbors of its own, and only the 6th is from outside; a point of the others has
  // its own 2 or 3 and the 3 or 4 of the other group before it comes to the first.
  EXPECT_EQ(message_of(three_groups(), {.k = 2}),
            "isomap: neighbors=2 leaves the graph in 3 parts (sizes 6, 4, 3); use --neighbors 6 or more, "
            "--disconnected bridge, or "
            "--disconnected largest");
  for (const Index k : {1, 2, 3, 4, 5}) EXPECT_NE(message_of(three_groups(), {.k = k}), "no error") << k;
  EXPECT_EQ(message_of(three_groups(), {.k = 6}), "no error");
}

TEST(NeighborGraph, SaysWhenNoKWithinReachConnects) {
  Matrix<double> x = test::sample(400, 2, 1, 0.0);
  x.topRows(200).array() += 1000.0;  // 200 points each: only the 200th neighbor is of the other half
  EXPECT_EQ(message_of(x, {.k = 20}),
            "isomap: neighbors=20 leaves the graph in 2 parts (sizes 200, 200); no number up to 128 connects it; use "
            "--disconnected bridge, or --disconnected largest");
}

TEST(NeighborGraph, ARadiusThatIsolatesIsToldWithTheOneThatConnects) {
  Matrix<double> x = three_groups();
  x(5, 0) = 12.0;  // alone: 8 from 4 and 8 from 20
  EXPECT_EQ(message_of(x, {.radius = 1.5}),
            "isomap: radius=1.5 leaves the graph in 4 parts (sizes 5, 4, 3, 1), 1 of them single rows without a "
            "neighbor; use --radius 8 or more, --disconnected bridge, or --disconnected largest");
  EXPECT_EQ(message_of(x, {.radius = 8.0}), "no error");
  EXPECT_NE(message_of(x, {.radius = 7.9}), "no error");
}

TEST(NeighborGraph, ManyPartsAreNotAllListed) {
  Matrix<double> x = Matrix<double>::Zero(20, 1);
  for (Index i = 0; i < 20; ++i) x(i, 0) = static_cast<double>(i / 2 * 10 + i % 2);
  EXPECT_NE(message_of(x, {.k = 1}).find("10 parts (sizes 2, 2, 2, 2, 2, 2, 2, 2, …)"), std::string::npos);
}

TEST(NeighborGraph, BridgesAreTheShortestLinks) {
  const NeighborGraph graph =
      neighbor_graph(test::packed(three_groups()), {.k = 2, .disconnected = Disconnected::bridge}, "test", {});
  expect_symmetric(graph);
  ASSERT_EQ(graph.bridges.size(), 2U);  // 23 to 27, and 5 to 20
  EXPECT_EQ(graph.bridges[0].first, 9);
  EXPECT_EQ(graph.bridges[0].second, 10);
  EXPECT_NEAR(graph.bridges[0].length, 4.0, 1e-13);
  EXPECT_EQ(graph.bridges[1].first, 5);
  EXPECT_EQ(graph.bridges[1].second, 6);
  EXPECT_NEAR(graph.bridges[1].length, 15.0, 1e-13);
  EXPECT_EQ(graph.parts, (std::vector<Index>{6, 4, 3}));
  EXPECT_EQ(parts_of(graph).members.size(), 1U);
}

TEST(NeighborGraph, BridgesAreASpanningTreeOfTheParts) {
  // Random points with k = 1 fall into many parts; the links must be those of Kruskal's rule over all pairs.
  const Matrix<double> x = test::sample(150, 3);
  const auto points = test::packed(x);
  const NeighborGraph plain = symmetric_graph(nearest_neighbors(points, 1, NeighborSearch::products, "test", {}));
  Sets sets(150);
  for (std::int32_t i = 0; i < 150; ++i)
    for (auto e = plain.offsets[static_cast<std::size_t>(i)]; e < plain.offsets[static_cast<std::size_t>(i) + 1]; ++e)
      sets.join(i, plain.targets[static_cast<std::size_t>(e)]);
  std::vector<std::tuple<double, int, int>> pairs;
  for (int i = 0; i < 150; ++i)
    for (int j = i + 1; j < 150; ++j) pairs.emplace_back(distance(points, i, points, j), i, j);
  std::sort(pairs.begin(), pairs.end());
  std::vector<std::tuple<double, int, int>> kruskal, found;
  for (const auto& pair : pairs)
    if (sets.join(std::get<1>(pair), std::get<2>(pair))) kruskal.push_back(pair);
  ASSERT_GT(kruskal.size(), 20U);
  for (const int threads : {1, 2, 3, 8}) {
    found.clear();
    const NeighborGraph graph =
        neighbor_graph(points, {.k = 1, .disconnected = Disconnected::bridge}, "test", {.threads = threads});
    for (const Link& link : graph.bridges) found.emplace_back(link.length, link.first, link.second);
    EXPECT_EQ(found, kruskal);
  }
}

TEST(NeighborGraph, TheLargestPartListsWhatIsLeftOut) {
  const NeighborGraph graph =
      neighbor_graph(test::packed(three_groups()), {.k = 2, .disconnected = Disconnected::largest}, "test", {});
  expect_symmetric(graph);
  EXPECT_EQ(graph.vertices(), 6);
  EXPECT_EQ(graph.kept, (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(graph.left_out, (std::vector<std::int32_t>{6, 7, 8, 9, 10, 11, 12}));
}

TEST(NeighborGraph, DuplicatesAreLinkedAtZero) {
  Matrix<double> x = test::sample(40, 2);
  x.row(30) = x.row(3);
  const NeighborGraph graph = neighbor_graph(test::packed(x), {.k = 12}, "test", {});
  const auto first = graph.targets.begin() + graph.offsets[3], last = graph.targets.begin() + graph.offsets[4];
  const auto at = std::find(first, last, 30);
  ASSERT_NE(at, last);
  EXPECT_EQ(graph.lengths[static_cast<std::size_t>(at - graph.targets.begin())], 0.0);
}

TEST(NeighborGraph, RefusesWhatMakesNone) {
  const auto points = test::packed<double>(test::sample(10, 2));
  EXPECT_THROW(neighbor_graph(points, {.k = 10}, "test", {}), InvalidOption);
  EXPECT_THROW(neighbor_graph(points, {.k = 0}, "test", {}), InvalidOption);
  EXPECT_THROW(neighbor_graph(points, {.radius = -1.0}, "test", {}), InvalidOption);
  EXPECT_THROW(neighbor_graph(test::packed<double>(test::sample(1, 2)), {.k = 1}, "test", {}), DataError);
  Matrix<double> d = all_distances(test::sample(10, 2));
  EXPECT_THROW(neighbor_graph(DenseView<double>{d.data(), 10, 9, 1, 10}, {.k = 3}, "test", {}), DataError);
  d(7, 2) = -1.0;
  try {
    neighbor_graph(DenseView<double>{d.data(), 10, 10, 1, 10}, {.k = 3}, "test", {});
    ADD_FAILURE();
  } catch (const DataError& e) {
    EXPECT_STREQ(e.what(), "test: the distance between objects 3 and 8 is -1; distances are numbers of 0 or more");
  }
}

Csr<double> path_graph() {  // 0 - 1 - 2   3 - 4, with one direction each
  return {.rows = 5, .cols = 5, .offsets = {0, 1, 2, 2, 3, 3}, .columns = {1, 2, 4}, .values = {1.0, 2.0, 3.0}};
}

TEST(GivenGraph, IsMadeSymmetric) {
  const Csr<double> csr = path_graph();
  const NeighborGraph graph = given_graph(csr.view(), Disconnected::largest, "test", {});
  expect_symmetric(graph);
  EXPECT_EQ(graph.kept, (std::vector<std::int32_t>{0, 1, 2}));
  EXPECT_EQ(graph.lengths, (std::vector<double>{1.0, 1.0, 2.0, 2.0}));
  EXPECT_EQ(graph.parts, (std::vector<Index>{3, 2}));
}

TEST(GivenGraph, InPartsCantBeBridged) {
  const Csr<double> csr = path_graph();
  EXPECT_THROW(given_graph(csr.view(), Disconnected::bridge, "test", {}), DataError);
  try {
    given_graph(csr.view(), Disconnected::error, "isomap", {});
    ADD_FAILURE();
  } catch (const DataError& e) {
    EXPECT_EQ(e.message(speak_command_line),
              "isomap: the given graph is in 2 parts (sizes 3, 2); add edges between them, or use "
              "--disconnected largest");
  }
}

TEST(GivenGraph, IsChecked) {
  Csr<double> two{.rows = 2, .cols = 2, .offsets = {0, 1, 2}, .columns = {1, 0}, .values = {1.0, 1.0}};
  EXPECT_EQ(given_graph(two.view(), Disconnected::error, "test", {}).edges(), 1);
  two.values[1] = 2.0;
  EXPECT_THROW(given_graph(two.view(), Disconnected::error, "test", {}), DataError);
  for (const double bad : {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    two.values = {bad, bad};
    EXPECT_THROW(given_graph(two.view(), Disconnected::error, "test", {}), DataError) << bad;
  }
  two.cols = 3;
  EXPECT_THROW(given_graph(two.view(), Disconnected::error, "test", {}), DataError);
}

}  // namespace
}  // namespace fewdim
