#include "solvers/stress/stress.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "solvers/stress/monotone_regression.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

Matrix<double> dissimilarities(Index n, bool ties = false, Seed seed = 1) {
  const Matrix<double> x = test::sample(n, 6, seed, 0.0);
  Matrix<double> d(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      d(i, j) = (x.row(i) - x.row(j)).norm();
      if (ties) d(i, j) = std::round(3.0 * d(i, j)) + (i != j ? 1.0 : 0.0);
    }
  return d;
}

struct Pair {
  Index i, j;
  double delta, d;
};

/// Σ(d̂ − d)² / Σd² by a plain monotone regression. Weak ties: within one, pairs go by their distance. Strong: one
/// number with the weight of the tie.
double plain_stress(const Matrix<double>& delta, const Matrix<double>& x, bool tied) {
  std::vector<Pair> pairs;
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < i; ++j) pairs.push_back({i, j, delta(i, j), (x.row(i) - x.row(j)).norm()});
  std::ranges::sort(pairs,
                    [](const Pair& a, const Pair& b) { return std::pair(a.delta, a.d) < std::pair(b.delta, b.d); });
  double residual = 0.0, square = 0.0;
  for (const Pair& p : pairs) square += p.d * p.d;
  if (!tied) {
    std::vector<double> y;
    for (const Pair& p : pairs) y.push_back(p.d);
    const auto z = monotone_regression(y);
    for (std::size_t i = 0; i < y.size(); ++i) residual += (z[i] - y[i]) * (z[i] - y[i]);
    return residual / square;
  }
  std::map<double, std::vector<double>> groups;
  for (const Pair& p : pairs) groups[p.delta].push_back(p.d);
  std::vector<double> means, weights;
  for (const auto& [key, members] : groups) {
    double sum = 0.0;
    for (const double d : members) sum += d;
    means.push_back(sum / static_cast<double>(members.size()));
    weights.push_back(static_cast<double>(members.size()));
  }
  const auto z = monotone_regression(means, weights);
  std::size_t g = 0;
  for (const auto& [key, members] : groups) {
    for (const double d : members) residual += (z[g] - d) * (z[g] - d);
    ++g;
  }
  return residual / square;
}

TEST(Stress, OrdinalIsAPlainMonotoneRegression) {
  for (const Index n : {3, 40, 400, 760})  // one chunk of ranks, several, and runs of keys that are merged
    for (const bool ties : {false, true})
      for (const bool tied : {false, true}) {
        const Matrix<double> delta = dissimilarities(n, ties), x = test::sample(n, 2, 9, 0.0);
        const Dataset data(delta);
        const auto pairs = PairDistances<double>::given(data);
        OrdinalDisparities ordinal(pairs, tied, {});
        StressFunction<double> stress(pairs, Disparity::ordinal, &ordinal, {});
        Matrix<double> image;
        const double truth = plain_stress(delta, x, tied);
        EXPECT_NEAR(stress(x, image), truth, 1e-11 * truth + 1e-15) << n << ties << tied;
        // The image is the plain Guttman transform under the same disparities.
        Matrix<double> targets = Matrix<double>::Zero(n, n);
        ordinal.for_each([&](Index i, Index j, double fitted, double) {
          targets(i, j) = targets(j, i) = stress.disparities().factor * fitted;
        });
        const Dataset fitted(targets);
        Matrix<double> twin;
        const PairSums sums = guttman_transform(PairDistances<double>::given(fitted), {}, x, twin, {});
        EXPECT_LE(test::distance(image, twin), 1e-11 * twin.cwiseAbs().maxCoeff());
        EXPECT_NEAR(stress.scale(), sums.cross / sums.square, 1e-12 * stress.scale());
        const Vector<double> shares = stress.by_object(stress.scale() * x);
        Vector<double> plain = Vector<double>::Zero(n);
        for (Index i = 0; i < n; ++i)
          for (Index j = 0; j < n; ++j)
            if (i != j) plain[i] += std::pow(targets(i, j) - stress.scale() * (x.row(i) - x.row(j)).norm(), 2);
        EXPECT_LE(test::distance(shares, plain), 1e-10 * plain.maxCoeff());
      }
}

TEST(Stress, StrongTiesGetOneDisparityWeakOnesMayNot) {
  const Matrix<double> delta = dissimilarities(30, true), x = test::sample(30, 2, 9, 0.0);
  const Dataset data(delta);
  const auto pairs = PairDistances<double>::given(data);
  for (const bool tied : {true, false}) {
    OrdinalDisparities ordinal(pairs, tied, {});
    Matrix<double> image;
    ordinal.evaluate(x, image, {});
    std::map<double, std::pair<double, double>> range;  // of the disparities of each dissimilarity
    ordinal.for_each([&](Index i, Index j, double fitted, double) {
      auto [at, fresh] = range.try_emplace(delta(i, j), fitted, fitted);
      at->second = {std::min(at->second.first, fitted), std::max(at->second.second, fitted)};
    });
    ASSERT_LT(range.size(), 30u);  // there are ties
    double widest = 0.0, last = -INFINITY;
    for (const auto& [value, ends] : range) {
      widest = std::max(widest, ends.second - ends.first);
      EXPECT_GE(ends.first, last);
      last = ends.second;
    }
    EXPECT_EQ(widest == 0.0, tied);
    Vector<double> knots, heights;
    ordinal.knots(pairs, 1000, knots, heights);
    for (Index i = 1; i < knots.size(); ++i) {
      EXPECT_GT(knots[i], knots[i - 1]);
      EXPECT_GE(heights[i], heights[i - 1]);
    }
    EXPECT_EQ(knots[0], range.begin()->first);
    EXPECT_EQ(knots[knots.size() - 1], range.rbegin()->first);
    ordinal.knots(pairs, 5, knots, heights);
    EXPECT_EQ(knots.size(), 5);
    EXPECT_EQ(knots[4], range.rbegin()->first);
  }
}

