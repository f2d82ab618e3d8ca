#include "text/words/word_scanner.hpp"

#include "base/utf8.hpp"
#include "text/words/word_class.hpp"

namespace fewdim {

namespace {

struct Character {
  WordClass kind = WordClass::other;
  std::size_t size = 0;  ///< bytes; 0 at the end of the text
};

Character character_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return {};
  const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[at + i])); };
  if (byte(0) < 0x80) return {kAsciiClass[byte(0)], 1};
  const std::size_t size = utf8_character(text.substr(at, 4));
  switch (size) {
    case 2:
      return {word_class((byte(0) & 0x1f) << 6 | (byte(1) & 0x3f)), 2};
    case 3:
      return {word_class((byte(0) & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f)), 3};
    case 4:
      return {word_class((byte(0) & 0x07) << 18 | (byte(1) & 0x3f) << 12 | (byte(2) & 0x3f) << 6 | (byte(3) & 0x3f)),
              4};
    default:
      return {WordClass::other, 1};
  }
}

/// After the marks, joiners and soft hyphens that stand at `at`: they belong to what is before them (WB4).
std::size_t skip_extenders(std::string_view text, std::size_t at) {
  while (true) {
    const Character c = character_at(text, at);
    if (c.size == 0 || c.kind != WordClass::extend) return at;
    at += c.size;
  }
}

bool is_letter(WordClass c) { return c == WordClass::letter || c == WordClass::hebrew; }

/// WB5, WB8 to WB10, WB13, WB13a and WB13b.
bool joined(WordClass a, WordClass b) {
  const auto alphanumeric = [](WordClass c) { return is_letter(c) || c == WordClass::numeric; };
  if (alphanumeric(a) && alphanumeric(b)) return true;
  if (a == WordClass::katakana && b == WordClass::katakana) return true;
  const auto joins = [&](WordClass c) {
    return alphanumeric(c) || c == WordClass::katakana || c == WordClass::extend_num_let;
  };
  return (b == WordClass::extend_num_let && joins(a)) || (a == WordClass::extend_num_let && joins(b));
}

/// WB6 and WB7, WB7b and WB7c, WB11 and WB12: `middle` stands between two of a kind.
bool joined(WordClass a, WordClass middle, WordClass b) {
  const bool both = middle == WordClass::mid_num_let || middle == WordClass::single_quote;
  if (is_letter(a) && is_letter(b) && (both || middle == WordClass::mid_letter)) return true;
  if (a == WordClass::hebrew && middle == WordClass::double_quote && b == WordClass::hebrew) return true;
  return a == WordClass::numeric && b == WordClass::numeric && (both || middle == WordClass::mid_num);
}

}  // namespace

const std::array<WordScanner::Byte, 256> WordScanner::kBytes = [] {
  std::array<Byte, 256> kinds{};
  for (int c = 0; c < 256; ++c) {
    const bool alphanumeric = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool middle = c == '\'' || c == '.' || c == ':' || c == ',' || c == ';';
    kinds[static_cast<std::size_t>(c)] = alphanumeric            ? Byte::alphanumeric
                                         : c >= 0x80 || c == '_' ? Byte::difficult
                                         : middle                ? Byte::middle
                                                                 : Byte::separator;
  }
  return kinds;
}();

bool WordScanner::next_by_rules(RawWord& word) {
  const Character first = character_at(text_, at_);
  std::size_t end = skip_extenders(text_, at_ + first.size);
  const std::size_t begin = at_;
  at_ = end;
  if (first.kind == WordClass::ideograph) {
    word = {begin, end, true};
    return true;
  }
  // The word without joiners at its ends goes from `from` to `to`.
  WordClass last = first.kind;
  if (!is_letter(last) && last != WordClass::numeric && last != WordClass::katakana &&
      last != WordClass::extend_num_let)
    return false;
  const bool starts = last != WordClass::extend_num_let;
  std::size_t from = starts ? begin : std::string_view::npos, to = starts ? end : 0;
  while (true) {
    const Character next = character_at(text_, end);
    if (next.size == 0) break;
    std::size_t after = skip_extenders(text_, end + next.size);
    WordClass now = next.kind;
    if (!joined(last, next.kind)) {
      const Character beyond = character_at(text_, after);
      if (joined(last, next.kind, beyond.kind)) {
        now = beyond.kind;
        after = skip_extenders(text_, after + beyond.size);
      } else if (last == WordClass::hebrew && next.kind == WordClass::single_quote) {
        now = WordClass::other;  // WB7a: the quote is the word's, and nothing joins it
      } else {
        break;
      }
    }
    if (now != WordClass::extend_num_let) {
      if (from == std::string_view::npos) from = end;
      to = after;
    }
    end = after;
    last = now;
  }
  at_ = end;
  if (from == std::string_view::npos) return false;
  word = {from, to, false};
  return true;
}

bool is_number(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Character c = character_at(text, at);
    if (c.kind != WordClass::numeric && c.kind != WordClass::mid_num && c.kind != WordClass::mid_num_let &&
        c.kind != WordClass::single_quote)
      return false;
    at += c.size;
  }
  return true;
}

}  // namespace fewdim
