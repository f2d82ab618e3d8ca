#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>

#include "base/memory.hpp"
#include "data/npy.hpp"

namespace fewdim {

static_assert(std::endian::native == std::endian::little, "views into .npy files assume a little-endian machine");

namespace {

constexpr std::string_view magic = "\x93NUMPY";

std::string as_tuple(const std::vector<std::uint64_t>& shape) {
  return shape.size() == 1 ? fmt::format("({},)", shape[0]) : fmt::format("({})", fmt::join(shape, ", "));
}

/// Reads the one Python dict literal that a header is.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, std::size_t start, const std::string& name)
      : text_(text), at_(start), name_(name) {}

  NpyHeader parse() {
    NpyHeader header;
    bool descr = false, order = false, shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string_view key = quoted();
      expect(':');
      if (key == "descr" && !descr) {
        descr = true, header.type = parse_type();
      } else if (key == "fortran_order" && !order) {
        order = true, header.fortran = boolean();
      } else if (key == "shape" && !shape) {
        shape = true, header.shape = tuple();
      } else {
        fail(fmt::format("has key '{}' twice, or it is not known", key));
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    const std::size_t rest = text_.find_first_not_of(" \n", at_);
    if (rest != std::string_view::npos) fail(fmt::format("goes on after its '}}' at byte {}", rest));
    if (!descr || !order || !shape) fail("lacks one of 'descr', 'fortran_order' and 'shape'");
    return header;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw DataError(fmt::format("{}: its .npy header {}; save the array again with numpy.save", name_, what));
  }
  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool accept(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (accept(c)) return;
    if (at_ >= text_.size()) fail(fmt::format("ends where '{}' should be", c));
    fail(fmt::format("has {:?} at byte {} where '{}' should be", text_.substr(at_, 1), at_, c));
  }
  bool accept_word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  std::string_view quoted() {
    const char quote = accept('"') ? '"' : '\'';
    if (quote == '\'') expect('\'');
    const std::size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos) fail("has a string without an end");
    const std::string_view inside = text_.substr(at_, end - at_);
    for (const char c : inside)
      if (c < ' ' || c > '~' || c == '\\') fail(fmt::format("has a string with an odd character near byte {}", at_));
    at_ = end + 1;
    return inside;
  }

  bool boolean() {
    skip_blanks();
    if (accept_word("True")) return true;
    if (accept_word("False")) return false;
    fail("has a 'fortran_order' that is neither True nor False");
  }

  std::uint64_t integer() {
    skip_blanks();
    const std::size_t start = at_;
    std::uint64_t value = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_)
      if (__builtin_mul_overflow(value, 10u, &value) ||
          __builtin_add_overflow(value, unsigned(text_[at_] - '0'), &value))
        fail("has a number in its shape beyond 64 bits");
    if (at_ == start) fail(fmt::format("has something else than a number at byte {} of its shape", at_));
    accept_word("L");  // Python 2 wrote long integers so
    return value;
  }

  std::vector<std::uint64_t> tuple() {
    std::vector<std::uint64_t> items;
    expect('(');
    while (!accept(')')) {
      items.push_back(integer());
      if (items.size() > 64) fail("has more than 64 dimensions");
      if (accept(',')) continue;
      expect(')');
      if (items.size() == 1) fail("has a shape that is a number, not a tuple");
      break;
    }
    return items;
  }

  NpyType parse_type() {
    skip_blanks();
    if (at_ < text_.size() && text_[at_] == '[')
      throw DataError(fmt::format(
          "{}: a structured array; save its numbers alone: numpy.lib.recfunctions.structured_to_unstructured", name_));
    const std::string_view text = quoted();
    NpyType type{.name = std::string(text)};
    const auto bad = [&] { fail(fmt::format("has type '{}', which is not known", text)); };
    if (text.size() < 2 || std::string_view("<>|=").find(text[0]) == std::string_view::npos) bad();
    type.kind = text[1];
    type.swapped = text[0] == '>';
    std::uint64_t size = 0;
    std::size_t next = 2;
    for (; next < text.size() && text[next] >= '0' && text[next] <= '9' && size < 100000000; ++next)
      size = size * 10 + unsigned(text[next] - '0');
    const bool dated = type.kind == 'M' || type.kind == 'm';  // "<M8[ns]"
    if (std::string_view("biufcOSUVMm").find(type.kind) == std::string_view::npos || (next < text.size() && !dated))
      bad();
    type.size = static_cast<int>(type.kind == 'U' ? size * 4 : type.kind == 'O' ? 8 : size);
    if (type.numeric() && type.size > 1 && text[0] == '|') bad();
    return type;
  }

  std::string_view text_;
  std::size_t at_;
  const std::string& name_;
};

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
  NpyHeader header = HeaderParser(text.substr(0, size), text[6] == 1 ? 10 : 12, name).parse();
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
