#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fewdim/error.hpp"
#include "images/pixel_rows.hpp"

namespace fewdim {

namespace {

/// Old pixels first, first+1, ... with the share that each has of a new one.
struct Window {
  Index first = 0;
  std::vector<double> shares{};
};

/// Shrinking: the part of each old pixel that a new one covers. Growing: the two whose centers are around it.
std::vector<Window> windows(Index from, Index to) {
  std::vector<Window> all(static_cast<std::size_t>(to));
  const double step = static_cast<double>(from) / static_cast<double>(to);
  for (Index i = 0; i < to; ++i) {
    Window& window = all[static_cast<std::size_t>(i)];
    if (to < from) {
      const double begin = static_cast<double>(i) * step,
                   end = std::min(double(from), static_cast<double>(i + 1) * step);
      window.first = std::min(from - 1, static_cast<Index>(begin));
      for (Index p = window.first; p < from && double(p) < end; ++p) {
        const double covered = std::min(end, double(p + 1)) - std::max(begin, double(p));
        if (covered > 0.0 || p == window.first) window.shares.push_back(covered);
      }
      double sum = 0.0;
      for (const double share : window.shares) sum += share;
      for (double& share : window.shares) share /= sum;
      continue;
    }
    const double center = std::clamp((static_cast<double>(i) + 0.5) * step - 0.5, 0.0, double(from - 1));
    window.first = std::min(static_cast<Index>(center), std::max<Index>(0, from - 2));
    const double along = center - double(window.first);
    window.shares = {1.0 - along};
    if (from > 1) window.shares.push_back(along);
  }
  return all;
}

}  // namespace

std::uint64_t resize_bytes(const Image& image, Index height, Index width) {
  const auto line = product_or_most(static_cast<std::uint64_t>(width), static_cast<std::uint64_t>(image.channels));
  const std::uint64_t lines = product_or_most(line, static_cast<std::uint64_t>(image.height) * sizeof(double));
  const std::uint64_t out = product_or_most(line, static_cast<std::uint64_t>(height) * sizeof(float));
  std::uint64_t all = 0;
  return __builtin_add_overflow(lines, out, &all) ? UINT64_MAX : all;
}

Image resize(const Image& image, Index height, Index width) {
  if (height < 1 || width < 1)
    throw InvalidOption("resize", "size", fmt::format("{}x{}", height, width), "must be at least 1x1",
                        "give height and width");
  if (height == image.height && width == image.width) return image;
  const std::vector<Window> across = windows(image.width, width), down = windows(image.height, height);
  const Index channels = image.channels;
  std::vector<double> lines(static_cast<std::size_t>(image.height * width * channels));
  for (Index y = 0; y < image.height; ++y)
    for (Index x = 0; x < width; ++x) {
      const Window& window = across[static_cast<std::size_t>(x)];
      for (Index c = 0; c < channels; ++c) {
        double sum = 0.0;
        for (std::size_t i = 0; i < window.shares.size(); ++i)
          sum +=
              window.shares[i] *
              double(
                  image.values[static_cast<std::size_t>((y * image.width + window.first + Index(i)) * channels + c)]);
        lines[static_cast<std::size_t>((y * width + x) * channels + c)] = sum;
      }
    }
  Image out{.height = height, .width = width, .channels = channels, .values = {}};
  out.values.resize(static_cast<std::size_t>(out.size()));
  std::vector<double> sums(static_cast<std::size_t>(width * channels));
  for (Index y = 0; y < height; ++y) {
    const Window& window = down[static_cast<std::size_t>(y)];
    std::ranges::fill(sums, 0.0);
    for (std::size_t i = 0; i < window.shares.size(); ++i) {
      const double* line = lines.data() + (window.first + Index(i)) * width * channels;
      for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += window.shares[i] * line[j];
    }
    for (std::size_t j = 0; j < sums.size(); ++j)
      out.values[static_cast<std::size_t>(y * width * channels) + j] = static_cast<float>(sums[j]);
  }
  return out;
}

Image with_coloring(Image image, Coloring coloring) {
  const Index channels = coloring == Coloring::gray ? 1 : coloring == Coloring::rgb ? 3 : image.channels;
  if (channels == image.channels) return image;
  Image out{.height = image.height, .width = image.width, .channels = channels, .values = {}};
  out.values.reserve(static_cast<std::size_t>(out.size()));
  for (Index i = 0; i < image.height * image.width; ++i) {
    const float* pixel = image.values.data() + i * image.channels;
    if (channels == 3)
      out.values.insert(out.values.end(), 3, *pixel);
    else
      out.values.push_back(static_cast<float>(
          (299.0 * double(pixel[0]) + 587.0 * double(pixel[1]) + 114.0 * double(pixel[2])) / 1000.0));
  }
  return out;
}

}  // namespace fewdim
