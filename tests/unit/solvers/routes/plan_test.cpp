// What a plan says of a route is true of the shape that it was made for.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "fewdim/error.hpp"
#include "solvers/routes/decompose.hpp"

namespace fewdim {
namespace {

struct Case {
  DataShape shape;
  SpectralProblem problem;
  std::uint64_t limit = 0;
};

Case draw_case(std::mt19937_64& random) {
  const auto size = [&](double most) {  // evenly by orders of magnitude
    return static_cast<Index>(std::exp(std::uniform_real_distribution(0.0, std::log(most))(random)));
  };
  const auto one_in = [&](int n) { return std::uniform_int_distribution(0, n - 1)(random) == 0; };
  Case c;
  c.shape = {.rows = 1 + size(1e6), .cols = size(1e5)};
  if (one_in(3)) c.shape.nonzeros = size(static_cast<double>(c.shape.rows * c.shape.cols));
  if (one_in(4)) c.shape.precision = Precision::float32;
  if (c.shape.nonzeros < 0 && one_in(4)) {
    c.shape.stream = true;
    c.shape.rewindable = !one_in(2);
    if (!c.shape.rewindable) c.shape.rows = -1;
  }
  c.problem.center = !one_in(3);
  c.problem.float64_products = !one_in(3);
  c.problem.components = one_in(4) ? Components(0.9) : Components(size(300));
  if (one_in(8)) c.problem.components = Components(Components::all);
  if (one_in(4)) c.problem.route = static_cast<PcaRoute>(std::uniform_int_distribution(1, 5)(random));
  c.limit = static_cast<std::uint64_t>(size(1e11)) + 1000;
  return c;
}

const RouteCost& cost_of(const Plan& plan, Route route) {
  return *std::ranges::find(plan.considered, route, &RouteCost::route);
}

void expect_components(const Case& c, double said, double most) {
  const Index there = component_limit(c.problem, c.shape.rows, c.shape.cols);
  EXPECT_EQ(static_cast<Index>(most), there);
  const Components& asked = c.problem.components;
  const Index all = asked.count == Components::all ? there : std::min(asked.count, there);
  EXPECT_EQ(static_cast<Index>(said), asked.kind == Components::Kind::count ? all : 0);  // 0: not known ahead
}

/// The numbers are those of the shape, and the comparison that the words make is true.
void expect_true(const Case& c, const Plan& plan) {
  ASSERT_EQ(plan.why.size(), 1U);
  const Reason& reason = plan.why.front();
  const std::vector<double>& n = reason.numbers;
  const bool asked = c.problem.route != PcaRoute::automatic;
  EXPECT_EQ(asked, reason.kind == ReasonKind::asked_for);
  switch (reason.kind) {
    case ReasonKind::asked_for:
      EXPECT_EQ(plan.route, route_of(c.problem.route));
      break;
    case ReasonKind::covariance_formed:
    case ReasonKind::products_formed:
      EXPECT_EQ(plan.route, Route::covariance);
      EXPECT_EQ(reason.kind == ReasonKind::covariance_formed, c.problem.center);
      EXPECT_EQ(n.at(0), static_cast<double>(c.shape.cols));
      break;
    case ReasonKind::fewer_rows:
      EXPECT_EQ(plan.route, Route::gram);
      EXPECT_EQ(n.at(0), static_cast<double>(c.shape.rows));
      EXPECT_EQ(n.at(1), static_cast<double>(c.shape.cols));
      EXPECT_LT(c.shape.rows, c.shape.cols);
      EXPECT_GT(c.shape.rows, 0);
      break;
    case ReasonKind::sparse_products:
      EXPECT_EQ(plan.route, Route::krylov);
      EXPECT_NEAR(n.at(0) * static_cast<double>(c.shape.rows) * static_cast<double>(c.shape.cols),
                  static_cast<double>(c.shape.nonzeros), 1e-9 * static_cast<double>(c.shape.nonzeros) + 1e-9);
      expect_components(c, n.at(1), n.at(2));
      break;
    case ReasonKind::products_alone:  // no comparison, where a Gram matrix that is not weighed seems faster
      EXPECT_EQ(plan.route, Route::krylov);
      EXPECT_EQ(cost_of(plan, Route::gram).verdict, Verdict::no_smaller);
      break;
    case ReasonKind::cheaper_products:
      EXPECT_EQ(plan.route, Route::krylov);
      EXPECT_LE(plan.seconds, cost_of(plan, Route::covariance).seconds);
      if (cost_of(plan, Route::gram).verdict != Verdict::needs_memory) {
        EXPECT_LE(plan.seconds, cost_of(plan, Route::gram).seconds);
      }
      expect_components(c, n.at(0), n.at(1));
      break;
    case ReasonKind::forming_over_limit:
      EXPECT_EQ(plan.route, Route::krylov);
      EXPECT_GT(n.at(2), n.at(3));
      EXPECT_EQ(n.at(3), static_cast<double>(c.limit));
      expect_components(c, n.at(0), n.at(1));
      break;
    default:
      ADD_FAILURE() << words_of(reason);
  }
}

void expect_true_verdicts(const Case& c, const Plan& plan) {
  const RouteCost& taken = cost_of(plan, plan.route);
  EXPECT_LE(taken.bytes, c.limit);
  for (const RouteCost& cost : plan.considered) {
    EXPECT_FALSE(verdict_of(cost).empty());
    EXPECT_EQ(cost.verdict == Verdict::chosen, cost.route == plan.route);
    if (cost.verdict == Verdict::slower) {
      EXPECT_GT(cost.seconds, taken.seconds);
    }
    if (cost.verdict == Verdict::not_asked) {
      EXPECT_NE(c.problem.route, PcaRoute::automatic);
    }
    if (cost.verdict == Verdict::over_limit) {
      EXPECT_GT(cost.bytes, c.limit);
    }
    if (cost.verdict == Verdict::no_smaller) {
      EXPECT_GE(c.shape.rows, c.shape.cols);
    }
    if (cost.verdict == Verdict::needs_passes) {
      EXPECT_TRUE(c.shape.stream && !c.shape.rewindable);
    }
    if (cost.verdict == Verdict::needs_memory) {
      EXPECT_TRUE(c.shape.stream);
    }
  }
}

TEST(SpectralPlan, SaysWhatIsTrueOfTheShape) {
  std::mt19937_64 random(7);
  std::map<ReasonKind, int> seen;
  int refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    const Case c = draw_case(random);
    SCOPED_TRACE(testing::Message() << "case " << i << ": " << c.shape.rows << " x " << c.shape.cols << ", "
                                    << c.shape.nonzeros << " entries, limit " << c.limit);
    try {
      const Plan plan = plan_spectral(c.shape, c.problem, {.memory_limit = c.limit});
      expect_true(c, plan);
      expect_true_verdicts(c, plan);
      ++seen[plan.why.front().kind];
    } catch (const Error& e) {
      EXPECT_TRUE(e.kind() == ErrorKind::over_memory || c.problem.route != PcaRoute::automatic) << e.what();
      ++refused;
    }
  }
  EXPECT_EQ(seen.size(), 8U);  // every reason there is
  EXPECT_LT(refused, 15'000);  // limits are drawn from 1 KB to 100 GB
}

TEST(SpectralPlan, OfFourRowsAndThreeColumnsDoesNotSpeakOfFewerRows) {
  const Plan plan = plan_spectral({.rows = 4, .cols = 3}, {}, {});
  EXPECT_EQ(words_of(plan.why), "3 columns: their 3×3 covariance is formed in one pass");
}

TEST(SpectralPlan, CountsNoComponentsOfAShare) {
  SpectralProblem problem;
  problem.components = Components(0.9);
  const Plan plan = plan_spectral({.rows = 1'000'000, .cols = 50'000, .nonzeros = 1'000'000}, problem,
                                  {.memory_limit = std::uint64_t{1} << 36});
  ASSERT_EQ(plan.route, Route::krylov);
  EXPECT_EQ(words_of(plan.why),
            "sparse (0.002 % filled), as many of 50000 components as it takes: products with the data alone");
}

TEST(SpectralPlan, OfUnknownRowsDoesNotTakeTheGramMatrix) {
  EXPECT_THROW(
      plan_spectral({.rows = -1, .cols = 50'000, .stream = true, .rewindable = false}, {}, {.memory_limit = 1 << 20}),
      OverMemory);
}

}  // namespace
}  // namespace fewdim
