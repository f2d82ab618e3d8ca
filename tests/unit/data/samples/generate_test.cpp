#include "fewdim/generate.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <charconv>
#include <cmath>
#include <numbers>
#include <set>

namespace fewdim {
namespace {

using std::numbers::pi;

double number(const std::string& text) {
  double value = NAN;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Labels carry six digits: a position t is known to 5e-6 of its size, at most 14.2; distances to t's place to 1e-4.
constexpr double label_rounding = 1e-4;

TEST(Generate, EveryGeneratorMakesFiniteNamedRows) {
  ASSERT_EQ(generators().size(), 12u);
  for (const GeneratorCard& card : generators()) {
    const Dataset data = generate(card.name, {.rows = 2500, .seed = 3});
    EXPECT_EQ(data.rows(), 2500) << card.name;
    EXPECT_EQ(data.source, card.name);
    EXPECT_TRUE(data.matrix<double>().allFinite()) << card.name;
    EXPECT_EQ(Index(data.column_names.size()), data.cols()) << card.name;
    const bool labeled =
        card.name != "low-rank-plus-noise" && card.name != "ratings" && !card.name.ends_with("signals");
    EXPECT_EQ(data.labels.size(), labeled ? 2500u : 0u) << card.name;
    EXPECT_EQ(data.label_name.empty(), !labeled) << card.name;
  }
}

TEST(Generate, SameSeedSameBitsOtherSeedOtherData) {
  for (const GeneratorCard& card : generators()) {
    const Dataset a = generate(card.name, {.rows = 1500, .seed = 1}),
                  b = generate(card.name, {.rows = 1500, .seed = 1});
    EXPECT_EQ(a.matrix<double>(), b.matrix<double>()) << card.name;
    EXPECT_EQ(a.labels, b.labels) << card.name;
    EXPECT_NE(a.matrix<double>(), generate(card.name, {.rows = 1500, .seed = 2}).matrix<double>()) << card.name;
  }
}

TEST(Generate, MoreRowsContinueTheSameData) {  // what counters per row promise; the factors of low rank can't
  for (const GeneratorCard& card : generators()) {
    if (card.name == "low-rank-plus-noise") continue;
    const auto few = generate(card.name, {.rows = 10}).matrix<double>();
    const auto many = generate(card.name, {.rows = 2100}).matrix<double>();
    EXPECT_EQ(few, many.topRows(10)) << card.name;
  }
}

TEST(Generate, RatingsAreFromOneToFiveAndEachItemOnceAUser) {
  const auto x = generate("ratings", {.rows = 5000, .cols = 300, .noise = 0.8}).matrix<double>();
  std::set<std::pair<double, double>> pairs;
  for (Index i = 0; i < x.rows(); ++i) {
    EXPECT_TRUE(pairs.emplace(x(i, 0), x(i, 1)).second);
    EXPECT_TRUE(x(i, 1) >= 1 && x(i, 1) <= 300 && x(i, 1) == std::round(x(i, 1)));
    EXPECT_TRUE(x(i, 2) >= 1 && x(i, 2) <= 5 && x(i, 2) == std::round(x(i, 2)));
  }
  EXPECT_NEAR(x.col(2).mean(), 3.5, 0.2);  // what it is made with, less what is cut off at 5
}

TEST(Generate, SwissRollLiesOnItsFormula) {
  const Dataset data = generate("swiss-roll", {.rows = 2000, .noise = 0});
  const auto x = data.matrix<double>();
  double least = 1e9, most = 0, height = 0;
  for (Index i = 0; i < x.rows(); ++i) {
    const double t = number(data.labels[std::size_t(i)]);
    EXPECT_NEAR(x(i, 0), t * std::cos(t), 15 * label_rounding);
    EXPECT_NEAR(x(i, 2), t * std::sin(t), 15 * label_rounding);
    EXPECT_NEAR(std::hypot(x(i, 0), x(i, 2)), t, label_rounding);
    least = std::min(least, t), most = std::max(most, t), height += x(i, 1) / 2000;
    EXPECT_GE(x(i, 1), 0);
    EXPECT_LE(x(i, 1), 30);
  }
  // Uniform over [1.5π, 4.5π]: the ends come within 1 % of the length (missed by 2,000 points once in e²⁰ trials).
  EXPECT_GE(least, 1.5 * pi - label_rounding);
  EXPECT_LE(least, 1.53 * pi);
  EXPECT_GE(most, 4.47 * pi);
  EXPECT_LE(most, 4.5 * pi + label_rounding);
  EXPECT_NEAR(height, 15, 5 * 30 / std::sqrt(12.0 * 2000));  // five standard errors
}

TEST(Generate, BrokenRollLacksTheMiddleFifth) {
  const Dataset data = generate("broken-swiss-roll", {.rows = 2000, .noise = 0});
  int below = 0;
  for (const std::string& label : data.labels) {
    const double u = (number(label) / (1.5 * pi) - 1) / 2;
    EXPECT_TRUE(u <= 0.4 + 1e-5 || u >= 0.6 - 1e-5) << u;
    below += u < 0.5 ? 1 : 0;
  }
  EXPECT_NEAR(below, 1000, 5 * std::sqrt(2000 / 4.0));  // five standard errors of a fair coin
}

TEST(Generate, ClosedFormsOfTheOtherManifolds) {
  const auto s = generate("s-curve", {.rows = 300, .noise = 0}).matrix<double>();
  const auto h = generate("helix", {.rows = 300, .noise = 0}).matrix<double>();
  const auto p = generate("twin-peaks", {.rows = 300, .noise = 0}).matrix<double>();
  for (Index i = 0; i < 300; ++i) {
    // The S is two unit circles around (0, ±1) in x and z.
    EXPECT_NEAR(std::hypot(s(i, 0), std::abs(s(i, 2)) - 1), 1, 1e-12);
    // The helix lies on a torus of radii 2 and 1.
    EXPECT_NEAR(std::hypot(std::hypot(h(i, 0), h(i, 1)) - 2, h(i, 2)), 1, 1e-12);
    EXPECT_NEAR(p(i, 2), 10 * std::sin(pi * p(i, 0)) * std::tanh(3 * p(i, 1)), 1e-12);
  }
}

TEST(Generate, NoiseHasItsStandardDeviation) {
  const Index n = 20000;
  const auto clean = generate("helix", {.rows = n, .noise = 0}).matrix<double>();
  const auto noisy = generate("helix", {.rows = n, .noise = 0.3}).matrix<double>();
  for (Index c = 0; c < 3; ++c) {
    const double sd = (noisy - clean).col(c).norm() / std::sqrt(double(n));
    EXPECT_NEAR(sd, 0.3, 0.3 * 5 / std::sqrt(2.0 * n)) << c;  // five standard errors
  }
}

TEST(Generate, BlobsSitAroundTheirCenters) {
  const Dataset data = generate("blobs", {.rows = 4000, .cols = 5, .noise = 0.01, .clusters = 4});
  const auto x = data.matrix<double>();
  ASSERT_EQ(x.cols(), 5);
  EXPECT_EQ(data.column_names[4], "x5");
  for (Index k = 0; k < 4; ++k) {
    Vector<double> mean = Vector<double>::Zero(5);
    for (Index i = k; i < 4000; i += 4) mean += x.row(i).transpose() / 1000;
    for (Index i = k; i < 4000; i += 4) {
      EXPECT_EQ(data.labels[std::size_t(i)], std::to_string(k + 1));
      EXPECT_LT((x.row(i).transpose() - mean).norm(), 0.07);  // 7 sd in 5 dimensions: chi2 of 49, once in 4e8
    }
    EXPECT_GE(mean.minCoeff(), -0.01);
    EXPECT_LE(mean.maxCoeff(), 1.01);
  }
}

TEST(Generate, CirclesHaveRadiusOneTwoThree) {
  const Dataset data = generate("circles", {.rows = 300, .noise = 0});
  const auto x = data.matrix<double>();
  ASSERT_EQ(x.cols(), 2);
  for (Index i = 0; i < 300; ++i) EXPECT_NEAR(x.row(i).norm(), number(data.labels[std::size_t(i)]), 1e-12);
}

TEST(Generate, LowRankHasTheStatedSingularValues) {
  const Index rows = 2100, cols = 30, rank = 6;
  const auto x =
      generate("low-rank-plus-noise", {.rows = rows, .cols = cols, .noise = 0, .rank = rank}).matrix<double>();
  const Vector<double> values = Eigen::BDCSVD<Matrix<double>>(x).singularValues();
  const double first = std::sqrt(double(rows * cols));
  for (Index j = 0; j < rank; ++j) EXPECT_NEAR(values[j] / first, std::pow(10, -double(j) / 5), 1e-13) << j;
  for (Index j = rank; j < cols; ++j) EXPECT_LT(values[j] / first, 1e-13) << j;
}

TEST(Generate, RankOneAndFullRankWork) {
  const auto one = generate("low-rank-plus-noise", {.rows = 4, .cols = 3, .noise = 0, .rank = 1}).matrix<double>();
  EXPECT_NEAR(one.norm(), std::sqrt(12.0), 1e-12);
  const auto full = generate("low-rank-plus-noise", {.rows = 3, .cols = 3, .noise = 0, .rank = 3}).matrix<double>();
  EXPECT_EQ(full.rows(), 3);
}

std::string message_of(std::string_view name, const GenerateOptions& options) {
  try {
    generate(name, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Generate, RefusesWhatItCannotMake) {
  EXPECT_EQ(message_of("helix", {.rows = 0}), "generate: rows=0 must be at least 1; ask for one row or more");
  EXPECT_EQ(message_of("blobs", {.cols = 0}), "generate: cols=0 must be at least 1; ask for one column or more");
  EXPECT_EQ(message_of("blobs", {.noise = -1}),
            "generate: noise=-1 must be a finite number, 0 or more; 0 gives no noise");
  EXPECT_NE(message_of("blobs", {.noise = NAN}).find("noise=nan"), std::string::npos);
  EXPECT_NE(message_of("blobs", {.noise = INFINITY}).find("noise=inf"), std::string::npos);
  EXPECT_NE(message_of("circles", {.rows = 2}).find("clusters=3 must be between 1 and the number of rows, 2"),
            std::string::npos);
  EXPECT_NE(message_of("low-rank-plus-noise", {.rows = 9, .cols = 4}).find("rank=5 must be between 1 and 4"),
            std::string::npos);
  EXPECT_NE(message_of("low-rank-plus-noise", {.rank = 0}).find("rank=0"), std::string::npos);
}

// No point lies in the hole, and the strips around it are equally dense.
TEST(Generate, HoledSwissRollHasItsHole) {
  const Dataset data = generate("holed-swiss-roll", {.rows = 27'000, .noise = 0.0, .seed = 2});
  const RowMatrix<double> x = data.matrix<double>();
  Index beside = 0, left = 0;
  for (Index i = 0; i < x.rows(); ++i) {
    const double t = std::hypot(x(i, 0), x(i, 2)), u = (t / (1.5 * pi) - 1.0) / 2.0, v = x(i, 1) / 30.0;
    const bool middle = u > 1.0 / 3.0 && u < 2.0 / 3.0;
    EXPECT_FALSE(middle && v > 1.0 / 3.0 + 1e-9 && v < 2.0 / 3.0 - 1e-9) << u << ' ' << v;
    beside += middle ? 1 : 0;
    left += u < 1.0 / 3.0 ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(beside), 27'000.0 * 2.0 / 8.0, 4.0 * 71.0);  // binomial, four standard deviations
  EXPECT_NEAR(static_cast<double>(left), 27'000.0 * 3.0 / 8.0, 4.0 * 80.0);
}

TEST(Generate, RefusesTablesLargerThanMemoryBeforeAllocating) {
  EXPECT_THROW(generate("swiss-roll", {.rows = Index{1} << 60}), OverMemory);
  EXPECT_THROW(generate("blobs", {.rows = INT64_MAX, .cols = 1 << 28}), OverMemory);
}

TEST(Generate, UnknownNameListsTheNamesAndTheNearest) {
  EXPECT_EQ(
      message_of("swisroll", {}),
      "generate: name=swisroll is not one of swiss-roll, broken-swiss-roll, holed-swiss-roll, s-curve, helix, "
      "twin-peaks, blobs, circles, low-rank-plus-noise, signals, mixed-signals, ratings; did you mean swiss-roll?");
  EXPECT_NE(message_of("", {}).find("name= is not one of"), std::string::npos);
}

}  // namespace
}  // namespace fewdim
