#include "operators/tile_kernels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/data.hpp"

namespace fewdim {
namespace {

/// Widths that fill no vector, one, and several with a rest; rows that leave a rest of the four taken at a time.
const std::vector<std::pair<Index, Index>> kShapes = {{1, 1}, {3, 5}, {4, 8}, {7, 16}, {9, 33}};

template <class C>
class TileKernels : public ::testing::Test {
 public:
  static RowMatrix<C> tile(Index rows, Index cols) { return test::sample<C>(rows, cols, 5, 100.0); }
  static std::vector<double> weights(Index rows) {
    std::vector<double> w(static_cast<std::size_t>(rows));
    for (std::size_t i = 0; i < w.size(); ++i) w[i] = 0.5 + static_cast<double>(i % 3);
    return w;
  }
};
using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(TileKernels, Scalars);

TYPED_TEST(TileKernels, MeanIsTheDefinition) {
  for (const auto& [rows, cols] : kShapes) {
    const auto x = TestFixture::tile(rows, cols);
    const auto w = TestFixture::weights(rows);
    for (const double* weights : {static_cast<const double*>(nullptr), w.data()}) {
      Vector<double> mean(cols);
      const double total = tile_mean(x.data(), rows, cols, weights, mean.data());
      double expected_total = 0.0;
      for (Index i = 0; i < rows; ++i) expected_total += weights ? weights[i] : 1.0;
      EXPECT_EQ(total, expected_total);
      for (Index j = 0; j < cols; ++j) {
        long double sum = 0.0L;
        for (Index i = 0; i < rows; ++i) sum += (weights ? weights[i] : 1.0) * static_cast<long double>(x(i, j));
        const double truth = static_cast<double>(sum / static_cast<long double>(expected_total));
        // A plain sum of so many numbers of about that size, each rounded once.
        EXPECT_NEAR(mean[j], truth, static_cast<double>(rows + 2) * 0x1.0p-53 * (std::abs(truth) + 4.0))
            << rows << "x" << cols << " column " << j;
      }
    }
  }
}

TEST(TileMeans, OfNumbersThatAreNearlyEqualAreRightToTheLastDigits) {
  // About 1e8 with differences of 1: a plain sum of 3,000 errs by up to 3,000 roundings of 1e8.
  constexpr Index kRows = 3000, kCols = 70;
  RowMatrix<double> x(kRows, kCols);
  for (Index i = 0; i < kRows; ++i)
    for (Index j = 0; j < kCols; ++j) x(i, j) = 1e8 + std::sin(static_cast<double>(7 * i + 3 * j));
  Vector<double> mean(kCols);
  tile_mean(x.data(), kRows, kCols, nullptr, mean.data());
  for (Index j = 0; j < kCols; ++j) {
    long double sum = 0.0L;
    for (Index i = 0; i < kRows; ++i) sum += static_cast<long double>(x(i, j)) - 1e8L;
    EXPECT_NEAR(mean[j], static_cast<double>(1e8L + sum / kRows), 2.0 * 0x1.0p-53 * 1e8) << j;
  }
}

TYPED_TEST(TileKernels, StandardizeRoundsOnce) {
  using C = TypeParam;
  for (const auto& [rows, cols] : kShapes)
    for (int parts = 0; parts < 8; ++parts) {
      auto x = TestFixture::tile(rows, cols);
      const auto before = x;
      const auto roots = TestFixture::weights(rows);
      Vector<double> mean(cols), scale(cols);
      for (Index j = 0; j < cols; ++j)
        mean[j] = 100.1 * static_cast<double>(j + 1), scale[j] = 1.0 / (0.3 + 0.1 * static_cast<double>(j));
      const bool centers = parts & 1, scales = parts & 2, weighs = parts & 4;
      standardize_tile(x.data(), rows, cols, centers ? mean.data() : nullptr, scales ? scale.data() : nullptr,
                       weighs ? roots.data() : nullptr);
      for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < cols; ++j) {
          double y = static_cast<double>(before(i, j));
          if (centers) y -= mean[j];
          if (scales) y *= scale[j];
          if (weighs) y *= roots[static_cast<std::size_t>(i)];
          EXPECT_EQ(x(i, j), static_cast<C>(y)) << "parts " << parts;
        }
    }
}

TYPED_TEST(TileKernels, SquaresAreAddedAboutTheMean) {
  for (const auto& [rows, cols] : kShapes) {
    const auto x = TestFixture::tile(rows, cols);
    const auto w = TestFixture::weights(rows);
    const Vector<double> mean = Vector<double>::LinSpaced(cols, 99.0, 101.0);
    for (const double* m : {static_cast<const double*>(nullptr), mean.data()}) {
      Vector<double> sums = Vector<double>::Constant(cols, 7.0);
      add_tile_squares(x.data(), rows, cols, m, w.data(), sums.data());
      for (Index j = 0; j < cols; ++j) {
        double expected = 7.0;
        for (Index i = 0; i < rows; ++i) {
          const double d = static_cast<double>(x(i, j)) - (m ? m[j] : 0.0);
          expected += w[static_cast<std::size_t>(i)] * d * d;
        }
        EXPECT_EQ(sums[j], expected);
      }
    }
  }
}

TEST(TileKernelsFloat, AreAddedInDouble) {
  const std::vector<float> x(37, 1.0f);
  std::vector<double> sum(37, 0x1.0p30);  // 2^30 + 1 has no float
  add_converted(x.data(), 37, sum.data());
  for (const double s : sum) EXPECT_EQ(s, 0x1.0p30 + 1.0);
}

}  // namespace
}  // namespace fewdim
