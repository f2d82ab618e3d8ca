#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "fewdim/error.hpp"
#include "images/formats.hpp"
#include "images/pixel_rows.hpp"

namespace fewdim {

namespace {

/// libpng, reading from memory. Its errors are exceptions that pass through its frames, as in report/canvas/png.cpp.
class PngReader {
 public:
  explicit PngReader(const EncodedImage& file)
      : file_(file), png_(png_create_read_struct(PNG_LIBPNG_VER_STRING, this, fail, ignore)) {
    if (png_ != nullptr) info_ = png_create_info_struct(png_);
    if (info_ == nullptr) {
      png_destroy_read_struct(&png_, nullptr, nullptr);
      throw Error(ErrorKind::internal, "png: libpng can't start");
    }
    png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);  // PixelRows has the limit, on their product
    png_set_read_fn(png_, this, take);
  }
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  Image decode(const ImageOptions& options, const Execution& exec) {
    png_read_info(png_, info_);
    SampleLayout layout{.height = png_get_image_height(png_, info_), .width = png_get_image_width(png_, info_)};
    const bool wide = png_get_bit_depth(png_, info_) == 16;
    layout.most = wide ? 65535 : 255;
    layout.samples = samples_of(png_get_color_type(png_, info_), png_get_valid(png_, info_, PNG_INFO_tRNS) != 0);
    const std::uint64_t stride = layout.width * static_cast<std::uint64_t>(layout.samples) * (wide ? 2 : 1);
    const bool interlaced = png_get_interlace_type(png_, info_) != PNG_INTERLACE_NONE;
    // Ours: the row, or all of them, and a copy of 16-bit ones; libpng's: this row and the one before, 8 bytes a pixel.
    layout.scratch = product_or_most(stride, interlaced ? layout.height : 1);
    layout.scratch += std::min(UINT64_MAX - layout.scratch, stride + 2 * 8 * layout.width);
    require_room(layout, file_.name, options, exec);  // libpng allocates by the width as soon as it is set up
    png_set_expand(png_);                             // palettes to RGB, a transparent color to opacity, few bits to 8
    if constexpr (std::endian::native == std::endian::little) png_set_swap(png_);
    const int passes = png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
    if (png_get_channels(png_, info_) != layout.samples || png_get_rowbytes(png_, info_) != stride)
      throw Error(ErrorKind::internal, file_.name + ": libpng expands its pixels otherwise than foreseen");
    PixelRows rows(layout, file_.name, options, exec);
    std::vector<std::uint16_t> samples((passes > 1 ? stride * layout.height : stride) / 2 + 1);
    auto* const bytes = reinterpret_cast<png_bytep>(samples.data());
    const auto height = static_cast<Index>(layout.height), step = static_cast<Index>(passes > 1 ? stride : 0);
    for (int pass = 0; pass + 1 < passes; ++pass)
      for (Index y = 0; y < height; ++y) png_read_row(png_, bytes + y * step, nullptr);
    for (Index y = 0; y < height; ++y) {
      png_bytep row = bytes + y * step;
      png_read_row(png_, row, nullptr);
      if (!wide) {
        rows.set(y, row);
        continue;
      }
      wide_.resize(stride / 2);
      std::memcpy(wide_.data(), row, stride);
      rows.set(y, wide_.data());
    }
    png_read_end(png_, nullptr);
    return rows.take();
  }

 private:
  [[noreturn]] static void fail(png_structp png, png_const_charp message) {
    refuse_image(static_cast<const PngReader*>(png_get_error_ptr(png))->file_,
                 fmt::format("is a damaged PNG: {}", message));
  }
  /// Of a pixel once libpng has expanded it.
  static int samples_of(int color_type, bool transparency) {
    const bool opacity = transparency || (color_type & PNG_COLOR_MASK_ALPHA) != 0;
    return ((color_type & PNG_COLOR_MASK_COLOR) != 0 ? 3 : 1) + (opacity ? 1 : 0);
  }
  static void ignore(png_structp, png_const_charp) {}
  static void take(png_structp png, png_bytep out, png_size_t size) {
    auto* self = static_cast<PngReader*>(png_get_io_ptr(png));
    if (size > self->file_.bytes.size() - self->at_) png_error(png, "it ends too early");
    std::memcpy(out, self->file_.bytes.data() + self->at_, size);
    self->at_ += size;
  }

  const EncodedImage& file_;
  std::size_t at_ = 0;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  std::vector<std::uint16_t> wide_;
};

}  // namespace

Image decode_png(const EncodedImage& file, const ImageOptions& options, const Execution& exec) {
  return PngReader(file).decode(options, exec);
}

}  // namespace fewdim
