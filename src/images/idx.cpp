#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>

#include "fewdim/error.hpp"
#include "images/formats.hpp"

namespace fewdim {

namespace {

constexpr std::size_t magic_bytes = 4, size_bytes = 4;

/// Bytes of a number; 0: no such type.
std::size_t width_of(unsigned char type) {
  switch (type) {
    case 0x08:
    case 0x09:
      return 1;
    case 0x0B:
      return 2;
    case 0x0C:
    case 0x0D:
      return 4;
    case 0x0E:
      return 8;
    default:
      return 0;
  }
}

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char c : bytes) value = value << 8U | static_cast<unsigned char>(c);
  return value;
}

}  // namespace

bool is_idx(std::string_view head) {
  return head.size() >= magic_bytes && head[0] == 0 && head[1] == 0 &&
         width_of(static_cast<unsigned char>(head[2])) > 0 && head[3] != 0;
}

IdxArray parse_idx(std::string_view bytes, const std::string& name) {
  const EncodedImage file{bytes, name};
  if (!is_idx(bytes)) refuse_image(file, "is no IDX file: it does not begin with two zeros, a type and a count");
  IdxArray array;
  array.type = static_cast<unsigned char>(bytes[2]);
  const std::size_t dimensions = static_cast<unsigned char>(bytes[3]);
  const std::size_t header = magic_bytes + dimensions * size_bytes;
  if (bytes.size() < header)
    refuse_image(file, fmt::format("is a damaged IDX file: {} dimensions need a header of {} bytes, and it has {}",
                                   dimensions, header, bytes.size()));
  std::uint64_t total = width_of(array.type);
  bool fits = true;
  for (std::size_t i = 0; i < dimensions; ++i) {
    array.sizes.push_back(big_endian(bytes.substr(magic_bytes + i * size_bytes, size_bytes)));
    fits = fits && !__builtin_mul_overflow(total, array.sizes.back(), &total);
  }
  array.numbers = bytes.substr(header);
  if (!fits || total != array.numbers.size())
    refuse_image(file, fmt::format("is a damaged IDX file: its header declares {} of {} bytes, and {} follow",
                                   fmt::join(array.sizes, "x"), width_of(array.type), array.numbers.size()));
  return array;
}

double idx_number(const IdxArray& array, std::size_t i) {
  const std::size_t width = width_of(array.type);
  const std::uint64_t bits = big_endian(array.numbers.substr(i * width, width));
  switch (array.type) {
    case 0x08:
      return static_cast<double>(bits);
    case 0x09:
      return static_cast<std::int8_t>(bits);
    case 0x0B:
      return static_cast<std::int16_t>(bits);
    case 0x0C:
      return static_cast<std::int32_t>(bits);
    case 0x0D:
      return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    default:
      return std::bit_cast<double>(bits);
  }
}

}  // namespace fewdim
