#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fewdim/images.hpp"

/// One decoder per file format, which its card names; each lives in the source file of its name. decode_image() finds
/// the card by the first bytes.
namespace fewdim {

struct EncodedImage {
  std::string_view bytes;
  const std::string& name;  ///< for messages
};

Image decode_png(const EncodedImage& file, const ImageOptions& options, const Execution& exec);
Image decode_jpeg(const EncodedImage& file, const ImageOptions& options, const Execution& exec);
Image decode_pnm(const EncodedImage& file, const ImageOptions& options, const Execution& exec);
Image decode_bmp(const EncodedImage& file, const ImageOptions& options, const Execution& exec);

/// The orientation (1 to 8) that an EXIF block says, which starts with "Exif"; 1 where it says none.
int exif_orientation(std::string_view block);
/// The image as it is to be seen: 2 to 4 are mirrored or turned by 180°, 5 to 8 have their sides swapped.
Image oriented(Image image, int orientation);

/// An IDX file: two zero bytes, a type, the number of dimensions, the dimensions, the numbers (all big-endian).
struct IdxArray {
  std::vector<std::uint64_t> sizes;
  unsigned char type = 0;    ///< 0x08 unsigned bytes, 0x09 signed, 0x0B and 0x0C whole numbers, 0x0D and 0x0E real ones
  std::string_view numbers;  ///< as many as the sizes say: checked
};
bool is_idx(std::string_view head);
/// Throws DataError where it is anything else but one whole array.
IdxArray parse_idx(std::string_view bytes, const std::string& name);
double idx_number(const IdxArray& array, std::size_t i);

[[noreturn]] void refuse_image(const EncodedImage& file, const std::string& what);

}  // namespace fewdim
