#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace fewdim {

/// A word where it stands: bytes of a text.
struct RawWord {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool ideograph = false;  ///< one character that is a word
};

/// Words of a text in order, by the boundaries of UAX #29:
/// - letters, marks and digits run on; a single ' ’ . : · between letters joins them, and a single ' ’ . , ; digits;
/// - runs of Katakana are words; a Han or Hiragana character is one by itself, and so is a letter of the scripts that
/// are
///   cut by dictionaries (Thai, Lao, Khmer, Myanmar), with its marks;
/// - underscores join, but are taken off at both ends, as in _emphasis_: here we leave the standard;
/// - soft hyphens, joiners and marks belong to the character before them; a zero-width space separates;
/// - bytes that are not UTF-8 separate.
class WordScanner {
 public:
  explicit WordScanner(std::string_view text) : text_(text) {}

  /// False at the end of the text.
  bool next(RawWord& word) {
    const char* const text = text_.data();
    const std::size_t size = text_.size();
    while (true) {
      std::size_t at = at_;
      while (at < size && kind(text[at]) == Byte::separator) ++at;
      at_ = at;
      if (at == size) return false;
      if (kind(text[at]) == Byte::alphanumeric) {
        std::size_t end = at + 1;
        while (end < size && kind(text[end]) == Byte::alphanumeric) ++end;
        if (ends_word(end)) {
          word = {at, end, false};
          at_ = end;
          return true;
        }
      }
      if (next_by_rules(word)) return true;
    }
  }

 private:
  enum class Byte : std::uint8_t { separator, alphanumeric, middle, difficult };
  static const std::array<Byte, 256> kBytes;
  static Byte kind(char c) { return kBytes[static_cast<unsigned char>(c)]; }

  /// Whether a run of ASCII letters and digits ends here for sure: also before a full stop that a blank follows.
  bool ends_word(std::size_t end) const {
    if (end == text_.size()) return true;
    const Byte after = kind(text_[end]);
    if (after == Byte::separator) return true;
    return after == Byte::middle && (end + 1 == text_.size() || kind(text_[end + 1]) == Byte::separator);
  }
  /// Takes the word that begins at at_, or steps over the character there.
  bool next_by_rules(RawWord& word);

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Whether it is digits of any script, with what stands between digits.
bool is_number(std::string_view text);

}  // namespace fewdim
