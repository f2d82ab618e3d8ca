#include <fmt/format.h>

#include <algorithm>

#include "data/input/file_format.hpp"
#include "data/input/input.hpp"
#include "fewdim/error.hpp"
#include "images/formats.hpp"

namespace fewdim {

namespace {

/// What people have that is not decoded, to say so by name.
struct Foreign {
  std::string_view head, name;
};
constexpr Foreign foreign[] = {{"GIF8", "GIF"},     {"RIFF", "WebP or another RIFF file"},
                               {"II*", "TIFF"},     {std::string_view("MM\0*", 4), "TIFF"},
                               {"P1", "PBM"},       {"P4", "PBM"},
                               {"P7", "PAM"},       {"%PDF", "PDF"},
                               {"\x1f\x8b", "gzip"}};

/// A letter or two alone begin many a text: a blank must follow in PNM, and BMP has its size and zeros.
bool begins_as_pnm(std::string_view head) {
  for (const std::string_view kind : {"P2", "P3", "P5", "P6"})
    if (head.starts_with(kind))
      return head.size() < 3 || std::string_view(" \t\r\n#").find(head[2]) != std::string_view::npos;
  return false;
}

bool begins_as_bmp(std::string_view head) {
  return head.starts_with("BM") && (head.size() < 10 || head.substr(6, 4) == std::string_view("\0\0\0\0", 4));
}

const ImageFormatCard* find_image_format(std::string_view head) {
  const auto found = std::ranges::find_if(image_formats(), [&](const auto& card) { return card.recognize(head); });
  return found == image_formats().end() ? nullptr : &*found;
}

}  // namespace

const std::vector<ImageFormatCard>& image_formats() {
  static const std::vector<ImageFormatCard> cards{
      {.name = "png",
       .title = "PNG",
       .about = "8 and 16 bits a sample, gray, colors and palettes",
       .endings = {".png"},
       .writes = true,
       .recognize = [](std::string_view head) { return head.starts_with("\x89PNG\r\n\x1a\n"); },
       .decode = decode_png},
      {.name = "jpeg",
       .title = "JPEG",
       .about = "gray and colors, turned as the EXIF orientation says",
       .endings = {".jpg", ".jpeg", ".jpe", ".jfif"},
       .recognize = [](std::string_view head) { return head.starts_with("\xff\xd8\xff"); },
       .decode = decode_jpeg},
      {.name = "pnm",
       .title = "PGM, PPM",
       .about = "portable gray and color maps, binary or in text (P2, P3, P5, P6)",
       .endings = {".pgm", ".ppm", ".pnm"},
       .recognize = begins_as_pnm,
       .decode = decode_pnm},
      {.name = "bmp",
       .title = "BMP",
       .about = "uncompressed bitmaps",
       .endings = {".bmp", ".dib"},
       .recognize = begins_as_bmp,
       .decode = decode_bmp},
  };
  return cards;
}

std::string image_titles(std::string_view word) {
  std::vector<std::string> titles;
  for (const ImageFormatCard& card : image_formats()) titles.push_back(card.title);
  return listed(titles, word);
}

void refuse_image(const EncodedImage& file, const std::string& what) {
  throw DataError(fmt::format("{}: {}", file.name, what));
}

bool is_image(std::string_view head) { return find_image_format(head) != nullptr; }

Image decode_image(std::string_view bytes, const std::string& name, const ImageOptions& options,
                   const Execution& exec) {
  const EncodedImage file{bytes, name};
  if (bytes.empty()) refuse_image(file, "is empty; give an image");
  if (const ImageFormatCard* card = find_image_format(bytes)) return card->decode(file, options, exec);
  for (const Foreign& kind : foreign)
    if (bytes.starts_with(kind.head))
      refuse_image(file, fmt::format("is {}, which is not supported; convert it to {}", kind.name, image_titles("or")));
  refuse_image(file,
               fmt::format("is no image that is known: its first bytes are those of neither {}", image_titles("nor")));
}

Image read_image(const std::string& path, const ImageOptions& options, const Execution& exec) {
  const Bytes bytes = load(path, exec);
  return decode_image(bytes.text, shown_name(path), options, exec);
}

}  // namespace fewdim
