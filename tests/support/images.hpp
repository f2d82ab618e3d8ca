#pragma once

#include <gtest/gtest.h>
#include <png.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "fewdim/images.hpp"

/// Files of images, made by hand: what a decoder must undo.
namespace fewdim::test {

/// A gray picture of bytes: rows×cols, each value its own.
inline std::vector<std::uint8_t> byte_pattern(Index height, Index width, Index channels = 1) {
  std::vector<std::uint8_t> bytes;
  for (Index i = 0; i < height * width * channels; ++i)
    bytes.push_back(static_cast<std::uint8_t>((i * 37 + i * i * 11) % 256));
  return bytes;
}

inline std::string text_of(const std::vector<std::uint8_t>& bytes) { return {bytes.begin(), bytes.end()}; }

inline std::string pgm(Index height, Index width, const std::vector<std::uint8_t>& bytes) {
  return "P5\n# a comment\n" + std::to_string(width) + " " + std::to_string(height) + "\n255\n" + text_of(bytes);
}

inline std::string number(std::uint64_t value, int bytes, bool little) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * (little ? i : bytes - 1 - i)));
  return out;
}

inline std::string idx(const std::vector<std::uint32_t>& sizes, const std::string& numbers, char type = 0x08) {
  std::string out{'\0', '\0', type, static_cast<char>(sizes.size())};
  for (const std::uint32_t size : sizes) out += number(size, 4, false);
  return out + numbers;
}

/// Rows from below, blue first, four bytes a stride.
inline std::string bmp24(Index height, Index width, const std::vector<std::uint8_t>& rgb) {
  const Index stride = (width * 3 + 3) / 4 * 4;
  std::string data;
  for (Index y = height; y-- > 0;) {
    for (Index x = 0; x < width; ++x)
      for (Index c = 3; c-- > 0;) data += static_cast<char>(rgb[static_cast<std::size_t>((y * width + x) * 3 + c)]);
    data.append(static_cast<std::size_t>(stride - width * 3), '\0');
  }
  std::string out = "BM" + number(54 + data.size(), 4, true) + number(0, 4, true) + number(54, 4, true);
  out += number(40, 4, true) + number(static_cast<std::uint64_t>(width), 4, true) +
         number(static_cast<std::uint64_t>(height), 4, true) + number(1, 2, true) + number(24, 2, true) +
         number(0, 4, true) + number(data.size(), 4, true) + std::string(16, '\0');
  return out + data;
}

struct PngKind {
  int color = PNG_COLOR_TYPE_GRAY, bits = 8;
  bool interlaced = false;
};

/// By libpng's long interface: `rows` as the format stores them.
inline std::string png_file(Index height, Index width, const PngKind& kind, const std::vector<std::string>& rows,
                            const std::vector<png_color>& palette = {}) {
  std::string out;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(
      png, &out,
      [](png_structp p, png_bytep data, png_size_t size) {
        static_cast<std::string*>(png_get_io_ptr(p))->append(reinterpret_cast<const char*>(data), size);
      },
      nullptr);
  png_set_IHDR(png, info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height), kind.bits, kind.color,
               kind.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  if (!palette.empty()) png_set_PLTE(png, info, palette.data(), static_cast<int>(palette.size()));
  png_write_info(png, info);
  std::vector<png_bytep> pointers;
  for (const std::string& row : rows) pointers.push_back(reinterpret_cast<png_bytep>(const_cast<char*>(row.data())));
  png_write_image(png, pointers.data());
  png_write_end(png, nullptr);
  png_destroy_write_struct(&png, &info);
  return out;
}

/// A smooth picture in color, such as a photo is: gradients and a disc.
inline Image smooth_image(Index height, Index width, Index channels = 3) {
  Image out{.height = height, .width = width, .channels = channels, .values = {}};
  for (Index y = 0; y < height; ++y)
    for (Index x = 0; x < width; ++x) {
      const double u = double(x) / double(width), v = double(y) / double(height);
      const double disc = (u - 0.6) * (u - 0.6) + (v - 0.4) * (v - 0.4) < 0.05 ? 0.3 : 0.0;
      const double colors[3] = {0.2 + 0.5 * u + disc, 0.3 + 0.4 * v * u, 0.6 - 0.3 * v + disc / 2};
      for (Index c = 0; c < channels; ++c)
        out.values.push_back(static_cast<float>(std::lround(255.0 * colors[c]) / 255.0));
    }
  return out;
}

/// A fresh folder of the test that runs, with files in it.
class ImageFolder {
 public:
  ImageFolder() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = testing::TempDir() + "fewdim." + test->test_suite_name() + "." + test->name();
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~ImageFolder() { std::filesystem::remove_all(path_); }
  ImageFolder(const ImageFolder&) = delete;
  ImageFolder& operator=(const ImageFolder&) = delete;

  std::string add(const std::string& name, const std::string& bytes) const {
    const std::filesystem::path file = std::filesystem::path(path_) / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
    return file.string();
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// The message of the DataError that a call throws; anything else fails the test.
template <class Call>
std::string data_error_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data) << error.what();
    return error.message(speak_command_line);
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

}  // namespace fewdim::test
