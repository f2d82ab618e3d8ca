#include "graph/geodesics.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "fewdim/error.hpp"
#include "graph/dijkstra.hpp"
#include "unit/graph/graph_helpers.hpp"

namespace fewdim {
namespace {

std::vector<std::int32_t> all_of(const NeighborGraph& graph) {
  std::vector<std::int32_t> sources(static_cast<std::size_t>(graph.vertices()));
  std::iota(sources.begin(), sources.end(), std::int32_t{0});
  return sources;
}

template <class C>
RowMatrix<C> geodesic_matrix(const NeighborGraph& graph, const std::vector<std::int32_t>& sources, int threads = 0) {
  RowMatrix<C> out(std::ssize(sources), graph.vertices());
  geodesics_into<C>(graph, sources, out.data(), out.cols(), {.threads = threads});
  return out;
}

/// The least sums from the source outward, in C, by relaxing every edge until nothing changes (Bellman 1958).
template <class C>
std::vector<C> bellman(const NeighborGraph& graph, std::int32_t source) {
  std::vector<C> d(static_cast<std::size_t>(graph.vertices()), std::numeric_limits<C>::infinity());
  d[static_cast<std::size_t>(source)] = C(0);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t v = 0; v < d.size(); ++v)
      for (auto e = static_cast<std::size_t>(graph.offsets[v]); e < static_cast<std::size_t>(graph.offsets[v + 1]);
           ++e) {
        C& target = d[static_cast<std::size_t>(graph.targets[e])];
        const C label = d[v] + static_cast<C>(graph.lengths[e]);
        if (label < target) target = label, changed = true;
      }
  }
  return d;
}

NeighborGraph roll(Index n, Index k = 8) {
  return neighbor_graph(test::packed<double>(test::swiss_roll(n)), {.k = k, .disconnected = Disconnected::bridge},
                        "test", {});
}

/// Places beside the graph, each linked to three vertices; several begin at the same one.
NeighborLists places(Index count, Index vertices) {
  NeighborLists lists;
  for (Index p = 0; p < count; ++p) {
    for (const Index step : {0, 11, 40}) {
      lists.indices.push_back(static_cast<std::int32_t>((p / 3 * 7 + step) % vertices));
      lists.distances.push_back(0.25 + 0.5 * static_cast<double>(step) / 40.0 + 0.01 * static_cast<double>(p % 3));
    }
    lists.offsets.push_back(std::ssize(lists.indices));
  }
  return lists;
}

TEST(Geodesics, OfNewPlacesGoThroughTheirLinks) {
  const NeighborGraph graph = roll(200);
  const RowMatrix<double> known = geodesic_matrix<double>(graph, all_of(graph));
  for (const Index count : {1, 3, 100}) {  // by heap, and by sweeps
    const NeighborLists starts = places(count, 200);
    RowMatrix<double> found(count, 200);
    const auto row = [&](Index p) { return found.data() + p * 200; };
    geodesics<double>(graph, starts, row, {}, {});
    for (Index p = 0; p < count; ++p)
      for (Index j = 0; j < 200; ++j) {
        double least = std::numeric_limits<double>::infinity();
        for (auto e = static_cast<std::size_t>(3 * p); e < static_cast<std::size_t>(3 * p + 3); ++e)
          least = std::min(least, starts.distances[e] + known(starts.indices[e], j));
        EXPECT_NEAR(found(p, j), least, 100 * 1.2e-16 * least);
      }
    RowMatrix<double> again(count, 200);
    geodesics<double>(graph, starts, [&](Index p) { return again.data() + p * 200; }, {}, {.threads = 1});
    EXPECT_EQ(found, again);
  }
}

TEST(Geodesics, RefusePlacesThatBeginNowhere) {
  NeighborLists starts;
  starts.offsets = {0, 0};
  double out[20];
  EXPECT_THROW(geodesics<double>(roll(20, 4), starts, [&](Index) { return out; }, {}, {}), Error);
}

TEST(Geodesics, AreThoseOfFloydAndWarshall) {
  const NeighborGraph graph = roll(150);
  const Matrix<double> truth = test::floyd_warshall(graph);
  const RowMatrix<double> exact = geodesic_matrix<double>(graph, all_of(graph));
  const RowMatrix<float> single = geodesic_matrix<float>(graph, all_of(graph));
  for (Index i = 0; i < 150; ++i)
    for (Index j = 0; j < 150; ++j) {  // paths of fewer than 100 edges: sums that differ by 100 roundings at most
      EXPECT_NEAR(exact(i, j), truth(i, j), 100 * 1.2e-16 * truth(i, j));
      EXPECT_NEAR(single(i, j), truth(i, j), 100 * 6e-8 * truth(i, j));
    }
}

template <class C>
void expect_bits_of_bellman(const NeighborGraph& graph) {
  const RowMatrix<C> found = geodesic_matrix<C>(graph, all_of(graph));
  for (std::int32_t s = 0; s < graph.vertices(); s += 7) {
    const std::vector<C> truth = bellman<C>(graph, s);
    for (Index v = 0; v < graph.vertices(); ++v) ASSERT_EQ(found(s, v), truth[static_cast<std::size_t>(v)]) << s;
  }
}

