#pragma once

#include <array>
#include <cstdint>

namespace fewdim {

/// What a character is to word boundaries: the Word_Break property of UAX #29, as far as words need it.
enum class WordClass : std::uint8_t {
  other,      ///< separates
  letter,     ///< ALetter
  hebrew,     ///< Hebrew_Letter: a letter, with rules of its own for quotes
  numeric,    ///< decimal digits
  katakana,   ///< runs of it are words
  ideograph,  ///< a word by itself: Han, Hiragana, and scripts that only a dictionary can cut (Thai, Lao, Khmer, ...)
  extend_num_let,  ///< joins on both sides: the underscore and its kind
  mid_letter,      ///< joins letters: colon, middle dot
  mid_num,         ///< joins digits: comma, semicolon
  mid_num_let,     ///< joins both: full stop, typographic apostrophe
  single_quote,    ///< the same, ASCII
  double_quote,    ///< joins Hebrew letters
  extend           ///< belongs to what it follows: marks, joiners, soft hyphens
};

/// utf8proc has categories but not this property: it is derived from them, and from tables of Unicode 14.
WordClass word_class(char32_t character);

/// The same for the first 128.
extern const std::array<WordClass, 128> kAsciiClass;

}  // namespace fewdim
