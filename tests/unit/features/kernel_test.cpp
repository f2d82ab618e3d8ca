#include "features/kernel.hpp"

#include <gtest/gtest.h>

#include "support/data.hpp"

namespace fewdim {
namespace {

/// Each kernel by its definition.
double by_definition(const Kernel& k, const Eigen::VectorXd& x, const Eigen::VectorXd& y) {
  switch (k.kind) {
    case KernelKind::linear:
      return x.dot(y);
    case KernelKind::polynomial:
      return std::pow(k.gamma * x.dot(y) + k.offset, static_cast<double>(k.degree));
    case KernelKind::gaussian:
      return std::exp(-k.gamma * (x - y).squaredNorm());
    case KernelKind::laplacian:
      return std::exp(-k.gamma * (x - y).cwiseAbs().sum());
    case KernelKind::sigmoid:
      return std::tanh(k.gamma * x.dot(y) + k.offset);
    case KernelKind::cosine:
      return x.dot(y) / x.norm() / y.norm();
    case KernelKind::chi2: {
      double sum = 0.0;
      for (Index j = 0; j < x.size(); ++j)
        if (x[j] + y[j] > 0) sum += (x[j] - y[j]) * (x[j] - y[j]) / (x[j] + y[j]);
      return std::exp(-k.gamma * sum);
    }
    default:
      return NAN;
  }
}

constexpr std::array kKinds = {KernelKind::linear,  KernelKind::polynomial, KernelKind::gaussian, KernelKind::laplacian,
                               KernelKind::sigmoid, KernelKind::cosine,     KernelKind::chi2};

template <class C>
void expect_definition(double tolerance) {
  Matrix<C> x = test::sample<C>(12, 11, 1, 0.1).cwiseAbs();
  x.col(4).setZero();  // both zero: the term of chi2 that has no quotient
  for (const KernelKind kind : kKinds) {
    const Kernel kernel{.kind = kind, .gamma = 0.13, .offset = 0.7, .degree = 3};
    const auto rows = pack_rows<C>(Dataset(x), kernel, kernel_center(Dataset(x), kernel, {}), "test", {});
    std::vector<C> tile(5 * 4);
    kernel_tile(kernel, rows, 2, 5, rows, 3, 4, tile.data());
    for (Index i = 0; i < 5; ++i)
      for (Index j = 0; j < 4; ++j) {
        const double truth =
            by_definition(kernel, x.row(2 + i).template cast<double>(), x.row(3 + j).template cast<double>());
        EXPECT_NEAR(tile[static_cast<std::size_t>(4 * i + j)], truth, tolerance * (1 + std::abs(truth)))
            << enum_text(kind);
      }
    for (Index i = 0; i < 12; ++i) {
      const Eigen::VectorXd row = x.row(i).template cast<double>();
      EXPECT_NEAR(kernel_diagonal(kernel, rows, i), by_definition(kernel, row, row), tolerance * 10) << enum_text(kind);
    }
  }
}

TEST(Kernel, EachIsItsDefinition) {
  expect_definition<double>(1e-14);
  expect_definition<float>(3e-6);  // eleven sums in float32, cubed
}

TEST(Kernel, Chi2RefusesNegativeNumbers) {
  Matrix<double> x = Matrix<double>::Ones(3, 2);
  x(1, 1) = -0.5;
  const Kernel kernel{.kind = KernelKind::chi2};
  try {
    pack_rows<double>(Dataset(x), kernel, {}, "kernel-pca", {});
    FAIL() << "took a negative number";
  } catch (const DataError& e) {
    EXPECT_NE(std::string(e.what()).find("row 2, column 2 is -0.5"), std::string::npos) << e.what();
  }
}

TEST(Kernel, TheMedianDistanceIsTheMedian) {
  Matrix<double> x(5, 1);
  x << 0, 1, 3, 7, 15;  // distances 1 2 3 4 6 7 8 12 14 15: the sixth of ten is 7
  const auto rows = pack_rows<double>(Dataset(x), Metric::euclidean, {}, "test", {});
  EXPECT_EQ(median_distance(rows, 0, "test", {}), 7.0);
  const Matrix<double> large = test::sample(3000, 2, 4, 0.0);
  const auto many = pack_rows<double>(Dataset(large), Metric::euclidean, {}, "test", {});
  const double first = median_distance(many, 1, "test", {.threads = 1});
  EXPECT_EQ(first, median_distance(many, 1, "test", {.threads = 3}));
  EXPECT_NEAR(first, median_distance(many, 2, "test", {}), 0.1 * first);  // another sample of 1,000
  EXPECT_NE(first, median_distance(many, 2, "test", {}));
}

TEST(Kernel, EqualRowsHaveNoMedianDistance) {
  const Matrix<double> x = Matrix<double>::Ones(9, 2);
  const auto rows = pack_rows<double>(Dataset(x), Metric::euclidean, {}, "test", {});
  EXPECT_THROW(median_distance(rows, 0, "test", {}), DataError);
  const auto one = pack_rows<double>(Dataset(Matrix<double>(x.topRows(1))), Metric::euclidean, {}, "test", {});
  EXPECT_THROW(median_distance(one, 0, "test", {}), DataError);
}

}  // namespace
}  // namespace fewdim
