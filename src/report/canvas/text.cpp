#include "report/canvas/text.hpp"

namespace fewdim {

namespace {

struct Decoded {
  char32_t code;
  std::size_t length;
};

/// The first code point; a byte that starts none is U+FFFD.
Decoded decode_one(std::string_view text) {
  struct Lead {
    unsigned char from, to, mask;
    char32_t least;  // shorter forms of a code are not UTF-8
  };
  constexpr Lead leads[] = {
      {0x00, 0x7f, 0x7f, 0}, {0xc2, 0xdf, 0x1f, 0x80}, {0xe0, 0xef, 0x0f, 0x800}, {0xf0, 0xf4, 0x07, 0x10000}};
  const auto first = static_cast<unsigned char>(text[0]);
  for (std::size_t more = 0; more < 4; ++more) {
    const Lead& lead = leads[more];
    if (first < lead.from || first > lead.to || text.size() <= more) continue;
    char32_t code = first & lead.mask;
    bool good = true;
    for (std::size_t k = 1; k <= more; ++k) {
      const auto next = static_cast<unsigned char>(text[k]);
      good = good && (next & 0xc0) == 0x80;
      code = code << 6 | (next & 0x3f);
    }
    good = good && code >= lead.least && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    if (good) return {code, 1 + more};
  }
  return {U'\ufffd', 1};
}

}  // namespace

std::u32string decode_utf8(std::string_view text) {
  std::u32string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto [code, length] = decode_one(text.substr(i));
    i += length;
    const bool blank = code == '\t' || code == '\n' || code == '\r';
    const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xfffe || code == 0xffff;
    out += blank ? U' ' : control ? U'\ufffd' : code;
  }
  return out;
}

std::string encode_utf8(std::u32string_view text) {
  std::string out;
  for (const char32_t code : text) {
    if (code < 0x80) {
      out += static_cast<char>(code);
      continue;
    }
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    constexpr unsigned lead[] = {0, 0xc0, 0xe0, 0xf0};
    out += static_cast<char>(lead[more] | code >> (6 * more));
    for (int shift = 6 * (more - 1); shift >= 0; shift -= 6) out += static_cast<char>(0x80 | (code >> shift & 0x3f));
  }
  return out;
}

}  // namespace fewdim
