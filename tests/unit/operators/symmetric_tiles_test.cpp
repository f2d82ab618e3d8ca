#include "operators/symmetric_tiles.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "support/data.hpp"

namespace fewdim {
namespace {

Matrix<double> symmetric(Index n) {
  const Matrix<double> a = test::sample(n, n, 7, 0.01);
  return a + a.transpose();
}

template <class S>
typename SymmetricTiles<S>::Fill from(const Matrix<double>& k) {
  return [&k](Index row, Index m, Index col, Index n, S* out) {
    ASSERT_GE(row, col);
    for (Index i = 0; i < m; ++i)
      for (Index j = 0; j < n; ++j) out[i * n + j] = static_cast<S>(k(row + i, col + j));
  };
}

template <class S>
void expect_twin(Index n, bool keep) {
  Matrix<double> k = symmetric(n);
  if (std::is_same_v<S, float>) k = k.cast<float>().cast<double>().eval();  // products of what is stored are in double
  const Execution exec;
  const SymmetricTiles<S> tiles(n, from<S>(k), keep, "test", exec);
  EXPECT_EQ(tiles.kept(), keep);
  const Matrix<double> x = test::sample(n, 5, 3, 0.0);
  Matrix<double> y(n, 5);
  tiles.apply(x, y);
  // n sums of numbers up to 20 with ε = 1e-16
  EXPECT_LE((y - k * x).cwiseAbs().maxCoeff(), 1e-14 * static_cast<double>(n + 10)) << n;
}

TEST(SymmetricTiles, EqualTheirTwin) {
  for (const Index n : {1, 2, 511, 512, 513, 1100})
    for (const bool keep : {true, false}) {
      expect_twin<double>(n, keep);
      expect_twin<float>(n, keep);
    }
}

TEST(SymmetricTiles, AreFilledByRowsInAnyOrder) {
  for (const Index n : {1, 511, 512, 513, 1100}) {
    const Matrix<double> k = symmetric(n), x = test::sample(n, 3, 3, 0.0);
    Matrix<double> by_tiles(n, 3), by_rows(n, 3);
    const Execution exec;
    SymmetricTiles<double>(n, from<double>(k), true, "test", exec).apply(x, by_tiles);
    const auto give = [&](const SymmetricTiles<double>::TakeRow& take) {
      for (Index i = n; i-- > 0;) {
        Vector<double> row = k.row(i);
        row.tail(n - 1 - i).setConstant(NAN);  // right of the diagonal nothing is looked at
        take(i, row.data());
      }
    };
    SymmetricTiles<double>(n, give, exec).apply(x, by_rows);
    EXPECT_EQ(by_rows, by_tiles) << n;
  }
}

TEST(SymmetricTiles, HaveTheSameBitsAtAnyThreadCountKeptOrNot) {
  const Index n = 1300;
  const Matrix<double> k = symmetric(n), x = test::sample(n, 3, 3, 0.0);
  Matrix<double> first(n, 3), y(n, 3);
  const Execution one{.threads = 1};
  SymmetricTiles<double>(n, from<double>(k), true, "test", one).apply(x, first);
  for (const int threads : {1, 2, 3, 8})
    for (const bool keep : {true, false}) {
      const Execution exec{.threads = threads};
      SymmetricTiles<double>(n, from<double>(k), keep, "test", exec).apply(x, y);
      EXPECT_EQ(y, first) << threads << keep;
    }
}

TEST(SymmetricTiles, VisitEveryLowerEntryOnce) {
  const Index n = 1030;
  const Matrix<double> k = symmetric(n);
  const Execution exec;
  const SymmetricTiles<double> tiles(n, from<double>(k), false, "test", exec);
  std::vector<std::atomic<int>> seen(static_cast<std::size_t>(n * n));
  tiles.for_each([&](Index row, Index m, Index col, Index width, const double* tile) {
    for (Index i = 0; i < m; ++i)
      for (Index j = 0; j < width; ++j) {
        ++seen[static_cast<std::size_t>((row + i) * n + col + j)];
        EXPECT_EQ(tile[i * width + j], k(row + i, col + j));
      }
  });
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j <= i; ++j) ASSERT_EQ(seen[static_cast<std::size_t>(i * n + j)], 1);
}

TEST(DoubleCentered, EqualsItsTwinWithAndWithoutWeights) {
  const Index n = 40;
  const Matrix<double> k = symmetric(n), x = test::sample(n, 4, 3, 0.5);
  const Execution exec;
  const SymmetricTiles<double> tiles(n, from<double>(k), true, "test", exec);
  Vector<double> weights = Vector<double>::LinSpaced(n, 1.0, 3.0);
  weights /= weights.sum();
  for (const Vector<double>& w : {Vector<double>(), weights}) {
    const Vector<double> mass = w.size() > 0 ? w : Vector<double>::Constant(n, 1.0 / static_cast<double>(n));
    const Matrix<double> j = Matrix<double>::Identity(n, n) - Vector<double>::Ones(n) * mass.transpose();
    const Matrix<double> root = (mass * static_cast<double>(n)).cwiseSqrt().asDiagonal();
    const Matrix<double> twin = -0.5 * root * j * k * j.transpose() * root;
    Matrix<double> y(n, 4);
    double_centered(tiles, w, -0.5).apply(x, y);
    EXPECT_LE((y - twin * x).cwiseAbs().maxCoeff(), 1e-13);
  }
}

}  // namespace
}  // namespace fewdim
