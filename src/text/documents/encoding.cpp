#include "text/documents/encoding.hpp"

#include <fmt/format.h>

#include <cstring>

#include "base/remedy.hpp"
#include "base/utf8.hpp"

namespace fewdim {

namespace {

/// Bytes of 1 .. 0x7f that the text begins with, by eight at a time.
std::size_t plain_prefix(std::string_view text) noexcept {
  constexpr std::uint64_t ones = 0x0101010101010101, highs = 0x8080808080808080;
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t word;
    std::memcpy(&word, text.data() + at, 8);
    // With no high bit set, word - ones borrows into one exactly where there is a zero byte.
    if (((word | (word - ones)) & highs) != 0) break;
  }
  while (at < text.size() && text[at] > 0) ++at;
  return at;
}

}  // namespace

std::size_t first_not_text(std::string_view bytes) noexcept {
  for (std::size_t at = 0;;) {
    at += plain_prefix(bytes.substr(at));
    if (at == bytes.size()) return std::string_view::npos;
    if (bytes[at] == '\0') return at;
    const std::size_t size = utf8_character(bytes.substr(at));
    if (size == 0) return at;
    at += size;
  }
}

std::string not_text_reason(std::string_view bytes, std::size_t at) {
  if (bytes[at] == '\0')
    return "a zero byte: it is binary, or UTF-16; give text in UTF-8, or " + set_option("encoding_errors", "replace");
  return fmt::format("the byte 0x{:02x} is not UTF-8; convert it, as with iconv -f latin1 -t utf-8, or give {}",
                     static_cast<unsigned char>(bytes[at]), set_option("encoding_errors", "replace"));
}

Index append_replaced(std::string& out, std::string_view bytes) {
  Index replaced = 0;
  while (!bytes.empty()) {
    const std::size_t at = first_not_text(bytes);
    out.append(bytes.substr(0, at));
    if (at == std::string_view::npos) break;
    out.append(bytes[at] == '\0' ? " " : "\xef\xbf\xbd");
    ++replaced;
    bytes.remove_prefix(at + 1);
  }
  return replaced;
}

void append_code_point(std::string& out, std::uint32_t code) {
  if (code == 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) code = 0xfffd;
  const auto tail = [&](int shift) { out.push_back(static_cast<char>(0x80 | ((code >> shift) & 0x3f))); };
  if (code < 0x80) {
    out.push_back(static_cast<char>(code));
  } else if (code < 0x800) {
    out.push_back(static_cast<char>(0xc0 | (code >> 6)));
    tail(0);
  } else if (code < 0x10000) {
    out.push_back(static_cast<char>(0xe0 | (code >> 12)));
    tail(6), tail(0);
  } else {
    out.push_back(static_cast<char>(0xf0 | (code >> 18)));
    tail(12), tail(6), tail(0);
  }
}

void unify_line_ends(std::string& text) {
  std::size_t from = text.find('\r');
  if (from == std::string::npos) return;
  std::size_t to = from;
  for (; from < text.size(); ++from) {
    const bool ends_line = text[from] == '\r';
    if (ends_line && from + 1 < text.size() && text[from + 1] == '\n') continue;
    text[to++] = ends_line ? '\n' : text[from];
  }
  text.resize(to);
}

}  // namespace fewdim
