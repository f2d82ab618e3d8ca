#include "solvers/unfolding/unfolding.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "fewdim/error.hpp"
#include "fewdim/generate.hpp"
#include "methods/shared/neighbor_objects.hpp"
#include "solvers/unfolding/network.hpp"
#include "solvers/unfolding/routes.hpp"

namespace fewdim {
namespace {

constexpr std::array kRoutes{UnfoldingRoute::exact, UnfoldingRoute::factored};
constexpr std::array kForms{UnfoldingForm::inequality, UnfoldingForm::equality};

UnfoldingProblem problem_of(Index vertices, std::vector<Link> links) {
  UnfoldingProblem problem;
  problem.vertices = vertices;
  problem.links = std::move(links);
  return problem;
}

UnfoldingProblem chain_of(Index n) {
  std::vector<Link> links;
  for (std::int32_t i = 0; i + 1 < n; ++i) links.push_back({i, i + 1, 1.0});
  return problem_of(n, std::move(links));
}

UnfoldingProblem roll_of(Index rows, Index neighbors) {
  const Dataset data = generate("swiss-roll", {.rows = rows, .seed = 3});
  const NeighborObjects objects = neighbor_objects(data, {.k = neighbors, .disconnected = Disconnected::bridge},
                                                   Metric::euclidean, false, "mvu", {});
  return problem_of(rows, links_of(objects.graph));
}

TEST(Unfolding, ChainBecomesALineOfKnownVarianceAndStress) {
  const Index n = 20;
  for (const auto route : kRoutes)
    for (const auto form : kForms) {
      UnfoldingProblem problem = chain_of(n);
      problem.route = route;
      problem.form = form;
      const Unfolding u = unfold(problem, {});
      // Places i − (n−1)/2: their squares sum to n(n²−1)/12.
      const double best = static_cast<double>(n * (n * n - 1)) / 12.0;
      EXPECT_NEAR(u.variance, best, 2e-5 * best);  // lengths are right to 1e-5
      EXPECT_NEAR(u.bound, best, 1e-5 * best);
      EXPECT_LE(u.gap, 1e-5);
      EXPECT_NEAR(u.lowest, 1.0, 1e-5);
      EXPECT_LE(u.violation, 1e-5);
      // The pull of all that hang beyond a link: e(n−e)/2.
      for (Index e = 1; e < n; ++e) EXPECT_NEAR(u.stresses[e - 1], static_cast<double>(e * (n - e)) / 2.0, 1e-2) << e;
      for (Index i = 0; i + 1 < n; ++i) EXPECT_NEAR(std::abs(u.map(i + 1, 0) - u.map(i, 0)), 1.0, 2e-5);
    }
}

TEST(Unfolding, CircleCutOpenBecomesASegment) {
  const Index n = 30;
  std::vector<Link> links;
  std::vector<double> place{0.0};
  for (std::int32_t i = 0; i + 1 < n; ++i) {  // steps of different lengths around a circle
    const double angle = 2.0 * std::numbers::pi / (n + 2.0) * (1.0 + 0.5 * std::sin(static_cast<double>(i)));
    links.push_back({i, i + 1, 2.0 * std::sin(angle / 2.0)});
    place.push_back(place.back() + links.back().length);
  }
  double mean = 0.0, best = 0.0;
  for (const double p : place) mean += p / static_cast<double>(n);
  for (const double p : place) best += (p - mean) * (p - mean);
  for (const auto route : kRoutes) {
    UnfoldingProblem problem = problem_of(n, links);
    problem.route = route;
    problem.form = UnfoldingForm::equality;
    const Unfolding u = unfold(problem, {});
    EXPECT_NEAR(u.variance, best, 2e-5 * best);
    EXPECT_LE(u.violation, 1e-5);
    const double sign = u.map(0, 0) < 0.0 ? 1.0 : -1.0;
    for (Index i = 0; i < n; ++i) EXPECT_NEAR(sign * u.map(i, 0), place[static_cast<std::size_t>(i)] - mean, 1e-3);
  }
}

TEST(Unfolding, RingBecomesARegularPolygon) {
  const Index n = 12;
  UnfoldingProblem problem = chain_of(n);
  problem.links.push_back({0, static_cast<std::int32_t>(n - 1), 1.0});
  const double radius = 0.5 / std::sin(std::numbers::pi / static_cast<double>(n));
  for (const auto route : kRoutes) {
    problem.route = route;
    const Unfolding u = unfold(problem, {});
    EXPECT_NEAR(u.variance, static_cast<double>(n) * radius * radius, 1e-4 * u.variance);
    // Equal stresses 1/λ₂ of the ring's Laplacian, λ₂ = 2 − 2cos(2π/n).
    for (const double s : u.stresses)
      EXPECT_NEAR(s, 0.5 / (1.0 - std::cos(2.0 * std::numbers::pi / static_cast<double>(n))), 1e-3);
    EXPECT_NEAR(u.values[0], u.values[1], 1e-3 * u.values[0]);
  }
}

TEST(Unfolding, SquareWithDiagonalsIsRigid) {
  const double diagonal = std::numbers::sqrt2;
  UnfoldingProblem problem =
      problem_of(4, {{0, 1, 1.0}, {1, 2, 1.0}, {2, 3, 1.0}, {0, 3, 1.0}, {0, 2, diagonal}, {1, 3, diagonal}});
  for (const auto route : kRoutes)
    for (const auto form : kForms) {
      problem.route = route;
      problem.form = form;
      const Unfolding u = unfold(problem, {});
      EXPECT_NEAR(u.variance, 2.0, 1e-4);  // four corners at √½ from the middle
      EXPECT_NEAR(u.values[0], 1.0, 1e-3);
      EXPECT_NEAR(u.values[1], 1.0, 1e-3);
    }
}

TEST(Unfolding, RoutesAgreeAndProveIt) {
  UnfoldingProblem problem = roll_of(70, 5);
  problem.route = UnfoldingRoute::exact;
  const Unfolding exact = unfold(problem, {});
  problem.route = UnfoldingRoute::factored;
  const Unfolding factored = unfold(problem, {});
  problem.route = UnfoldingRoute::laplacian;
  const Unfolding laplacian = unfold(problem, {});
  EXPECT_NEAR(factored.variance, exact.variance, 1e-4 * exact.variance);
  // It stops at a gap of 1e-3, or what is certified of it, at most 1e-2.
  EXPECT_NEAR(laplacian.variance, exact.variance, 1e-2 * exact.variance);
  EXPECT_LE(laplacian.variance, exact.bound * (1.0 + 2e-5));  // lengths are right to 1e-5
  for (const Unfolding* u : {&exact, &factored, &laplacian}) {
    EXPECT_GE(u->bound, u->variance * (1.0 - 2e-5));  // which violations of 1e-5 may exceed
    EXPECT_LE(u->violation, 1e-5);
    EXPECT_LE(u->gap, u == &laplacian ? 1e-2 : 1e-5);
    for (const double s : u->stresses) EXPECT_GE(s, 0.0);
  }
}

TEST(Unfolding, EqualitySpreadsLessAndKeepsDistances) {
  UnfoldingProblem problem = roll_of(100, 4);
  problem.route = UnfoldingRoute::factored;
  const Unfolding loose = unfold(problem, {});
  problem.form = UnfoldingForm::equality;
  const Unfolding strict = unfold(problem, {});
  EXPECT_LE(strict.variance, loose.bound * (1.0 + 2e-5));
  EXPECT_LE(strict.violation, 1e-5);
  for (const Link& l : problem.links)
    EXPECT_NEAR((strict.map.row(l.first) - strict.map.row(l.second)).norm(), l.length, 1.01e-5 * l.length);
}

TEST(Unfolding, DistancesThatNoPointsHaveAreNamed) {
  UnfoldingProblem problem = problem_of(3, {{0, 1, 1.0}, {1, 2, 1.0}, {0, 2, 3.0}});
  problem.form = UnfoldingForm::equality;
  for (const auto route : kRoutes) {
    problem.route = route;
    try {
      unfold(problem, {});
      FAIL() << "no triangle has sides 1, 1, 3";
    } catch (const DataError& error) {
      EXPECT_EQ(error.message(speak_command_line),
                "mvu: objects 1 and 3 are 3 apart, but only 2 by way of object 2: no points have these distances; "
                "use --form inequality, which lets them shrink");
    }
  }
  problem.form = UnfoldingForm::inequality;
  EXPECT_NEAR(unfold(problem, {}).variance, 2.0, 1e-4);  // a straight line of places −1, 0, 1
}

TEST(Unfolding, QuadrilateralThatCanNotCloseIsRefused) {
  // Every triangle holds, but a regular tetrahedron of side 1 has no room for a fifth corner 0.6 from all four: its
  // center is √(3/8) = 0.612 away, and no point is nearer to all.
  std::vector<Link> links;
  for (std::int32_t i = 0; i < 4; ++i)
    for (std::int32_t j = i + 1; j < 4; ++j) links.push_back({i, j, 1.0});
  for (std::int32_t i = 0; i < 4; ++i) links.push_back({i, 4, 0.6});
  UnfoldingProblem problem = problem_of(5, links);
  problem.form = UnfoldingForm::equality;
  for (const auto route : kRoutes) {
    problem.route = route;
    EXPECT_THROW(unfold(problem, {}), Error);
  }
}

TEST(Unfolding, ObjectsAtOnePlaceAreMerged) {
  for (const auto route : kRoutes) {
    UnfoldingProblem problem = problem_of(3, {{0, 1, 0.0}, {0, 2, 1.0}, {1, 2, 1.0}});
    problem.route = route;
    const Unfolding u = unfold(problem, {});
    EXPECT_EQ(u.merged, 1);
    EXPECT_EQ(u.map.row(0), u.map.row(1));
    EXPECT_NEAR(u.variance, 2.0 / 3.0, 1e-4);  // two at −1/3, one at 2/3
    EXPECT_NEAR(u.map.sum(), 0.0, 1e-9);
  }
  EXPECT_THROW(unfold(problem_of(2, {{0, 1, 0.0}}), {}), DataError);
}

TEST(Unfolding, TwoObjectsAreALink) {
  for (const auto route : {UnfoldingRoute::exact, UnfoldingRoute::factored, UnfoldingRoute::laplacian}) {
    UnfoldingProblem problem = problem_of(2, {{0, 1, 2.0}});
    problem.route = route;
    // At −1 and 1; the laplacian route stops at a gap of 1e-3.
    EXPECT_NEAR(unfold(problem, {}).variance, 2.0, route == UnfoldingRoute::laplacian ? 2.1e-3 : 1e-4);
  }
}

TEST(Unfolding, AnyStressesBoundTheVariance) {
  const UnfoldingProblem problem = roll_of(60, 5);
  const Unfolding u = unfold(problem, {});
  const LinkNetwork network(60, problem.links, Vector<double>::Ones(60));
  const Vector<double> even = Vector<double>::Ones(network.links());
  EXPECT_GE(stress_bound(network, even, lowest_stress(network, even, "mvu", {})), u.variance);
  EXPECT_NEAR(stress_bound(network, u.stresses, lowest_stress(network, u.stresses, "mvu", {})), u.bound,
              1e-9 * u.bound);
}

TEST(Unfolding, SameBitsAtAnyNumberOfThreads) {
  UnfoldingProblem problem = roll_of(400, 5);
  for (const auto route : {UnfoldingRoute::factored, UnfoldingRoute::laplacian}) {
    problem.route = route;
    const Unfolding one = unfold(problem, {.threads = 1});
    for (const int threads : {2, 3}) {
      const Unfolding other = unfold(problem, {.threads = threads});
      EXPECT_EQ(one.map, other.map);
      EXPECT_EQ(one.stresses, other.stresses);
    }
  }
}

TEST(Unfolding, SimplexTakesMoreColumnsThanTheStartHas) {
  // Nine points at distance 1 from each other: a simplex of 8 dimensions, each corner at 4/9 from the middle, squared.
  std::vector<Link> links;
  for (std::int32_t i = 0; i < 9; ++i)
    for (std::int32_t j = i + 1; j < 9; ++j) links.push_back({i, j, 1.0});
  UnfoldingProblem problem = problem_of(9, links);
  problem.route = UnfoldingRoute::factored;
  const Unfolding u = unfold(problem, {});
  EXPECT_GE(u.rank, 8);
  EXPECT_NEAR(u.variance, 4.0, 1e-4);
  EXPECT_LE(u.gap, 1e-5);
  ASSERT_GE(u.values.size(), 8);
  for (Index c = 0; c < 8; ++c) EXPECT_NEAR(u.values[c], 0.5, 1e-3);
}

TEST(Unfolding, FactoredRouteAboveTheMemoryLimitIsRefused) {
  UnfoldingProblem problem = roll_of(2000, 5);
  problem.route = UnfoldingRoute::factored;
  EXPECT_THROW(unfold(problem, {.memory_limit = 1 << 21}), OverMemory);  // the factor alone has 7 MB
}

TEST(Unfolding, StopsOnRequest) {
  for (const auto route : kRoutes) {
    UnfoldingProblem problem = roll_of(100, 5);
    problem.route = route;
    Execution exec;
    exec.progress = [](const Progress& p) { return p.stage != "unfold"; };
    EXPECT_THROW(unfold(problem, exec), Interrupted);
  }
}

TEST(Unfolding, ExactRouteAboveTheMemoryLimitNamesTheRemedy) {
  UnfoldingProblem problem = roll_of(200, 5);
  problem.route = UnfoldingRoute::exact;
  try {
    unfold(problem, {.memory_limit = 1 << 20});
    FAIL();
  } catch (const OverMemory& error) {
    EXPECT_NE(error.message(speak_command_line).find("use --solver factored"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace fewdim
