#include "solvers/nmf/nmf.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "solvers/eigen/direct.hpp"
#include "solvers/nmf/kernels.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

Matrix<double> uniform(Index rows, Index cols, Seed seed) {
  Matrix<double> x(rows, cols);
  for (Index j = 0; j < cols; ++j) {
    const Random random(seed, static_cast<std::uint32_t>(j));
    for (Index i = 0; i < rows; ++i) x(i, j) = random.uniform(static_cast<std::uint64_t>(i));
  }
  return x;
}

Matrix<double> sparse_table(Index rows, Index cols, Seed seed) {
  return test::sparse_sample(rows, cols, 0.2, seed).cwiseAbs();
}

NmfFactors start_of(const NmfData& x, const Matrix<double>& table, Index k) {
  Matrix<double> copy = table;
  const ThinSvd svd = svd_dense(copy, false);
  return nndsvd(x, svd.values.head(k), svd.v.leftCols(k), 0.0);
}

TEST(NmfKernels, ASweepIsThePlainFormula) {
  const Index n = 21, k = 5;  // not a multiple of eight rows, nor of four columns
  const Matrix<double> h = uniform(30, k, 1), products = test::sample(n, k, 2, 0.5);
  const Matrix<double> gram = h.transpose() * h;
  Matrix<double> f = uniform(n, k, 3), plain = f;
  descend_rows(gram, products, 0.1, 1, 0, n, f);
  for (Index c = 0; c < k; ++c)
    for (Index i = 0; i < n; ++i)
      plain(i, c) = std::max(0.0, plain(i, c) + (products(i, c) - 0.1 - plain.row(i).dot(gram.col(c))) / gram(c, c));
  EXPECT_LE(test::distance(f, plain), 1e-13);  // sums of five products of size 10
  EXPECT_GT((f.array() == 0.0).count(), 0);
}

TEST(NmfKernels, TheProjectedGradientCountsWhatMayMove) {
  const Matrix<double> gram = Matrix<double>::Identity(1, 1);
  Matrix<double> f(4, 1), products(4, 1);
  f << 1.0, 0.0, 0.0, 2.0;
  products << 3.0, 0.5, -4.0, 2.0;  // gradients f − p: −2, −0.5, 4 (into the wall: not counted), 0
  double squares = 0.0;
  add_projected_gradient(gram, products, 0.0, 0, 4, f, &squares);
  EXPECT_DOUBLE_EQ(squares, 4.25);
}

TEST(NmfData, ProductsAreThoseOfTheTable) {
  const Matrix<double> table = sparse_table(70, 40, 1);
  const Matrix<float> single = table.cast<float>();
  const Csr<double> csr = test::to_csr(table);
  const Csr<float> csr_single = test::to_csr(single);
  const Matrix<double> h = uniform(40, 11, 2), w = uniform(70, 11, 3);
  const Execution exec;
  for (const Dataset& data : {Dataset(table), Dataset(single), Dataset(csr.view()), Dataset(csr_single.view())}) {
    const NmfData x(data, exec);
    const Matrix<double> exact = data.matrix<double>();
    Matrix<double> xh(70, 11), xw(40, 11);
    x.times(h, xh);
    x.transposed_times(w, xw);
    EXPECT_LE(test::distance(xh, exact * h), 1e-12 * xh.maxCoeff());
    EXPECT_LE(test::distance(xw, exact.transpose() * w), 1e-12 * xw.maxCoeff());
    EXPECT_NEAR(x.square_sum(), exact.squaredNorm(), 1e-12 * exact.squaredNorm());
    EXPECT_NEAR(x.sum(), exact.sum(), 1e-12 * exact.sum());
    const double lacks = (exact - w * h.transpose()).squaredNorm();
    EXPECT_NEAR(x.residual({w, h}), lacks, 1e-12 * lacks);
  }
}

TEST(Nmf, TheSumNeverRisesAndNothingIsNegative) {
  const Matrix<double> table = sparse_table(300, 60, 4);
  const Csr<double> csr = test::to_csr(table);
  for (const double penalty : {0.0, 2.0})
    for (const Dataset& data : {Dataset(table), Dataset(csr.view())}) {
      const NmfData x(data, {});
      for (const bool random : {false, true}) {
        const NmfResult found =
            factorize(x, random ? random_factors(x, 6, 5) : start_of(x, table, 6),
                      {.ridge = penalty, .lasso = penalty, .iterations = 300, .tolerance = 1e-9}, {});
        ASSERT_GE(found.path.size(), 3u);
        for (std::size_t i = 1; i < found.path.size(); ++i)  // a difference of sums has their rounding
          EXPECT_LE(found.path[i], found.path[i - 1] + 1e-13 * x.square_sum()) << i;
        EXPECT_GE(found.factors.w.minCoeff(), 0.0);
        EXPECT_GE(found.factors.h.minCoeff(), 0.0);
        const double exact = (table - found.factors.w * found.factors.h.transpose()).squaredNorm();
        EXPECT_NEAR(found.loss, exact, 1e-11 * x.square_sum());
      }
    }
}

