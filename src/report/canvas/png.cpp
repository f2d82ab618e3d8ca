#include "report/canvas/png.hpp"

#include <png.h>

#include "fewdim/error.hpp"

namespace fewdim {

namespace {

[[noreturn]] void fail(png_structp, png_const_charp message) {
  throw Error(ErrorKind::internal, std::string("png: ") + message);
}
void ignore(png_structp, png_const_charp) {}
void append(png_structp png, png_bytep data, png_size_t size) {
  static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<const char*>(data), size);
}
void flush(png_structp) {}

struct Writer {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, fail, ignore);
  png_infop info = png != nullptr ? png_create_info_struct(png) : nullptr;
  Writer() {
    if (info == nullptr) throw Error(ErrorKind::internal, "png: libpng can't start");
  }
  ~Writer() { png_destroy_write_struct(&png, &info); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
};

}  // namespace

std::string encode_png(const Pixels& pixels, unsigned pixels_per_meter) {
  std::string out;
  Writer writer;
  const int color = pixels.channels == 1   ? PNG_COLOR_TYPE_GRAY
                    : pixels.channels == 3 ? PNG_COLOR_TYPE_RGB
                                           : PNG_COLOR_TYPE_RGB_ALPHA;
  png_set_write_fn(writer.png, &out, append, flush);
  png_set_IHDR(writer.png, writer.info, static_cast<png_uint_32>(pixels.width), static_cast<png_uint_32>(pixels.height),
               8, color, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_filter(writer.png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);  // flat areas and sharp edges pack best raw
  if (pixels_per_meter > 0)
    png_set_pHYs(writer.png, writer.info, pixels_per_meter, pixels_per_meter, PNG_RESOLUTION_METER);
  png_write_info(writer.png, writer.info);
  const std::size_t stride = static_cast<std::size_t>(pixels.width) * static_cast<std::size_t>(pixels.channels);
  for (std::size_t y = 0; y < static_cast<std::size_t>(pixels.height); ++y)
    png_write_row(writer.png, pixels.bytes.data() + y * stride);
  png_write_end(writer.png, nullptr);
  return out;
}

std::string base64(std::string_view bytes) {
  static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t taken = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j)
      group = group << 8 | (j < taken ? static_cast<std::uint8_t>(bytes[i + j]) : std::uint32_t{0});
    for (std::size_t j = 0; j < 4; ++j) out += j <= taken ? letters[group >> (18 - 6 * j) & 63] : '=';
  }
  return out;
}

}  // namespace fewdim
