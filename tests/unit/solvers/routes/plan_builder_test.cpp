#include "solvers/routes/plan_builder.hpp"

#include <gtest/gtest.h>

#include "fewdim/error.hpp"

namespace fewdim {
namespace {

constexpr std::uint64_t built_limit = 1000;
const DataShape built_shape{.rows = 10, .cols = 4};

std::vector<RouteCost> judged(Route taken) {
  return PlanBuilder(built_shape, {.memory_limit = built_limit})
      .consider({.route = Route::kept, .bytes = 500, .passes = 1, .seconds = 2.0})
      .consider({.route = Route::anew, .bytes = 10, .passes = 3, .seconds = 5.0})
      .consider({.route = Route::gram, .bytes = 2000, .seconds = 1.0})
      .consider({.route = Route::power, .bytes = 20, .seconds = 9.0, .verdict = Verdict::slow})
      .take(taken)
      .considered;
}

TEST(PlanBuilder, JudgesWhatItDoesNotTake) {
  const auto kept = judged(Route::kept);
  EXPECT_EQ(kept[0].verdict, Verdict::chosen);
  EXPECT_EQ(kept[1].verdict, Verdict::slower);
  EXPECT_EQ(kept[2].verdict, Verdict::over_limit);
  EXPECT_EQ(kept[3].verdict, Verdict::slow);                      // as it was told
  EXPECT_EQ(judged(Route::anew)[0].verdict, Verdict::not_asked);  // it is no slower
}

TEST(PlanBuilder, TakesTheCostOfTheRoute) {
  const Plan plan = PlanBuilder(built_shape, {.memory_limit = built_limit})
                        .consider({.route = Route::kept, .bytes = 500, .passes = 2, .seconds = 2.0})
                        .because(Reason(ReasonKind::tiles_kept, 500))
                        .take(Route::kept);
  EXPECT_EQ(plan.route, Route::kept);
  EXPECT_EQ(plan.bytes, 500U);
  EXPECT_EQ(plan.passes, 2);
  EXPECT_EQ(plan.seconds, 2.0);
  EXPECT_EQ(plan.memory_limit, built_limit);
  EXPECT_EQ(plan.input_bytes, 320U);
  EXPECT_EQ(plan.why, std::vector{Reason(ReasonKind::tiles_kept, 500)});
}

TEST(PlanBuilder, RefusesWhatDoesNotFit) {
  PlanBuilder plan(built_shape, {.memory_limit = built_limit});
  plan.consider({.route = Route::als, .bytes = 5000});
  try {
    plan.take(Route::als, "test: the factors", "take fewer");
    FAIL();
  } catch (const OverMemory& e) {
    EXPECT_STREQ(e.what(), "test: the factors needs 4.9 KiB, the limit is 1000 B; take fewer");
  }
}

TEST(PlanBuilder, RefusesARouteThatItHasNotWeighed) {
  PlanBuilder plan(built_shape, {});
  EXPECT_THROW(plan.take(Route::als), Error);
}

TEST(PlanBuilder, CountsInputAsItIsStored) {
  EXPECT_EQ(input_bytes_of({.rows = 10, .cols = 4, .precision = Precision::float32}), 160U);
  EXPECT_EQ(input_bytes_of({.rows = 10, .cols = 4, .nonzeros = 7}), 84U);
  EXPECT_EQ(input_bytes_of({.rows = 10, .cols = 4, .stream = true}), 0U);
  EXPECT_EQ(input_bytes_of({.rows = -1, .cols = 4}), 0U);
}

TEST(PlanBuilder, AddsStagesAndSecondRoutes) {
  Plan plan = PlanBuilder(built_shape, {.memory_limit = built_limit})
                  .consider({.route = Route::krylov, .bytes = 50, .seconds = 1.0})
                  .consider({.route = Route::covariance, .bytes = 300, .passes = 1, .seconds = 3.0})
                  .take(Route::krylov);
  add_stage(plan, {.route = Route::hals, .bytes = 70, .seconds = 2.0, .verdict = Verdict::many_iterations});
  EXPECT_EQ(plan.bytes, 70U);
  EXPECT_EQ(plan.seconds, 3.0);
  retake(plan, Route::covariance);
  EXPECT_EQ(plan.route, Route::covariance);
  EXPECT_EQ(plan.bytes, 300U);
  EXPECT_EQ(plan.considered[0].verdict, Verdict::did_not_converge);
  EXPECT_EQ(plan.considered[1].verdict, Verdict::chosen);
  EXPECT_EQ(words_of(plan.why), "krylov did not converge");
}

}  // namespace
}  // namespace fewdim
