#include "images/formats.hpp"

namespace fewdim {

namespace {

/// Numbers of a TIFF block, in the byte order that it declares; 0 outside of it.
class TiffBytes {
 public:
  explicit TiffBytes(std::string_view bytes) : bytes_(bytes), little_(bytes.starts_with("II")) {}

  std::uint32_t number(std::size_t at, std::size_t size) const {
    if (at > bytes_.size() || size > bytes_.size() - at) return 0;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size; ++i)
      value = value << 8U | static_cast<unsigned char>(bytes_[at + (little_ ? size - 1 - i : i)]);
    return value;
  }
  bool sound() const { return (little_ || bytes_.starts_with("MM")) && number(2, 2) == 42; }

 private:
  std::string_view bytes_;
  bool little_;
};

}  // namespace

int exif_orientation(std::string_view block) {
  constexpr std::size_t header = 6, entry_size = 12;  // "Exif", two zeros; tag, type, count, value
  constexpr std::uint32_t orientation_tag = 0x0112, short_type = 3;
  if (block.size() < header) return 1;
  const TiffBytes tiff(block.substr(header));
  if (!tiff.sound()) return 1;
  const std::size_t directory = tiff.number(4, 4);
  const std::size_t entries = tiff.number(directory, 2);
  for (std::size_t i = 0; i < entries; ++i) {
    const std::size_t at = directory + 2 + i * entry_size;
    if (tiff.number(at, 2) != orientation_tag || tiff.number(at + 2, 2) != short_type) continue;
    const std::uint32_t value = tiff.number(at + 8, 2);
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

Image oriented(Image image, int orientation) {
  if (orientation <= 1 || orientation > 8) return image;
  const bool swapped = orientation >= 5;
  Image out{.height = swapped ? image.width : image.height,
            .width = swapped ? image.height : image.width,
            .channels = image.channels,
            .values = std::vector<float>(image.values.size())};
  // What stands at row r and column c of the stored image belongs at row y and column x.
  for (Index r = 0; r < image.height; ++r)
    for (Index c = 0; c < image.width; ++c) {
      const Index right = image.width - 1 - c, up = image.height - 1 - r;
      Index y = r, x = c;
      switch (orientation) {
        case 2:
          x = right;
          break;
        case 3:
          y = up, x = right;
          break;
        case 4:
          y = up;
          break;
        case 5:
          y = c, x = r;
          break;
        case 6:
          y = c, x = up;
          break;
        case 7:
          y = right, x = up;
          break;
        default:
          y = right, x = r;
          break;
      }
      for (Index k = 0; k < image.channels; ++k)
        out.values[static_cast<std::size_t>((y * out.width + x) * out.channels + k)] =
            image.values[static_cast<std::size_t>((r * image.width + c) * image.channels + k)];
    }
  return out;
}

}  // namespace fewdim
