#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fewdim {

/// Throws InvalidOption where there are no stems and no stop list of that name.
void require_language(const std::string& language);

/// Bytes of an article or preposition that an apostrophe ties to the word after it: l'eau, dell'arte, d'amor. 0 where
/// there is none, or where the language has none.
std::size_t elided_prefix(std::string_view folded, const std::string& language);

/// Finds the language of a text by its function words.
class LanguageDetector {
 public:
  LanguageDetector();
  /// Takes up to 1,000 words of each document.
  void add(std::string_view document);
  /// 20,000 words, or 16 MiB of text, are enough.
  bool enough() const { return words_ >= 20'000 || bytes_ >= (std::uint64_t{16} << 20); }
  /// The language whose stop list holds the largest share of the words, or "none": there must be 50 words, the list
  /// must hold 8 % of them, and lead by 2 % of them and by one in twelve of its own; by half of its own where there are
  /// fewer than 100 words, or it holds less than 15 %.
  std::string language() const;
  /// Shares, in the order of word_languages().
  std::vector<double> shares() const;

 private:
  std::uint64_t words_ = 0, bytes_ = 0;
  std::vector<std::uint64_t> hits_;
  std::string folded_;
};

}  // namespace fewdim
