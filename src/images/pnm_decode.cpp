#include <fmt/format.h>

#include "fewdim/error.hpp"
#include "images/formats.hpp"
#include "images/pixel_rows.hpp"

namespace fewdim {

namespace {

/// Whole numbers between blanks and comments.
class PnmScanner {
 public:
  PnmScanner(const EncodedImage& file, std::size_t at) : file_(file), bytes_(file.bytes), at_(at) {}

  /// `most`: above it the file is refused.
  std::uint64_t number(const char* what, std::uint64_t most) {
    skip_blanks();
    if (at_ >= bytes_.size()) refuse_image(file_, fmt::format("is a damaged PNM: it ends before its {}", what));
    if (!is_digit(bytes_[at_]))
      refuse_image(file_, fmt::format("is a damaged PNM: byte {} is no digit of its {}", at_ + 1, what));
    std::uint64_t value = 0;
    for (; at_ < bytes_.size() && is_digit(bytes_[at_]); ++at_) {
      value = value * 10 + static_cast<std::uint64_t>(bytes_[at_] - '0');
      if (value > most)
        refuse_image(file_, fmt::format("is a damaged PNM: its {} before byte {} is above {}", what, at_ + 1, most));
    }
    return value;
  }

  /// Past the one blank that ends a header.
  std::size_t data_begin() {
    if (at_ >= bytes_.size() || !is_blank(bytes_[at_])) refuse_image(file_, "is a damaged PNM: it ends in its header");
    return at_ + 1;
  }
  std::size_t left() const { return bytes_.size() - at_; }

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
  void skip_blanks() {
    for (; at_ < bytes_.size(); ++at_) {
      if (bytes_[at_] == '#')
        while (at_ + 1 < bytes_.size() && bytes_[at_] != '\n') ++at_;
      else if (!is_blank(bytes_[at_]))
        return;
    }
  }

  const EncodedImage& file_;
  std::string_view bytes_;
  std::size_t at_;
};

/// Nothing is allocated for samples that can't be there.
void require_bytes(const EncodedImage& file, std::uint64_t there, const SampleLayout& layout, std::uint64_t sample) {
  std::uint64_t needed = 0;
  if (__builtin_mul_overflow(layout.height, layout.width, &needed) ||
      __builtin_mul_overflow(needed, sample * static_cast<std::uint64_t>(layout.samples), &needed) || needed > there)
    refuse_image(file, fmt::format("is a damaged PNM: {}x{} pixels need more than the {} bytes that are left",
                                   layout.height, layout.width, there));
}

}  // namespace

Image decode_pnm(const EncodedImage& file, const ImageOptions& options, const Execution& exec) {
  const char kind = file.bytes[1];
  const bool text = kind == '2' || kind == '3';
  PnmScanner scanner(file, 2);
  SampleLayout layout;
  layout.width = scanner.number("width", UINT32_MAX);
  layout.height = scanner.number("height", UINT32_MAX);
  layout.samples = kind == '2' || kind == '5' ? 1 : 3;
  layout.most = static_cast<std::uint32_t>(scanner.number("largest value", 65535));
  if (layout.most == 0) refuse_image(file, "is a damaged PNM: its largest value is 0");
  const std::size_t begin = scanner.data_begin();
  const std::uint64_t bytes = layout.most > 255 ? 2 : 1;
  const std::uint64_t there = file.bytes.size() - begin;
  if (layout.height > 0 && layout.width > 0)
    require_bytes(file, text ? there + 1 : there, layout, text ? 2 : bytes);  // a digit and a blank each, but the last
  const std::uint64_t count = layout.width * static_cast<std::uint64_t>(layout.samples);
  layout.scratch = count * sizeof(std::uint16_t);
  PixelRows rows(layout, file.name, options, exec);
  std::vector<std::uint16_t> samples(count);
  const char* at = file.bytes.data() + begin;
  for (Index y = 0; y < static_cast<Index>(layout.height); ++y) {
    for (std::uint16_t& sample : samples) {
      if (text) {
        sample = static_cast<std::uint16_t>(scanner.number("pixels", layout.most));
        continue;
      }
      std::uint32_t value = static_cast<unsigned char>(*at++);
      if (bytes == 2) value = value << 8U | static_cast<unsigned char>(*at++);
      if (value > layout.most)
        refuse_image(file, fmt::format("is a damaged PNM: row {} holds {}, above its largest value {}", y + 1, value,
                                       layout.most));
      sample = static_cast<std::uint16_t>(value);
    }
    rows.set(y, samples.data());
  }
  return rows.take();
}

}  // namespace fewdim
