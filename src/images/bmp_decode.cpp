#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "fewdim/error.hpp"
#include "images/formats.hpp"
#include "images/pixel_rows.hpp"

namespace fewdim {

namespace {

constexpr std::uint32_t file_header = 14, core_header = 12, info_header = 40, alpha_header = 56;
constexpr std::uint32_t uncompressed = 0, bit_fields = 3, alpha_bit_fields = 6;

class BmpReader {
 public:
  explicit BmpReader(const EncodedImage& file) : file_(file) {}

  Image decode(const ImageOptions& options, const Execution& exec) {
    read_header();
    SampleLayout layout{.height = height_, .width = width_, .samples = 3};
    if (bits_ == 32 && masks_[3] != 0) layout.samples = 4;
    const auto is_gray = [](std::uint32_t color) { return color == (color & 0xFFU) * 0x010101U; };
    if (!palette_.empty() && std::ranges::all_of(palette_, is_gray)) layout.samples = 1;
    const std::uint64_t stride = (width_ * bits_ + 31) / 32 * 4;
    std::uint64_t needed = 0;
    if (__builtin_mul_overflow(stride, height_, &needed) || data_ > file_.bytes.size() ||
        needed > file_.bytes.size() - data_)
      refuse_image(file_, fmt::format("is a damaged BMP: {}x{} pixels of {} bits need more than its {} bytes", height_,
                                      width_, bits_, file_.bytes.size()));
    layout.scratch = width_ * static_cast<std::uint64_t>(layout.samples);
    PixelRows rows(layout, file_.name, options, exec);
    std::vector<std::uint8_t> samples(static_cast<std::size_t>(width_) * static_cast<std::size_t>(layout.samples));
    for (std::uint64_t y = 0; y < height_; ++y) {
      const std::uint64_t line = top_down_ ? y : height_ - 1 - y;
      unpack(data_ + line * stride, layout.samples, samples.data());
      rows.set(static_cast<Index>(y), samples.data());
    }
    return rows.take();
  }

 private:
  std::uint32_t number(std::size_t at, std::size_t size) const {
    if (at + size > file_.bytes.size()) refuse_image(file_, "is a damaged BMP: it ends in its header");
    std::uint32_t value = 0;
    for (std::size_t i = size; i-- > 0;) value = value << 8U | byte(at + i);
    return value;
  }
  std::uint8_t byte(std::size_t at) const { return static_cast<std::uint8_t>(file_.bytes[at]); }

  void read_header() {
    data_ = number(10, 4);
    const std::uint32_t header = number(14, 4);
    const bool core = header == core_header;
    if (!core && (header < info_header || header > 1024))
      refuse_image(file_, fmt::format("is a BMP with a header of {} bytes, which is not known", header));
    const auto width = static_cast<std::int32_t>(core ? number(18, 2) : number(18, 4));
    const auto height = static_cast<std::int32_t>(core ? number(20, 2) : number(22, 4));
    bits_ = core ? number(24, 2) : number(28, 2);
    const std::uint32_t compression = core ? uncompressed : number(30, 4);
    if (width <= 0 || height == 0 || height == INT32_MIN)
      refuse_image(file_, fmt::format("is a damaged BMP: {}x{} pixels", height, width));
    top_down_ = height < 0;
    width_ = static_cast<std::uint64_t>(width);
    height_ = static_cast<std::uint64_t>(top_down_ ? -std::int64_t{height} : std::int64_t{height});
    if (compression != uncompressed && !(bits_ == 32 && (compression == bit_fields || compression == alpha_bit_fields)))
      refuse_image(file_, "is a compressed BMP, which is not supported; save it uncompressed, or as PNG");
    if (bits_ <= 8)
      read_palette(header, core);
    else if (compression != uncompressed)
      read_masks(header, compression == alpha_bit_fields);
    else if (bits_ != 24 && bits_ != 32)
      refuse_image(file_, fmt::format("is a BMP of {} bits a pixel; 1, 4, 8, 24 and 32 are supported", bits_));
  }

  void read_palette(std::uint32_t header, bool core) {
    if (bits_ != 1 && bits_ != 4 && bits_ != 8)
      refuse_image(file_, fmt::format("is a BMP of {} bits a pixel; 1, 4, 8, 24 and 32 are supported", bits_));
    std::uint32_t colors = core ? 0 : number(46, 4);
    if (colors == 0) colors = 1U << bits_;
    if (colors > 256) refuse_image(file_, fmt::format("is a damaged BMP: its palette has {} colors", colors));
    const std::size_t entry = core ? 3 : 4;
    for (std::size_t i = 0; i < colors; ++i)
      palette_.push_back(number(file_header + header + i * entry, 3));  // blue, green, red
  }

  /// Where a color's byte lies; only whole bytes.
  void read_masks(std::uint32_t header, bool opacity) {
    opacity = opacity || header >= alpha_header;
    for (std::size_t i = 0; i < (opacity ? 4U : 3U); ++i) masks_[i] = number(file_header + info_header + i * 4, 4);
    for (std::size_t i = 0; i < 4; ++i) {
      if (masks_[i] == 0 && i == 3) continue;
      shifts_[i] = static_cast<unsigned>(std::countr_zero(masks_[i]));
      if (masks_[i] == 0 || shifts_[i] % 8 != 0 || masks_[i] >> shifts_[i] != 0xFF)
        refuse_image(file_, "is a BMP whose colors are not whole bytes, which is not supported; save it as PNG");
    }
  }

  void unpack(std::uint64_t at, int count, std::uint8_t* out) const {
    for (std::uint64_t x = 0; x < width_; ++x, out += count) {
      std::uint32_t value = 0;
      if (bits_ <= 8) {
        const auto place = static_cast<std::size_t>(at + x * bits_ / 8);
        const std::uint32_t index = byte(place) >> (8 - bits_ - x * bits_ % 8) & ((1U << bits_) - 1);
        if (index >= palette_.size())
          refuse_image(
              file_, fmt::format("is a damaged BMP: a pixel has color {} of a palette of {}", index, palette_.size()));
        value = palette_[index];
      } else {
        const std::size_t bytes = bits_ / 8;
        for (std::size_t i = bytes; i-- > 0;) value = value << 8U | byte(static_cast<std::size_t>(at) + x * bytes + i);
      }
      for (int c = 0; c < count; ++c) out[c] = static_cast<std::uint8_t>(value >> shifts_[c] & 0xFFU);
    }
  }

  const EncodedImage& file_;
  std::uint64_t data_ = 0, height_ = 0, width_ = 0;
  std::uint32_t bits_ = 0;
  bool top_down_ = false;
  std::uint32_t masks_[4] = {0, 0, 0, 0};
  unsigned shifts_[4] = {16, 8, 0, 24};  // red, green, blue, opacity
  std::vector<std::uint32_t> palette_;
};

}  // namespace

Image decode_bmp(const EncodedImage& file, const ImageOptions& options, const Execution& exec) {
  return BmpReader(file).decode(options, exec);
}

}  // namespace fewdim
