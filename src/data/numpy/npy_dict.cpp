#include <fmt/format.h>

#include "data/numpy/npy.hpp"

namespace fewdim {

namespace {

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
    for (; next < text.size() && text[next] >= '0' && text[next] <= '9' && size < 10000000; ++next)
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

}  // namespace

NpyHeader parse_npy_dict(std::string_view text, std::size_t start, const std::string& name) {
  return HeaderParser(text, start, name).parse();
}

}  // namespace fewdim