TEST(Stress, RanksAreMeanRanks) {
  Matrix<double> delta = Matrix<double>::Zero(4, 4);
  const double lower[] = {5, 1, 5, 9, 5, 2};  // places 0 .. 5
  for (Index i = 0, p = 0; i < 4; ++i)
    for (Index j = 0; j < i; ++j, ++p) delta(i, j) = delta(j, i) = lower[p];
  const Dataset data(delta);
  OrdinalDisparities ordinal(PairDistances<double>::given(data), false, {});
  const auto ranks = ordinal.ranks();
  const double expected[] = {4, 1, 4, 6, 4, 2};
  for (Index i = 0, p = 0; i < 4; ++i)
    for (Index j = 0; j < i; ++j, ++p) EXPECT_DOUBLE_EQ(6.0 * ranks.entry(i, j), expected[p]);
}

TEST(Stress, IntervalIsTheBestLineThatRises) {
  const Matrix<double> delta = dissimilarities(25), x = test::sample(25, 2, 9, 0.0);
  const Dataset data(delta);
  const auto pairs = PairDistances<double>::given(data);
  StressFunction<double> stress(pairs, Disparity::interval, nullptr, {});
  Matrix<double> image;
  const double found = stress(x, image);
  double lowest = INFINITY, square = 0.0;
  for (Index i = 0; i < 25; ++i)
    for (Index j = 0; j < i; ++j) {
      lowest = std::min(lowest, delta(i, j));
      square += (x.row(i) - x.row(j)).squaredNorm();
    }
  const auto at = [&](double a, double b) {
    double sum = 0.0;
    for (Index i = 0; i < 25; ++i)
      for (Index j = 0; j < i; ++j) sum += std::pow(a + b * (delta(i, j) - lowest) - (x.row(i) - x.row(j)).norm(), 2);
    return sum / square;
  };
  for (double a = 0.0; a < 4.0; a += 0.05)
    for (double b = 0.0; b < 2.0; b += 0.05) EXPECT_GE(at(a, b), found - 1e-12);
  const Affine t = stress.disparities();
  const double shrink = 1.0 / (stress.size() / (stress.scale() * square));  // back to the size next to d
  EXPECT_NEAR(at(shrink * (t.shift + t.factor * lowest), shrink * t.factor), found, 1e-12);
  EXPECT_GE(t.factor, 0.0);
}

TEST(Stress, DoesNotChangeWithScaleAndNeverRises) {
  const Matrix<double> delta = dissimilarities(60, true), start = test::sample(60, 2, 9, 0.0);
  const Dataset data(delta);
  const auto pairs = PairDistances<double>::given(data);
  for (const Disparity kind : {Disparity::ratio, Disparity::interval, Disparity::ordinal}) {
    OrdinalDisparities ordinal(pairs, false, {});
    StressFunction<double> stress(pairs, kind, &ordinal, {});
    Matrix<double> image, bigger;
    const double value = stress(start, image);
    EXPECT_NEAR(stress(1000.0 * start, bigger), value, 1e-11 * value);
    EXPECT_LE(test::distance(image, bigger), 1e-11 * image.cwiseAbs().maxCoeff());
    // The plain iteration, and the accelerated one after each number of passes.
    Matrix<double> x = start;
    double last = value;
    for (int step = 0; step < 30; ++step) {
      x = image;
      const double next = stress(x, image);
      EXPECT_LE(next, last * (1.0 + 1e-13));
      last = next;
    }
    double before = value;
    for (Index passes = 1; passes <= 40; ++passes) {
      const Majorized map = majorize(stress, start, {.iterations = passes, .tolerance = 0.0}, {});
      EXPECT_LE(map.iterations, passes);
      EXPECT_LE(map.stress, before);
      before = map.stress;
    }
    EXPECT_LT(before, last);  // what acceleration is for
  }
}

TEST(Stress, StopsAtAStationaryPoint) {
  const Matrix<double> delta = dissimilarities(50), start = test::sample(50, 2, 9, 0.0);
  const Dataset data(delta);
  const auto pairs = PairDistances<double>::given(data);
  StressFunction<double> stress(pairs, Disparity::ratio, nullptr, {});
  const Majorized map = majorize(stress, start, {.iterations = 2000, .tolerance = 1e-14}, {});
  ASSERT_TRUE(map.converged);
  Matrix<double> image;
  EXPECT_EQ(stress(map.x, image), map.stress);
  const Matrix<double> x = stress.scale() * map.x;
  EXPECT_LE((x - image).norm(), 1e-7 * x.norm());  // the square root of the tolerance
  EXPECT_NEAR((x - image).norm() / x.norm(), map.residual, 1e-12);
  // Σ(δ − d)² is flat there: its derivatives are 2N(x − Γ(x)).
  const double step = 1e-5 * x.norm() / std::sqrt(50.0);
  const auto raw = [&](const Matrix<double>& at) { return measure_pairs(pairs, {}, at, {}).residual; };
  for (Index i = 0; i < 10; ++i) {
    Matrix<double> up = x, down = x;
    up(i, 1) += step;
    down(i, 1) -= step;
    EXPECT_LE(std::abs(raw(up) - raw(down)) / (2 * step), 2 * 50 * 1e-7 * x.norm());
  }
  const Majorized cut = majorize(stress, start, {.iterations = 3, .tolerance = 1e-14}, {});
  EXPECT_FALSE(cut.converged);
  EXPECT_EQ(cut.iterations, 3);
}

}  // namespace
}  // namespace fewdim
