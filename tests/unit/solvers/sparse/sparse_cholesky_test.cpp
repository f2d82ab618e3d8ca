#include "solvers/sparse/sparse_cholesky.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>

#include "fewdim/error.hpp"
#include "solvers/eigen/direct.hpp"
#include "support/data.hpp"
#include "support/sparse.hpp"

namespace fewdim {
namespace {

test::Edges star(Index size) {
  test::Edges edges;
  for (Index i = 1; i < size; ++i) edges.emplace_back(0, i);
  return edges;
}

/// Shapes that an order of elimination may stumble over.
std::vector<SparseSymmetric> shapes() {
  std::vector<SparseSymmetric> all;
  all.push_back(test::laplacian(1, {}));
  all.push_back(test::laplacian(2, {{0, 1}}));
  all.push_back(test::laplacian(300, {}));  // zeros
  all.push_back(test::laplacian(300, star(300)));
  all.push_back(test::laplacian(400, test::path(400)));
  all.push_back(test::laplacian(400, test::cycle(400)));
  all.push_back(test::laplacian(21 * 30, test::grid(21, 30)));
  all.push_back(test::random_positive(400, 3, 1));
  all.push_back(test::random_positive(150, 12, 2));  // nearly dense
  test::Edges parts = test::grid(20, 20), hub = test::grid(25, 25);
  for (const auto& [i, j] : test::cycle(77)) parts.emplace_back(400 + i, 400 + j);
  all.push_back(test::laplacian(500, parts));                   // a grid, a cycle and 23 loose vertices
  for (Index i = 0; i < 625; i += 2) hub.emplace_back(i, 625);  // a grid with a row that has half of all columns
  all.push_back(test::laplacian(626, hub));
  return all;
}

TEST(Elimination, OrdersEveryRowOnceAndPredictsTheFactor) {
  for (const SparseSymmetric& a : shapes()) {
    const Index n = a.size();
    const Elimination e = plan_elimination(a, {});
    std::vector<int> seen(static_cast<std::size_t>(n), 0);
    for (Index k = 0; k < n; ++k) {
      ++seen[static_cast<std::size_t>(e.order[static_cast<std::size_t>(k)])];
      EXPECT_EQ(e.position[static_cast<std::size_t>(e.order[static_cast<std::size_t>(k)])], k);
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), n);
    // The dense twin: eliminate the pattern step by step; the plan must hold every entry that comes to be.
    Matrix<double> pattern = Matrix<double>::Zero(n, n), planned = pattern;
    for (Index i = 0; i < n; ++i)
      for (auto t = a.offsets[static_cast<std::size_t>(i)]; t < a.offsets[static_cast<std::size_t>(i) + 1]; ++t)
        pattern(e.position[static_cast<std::size_t>(i)],
                e.position[static_cast<std::size_t>(a.columns[static_cast<std::size_t>(t)])]) = 1.0;
    Index filled = 0;
    for (Index k = 0; k < n; ++k) {
      std::vector<Index> rows;
      for (Index i = k + 1; i < n; ++i)
        if (pattern(i, k) != 0.0) rows.push_back(i);
      for (const Index i : rows)
        for (const Index j : rows) pattern(i, j) = 1.0;
      filled += 1 + std::ssize(rows);
    }
    for (Index s = 0; s < e.supernodes(); ++s) {
      const auto begin = e.rows.begin() + e.row_offsets[static_cast<std::size_t>(s)], end = begin + e.below(s);
      EXPECT_TRUE(std::is_sorted(begin, end));
      for (Index k = e.first[static_cast<std::size_t>(s)]; k < e.first[static_cast<std::size_t>(s) + 1]; ++k) {
        for (Index i = k; i < e.first[static_cast<std::size_t>(s) + 1]; ++i) planned(i, k) = 1.0;
        for (auto row = begin; row != end; ++row) planned(*row, k) = 1.0;
      }
      if (e.below(s) > 0) {
        const std::int32_t p = e.parent[static_cast<std::size_t>(s)];
        ASSERT_GT(p, s);
        EXPECT_LT(*begin, e.first[static_cast<std::size_t>(p) + 1]);
        EXPECT_GE(*begin, e.first[static_cast<std::size_t>(p)]);
      }
    }
    EXPECT_EQ(static_cast<double>(e.nonzeros), planned.sum());
    EXPECT_GE(e.nonzeros, filled);
    EXPECT_LE(e.nonzeros, 4 * filled + 8 * n);  // merging is worth zeros, not any number of them
    for (Index k = 0; k < n; ++k)
      for (Index i = k + 1; i < n; ++i) ASSERT_TRUE(pattern(i, k) == 0.0 || planned(i, k) == 1.0);
  }
}

TEST(Elimination, KeepsTheFactorOfAGridSparse) {
  // Nested dissection of an m×m grid leaves at most 31/4 m² log₂ m entries (George 1973).
  const Index m = 100;
  const Elimination e = plan_elimination(test::laplacian(m * m, test::grid(m, m)), {});
  EXPECT_LT(static_cast<double>(e.nonzeros),
            31.0 / 4.0 * static_cast<double>(m * m) * std::log2(static_cast<double>(m)));
}

TEST(Elimination, IsTheSameAtAnyThreadCount) {
  const SparseSymmetric a = test::laplacian(60 * 60, test::grid(60, 60));
  const Elimination one = plan_elimination(a, {.threads = 1});
  for (const int threads : {2, 3}) EXPECT_EQ(plan_elimination(a, {.threads = threads}).order, one.order);
}

TEST(SparseCholesky, SolvesAsItsDenseTwin) {
  for (const SparseSymmetric& a : shapes()) {
    const Index n = a.size();
    const Elimination e = plan_elimination(a, {});
    const SparseCholesky factor(a, e, 0.1, {});
    ASSERT_TRUE(factor.positive());
    const Matrix<double> dense = a.dense() + 0.1 * Matrix<double>::Identity(n, n), right = test::sample(n, 11, 2);
    Matrix<double> x = right;
    factor.solve(x, {});
    // A backward stable solver leaves a residual of a few n·ε‖A‖‖x‖, whatever the condition.
    EXPECT_LE((dense * x - right).cwiseAbs().maxCoeff(), 1e-15 * static_cast<double>(n + 10) * dense.norm() * x.norm());
  }
}

TEST(SparseCholesky, SolvesRowsInItsOwnOrderWithTheSameBits) {
  for (const SparseSymmetric& a : shapes()) {
    const Elimination e = plan_elimination(a, {});
    const SparseCholesky factor(a, e, 1e-3, {});
    const Matrix<double> right = test::sample(a.size(), 5, 3);
    Matrix<double> x = right, ordered = factor.to_order(right);
    EXPECT_EQ(factor.from_order(ordered), right);
    factor.solve(x, {});
    factor.solve_ordered(ordered, {});
    EXPECT_EQ(factor.from_order(ordered), x);
  }
}

TEST(SparseCholesky, SolvesWithLargeFrontsInTiles) {
  // Random graphs have no small separators: one front of some 700 columns.
  const SparseSymmetric a = test::random_positive(1500, 5, 4);
  const Elimination e = plan_elimination(a, {});
  const Matrix<double> right = test::sample(1500, 8, 2);
  const auto solved = [&](int threads) {
    const SparseCholesky factor(a, e, 0.1, {.threads = threads});
    EXPECT_TRUE(factor.positive());
    Matrix<double> x = right;
    factor.solve(x, {.threads = threads});
    return x;
  };
  const Matrix<double> one = solved(1);
  Matrix<double> product(1500, 8);
  a.apply(one, product, {});
  product += 0.1 * one;
  EXPECT_LE((product - right).cwiseAbs().maxCoeff(), 1e-11);
  for (const int threads : {2, 3})
    EXPECT_EQ(std::memcmp(one.data(), solved(threads).data(), static_cast<std::size_t>(one.size()) * 8), 0);
}

TEST(SparseCholesky, HasTheSameBitsAtAnyThreadCount) {
  const SparseSymmetric a = test::laplacian(50 * 70, test::grid(50, 70));
  const Elimination e = plan_elimination(a, {});
  const Matrix<double> right = test::sample(3500, 9, 2);
  const auto solved = [&](int threads) {
    const SparseCholesky factor(a, e, 1e-6, {.threads = threads});
    Matrix<double> x = right;
    factor.solve(x, {.threads = threads});
    return x;
  };
  const Matrix<double> one = solved(1);
  for (const int threads : {2, 3})
    EXPECT_EQ(std::memcmp(one.data(), solved(threads).data(), static_cast<std::size_t>(one.size()) * 8), 0);
}

TEST(SparseCholesky, GivesAColumnTheSameBitsInAnyCompany) {
  // Up to four columns go through lines of four numbers, more through lines of eight.
  for (const SparseSymmetric& a : shapes()) {
    const Index n = a.size();
    const Elimination e = plan_elimination(a, {});
    const SparseCholesky factor(a, e, 0.1, {});
    Matrix<double> eight = test::sample(n, 8, 2);
    Matrix<double> three = eight.leftCols(3), five = eight.leftCols(5);
    for (Matrix<double>* x : {&eight, &three, &five}) factor.solve(*x, {});
    const auto bytes = static_cast<std::size_t>(n) * sizeof(double);
    EXPECT_EQ(std::memcmp(eight.data(), three.data(), 3 * bytes), 0);
    EXPECT_EQ(std::memcmp(eight.data(), five.data(), 5 * bytes), 0);
  }
}

TEST(SparseCholesky, SaysWhenTheMatrixIsNotPositive) {
  const SparseSymmetric a = test::laplacian(400, test::grid(20, 20));
  const Elimination e = plan_elimination(a, {});
  EXPECT_TRUE(SparseCholesky(a, e, 1e-9, {}).positive());
  EXPECT_FALSE(SparseCholesky(a, e, -1e-3, {}).positive());
}

TEST(SparseCholesky, StopsWhenToldTo) {
  const SparseSymmetric a = test::laplacian(400, test::grid(20, 20));
  const Elimination e = plan_elimination(a, {});
  const Execution exec{.progress = [](const Progress&) { return false; }};
  EXPECT_THROW(SparseCholesky(a, e, 1.0, exec), Interrupted);
}

TEST(Inertia, CountsEigenvaluesBelowABound) {
  for (const SparseSymmetric& a : shapes()) {
    const Elimination e = plan_elimination(a, {});
    Matrix<double> dense = a.dense();
    const Vector<double> values = eigenvalues_symmetric(dense);
    for (const double bound : {-0.5, 1e-7, 0.0100001, 0.3217, 1.0012, 2.71, 1e4}) {
      const auto below = std::count_if(values.begin(), values.end(), [&](double v) { return v < bound; });
      const Inertia inertia = count_below(a, e, bound, {});
      EXPECT_EQ(inertia.negative, below) << a.size() << " rows, bound " << bound << ", growth " << inertia.growth;
    }
  }
}

TEST(Inertia, CountsThePairsOfACycle) {
  // Eigenvalues 2 − 2cos(2πj/n): 0 once, then all double. Between pair 5 and pair 6 there are 11 below.
  const Index n = 2000;
  const SparseSymmetric a = test::laplacian(n, test::cycle(n));
  const double bound = 2.0 - 2.0 * std::cos(2.0 * std::numbers::pi * 5.5 / static_cast<double>(n));
  EXPECT_EQ(count_below(a, plan_elimination(a, {}), bound, {}).negative, 11);
}

}  // namespace
}  // namespace fewdim
