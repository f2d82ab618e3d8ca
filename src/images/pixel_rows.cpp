#include "images/pixel_rows.hpp"

#include <fmt/format.h>

#include "base/memory.hpp"
#include "base/remedy.hpp"
#include "fewdim/error.hpp"

namespace fewdim {

namespace {

constexpr std::uint64_t luma_sum = 1000;

/// Rec. 601, in thousandths.
std::uint64_t luma(std::uint64_t red, std::uint64_t green, std::uint64_t blue) {
  return 299 * red + 587 * green + 114 * blue;
}

Index channels_of(const SampleLayout& layout, const ImageOptions& options) {
  if (options.coloring == Coloring::gray) return 1;
  if (options.coloring == Coloring::rgb) return 3;
  return layout.samples <= 2 ? 1 : 3;
}

}  // namespace

std::uint64_t product_or_most(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

void require_room(const SampleLayout& layout, const std::string& name, const ImageOptions& options,
                  const Execution& exec) {
  if (layout.height == 0 || layout.width == 0)
    throw DataError(fmt::format("{}: is an image without pixels, {}x{}", name, layout.height, layout.width));
  std::uint64_t pixels = 0;
  if (__builtin_mul_overflow(layout.height, layout.width, &pixels) || pixels > options.max_pixels)
    throw DataError(fmt::format("{}: declares {}x{} pixels, more than the {} allowed; {} if it is meant", name,
                                layout.height, layout.width, options.max_pixels, raise_option("max_pixels")));
  const auto channels = static_cast<std::uint64_t>(channels_of(layout, options));
  const std::uint64_t result = product_or_most(pixels, channels * sizeof(float));
  std::uint64_t all = 0;
  if (__builtin_add_overflow(result, layout.scratch, &all)) all = UINT64_MAX;
  require_memory(exec, all, fmt::format("{}: decoding {}x{} pixels", name, layout.height, layout.width),
                 "make the image smaller, or " + raise_option("memory_limit"));
}

PixelRows::PixelRows(const SampleLayout& layout, const std::string& name, const ImageOptions& options,
                     const Execution& exec)
    : layout_(layout) {
  require_room(layout, name, options, exec);
  image_.channels = channels_of(layout, options);
  image_.height = static_cast<Index>(layout.height), image_.width = static_cast<Index>(layout.width);
  image_.values.resize(static_cast<std::size_t>(image_.size()));
}

template <class Sample>
void PixelRows::convert(Index y, const Sample* in) {
  const std::uint64_t most = layout_.most;
  const bool opacity = layout_.samples % 2 == 0, gray = layout_.samples <= 2;
  // c on white under opacity a, in parts of most²: c a + most (most − a).
  const std::uint64_t unit = opacity ? most * most : most;
  const auto on_white = [&](Sample c, Sample a) {
    return opacity ? std::uint64_t{c} * a + most * (most - a) : std::uint64_t{c};
  };
  const auto one = static_cast<double>(unit), thousand = static_cast<double>(unit * luma_sum);
  float* out = image_.values.data() + y * image_.width * image_.channels;
  for (Index x = 0; x < image_.width; ++x, in += layout_.samples) {
    const Sample a = opacity ? in[layout_.samples - 1] : Sample{0};
    if (gray) {
      const auto value = static_cast<float>(static_cast<double>(on_white(in[0], a)) / one);
      for (Index c = 0; c < image_.channels; ++c) *out++ = value;
      continue;
    }
    const std::uint64_t red = on_white(in[0], a), green = on_white(in[1], a), blue = on_white(in[2], a);
    if (image_.channels == 1) {
      *out++ = static_cast<float>(static_cast<double>(luma(red, green, blue)) / thousand);
      continue;
    }
    for (const std::uint64_t c : {red, green, blue}) *out++ = static_cast<float>(static_cast<double>(c) / one);
  }
}

void PixelRows::set(Index y, const std::uint16_t* samples) { convert(y, samples); }
void PixelRows::set(Index y, const std::uint8_t* samples) { convert(y, samples); }

}  // namespace fewdim
