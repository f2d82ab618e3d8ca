#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "fewdim/error.hpp"
#include "fewdim/ranking.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

// The tolerance bounds the 1-norm of the error, which is above that of any one score.
constexpr double tight_walk = 1e-14;

PagerankOptions with_damping(double damping) { return {.damping = damping, .tolerance = tight_walk}; }

LinkGraph random_graph(Index vertices, Index links, Seed seed, bool weighted = false, bool undirected = false) {
  const Random random(seed, 0);
  std::vector<DirectedLink> list;
  for (std::uint64_t e = 0; e < static_cast<std::uint64_t>(links); ++e) {
    // Squares favor low numbers: some vertices have many links and many have none.
    const auto pick = [&](std::uint64_t i) {
      const double u = random.uniform(i);
      return static_cast<std::int32_t>(u * u * static_cast<double>(vertices));
    };
    list.push_back({pick(3 * e), pick(3 * e + 1), weighted ? 0.5 + random.uniform(3 * e + 2) : 1.0});
  }
  return make_links(vertices, list, {.undirected = undirected});
}

double one_norm(const Vector<double>& x) {
  double sum = 0.0;
  for (Index i = 0; i < x.size(); ++i) sum += std::abs(x[i]);
  return sum;
}

// n leaves point to the center c, which dangles: x_c = (1−d)/N + d (n x_l + x_c/N), x_l = (1−d)/N + d x_c/N.
TEST(Pagerank, StarWithADanglingCenter) {
  const double d = 0.85, n = 5, all = 6;
  const auto result = pagerank(make_links(6, {{1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}}), with_damping(d));
  const double leaf_constant = (1 - d) / all, leaf_slope = d / all;
  const double center = (leaf_constant + d * n * leaf_constant) / (1 - leaf_slope - d * n * leaf_slope);
  EXPECT_NEAR(result.scores[0], center, tight_walk);
  EXPECT_NEAR(result.scores[3], leaf_constant + leaf_slope * center, tight_walk);
  EXPECT_EQ(result.dangling, 1);
}

// Links both ways: x_c = (1−d)/N + d n x_l, x_l = (1−d)/N + d x_c/n.
TEST(Pagerank, StarBothWays) {
  const double d = 0.85, n = 4;
  const auto result = pagerank(make_links(5, {{0, 1}, {0, 2}, {0, 3}, {0, 4}}, {.undirected = true}), with_damping(d));
  const double base = (1 - d) / 5, center = (base + d * n * base) / (1 - d * d);
  EXPECT_NEAR(result.scores[0], center, tight_walk);
  EXPECT_NEAR(result.scores[1], base + d * center / n, tight_walk);
}

// Where all vertices look alike, all scores are 1/N.
TEST(Pagerank, CycleAndCompleteGraph) {
  std::vector<DirectedLink> cycle, complete;
  for (std::int32_t i = 0; i < 7; ++i) {
    cycle.push_back({i, (i + 1) % 7});
    for (std::int32_t j = 0; j < 7; ++j)
      if (i != j) complete.push_back({i, j});
  }
  for (const double damping : {0.0, 0.5, 0.99})
    for (const auto& links : {cycle, complete}) {
      const Vector<double> x = pagerank(make_links(7, links), with_damping(damping)).scores;
      for (Index v = 0; v < 7; ++v) EXPECT_NEAR(x[v], 1.0 / 7.0, tight_walk);
    }
}

// 1 → 2, 2 dangles: x₁ = (1−d)/2 + d x₂/2, x₂ = x₁ + d x₁: x₁ = 1/(2+d).
TEST(Pagerank, TwoVertices) {
  for (const double d : {0.0, 0.5, 0.85, 0.999}) {
    const LinkGraph graph = make_links(2, {{0, 1}});
    EXPECT_NEAR(pagerank(graph, with_damping(d)).scores[0], 1 / (2 + d), 1e-13);
    // Teleport is uniform here; staying at 2 leaves x₁ = (1−d)/2.
    PagerankOptions options = with_damping(d);
    options.dangling = Dangling::self;
    for (const RankSolver solver : {RankSolver::power, RankSolver::gauss_seidel}) {
      options.solver = solver;
      EXPECT_NEAR(pagerank(graph, options).scores[0], (1 - d) / 2, 1e-13);
    }
    // Restart at 1 alone: x₂ = d x₁ if the walk goes back from 2 to 1: x₁ = 1/(1+d).
    options.dangling = Dangling::teleport;
    options.restart = {{0, 3.0}};
    EXPECT_NEAR(pagerank(graph, options).scores[0], 1 / (1 + d), 1e-13);
    // To any vertex: x₁ = 1−d + d x₂/2, x₁ + x₂ = 1: x₁ = (1 − d/2)/(1 + d/2).
    options.dangling = Dangling::uniform;
    EXPECT_NEAR(pagerank(graph, options).scores[0], (1 - d / 2) / (1 + d / 2), 1e-13);
  }
}

