#include <gtest/gtest.h>

#include <set>

#include "fewdim/plan.hpp"

namespace fewdim {
namespace {

TEST(RouteWords, LeadBackToTheRoute) {
  std::set<std::string> words;
  for (int i = 0; i <= static_cast<int>(Route::update); ++i) {
    const auto route = static_cast<Route>(i);
    EXPECT_EQ(route_named(word_of(route)), route) << i;
    words.insert(word_of(route));
  }
  EXPECT_EQ(words.size(), static_cast<std::size_t>(Route::update) + 1);
  EXPECT_EQ(route_named("of a newer version"), std::nullopt);
}

TEST(ReasonWords, AreThereForEveryKind) {
  std::set<std::string> words;
  for (int i = 0; i <= static_cast<int>(ReasonKind::counts_on_disk); ++i) {
    Reason reason(static_cast<ReasonKind>(i), 2, 3, 5, 7);
    reason.text = "told";
    EXPECT_TRUE(words.insert(words_of(reason)).second) << i << ": " << words_of(reason);
  }
  EXPECT_FALSE(words.contains(""));
}

TEST(ReasonWords, AreJoinedAsSentences) {
  Reason tried(ReasonKind::did_not_converge);
  tried.route = Route::krylov;
  EXPECT_EQ(words_of({tried, Reason(ReasonKind::columns_filled, 17, 20)}),
            "krylov did not converge; 17 of 20 columns hold entries");
  EXPECT_EQ(words_of({Reason(ReasonKind::for_whitening), Reason(ReasonKind::covariance_formed, 1)}),
            "for the whitening: 1 column: its 1×1 covariance is formed in one pass");
  EXPECT_EQ(words_of({Reason(ReasonKind::few_rows, 9), Reason(ReasonKind::on_surface)}),
            "9 rows: LAPACK, if the data lie on a surface");
  EXPECT_EQ(words_of(std::vector<Reason>{}), "");
}

TEST(ReasonWords, SayWhatStandsBesideTilesThatWouldFitAlone) {
  constexpr double mib = 1024.0 * 1024.0;
  EXPECT_EQ(words_of(Reason(ReasonKind::tiles_anew, 8 * mib, 1 * mib, 4 * mib)),
            "tiles computed anew for every product, as 8.0 MiB of them would be above the memory limit of 4.0 MiB");
  EXPECT_EQ(
      words_of(Reason(ReasonKind::tiles_anew, 3 * mib, 2 * mib, 4 * mib)),
      "tiles computed anew for every product, as 3.0 MiB of them, beside 2.0 MiB for the work, would be above the "
      "memory limit of 4.0 MiB");
}

TEST(VerdictWords, NameOptionsInTheWordsOfTheFront) {
  const RouteCost slow{.route = Route::power, .verdict = Verdict::slow};
  EXPECT_EQ(verdict_of(slow), "slow; ask for it with route = power");
  EXPECT_EQ(verdict_of(slow, speak_command_line), "slow; ask for it with --route power");
  EXPECT_EQ(verdict_of({.route = Route::gram, .bytes = 3 << 20, .verdict = Verdict::over_limit}),
            "needs 3.0 MiB, over the limit");
}

TEST(RouteNames, HaveLandmarksAndDimensions) {
  EXPECT_EQ(name_of({.route = Route::landmarks, .landmarks = 1000}), "landmarks 1000");
  EXPECT_EQ(name_of({.route = Route::factor, .dimensions = 10}), "factor in 10 dimensions");
  EXPECT_EQ(name_of({.route = Route::all_pairs}), "all pairs");
}

}  // namespace
}  // namespace fewdim