TEST(Geodesics, HaveTheBitsOfTheLeastSumOutward) {
  expect_bits_of_bellman<double>(roll(600));
  expect_bits_of_bellman<float>(roll(600));
  Matrix<double> x = test::sample(300, 2);
  x.bottomRows(150) = x.topRows(150);  // edges of length 0
  expect_bits_of_bellman<float>(
      neighbor_graph(test::packed(x), {.k = 5, .disconnected = Disconnected::bridge}, "t", {}));
}

TEST(Geodesics, SameBitsInAnyCompanyAndAtAnyNumberOfThreads) {
  const NeighborGraph graph = roll(700);
  const RowMatrix<float> all = geodesic_matrix<float>(graph, all_of(graph), 1);
  for (const int threads : {2, 3, 8}) EXPECT_EQ(geodesic_matrix<float>(graph, all_of(graph), threads), all);
  // One source goes by the heap, 5 by a group that is not full, 40 by two groups.
  for (const Index count : {1, 5, 40}) {
    std::vector<std::int32_t> sources;
    for (Index s = 0; s < count; ++s) sources.push_back(static_cast<std::int32_t>(s * 13 + 5));
    std::reverse(sources.begin(), sources.end());
    const RowMatrix<float> some = geodesic_matrix<float>(graph, sources);
    for (Index s = 0; s < count; ++s) EXPECT_EQ(some.row(s), all.row(sources[static_cast<std::size_t>(s)])) << count;
  }
}

TEST(Geodesics, AreInfiniteBetweenParts) {
  Matrix<double> x = test::sample(90, 2);
  x.topRows(40).array() += 100.0;
  const NeighborGraph graph =
      symmetric_graph(nearest_neighbors(test::packed(x), 8, NeighborSearch::products, "test", {}));
  const Matrix<double> truth = test::floyd_warshall(graph);
  ASSERT_TRUE(std::isinf(truth(0, 89)));
  const RowMatrix<double> found = geodesic_matrix<double>(graph, all_of(graph));
  for (Index i = 0; i < 90; ++i)
    for (Index j = 0; j < 90; ++j) {
      EXPECT_EQ(std::isinf(found(i, j)), std::isinf(truth(i, j)));
      if (std::isinf(truth(i, j))) continue;
      EXPECT_NEAR(found(i, j), truth(i, j), 1e-13 * truth(i, j));
    }
}

TEST(Geodesics, AlongAChainAddUp) {
  // The longest path that 3,000 vertices allow, numbered at random: a bad case for sweeps.
  NeighborGraph graph;
  graph.offsets.assign(1, 0);
  const Index n = 3000, step = 1009;  // prime to n: place p of the chain is vertex p·step mod n
  std::vector<std::int32_t> vertex(n), place(n);
  for (Index p = 0; p < n; ++p) {
    vertex[static_cast<std::size_t>(p)] = static_cast<std::int32_t>(p * step % n);
    place[static_cast<std::size_t>(p * step % n)] = static_cast<std::int32_t>(p);
  }
  for (Index v = 0; v < n; ++v) {
    const Index p = place[static_cast<std::size_t>(v)];
    std::vector<std::int32_t> beside;
    if (p > 0) beside.push_back(vertex[static_cast<std::size_t>(p - 1)]);
    if (p + 1 < n) beside.push_back(vertex[static_cast<std::size_t>(p + 1)]);
    std::sort(beside.begin(), beside.end());
    for (const std::int32_t u : beside) graph.targets.push_back(u), graph.lengths.push_back(1.0);
    graph.offsets.push_back(std::ssize(graph.targets));
  }
  std::vector<std::int32_t> sources;
  for (Index s = 0; s < n; s += 100) sources.push_back(static_cast<std::int32_t>(s));
  const RowMatrix<float> found = geodesic_matrix<float>(graph, sources);
  for (std::size_t s = 0; s < sources.size(); ++s)
    for (Index v = 0; v < n; ++v)
      ASSERT_EQ(found(static_cast<Index>(s), v),
                static_cast<float>(
                    std::abs(place[static_cast<std::size_t>(v)] - place[static_cast<std::size_t>(sources[s])])));
}

TEST(Geodesics, TellEachRowOnce) {
  const NeighborGraph graph = roll(200);
  const std::vector<std::int32_t> sources{5, 17, 150};
  std::vector<std::vector<double>> rows(3, std::vector<double>(200));
  std::array<int, 3> told{};
  geodesics<double>(
      graph, sources, [&](Index p) { return rows[static_cast<std::size_t>(p)].data(); },
      [&](Index p, const double* row) {
        EXPECT_EQ(row[sources[static_cast<std::size_t>(p)]], 0.0);
        ++told[static_cast<std::size_t>(p)];
      },
      {});
  EXPECT_EQ(told, (std::array{1, 1, 1}));
}

TEST(Geodesics, RefuseSourcesThatAreNone) {
  const NeighborGraph graph = roll(50);
  std::vector<float> out(100);
  for (const auto& sources : std::vector<std::vector<std::int32_t>>{{50}, {-1}})
    EXPECT_THROW(geodesics_into<float>(graph, sources, out.data(), 50, {}), Error);
}

}  // namespace
}  // namespace fewdim