// Path 1 → 2 → … → n, restart at 1, and from the end back to it: x_k = d^(k−1) (1−d)/(1−dⁿ).
TEST(Pagerank, PathWithRestart) {
  const double d = 0.9;
  std::vector<DirectedLink> links;
  for (std::int32_t i = 0; i + 1 < 10; ++i) links.push_back({i, i + 1});
  PagerankOptions options = with_damping(d);
  options.dangling = Dangling::teleport;
  options.restart = {{0, 1.0}};
  const Vector<double> x = pagerank(make_links(10, links), options).scores;
  for (int k = 0; k < 10; ++k) EXPECT_NEAR(x[k], std::pow(d, k) * (1 - d) / (1 - std::pow(d, 10)), tight_walk);
}

TEST(Pagerank, NoLinksAtAll) {
  const LinkGraph graph = make_links(4, {});
  const auto result = pagerank(graph);
  EXPECT_EQ(result.dangling, 4);
  for (Index v = 0; v < 4; ++v) EXPECT_NEAR(result.scores[v], 0.25, 1e-16);
  PagerankOptions options;
  options.restart = {{2, 1.0}};
  options.dangling = Dangling::self;
  EXPECT_NEAR(pagerank(graph, options).scores[2], 1.0, 1e-10);
}

TEST(Pagerank, LoopsAndWeightsShareWhatLeaves) {
  // 1 keeps 3/4 of what it passes on: x₁ = .075 + .85·.75 x₁ + .85 x₂, x₁ + x₂ = 1.
  const LinkGraph graph = make_links(2, {{0, 0, 3.0}, {0, 1, 1.0}, {1, 0, 7.0}});
  EXPECT_NEAR(pagerank(graph, with_damping(0.85)).scores[0], (0.075 + 0.85) / (1 - 0.85 * 0.75 + 0.85), tight_walk);
}

TEST(Pagerank, SolversAgreeWithinTheirBounds) {
  for (const bool weighted : {false, true})
    for (const Dangling dangling : {Dangling::uniform, Dangling::teleport, Dangling::self})
      for (const double damping : {0.5, 0.85, 0.99}) {
        const LinkGraph graph = random_graph(2000, 6000, 5, weighted);
        PagerankOptions options{.damping = damping, .dangling = dangling, .tolerance = 1e-11};
        options.restart = {{3, 1.0}, {700, 2.0}};
        if (damping == 0.5) options.restart.clear();
        options.solver = RankSolver::power;
        const auto power = pagerank(graph, options);
        options.solver = RankSolver::gauss_seidel;
        const auto seidel = pagerank(graph, options);
        EXPECT_TRUE(power.converged && seidel.converged);
        EXPECT_EQ(power.solver, RankSolver::power);
        EXPECT_EQ(seidel.solver, RankSolver::gauss_seidel);
        EXPECT_LE(one_norm(power.scores - seidel.scores), power.error_bound + seidel.error_bound + 1e-14);
        EXPECT_NEAR(power.scores.sum(), 1.0, 1e-14);
        EXPECT_NEAR(seidel.scores.sum(), 1.0, 1e-14);
        EXPECT_GE(std::min(power.scores.minCoeff(), seidel.scores.minCoeff()), 0.0);
        EXPECT_LE(seidel.sweeps, power.sweeps + 1);
      }
}

// Where the walk mixes slowly: a path both ways, restarts at one end.
TEST(Pagerank, GaussSeidelIsTakenWhereItIsFaster) {
  std::vector<DirectedLink> links;
  for (std::int32_t v = 0; v + 1 < 2000; ++v) links.push_back({v, v + 1});
  const LinkGraph graph = make_links(2000, links, {.undirected = true});
  PagerankOptions options{.damping = 0.99};
  options.restart = {{0, 1.0}};
  const auto chosen = pagerank(graph, options);
  options.solver = RankSolver::power;
  const auto power = pagerank(graph, options);
  EXPECT_EQ(chosen.solver, RankSolver::gauss_seidel);
  EXPECT_LE(chosen.sweeps, power.sweeps);
  EXPECT_LE(one_norm(chosen.scores - power.scores), chosen.error_bound + power.error_bound);
}

// Two parts that a walk leaves by restarts only: |λ₂| = d (Haveliwala & Kamvar 2003).
TEST(Pagerank, SecondEigenvalueOfTwoParts) {
  PagerankOptions options = with_damping(0.9);
  options.restart = {{0, 0.9}, {2, 0.1}};
  const LinkGraph graph = make_links(4, {{0, 1}, {2, 3}}, {.undirected = true});
  const auto result = pagerank(graph, options);
  EXPECT_NEAR(result.second_eigenvalue, 0.9, 1e-6);
  EXPECT_NEAR(result.scores[2] + result.scores[3], 0.1, 1e-13);
}

TEST(Pagerank, ErrorBoundHolds) {
  const LinkGraph graph = random_graph(500, 2500, 9);
  const Vector<double> exact = pagerank(graph, with_damping(0.95)).scores;
  for (const double tolerance : {1e-1, 1e-3, 1e-6, 1e-9})
    for (const RankSolver solver : {RankSolver::automatic, RankSolver::power, RankSolver::gauss_seidel}) {
      const auto result = pagerank(graph, {.damping = 0.95, .tolerance = tolerance, .solver = solver});
      EXPECT_LE(result.error_bound, tolerance);
      EXPECT_LE(one_norm(result.scores - exact), result.error_bound + 1e-13);
    }
}

