#pragma once

#include <span>
#include <string_view>

namespace fewdim {

/// Function words of a language, written down from its grammar: articles, pronouns, prepositions, conjunctions,
/// auxiliaries and their forms, and the adverbs that work like them. Words are separated by blanks and lines.
struct StopList {
  std::string_view language;
  std::string_view words;
};

/// One for each language of libstemmer, sorted by name.
std::span<const StopList> stop_lists();

/// A few words each of languages without stems whose texts look like another's; for detection only.
std::span<const StopList> neighbor_lists();

/// What an apostrophe ties to the word after it, with blanks around each; empty for most languages.
std::string_view elisions_of(std::string_view language);

// Germanic, Romance, of the East and North of Europe, of Asia: the file of that name.
extern const std::string_view kDanishStops, kDutchStops, kEnglishStops, kGermanStops, kNorwegianStops, kSwedishStops,
    kYiddishStops;
extern const std::string_view kCatalanStops, kFrenchStops, kItalianStops, kPortugueseStops, kRomanianStops,
    kSpanishStops;
extern const std::string_view kArmenianStops, kBasqueStops, kFinnishStops, kGreekStops, kHungarianStops, kIrishStops,
    kLithuanianStops, kRussianStops, kSerbianStops;
extern const std::string_view kArabicStops, kHindiStops, kIndonesianStops, kNepaliStops, kTamilStops, kTurkishStops;

}  // namespace fewdim