TEST(Nmf, FindsExactPartsAgain) {
  const Matrix<double> w = sparse_table(80, 3, 6), h = sparse_table(50, 3, 7);
  const Matrix<double> table = w * h.transpose();
  const NmfData x(Dataset(table), {});
  const NmfResult found = factorize(x, start_of(x, table, 3), {.iterations = 5000, .tolerance = 1e-9}, {});
  EXPECT_TRUE(found.converged);
  EXPECT_LE(found.loss, 1e-6 * x.square_sum());
}

TEST(Nmf, TheMeasureIsThatOfTheFactorsGiven) {
  const Matrix<double> table = sparse_table(200, 30, 8);
  const NmfData x(Dataset(table), {});
  const NmfResult found = factorize(x, start_of(x, table, 4), {.iterations = 5000, .tolerance = 1e-6}, {});
  EXPECT_TRUE(found.converged);
  const Matrix<double>&w = found.factors.w, &h = found.factors.h;
  const Matrix<double> lacks = w * h.transpose() - table;
  const Matrix<double> of_w = lacks * h, of_h = lacks.transpose() * w;
  const auto projected = [](const Matrix<double>& g, const Matrix<double>& f, Index c) {
    double sum = 0.0;
    for (Index i = 0; i < f.rows(); ++i) {
      const double value = f(i, c) > 0.0 ? g(i, c) : std::min(0.0, g(i, c));
      sum += value * value;
    }
    return std::sqrt(sum);
  };
  for (Index c = 0; c < 4; ++c) {
    const double measure =
        (projected(of_w, w, c) * w.col(c).norm() + projected(of_h, h, c) * h.col(c).norm()) / table.squaredNorm();
    EXPECT_NEAR(found.residuals[c], measure, 1e-12);
    EXPECT_LE(projected(of_w, w, c), 1e-10 * of_w.rows() * table.norm());  // rows are in their exact places
  }
}

TEST(Nmf, SameBitsAtAnyThreadCount) {
  const Matrix<double> table = sparse_table(2000, 300, 9);
  const Csr<double> csr = test::to_csr(table);
  for (const Dataset& data : {Dataset(table), Dataset(csr.view())}) {
    const auto run = [&](int threads) {
      const Execution exec{.threads = threads};
      const NmfData x(data, exec);
      return factorize(x, random_factors(x, 9, 1), {.iterations = 5, .tolerance = 1e-12}, exec);
    };
    const NmfResult first = run(1);
    for (const int threads : {2, 3}) {
      const NmfResult again = run(threads);
      EXPECT_EQ(again.factors.w, first.factors.w);
      EXPECT_EQ(again.factors.h, first.factors.h);
      EXPECT_EQ(again.path, first.path);
    }
  }
}

TEST(NmfStart, SingularVectorsOfATable) {
  // Rank two by hand: singular vectors (1,1,0,0)/√2 with σ = 2 and (0,0,1,−1)/√2 with σ = 1, on both sides.
  Matrix<double> table(4, 4);
  table << 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0.5;
  Matrix<double> v = Matrix<double>::Zero(4, 2);
  v(0, 0) = v(1, 0) = std::sqrt(0.5);
  v(2, 1) = std::sqrt(0.5), v(3, 1) = -std::sqrt(0.5);
  Vector<double> values(2);
  values << 2.0, 0.5;
  const NmfData x(Dataset(table), {});
  const NmfFactors f = nndsvd(x, values, v, 0.0);
  EXPECT_LE((f.w.col(0) - std::sqrt(2.0) * v.col(0)).norm(), 1e-15);  // √σ₁ |u|
  EXPECT_LE((f.h.col(0) - std::sqrt(2.0) * v.col(0)).norm(), 1e-15);
  // u⁺ = v⁺ = (0,0,√½,0): m = ½, and √(σ m) = ½ times the unit vector.
  EXPECT_NEAR(f.w(2, 1), 0.5, 1e-15);
  EXPECT_NEAR(f.h(2, 1), 0.5, 1e-15);
  EXPECT_EQ(f.w(3, 1), 0.0);
  const NmfFactors filled = nndsvd(x, values, v, 0.3125);
  EXPECT_EQ(filled.w(3, 1), 0.3125);
  EXPECT_EQ(filled.h(0, 1), 0.3125);
}

}  // namespace
}  // namespace fewdim
