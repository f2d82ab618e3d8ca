#include <gtest/gtest.h>

#include "fewdim/diagnostic.hpp"

namespace fewdim {
namespace {

TEST(Diagnostic, HasTheMeaningOfTheTable) {
  const Diagnostic known("noise_variance", 0.5);
  EXPECT_EQ(known.unit, Unit::variance);
  EXPECT_FALSE(known.meaning.empty());
}

TEST(Diagnostic, OfANewerVersionHasItsNameAndValue) {
  const Diagnostic unknown("of_a_newer_version", 2.0);
  EXPECT_EQ(unknown.name, "of_a_newer_version");
  EXPECT_EQ(unknown.value, 2.0);
  EXPECT_EQ(unknown.unit, Unit::none);
  EXPECT_TRUE(unknown.meaning.empty());
}

TEST(Diagnostic, IsKnownWithAnyNumberBehindItsName) {
  EXPECT_EQ(diagnostic::residual_variance(12), "residual_variance_12");
  const Diagnostic curve(diagnostic::residual_variance(12), 0.1), one("residual_variance", 0.1);
  EXPECT_EQ(curve.unit, Unit::share);
  EXPECT_NE(curve.meaning, one.meaning);  // of a curve, and of one map
  EXPECT_FALSE(Diagnostic("excess_kurtosis_3", 0.0).meaning.empty());
  EXPECT_TRUE(Diagnostic("excess_kurtosis_x", 0.0).meaning.empty());
  EXPECT_FALSE(Diagnostic("held out at 5 components, ridge 0.12", 0.9).meaning.empty());
}

TEST(Diagnostic, IsFoundByName) {
  const std::vector<Diagnostic> some{{"loss", 1.0}, {diagnostic::explained, 0.75}};
  ASSERT_TRUE(find_diagnostic(some, diagnostic::explained));
  EXPECT_EQ(find_diagnostic(some, diagnostic::explained)->value, 0.75);
  EXPECT_FALSE(find_diagnostic(some, "objective"));
}

}  // namespace
}  // namespace fewdim