// ‖Gx − x‖₁ of the scores that are returned, in long double, for graphs whose vertices have up to ten thousand links.
TEST(Pagerank, ResidualIsThatOfTheScoresReturned) {
  for (const double tolerance : {1e-6, 1e-10, 1e-12, 1e-13})
    for (const RankSolver solver : {RankSolver::power, RankSolver::gauss_seidel}) {
      std::vector<DirectedLink> list;
      const Random random(7, 1);
      for (std::int32_t i = 1; i <= 10'000; ++i) {
        list.push_back({i, 0, 1.0});  // all point to 0, and each to another, but for some that dangle
        if (i % 7 != 0)
          list.push_back({i, 1 + static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(i), 10'000)), 0.3});
      }
      for (std::int32_t i = 1; i < 100; ++i) list.push_back({0, i, 1.0});
      const LinkGraph graph = make_links(10'002, list);  // the last one neither points nor is pointed to
      const PagerankResult result = pagerank(graph, {.tolerance = tolerance, .solver = solver});
      std::vector<long double> leaving(10'002, 0.0L), next(10'002, 0.0L);
      for (const DirectedLink& link : list) leaving[static_cast<std::size_t>(link.from)] += link.weight;
      long double lost = 0.0L, residual = 0.0L;
      for (std::size_t v = 0; v < leaving.size(); ++v)
        if (leaving[v] == 0.0L) lost += result.scores[static_cast<Index>(v)];
      for (const DirectedLink& link : list)
        next[static_cast<std::size_t>(link.to)] += result.scores[link.from] * static_cast<long double>(link.weight) /
                                                   leaving[static_cast<std::size_t>(link.from)];
      for (std::size_t v = 0; v < next.size(); ++v)
        residual += std::abs(0.85L * (next[v] + lost / 10'002.0L) + 0.15L / 10'002.0L -
                             static_cast<long double>(result.scores[static_cast<Index>(v)]));
      EXPECT_NEAR(result.residual, static_cast<double>(residual), 2e-15);
      EXPECT_GE(result.error_bound, static_cast<double>(residual / 0.15L));
      EXPECT_TRUE(result.converged);
      EXPECT_LE(result.error_bound, tolerance);
    }
}

TEST(Pagerank, ThreadsChangeNoBits) {
  for (const bool weighted : {false, true}) {
    const LinkGraph graph = random_graph(30'000, 200'000, 2, weighted);
    for (const RankSolver solver : {RankSolver::power, RankSolver::gauss_seidel}) {
      PagerankOptions options{.damping = 0.9, .solver = solver};
      const Vector<double> one = pagerank(graph, options, {.threads = 1}).scores;
      for (const int threads : {2, 3}) EXPECT_EQ(pagerank(graph, options, {.threads = threads}).scores, one);
    }
  }
}

TEST(Pagerank, BadOptions) {
  const LinkGraph graph = make_links(2, {{0, 1}});
  for (const double damping : {-0.1, 1.0, 1.5, std::nan("")})
    EXPECT_THROW(pagerank(graph, {.damping = damping}), InvalidOption);
  EXPECT_THROW(pagerank(graph, {.tolerance = 0.0}), InvalidOption);
  EXPECT_THROW(pagerank(graph, {.restart = {{2, 1.0}}}), InvalidOption);
  EXPECT_THROW(pagerank(graph, {.restart = {{0, -1.0}}}), InvalidOption);
  EXPECT_THROW(pagerank(graph, {.restart = {{0, 0.0}}}), InvalidOption);
  EXPECT_THROW(pagerank(graph, {.dangling = Dangling::error}), DataError);
  EXPECT_THROW(pagerank(LinkGraph()), DataError);
  EXPECT_THROW(pagerank(random_graph(100, 300, 1), {.damping = 0.99, .most_sweeps = 3}), NotConverged);
  EXPECT_THROW(pagerank(graph, {}, {.progress = [](const Progress&) { return false; }}), Interrupted);
}

// What rounding does not allow is said, and ends.
TEST(Pagerank, ToleranceBelowRounding) {
  const auto result = pagerank(random_graph(3000, 9000, 4), {.damping = 0.9999, .tolerance = 1e-16});
  EXPECT_FALSE(result.converged);
  EXPECT_GT(result.error_bound, 1e-16);
  EXPECT_LT(result.error_bound, 1e-9);
}

TEST(TopVertices, BestFirstTiesInOrder) {
  const Vector<double> scores = (Vector<double>(5) << 0.1, 0.3, 0.2, 0.3, 0.1).finished();
  EXPECT_EQ(top_vertices(scores, 4), (std::vector<Index>{1, 3, 2, 0}));
  EXPECT_EQ(top_vertices(scores, 9).size(), 5U);
}

}  // namespace
}  // namespace fewdim
