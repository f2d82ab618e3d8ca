#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>

#include "base/memory.hpp"
#include "data/numpy/npy.hpp"

namespace fewdim {

static_assert(std::endian::native == std::endian::little, "views into .npy files assume a little-endian machine");

namespace {

constexpr std::string_view magic = "\x93NUMPY";

std::string as_tuple(const std::vector<std::uint64_t>& shape) {
  return shape.size() == 1 ? fmt::format("({},)", shape[0]) : fmt::format("({})", fmt::join(shape, ", "));
}

void fill_extents(NpyHeader& header, const std::string& name) {
  std::uint64_t rows = header.shape.empty() ? 1 : header.shape[0], cols = 1, bytes = 0;
  bool overflow = rows > INT64_MAX;
  for (std::size_t i = 1; i < header.shape.size(); ++i)
    overflow |= __builtin_mul_overflow(cols, header.shape[i], &cols) || cols > INT64_MAX;
  overflow |= __builtin_mul_overflow(rows, cols, &bytes);
  overflow |= __builtin_mul_overflow(bytes, std::uint64_t(header.type.size), &bytes) || bytes > INT64_MAX;
  // Nothing in the file vouches for the other extent of an empty array.
  overflow |= (rows == 0 || cols == 0) && std::max(rows, cols) > INT32_MAX;
  if (overflow)
    throw DataError(
        fmt::format("{}: shape {} is more than any file holds; its header is damaged", name, header.shape_text()));
  header.rows = static_cast<Index>(rows);
  header.cols = static_cast<Index>(cols);
  header.data_bytes = bytes;
}

}  // namespace

bool NpyType::numeric() const {
  if (kind == 'b') return size == 1;
  if (kind == 'f') return size == 2 || size == 4 || size == 8;
  return (kind == 'i' || kind == 'u') && (size == 1 || size == 2 || size == 4 || size == 8);
}

std::string NpyHeader::shape_text() const { return as_tuple(shape); }

Index NpyHeader::fortran_column(Index c) const {
  std::vector<Index> digits(shape.size(), 0);
  for (std::size_t i = shape.size() - 1; i > 0; --i) {
    digits[i] = c % static_cast<Index>(shape[i]);
    c /= static_cast<Index>(shape[i]);
  }
  Index place = 0;
  for (std::size_t i = shape.size() - 1; i > 0; --i) place = place * static_cast<Index>(shape[i]) + digits[i];
  return place;
}

std::size_t npy_header_bytes(std::string_view prefix, const std::string& name) {
  if (prefix.substr(0, magic.size()) != magic)
    throw DataError(fmt::format("{}: not a .npy file: its first bytes are {:?}", name, prefix.substr(0, magic.size())));
  const auto byte = [&](std::size_t i) { return std::size_t{static_cast<unsigned char>(prefix[i])}; };
  if (prefix.size() < npy_prefix) throw DataError(fmt::format("{}: ends inside its .npy header; cut short?", name));
  if (byte(6) < 1 || byte(6) > 3 || byte(7) != 0)
    throw DataError(fmt::format("{}: .npy version {}.{} is not known (1.0 to 3.0 are)", name, byte(6), byte(7)));
  if (byte(6) == 1) return 10 + byte(8) + 256 * byte(9);
  return 12 + byte(8) + 256 * byte(9) + 65536 * byte(10) + 16777216 * byte(11);
}

NpyHeader parse_npy_header(std::string_view text, const std::string& name) {
  const std::size_t size = npy_header_bytes(text.substr(0, npy_prefix), name);
  if (size > text.size())
    throw DataError(
        fmt::format("{}: its .npy header takes {} bytes, but only {} are there; cut short?", name, size, text.size()));
  NpyHeader header = parse_npy_dict(text.substr(0, size), text[6] == 1 ? 10 : 12, name);
  header.data_offset = size;
  fill_extents(header, name);
  return header;
}

void require_numeric(const NpyHeader& header, const std::string& name) {
  const auto refuse = [&](std::string_view what, std::string_view remedy) {
    throw DataError(fmt::format("{}: holds {} ('{}'); {}", name, what, header.type.name, remedy));
  };
  switch (header.type.kind) {
    case 'O':
      refuse("Python objects", "pickles are never run; save it with .astype('float64')");
      break;
    case 'c':
      refuse("complex numbers", "save the real and imaginary parts as columns");
      break;
    case 'S':
    case 'U':
      refuse("text", "convert it with .astype('float64') if it spells numbers");
      break;
    case 'V':
      refuse("structured data", "save its numbers alone");
      break;
    case 'M':
    case 'm':
      refuse("dates or times", "convert them with .astype('int64')");
      break;
    default:
      break;
  }
  if (!header.type.numeric()) refuse("numbers of an unusual size", "save it with .astype('float64')");
  if (header.shape.empty())
    throw DataError(fmt::format("{}: a single number (shape ()), not a table; give a 1-d or 2-d array", name));
}

void require_data_bytes(const NpyHeader& header, std::uint64_t found, const std::string& name) {
  if (found == header.data_bytes) return;
  const std::string promise = fmt::format("{}: shape {} of '{}' takes {} bytes", name, header.shape_text(),
                                          header.type.name, header.data_bytes);
  if (found < header.data_bytes) throw DataError(fmt::format("{}, but {} are there; cut short?", promise, found));
  throw DataError(
      fmt::format("{}, but {} are there; remove the {} at the end", promise, found, found - header.data_bytes));
}

std::string npy_header_text(std::string_view descr, const std::vector<std::uint64_t>& shape) {
  std::string dict = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", descr, as_tuple(shape));
  const std::size_t used = 10 + dict.size() + 1;
  dict.append((64 - used % 64) % 64, ' ').push_back('\n');
  std::string header(magic);
  header += {'\x01', '\x00', static_cast<char>(dict.size() & 0xff), static_cast<char>(dict.size() >> 8)};
  return header + dict;
}

}  // namespace fewdim
