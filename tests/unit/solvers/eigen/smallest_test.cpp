#include "solvers/eigen/smallest.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>

#include "fewdim/error.hpp"
#include "solvers/eigen/direct.hpp"
#include "solvers/sparse/sparse_cholesky.hpp"
#include "support/data.hpp"
#include "support/sparse.hpp"

namespace fewdim {
namespace {

constexpr double kPi = std::numbers::pi;

SmallestProblem after_constant(Index size, Index count, SmallestRoute route = SmallestRoute::automatic) {
  return {.who = "test", .count = count, .null_space = test::constant_vector(size), .route = route};
}

/// What every answer must be, whatever the route: residuals at the rounding of A v, orthonormal, off the null space,
/// and nothing below the last value has been missed.
void expect_sound(const SparseSymmetric& a, const SmallestProblem& problem, const SmallestPairs& pairs) {
  const Index n = a.size(), count = problem.count;
  ASSERT_EQ(pairs.values.size(), count);
  ASSERT_EQ(pairs.vectors.cols(), count);
  Matrix<double> residual(n, count);
  a.apply(pairs.vectors, residual, {});
  for (Index i = 0; i < count; ++i) residual.col(i) -= pairs.values[i] * pairs.vectors.col(i);
  for (Index i = 0; i < count; ++i) {
    double gap = 0.0;  // to the next eigenvalue that differs; where none is known, only the floor of rounding will do
    for (Index j = i + 1; j <= count && gap == 0.0; ++j) {
      const double other = j < count ? pairs.values[j] : pairs.next;
      if (other - pairs.values[i] > 1e-6 * other) gap = other - pairs.values[i];
    }
    if (gap > 0.0 || std::isnan(pairs.next)) {
      EXPECT_LE(residual.col(i).norm(), std::max(1.5e-14 * pairs.norm, 1.01 * problem.tolerance * gap));
    } else {
      EXPECT_LE(residual.col(i).norm(), problem.tolerance * pairs.norm);
    }
  }
  const Matrix<double> gram = pairs.vectors.transpose() * pairs.vectors;
  EXPECT_LE((gram - Matrix<double>::Identity(count, count)).cwiseAbs().maxCoeff(), 1e-13);
  if (problem.null_space.cols() > 0) {
    EXPECT_LE((problem.null_space.transpose() * pairs.vectors).cwiseAbs().maxCoeff(), 1e-13);
  }
  for (Index i = 0; i < count; ++i) {
    Index at = 0;
    pairs.vectors.col(i).cwiseAbs().maxCoeff(&at);
    EXPECT_GT(pairs.vectors(at, i), 0.0);
    if (i > 0) {
      EXPECT_LE(pairs.values[i - 1], pairs.values[i]);
    }
  }
  if (!std::isnan(pairs.next) && pairs.next - pairs.values[count - 1] > 1e-12 * pairs.norm) {
    const double between = 0.5 * (pairs.next + pairs.values[count - 1]);
    EXPECT_EQ(count_below(a, plan_elimination(a, {}), between, {}).negative, count + problem.null_space.cols());
  }
}

const SmallestRoute kRoutes[] = {SmallestRoute::dense, SmallestRoute::factor, SmallestRoute::filter};

TEST(Smallest, PathHasItsClosedForm) {
  const Index n = 150;
  const SparseSymmetric a = test::laplacian(n, test::path(n));
  for (const SmallestRoute route : kRoutes) {
    const SmallestProblem problem = after_constant(n, 4, route);
    const SmallestPairs pairs = smallest_pairs(a, problem, {});
    expect_sound(a, problem, pairs);
    for (Index j = 1; j <= 4; ++j)  // 2 − 2cos(πj/n); entries of A are exact, values good to ε‖A‖
      EXPECT_NEAR(pairs.values[j - 1], 2.0 - 2.0 * std::cos(kPi * static_cast<double>(j) / static_cast<double>(n)),
                  1e-14);
    EXPECT_NEAR(pairs.next, 2.0 - 2.0 * std::cos(kPi * 5.0 / static_cast<double>(n)), 1e-8);
    EXPECT_EQ(pairs.zeros, 0);
  }
}

TEST(Smallest, CycleHasItsPairs) {
  const Index n = 1000;
  const SparseSymmetric a = test::laplacian(n, test::cycle(n));
  for (const Index count : {1, 2, 5, 6}) {  // odd counts cut a pair
    const SmallestProblem problem = after_constant(n, count);
    const SmallestPairs pairs = smallest_pairs(a, problem, {});
    EXPECT_EQ(pairs.certificate.route, Route::factor);
    expect_sound(a, problem, pairs);
    const auto value = [&](Index j) {
      return 2.0 - 2.0 * std::cos(2.0 * kPi * static_cast<double>(j) / static_cast<double>(n));
    };
    for (Index i = 0; i < count; ++i) EXPECT_NEAR(pairs.values[i], value(i / 2 + 1), 2e-14);
    EXPECT_NEAR(pairs.next, value(count / 2 + 1), 1e-10);
    if (count > 1) {
      EXPECT_EQ(pairs.certificate.groups[0], pairs.certificate.groups[1]);
    }
    if (count % 2 == 0) {
      EXPECT_LT(pairs.certificate.angle_bounds.maxCoeff(), 1e-8);
    } else {
      EXPECT_GT(pairs.certificate.angle_bounds[count - 1], 1.0);  // its twin is not there
    }
  }
}

TEST(Smallest, GridHasItsClosedFormWithTriples) {
  // m×m×m grid: sums of three of 2 − 2cos(πj/m): the lowest after 0 is triple, so are the three after it.
  const Index m = 12, n = m * m * m;
  test::Edges edges;
  for (Index z = 0; z < m; ++z)
    for (const auto& [i, j] : test::grid(m, m)) edges.emplace_back(z * m * m + i, z * m * m + j);
  for (Index i = 0; i < n - m * m; ++i) edges.emplace_back(i, i + m * m);
  const SparseSymmetric a = test::laplacian(n, edges);
  const double one = 2.0 - 2.0 * std::cos(kPi / static_cast<double>(m));
  for (const SmallestRoute route : {SmallestRoute::factor, SmallestRoute::filter}) {
    const SmallestProblem problem = after_constant(n, 6, route);
    const SmallestPairs pairs = smallest_pairs(a, problem, {});
    expect_sound(a, problem, pairs);
    for (Index i = 0; i < 6; ++i) EXPECT_NEAR(pairs.values[i], i < 3 ? one : 2.0 * one, 1e-13);
    EXPECT_NEAR(pairs.next, 3.0 * one, 1e-6);
  }
}

TEST(Smallest, TwoDimensionalGrid) {
  const Index rows = 40, cols = 57;
  const SparseSymmetric a = test::laplacian(rows * cols, test::grid(rows, cols));
  std::vector<double> values;
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j)
      values.push_back(4.0 - 2.0 * std::cos(kPi * static_cast<double>(i) / static_cast<double>(rows)) -
                       2.0 * std::cos(kPi * static_cast<double>(j) / static_cast<double>(cols)));
  std::sort(values.begin(), values.end());
  const SmallestProblem problem = after_constant(rows * cols, 10);
  const SmallestPairs pairs = smallest_pairs(a, problem, {});
  expect_sound(a, problem, pairs);
  for (Index i = 0; i < 10; ++i) EXPECT_NEAR(pairs.values[i], values[static_cast<std::size_t>(i) + 1], 5e-14);
}

TEST(Smallest, AgreesWithLapackOnRandomMatrices) {
  for (const Seed seed : {1, 2}) {
    const SparseSymmetric a = test::random_positive(450, 4, seed);
    Matrix<double> dense = a.dense();
    const Vector<double> values = eigenvalues_symmetric(dense).reverse();
    for (const SmallestRoute route : kRoutes) {
      const SmallestProblem problem{.who = "test", .count = 7, .route = route};
      const SmallestPairs pairs = smallest_pairs(a, problem, {});
      expect_sound(a, problem, pairs);
      for (Index i = 0; i < 7; ++i) EXPECT_NEAR(pairs.values[i], values[i], 1e-13 * pairs.norm);
    }
  }
}

TEST(Smallest, KnownPartsAreDeflatedAndHiddenOnesCounted) {
  // Two grids, not joined: two zeros.
  const Index m = 25, n = 2 * m * m;
  test::Edges edges = test::grid(m, m);
  for (const auto& [i, j] : test::grid(m, m)) edges.emplace_back(m * m + i, m * m + j);
  const SparseSymmetric a = test::laplacian(n, edges);
  const double one = 2.0 - 2.0 * std::cos(kPi / static_cast<double>(m));
  Matrix<double> both = Matrix<double>::Zero(n, 2);
  both.col(0).head(m * m).setConstant(1.0 / static_cast<double>(m));
  both.col(1).tail(m * m).setConstant(1.0 / static_cast<double>(m));
  for (const SmallestRoute route : kRoutes) {
    const SmallestProblem known{.who = "test", .count = 4, .null_space = both, .route = route};
    SmallestPairs pairs = smallest_pairs(a, known, {});
    expect_sound(a, known, pairs);
    EXPECT_EQ(pairs.zeros, 0);
    EXPECT_LE(pairs.null_residual, 1e-15 * pairs.norm);
    for (Index i = 0; i < 4; ++i) EXPECT_NEAR(pairs.values[i], one, 1e-14 * pairs.norm);  // two grids, two directions
    const SmallestProblem hidden = after_constant(n, 4, route);
    pairs = smallest_pairs(a, hidden, {});
    expect_sound(a, hidden, pairs);
    EXPECT_EQ(pairs.zeros, 1);
    EXPECT_NEAR(pairs.values[0], 0.0, 1e-14 * pairs.norm);
    for (Index i = 1; i < 4; ++i) EXPECT_NEAR(pairs.values[i], one, 1e-14 * pairs.norm);
  }
}

TEST(Smallest, FindsEigenvaluesNearRounding) {
  // A = Bᵀ B for the second difference B with free ends: its null space is the lines; the next eigenvalue of n points
  // is (4.73/n)⁴ of a free beam. With n = 4,000 it is 2e-12, a gap 1e-13 of the norm, 16.
  const Index n = 4000;
  test::Entries entries;
  for (Index r = 1; r + 1 < n; ++r) {
    const double row[] = {1.0, -2.0, 1.0};
    for (Index i = 0; i < 3; ++i)
      for (Index j = 0; j < 3; ++j) entries[{r - 1 + i, r - 1 + j}] += row[i] * row[j];
  }
  const SparseSymmetric a = test::sparse_of(n, entries);
  SmallestProblem problem = after_constant(n, 2);
  problem.null_space.conservativeResize(n, 2);
  for (Index i = 0; i < n; ++i) problem.null_space(i, 1) = static_cast<double>(i) - 0.5 * static_cast<double>(n - 1);
  problem.null_space.col(1).normalize();
  const SmallestPairs pairs = smallest_pairs(a, problem, {});
  expect_sound(a, problem, pairs);
  EXPECT_EQ(pairs.zeros, 0);
  // Roots of cos x cosh x = 1 (Rayleigh 1877). The entries of A are exact; a value of 2e-12 is good to ε‖A‖ = 4e-15,
  // which is 2e-3 of it, and discretization errs by about 2/n = 5e-4.
  const double length = static_cast<double>(n);
  EXPECT_NEAR(pairs.values[0] / std::pow(4.730040745 / length, 4), 1.0, 3e-3);
  EXPECT_NEAR(pairs.values[1] / std::pow(7.853204624 / length, 4), 1.0, 2e-3);
  EXPECT_NEAR(pairs.next / std::pow(10.995607838 / length, 4), 1.0, 2e-3);
}

TEST(Smallest, ScaleChangesNothing) {
  const SparseSymmetric a = test::laplacian(990, test::grid(30, 33)),
                        tiny = test::laplacian(990, test::grid(30, 33), 1e-20);
  const SmallestProblem problem = after_constant(990, 3);
  const SmallestPairs one = smallest_pairs(a, problem, {}), other = smallest_pairs(tiny, problem, {});
  for (Index i = 0; i < 3; ++i) EXPECT_NEAR(one.values[i], other.values[i] * 1e20, 1e-14 * one.norm);
  // Each vector is odd or even about the middle: which end is the larger is rounding, and with it the sign.
  EXPECT_LE(
      ((one.vectors.transpose() * other.vectors).cwiseAbs() - Matrix<double>::Identity(3, 3)).cwiseAbs().maxCoeff(),
      1e-8);
}

TEST(Smallest, OrderOfRowsChangesNoValues) {
  const Index rows = 33, cols = 47, n = rows * cols;
  const SparseSymmetric a = test::laplacian(n, test::grid(rows, cols));
  const std::vector<Index> order = draw_without_replacement(n, n, 5, 0);
  const SparseSymmetric b = test::permuted(a, order);
  const SmallestProblem problem = after_constant(n, 3);
  const SmallestPairs one = smallest_pairs(a, problem, {}), other = smallest_pairs(b, problem, {});
  for (Index i = 0; i < 3; ++i) {
    EXPECT_NEAR(one.values[i], other.values[i], 1e-14 * one.norm);
    double product = 0.0;
    for (Index k = 0; k < n; ++k) product += one.vectors(order[static_cast<std::size_t>(k)], i) * other.vectors(k, i);
    EXPECT_NEAR(std::abs(product), 1.0, 1e-10);
  }
}

TEST(Smallest, HasTheSameBitsAtAnyThreadCount) {
  const SparseSymmetric a = test::laplacian(30 * 50, test::grid(30, 50));
  for (const SmallestRoute route : {SmallestRoute::factor, SmallestRoute::filter}) {
    const SmallestProblem problem = after_constant(1500, 3, route);
    const SmallestPairs one = smallest_pairs(a, problem, {.threads = 1});
    for (const int threads : {2, 3}) {
      const SmallestPairs some = smallest_pairs(a, problem, {.threads = threads});
      EXPECT_EQ(std::memcmp(one.vectors.data(), some.vectors.data(), 4500 * sizeof(double)), 0);
      EXPECT_EQ(one.values, some.values);
    }
  }
}

TEST(Smallest, TakesSmallAndOddMatrices) {
  test::Edges star;
  for (Index i = 1; i < 600; ++i) star.emplace_back(0, i);
  const SparseSymmetric a = test::laplacian(600, star);
  for (const SmallestRoute route : kRoutes) {  // 0, then 1 with multiplicity 598, then 600
    const SmallestProblem problem = after_constant(600, 3, route);
    const SmallestPairs pairs = smallest_pairs(a, problem, {});
    expect_sound(a, problem, pairs);
    for (Index i = 0; i < 3; ++i) EXPECT_NEAR(pairs.values[i], 1.0, 1e-11);
    EXPECT_NEAR(pairs.next, 1.0, 1e-6);
  }
  test::Entries entries;
  for (Index i = 0; i < 500; ++i) entries[{i, i}] = static_cast<double>((i * 7) % 500 + 1);
  const SparseSymmetric diagonal = test::sparse_of(500, entries);
  for (const SmallestRoute route : kRoutes) {
    const SmallestPairs pairs = smallest_pairs(diagonal, {.who = "test", .count = 3, .route = route}, {});
    for (Index i = 0; i < 3; ++i) EXPECT_NEAR(pairs.values[i], static_cast<double>(i + 1), 1e-11);
  }
  for (const Index n : {1, 2, 3}) {
    const SparseSymmetric small = test::laplacian(n, test::path(n));
    for (const SmallestRoute route : kRoutes) {
      const SmallestPairs pairs = smallest_pairs(small, {.who = "test", .count = n, .route = route}, {});
      EXPECT_NEAR(pairs.values[0], 0.0, 1e-15);
      EXPECT_EQ(pairs.zeros, 1);
      EXPECT_TRUE(std::isnan(pairs.next));
      EXPECT_NEAR(pairs.values.sum(), 2.0 * static_cast<double>(n - 1), 1e-14);  // the trace
    }
  }
}

TEST(Smallest, RefusesWhatCannotBe) {
  const SparseSymmetric a = test::laplacian(10, test::path(10));
  EXPECT_THROW(smallest_pairs(a, after_constant(10, 0), {}), InvalidOption);
  EXPECT_THROW(smallest_pairs(a, after_constant(10, 10), {}), InvalidOption);
  EXPECT_NO_THROW(smallest_pairs(a, after_constant(10, 9), {}));
  const SparseSymmetric negative = test::laplacian(900, test::grid(30, 30), -1.0);
  EXPECT_THROW(smallest_pairs(negative, after_constant(900, 2, SmallestRoute::factor), {}), DataError);
  SparseSymmetric broken = test::laplacian(900, test::grid(30, 30));
  broken.values[3] = std::nan("");
  EXPECT_THROW(smallest_pairs(broken, after_constant(900, 2), {}), DataError);
}

TEST(Smallest, ChoosesByMemoryAndSaysWhy) {
  // A path with links across, from everywhere to everywhere: the factor is nearly full.
  test::Edges edges = test::path(1000);
  for (Index i = 0; i < 1000; ++i)
    for (const Index j : {(31 * i + 7) % 1000, (177 * i + 311) % 1000})
      if (std::abs(i - j) > 1) edges.emplace_back(std::min(i, j), std::max(i, j));
  const SparseSymmetric a = test::laplacian(1000, edges);
  const SmallestProblem problem = after_constant(1000, 2);
  const SmallestPairs free = smallest_pairs(a, problem, {});
  EXPECT_EQ(free.certificate.route, Route::factor);
  EXPECT_NE(words_of(free.certificate.why).find("flops"), std::string::npos);
  const std::uint64_t filter_needs = 1000 * 8 * 3 * 12 * sizeof(double);
  const SmallestPairs tight = smallest_pairs(a, problem, {.memory_limit = filter_needs + 1000});
  EXPECT_EQ(tight.certificate.route, Route::filter);
  EXPECT_NE(words_of(tight.certificate.why).find("limit"), std::string::npos);
  EXPECT_THROW(smallest_pairs(a, problem, {.memory_limit = 1 << 20}), OverMemory);
  for (Index i = 0; i < 2; ++i) EXPECT_NEAR(free.values[i], tight.values[i], 1e-12 * free.norm);
}

TEST(Smallest, StopsWhenToldTo) {
  const SparseSymmetric a = test::laplacian(900, test::grid(30, 30));
  const Execution exec{.progress = [](const Progress& p) { return p.stage != "eigenvectors"; }};
  for (const SmallestRoute route : {SmallestRoute::factor, SmallestRoute::filter})
    EXPECT_THROW(smallest_pairs(a, after_constant(900, 2, route), exec), Interrupted);
}

}  // namespace
}  // namespace fewdim
