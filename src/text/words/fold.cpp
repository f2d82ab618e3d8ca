#include "text/words/fold.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <vector>

namespace fewdim {

namespace {

bool ascii(std::string_view word) {
  return std::ranges::all_of(word, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

struct Folding {
  bool turkish = false;
};

/// Before utf8proc folds it.
utf8proc_int32_t prepared(utf8proc_int32_t c, void* folding) {
  if (c == 0x2018 || c == 0x2019 || c == 0x02bc || c == 0xff07) return '\'';
  if (!static_cast<const Folding*>(folding)->turkish) return c;
  if (c == 'I') return 0x0131;
  return c == 0x0130 ? 'i' : c;
}

}  // namespace

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

void fold(std::string_view word, bool turkish, std::string& out) {
  out.clear();
  if (ascii(word) && !(turkish && word.find('I') != std::string_view::npos)) {
    for (const char c : word) out.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c);
    return;
  }
  Folding folding{turkish};
  constexpr auto options = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_COMPOSE |
                                                          UTF8PROC_CASEFOLD | UTF8PROC_IGNORE);
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(word.data());
  const auto size = static_cast<utf8proc_ssize_t>(word.size());
  std::vector<utf8proc_int32_t> points(word.size() * 4 + 16);
  utf8proc_ssize_t count =
      utf8proc_decompose_custom(bytes, size, points.data(), std::ssize(points), options, prepared, &folding);
  if (count > std::ssize(points)) {
    points.resize(static_cast<std::size_t>(count) + 1);
    count = utf8proc_decompose_custom(bytes, size, points.data(), std::ssize(points), options, prepared, &folding);
  }
  if (count < 0) return;
  count = utf8proc_normalize_utf32(points.data(), count, options);
  utf8proc_int32_t before = 0;
  for (utf8proc_ssize_t i = 0; i < count; ++i) {
    const utf8proc_int32_t c = points[static_cast<std::size_t>(i)];
    const bool blank = utf8proc_category(c) == UTF8PROC_CATEGORY_ZS;
    if (!blank && !(c == 0x0307 && before == 'i')) {
      utf8proc_uint8_t encoded[4];
      const utf8proc_ssize_t length = utf8proc_encode_char(c == 0x02bc ? '\'' : c, encoded);
      out.append(reinterpret_cast<const char*>(encoded), static_cast<std::size_t>(length));
    }
    before = c;
  }
}

}  // namespace fewdim
