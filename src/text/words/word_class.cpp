#include "text/words/word_class.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace fewdim {

namespace {

struct Range {
  char32_t first, last;
};

// Sorted by `first`; letters among them only, marks and digits are what their category says.
constexpr Range kIdeographs[] = {
    {0x0e01, 0x0e4e},                                            // Thai
    {0x0e80, 0x0eff},                                            // Lao
    {0x1000, 0x109f},                                            // Myanmar
    {0x1780, 0x17df},                                            // Khmer
    {0x1950, 0x19df},                                            // Tai Le, New Tai Lue
    {0x1a20, 0x1aad},                                            // Tai Tham
    {0x3005, 0x3007},   {0x3021, 0x3029},   {0x3038, 0x303a},    // iteration marks, numerals of Han
    {0x3041, 0x3096},   {0x309d, 0x309f},                        // Hiragana
    {0x3400, 0x4dbf},   {0x4e00, 0x9fff},                        // Han
    {0xa9e0, 0xa9fe},   {0xaa60, 0xaa7f},                        // Myanmar
    {0xaa80, 0xaadf},                                            // Tai Viet
    {0xf900, 0xfaff},                                            // Han, compatible
    {0x11700, 0x1174f},                                          // Ahom
    {0x16fe4, 0x16fe4}, {0x17000, 0x18d08},                      // Tangut
    {0x1b001, 0x1b11f}, {0x1b150, 0x1b152}, {0x1b170, 0x1b2fb},  // old kana, Nushu
    {0x20000, 0x3ffff},                                          // Han
};
constexpr Range kKatakana[] = {
    {0x3031, 0x3035}, {0x309b, 0x309c}, {0x30a0, 0x30fa},   {0x30fc, 0x30ff},   {0x31f0, 0x31ff},   {0x32d0, 0x32fe},
    {0x3300, 0x3357}, {0xff66, 0xff9d}, {0x1aff0, 0x1affe}, {0x1b000, 0x1b000}, {0x1b120, 0x1b122}, {0x1b164, 0x1b167},
};
constexpr Range kHebrew[] = {{0x05d0, 0x05ea}, {0x05ef, 0x05f2}, {0xfb1d, 0xfb1d}, {0xfb1f, 0xfb28}, {0xfb2a, 0xfb4f}};
// Alphabetic, but not letters by their category: in circles and squares; and spacing modifiers that are in words.
constexpr Range kLetters[] = {{0x02c2, 0x02c5},   {0x02d2, 0x02d7},  {0x02de, 0x02df}, {0x02e5, 0x02eb},
                              {0x02ed, 0x02ed},   {0x02ef, 0x02ff},  {0x05f3, 0x05f3}, {0x24b6, 0x24e9},
                              {0xa720, 0xa721},   {0xa789, 0xa78a},  {0xab5b, 0xab5b}, {0x1f130, 0x1f149},
                              {0x1f150, 0x1f169}, {0x1f170, 0x1f189}};
constexpr Range kMidLetter[] = {{0x003a, 0x003a}, {0x00b7, 0x00b7}, {0x0387, 0x0387},
                                {0x055f, 0x055f}, {0x05f4, 0x05f4}, {0x2027, 0x2027},
                                {0xfe13, 0xfe13}, {0xfe55, 0xfe55}, {0xff1a, 0xff1a}};
constexpr Range kMidNum[] = {{0x002c, 0x002c}, {0x003b, 0x003b}, {0x037e, 0x037e}, {0x0589, 0x0589}, {0x060c, 0x060d},
                             {0x066c, 0x066c}, {0x07f8, 0x07f8}, {0x2044, 0x2044}, {0xfe10, 0xfe10}, {0xfe14, 0xfe14},
                             {0xfe50, 0xfe50}, {0xfe54, 0xfe54}, {0xff0c, 0xff0c}, {0xff1b, 0xff1b}};
constexpr Range kMidNumLet[] = {{0x002e, 0x002e}, {0x2018, 0x2019}, {0x2024, 0x2024},
                                {0xfe52, 0xfe52}, {0xff07, 0xff07}, {0xff0e, 0xff0e}};

template <std::size_t N>
bool in(const Range (&ranges)[N], char32_t character) {
  const auto* after = std::upper_bound(std::begin(ranges), std::end(ranges), character,
                                       [](char32_t c, const Range& range) { return c < range.first; });
  return after != std::begin(ranges) && character <= std::prev(after)->last;
}

WordClass letter_class(char32_t c) {
  if (in(kIdeographs, c)) return WordClass::ideograph;
  if (in(kKatakana, c)) return WordClass::katakana;
  if (in(kHebrew, c)) return WordClass::hebrew;
  return WordClass::letter;
}

WordClass derive(char32_t c) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_NL:
      if (c == 0xff9e || c == 0xff9f) return WordClass::extend;  // half-width voiced sound marks
      return letter_class(c);
    case UTF8PROC_CATEGORY_ND:
      return WordClass::numeric;
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
      return WordClass::extend;
    case UTF8PROC_CATEGORY_CF:
      return c == 0x200b ? WordClass::other : WordClass::extend;  // a zero-width space is a space
    case UTF8PROC_CATEGORY_PC:
      return WordClass::extend_num_let;
    default:
      break;
  }
  if (c == '\'') return WordClass::single_quote;
  if (c == '"') return WordClass::double_quote;
  if (c == 0x202f) return WordClass::extend_num_let;  // narrow no-break space: 10 000
  if (c == 0x066b) return WordClass::numeric;         // Arabic decimal separator
  if (c >= 0x1f3fb && c <= 0x1f3ff) return WordClass::extend;
  if (in(kMidLetter, c)) return WordClass::mid_letter;
  if (in(kMidNum, c)) return WordClass::mid_num;
  if (in(kMidNumLet, c)) return WordClass::mid_num_let;
  if (in(kKatakana, c)) return WordClass::katakana;
  return in(kLetters, c) ? WordClass::letter : WordClass::other;
}

constexpr char32_t kPlane = 0x10000;

std::vector<WordClass> basic_plane() {
  std::vector<WordClass> classes(kPlane);
  for (char32_t c = 0; c < kPlane; ++c) classes[c] = derive(c);
  return classes;
}

std::array<WordClass, 128> ascii() {
  std::array<WordClass, 128> classes{};
  for (char32_t c = 0; c < 128; ++c) classes[c] = derive(c);
  return classes;
}

}  // namespace

const std::array<WordClass, 128> kAsciiClass = ascii();

WordClass word_class(char32_t character) {
  static const std::vector<WordClass> classes = basic_plane();
  return character < kPlane ? classes[character] : derive(character);
}

}  // namespace fewdim
