#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "fewdim/error.hpp"
#include "fewdim/images.hpp"

namespace fewdim {

namespace {

void require_same_shape(const Image& a, const Image& b, const char* what) {
  if (a.height == b.height && a.width == b.width && a.channels == b.channels) return;
  throw DataError(fmt::format("{}: the images have other shapes, {}x{}x{} and {}x{}x{}", what, a.height, a.width,
                              a.channels, b.height, b.width, b.channels));
}

std::vector<double> gaussian(Index size) {
  std::vector<double> weights(static_cast<std::size_t>(size));
  const double middle = double(size - 1) / 2.0;
  double sum = 0.0;
  for (Index i = 0; i < size; ++i) {
    const double d = (double(i) - middle) / 1.5;
    sum += weights[static_cast<std::size_t>(i)] = std::exp(-0.5 * d * d);
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

/// Local means over windows that lie inside, by rows and then by columns.
std::vector<double> blurred(const std::vector<double>& values, Index height, Index width,
                            const std::vector<double>& down, const std::vector<double>& across) {
  const Index rows = height - std::ssize(down) + 1, cols = width - std::ssize(across) + 1;
  std::vector<double> lines(static_cast<std::size_t>(height * cols), 0.0),
      out(static_cast<std::size_t>(rows * cols), 0.0);
  for (Index y = 0; y < height; ++y)
    for (std::size_t i = 0; i < across.size(); ++i)
      for (Index x = 0; x < cols; ++x)
        lines[static_cast<std::size_t>(y * cols + x)] +=
            across[i] * values[static_cast<std::size_t>(y * width + x + Index(i))];
  for (Index y = 0; y < rows; ++y)
    for (std::size_t i = 0; i < down.size(); ++i)
      for (Index x = 0; x < cols; ++x)
        out[static_cast<std::size_t>(y * cols + x)] +=
            down[i] * lines[static_cast<std::size_t>((y + Index(i)) * cols + x)];
  return out;
}

}  // namespace

double psnr(const Image& a, const Image& b) {
  require_same_shape(a, b, "psnr");
  double sum = 0.0;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    const double difference = double(a.values[i]) - double(b.values[i]);
    sum += difference * difference;
  }
  if (sum == 0.0) return std::numeric_limits<double>::infinity();
  return -10.0 * std::log10(sum / double(a.values.size()));
}

double ssim(const Image& a, const Image& b) {
  require_same_shape(a, b, "ssim");
  constexpr Index window = 11;
  constexpr double c1 = 0.01 * 0.01, c2 = 0.03 * 0.03;
  const Image gray_a = with_coloring(a, Coloring::gray), gray_b = with_coloring(b, Coloring::gray);
  const std::vector<double> x(gray_a.values.begin(), gray_a.values.end()),
      y(gray_b.values.begin(), gray_b.values.end());
  const std::vector<double> down = gaussian(std::min(window, a.height)), across = gaussian(std::min(window, a.width));
  const auto mean_of = [&](const std::vector<double>& values) {
    return blurred(values, a.height, a.width, down, across);
  };
  std::vector<double> xx(x.size()), yy(x.size()), xy(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) xx[i] = x[i] * x[i], yy[i] = y[i] * y[i], xy[i] = x[i] * y[i];
  const auto mx = mean_of(x), my = mean_of(y), mxx = mean_of(xx), myy = mean_of(yy), mxy = mean_of(xy);
  double sum = 0.0;
  for (std::size_t i = 0; i < mx.size(); ++i) {
    const double vx = mxx[i] - mx[i] * mx[i], vy = myy[i] - my[i] * my[i], covariance = mxy[i] - mx[i] * my[i];
    sum +=
        (2.0 * mx[i] * my[i] + c1) * (2.0 * covariance + c2) / ((mx[i] * mx[i] + my[i] * my[i] + c1) * (vx + vy + c2));
  }
  return sum / double(mx.size());
}

}  // namespace fewdim
