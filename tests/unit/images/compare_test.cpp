#include <gtest/gtest.h>

#include <cmath>

#include "fewdim/error.hpp"
#include "support/images.hpp"

namespace fewdim {
namespace {

TEST(Psnr, IsThatOfTheMeanSquare) {
  const Image a{1, 4, 1, {0, 0, 0, 0}}, b{1, 4, 1, {0.5F, 0, 0, 0}};
  EXPECT_DOUBLE_EQ(psnr(a, b), -10.0 * std::log10(0.0625));  // 0.25 over four pixels
  EXPECT_TRUE(std::isinf(psnr(a, a)));
  EXPECT_THROW(psnr(a, Image{2, 2, 1, {0, 0, 0, 0}}), DataError);
}

TEST(Ssim, OfConstantImagesIsTheTermOfMeans) {
  const Image a{12, 13, 1, std::vector<float>(156, 0.25F)}, b{12, 13, 1, std::vector<float>(156, 0.75F)};
  // (2·0.25·0.75 + 0.0001) / (0.0625 + 0.5625 + 0.0001); without variance the other factor is 1.
  EXPECT_NEAR(ssim(a, b), 0.3751 / 0.6251, 1e-12);
  EXPECT_NEAR(ssim(a, a), 1.0, 1e-12);
}

/// Straight from the formula of Wang et al. (2004), one window at a time.
double slow_ssim(const Image& a, const Image& b) {
  double sum = 0.0;
  Index windows = 0;
  for (Index top = 0; top + 11 <= a.height; ++top)
    for (Index left = 0; left + 11 <= a.width; ++left, ++windows) {
      double weights = 0, ma = 0, mb = 0, va = 0, vb = 0, ab = 0;
      const auto each = [&](auto&& visit) {
        for (Index y = 0; y < 11; ++y)
          for (Index x = 0; x < 11; ++x) {
            const double w = std::exp(-double((y - 5) * (y - 5) + (x - 5) * (x - 5)) / (2 * 1.5 * 1.5));
            const auto at = static_cast<std::size_t>((top + y) * a.width + left + x);
            visit(w, double(a.values[at]), double(b.values[at]));
          }
      };
      each([&](double w, double p, double q) { weights += w, ma += w * p, mb += w * q; });
      ma /= weights, mb /= weights;
      each([&](double w, double p, double q) {
        va += w * (p - ma) * (p - ma) / weights, vb += w * (q - mb) * (q - mb) / weights,
            ab += w * (p - ma) * (q - mb) / weights;
      });
      sum += (2 * ma * mb + 1e-4) * (2 * ab + 9e-4) / ((ma * ma + mb * mb + 1e-4) * (va + vb + 9e-4));
    }
  return sum / double(windows);
}

TEST(Ssim, EqualsTheFormula) {
  const Image a = test::smooth_image(17, 21, 1);
  Image b = a;
  for (std::size_t i = 0; i < b.values.size(); ++i) b.values[i] += static_cast<float>(0.1 * std::sin(double(i)));
  EXPECT_NEAR(ssim(a, b), slow_ssim(a, b), 1e-10);  // E[x²] − E[x]² cancels to 1e-16 of 1, over c2 = 9e-4
  EXPECT_LT(ssim(a, b), 0.9);
}

TEST(Ssim, SmallImagesHaveSmallWindows) {
  const Image a = test::smooth_image(3, 2, 1);
  EXPECT_NEAR(ssim(a, a), 1.0, 1e-12);
}

}  // namespace
}  // namespace fewdim
