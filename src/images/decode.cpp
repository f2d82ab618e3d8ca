#include <fmt/format.h>

#include "data/input/input.hpp"
#include "fewdim/error.hpp"
#include "images/formats.hpp"

namespace fewdim {

namespace {

using Decoder = Image (*)(const EncodedImage&, const ImageOptions&, const Execution&);

struct Magic {
  std::string_view head;
  Decoder decode;
};

constexpr Magic magics[] = {{"\x89PNG\r\n\x1a\n", decode_png},
                            {"\xff\xd8\xff", decode_jpeg},
                            {"P2", decode_pnm},
                            {"P3", decode_pnm},
                            {"P5", decode_pnm},
                            {"P6", decode_pnm},
                            {"BM", decode_bmp}};

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
bool begins_as(std::string_view bytes, const Magic& magic) {
  if (!bytes.starts_with(magic.head)) return false;
  if (magic.decode == decode_pnm)
    return bytes.size() < 3 || std::string_view(" \t\r\n#").find(bytes[2]) != std::string_view::npos;
  if (magic.decode == decode_bmp) return bytes.size() < 10 || bytes.substr(6, 4) == std::string_view("\0\0\0\0", 4);
  return true;
}

const Magic* find_magic(std::string_view bytes) {
  for (const Magic& magic : magics)
    if (begins_as(bytes, magic)) return &magic;
  return nullptr;
}

}  // namespace

void refuse_image(const EncodedImage& file, const std::string& what) {
  throw DataError(fmt::format("{}: {}", file.name, what));
}

bool is_image(std::string_view head) { return find_magic(head) != nullptr; }

Image decode_image(std::string_view bytes, const std::string& name, const ImageOptions& options,
                   const Execution& exec) {
  const EncodedImage file{bytes, name};
  if (bytes.empty()) refuse_image(file, "is empty; give an image");
  if (const Magic* magic = find_magic(bytes)) return magic->decode(file, options, exec);
  for (const Foreign& kind : foreign)
    if (bytes.starts_with(kind.head))
      refuse_image(file,
                   fmt::format("is {}, which is not supported; convert it to PNG, JPEG, PGM, PPM or BMP", kind.name));
  refuse_image(file, "is no image that is known: its first bytes are those of neither PNG, JPEG, PGM, PPM nor BMP");
}

Image read_image(const std::string& path, const ImageOptions& options, const Execution& exec) {
  const Bytes bytes = load(path, exec);
  return decode_image(bytes.text, shown_name(path), options, exec);
}

}  // namespace fewdim
