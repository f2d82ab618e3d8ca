#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <cmath>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
// jpeglib.h needs stdio's names first
#include <jpeglib.h>

#include "base/output_file.hpp"
#include "fewdim/error.hpp"
#include "fewdim/images.hpp"

namespace fewdim {

namespace {

std::vector<std::uint8_t> bytes_of(const Image& image) {
  if (image.size() < 1 || std::ssize(image.values) != image.size() || (image.channels != 1 && image.channels != 3))
    throw DataError(fmt::format("image: {}x{}x{} is no shape of {} values", image.height, image.width, image.channels,
                                image.values.size()));
  std::vector<std::uint8_t> bytes(image.values.size());
  std::ranges::transform(image.values, bytes.begin(), [](float v) {
    return static_cast<std::uint8_t>(v >= 0.0F ? std::lround(255.0 * std::min(1.0, double(v))) : 0);  // NaN: 0
  });
  return bytes;
}

struct JpegErrors {
  jpeg_error_mgr manager;
  std::jmp_buf back;
};

[[noreturn]] void fail(j_common_ptr jpeg) { std::longjmp(reinterpret_cast<JpegErrors*>(jpeg->err)->back, 1); }

/// Nothing here has a destructor: libjpeg may jump out. False where it did.
bool encode(jpeg_compress_struct& jpeg, JpegErrors& errors, const Image& image, const std::uint8_t* bytes, int quality,
            unsigned char** out, unsigned long* size) {
  if (setjmp(errors.back) != 0) return false;
  jpeg_create_compress(&jpeg);
  jpeg_mem_dest(&jpeg, out, size);
  jpeg.image_height = static_cast<JDIMENSION>(image.height), jpeg.image_width = static_cast<JDIMENSION>(image.width);
  jpeg.input_components = static_cast<int>(image.channels);
  jpeg.in_color_space = image.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&jpeg);
  jpeg_set_quality(&jpeg, quality, TRUE);
  jpeg.optimize_coding = TRUE;
  jpeg_start_compress(&jpeg, TRUE);
  while (jpeg.next_scanline < jpeg.image_height) {
    auto* row = const_cast<JSAMPROW>(bytes + static_cast<std::size_t>(jpeg.next_scanline) *
                                                 static_cast<std::size_t>(image.width * image.channels));
    jpeg_write_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_compress(&jpeg);
  return true;
}

}  // namespace

std::string png_of(const Image& image) {
  const std::vector<std::uint8_t> bytes = bytes_of(image);
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  header.height = static_cast<png_uint_32>(image.height), header.width = static_cast<png_uint_32>(image.width);
  header.format = image.channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(header);
  std::string out(size, '\0');
  const bool written = png_image_write_to_memory(&header, out.data(), &size, 0, bytes.data(), 0, nullptr) != 0;
  png_image_free(&header);
  if (!written) throw Error(ErrorKind::internal, fmt::format("png: {}", header.message));
  out.resize(size);
  return out;
}

std::string jpeg_of(const Image& image, int quality) {
  if (quality < 1 || quality > 100)
    throw InvalidOption("jpeg", "quality", std::to_string(quality), "must be between 1 and 100", "90 is usual");
  if (image.height > JPEG_MAX_DIMENSION || image.width > JPEG_MAX_DIMENSION)
    throw Unsupported(fmt::format("jpeg: {}x{} pixels are more than the format takes", image.height, image.width));
  const std::vector<std::uint8_t> bytes = bytes_of(image);
  jpeg_compress_struct jpeg{};
  JpegErrors errors{};
  jpeg.err = jpeg_std_error(&errors.manager);
  errors.manager.error_exit = fail;
  unsigned char* buffer = nullptr;
  unsigned long size = 0;
  const bool written = encode(jpeg, errors, image, bytes.data(), quality, &buffer, &size);
  std::string out;
  if (written) out.assign(reinterpret_cast<const char*>(buffer), size);
  jpeg_destroy_compress(&jpeg);
  std::free(buffer);
  if (!written) throw Error(ErrorKind::internal, "jpeg: libjpeg can't encode the image");
  return out;
}

void write_image(const Image& image, const std::string& path, bool overwrite) {
  OutputFile file(path, overwrite);
  file.write(png_of(image));
  file.commit();
}

}  // namespace fewdim
