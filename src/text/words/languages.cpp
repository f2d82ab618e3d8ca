#include "text/words/languages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "fewdim/error.hpp"
#include "fewdim/words.hpp"
#include "text/counts/term_maker.hpp"
#include "text/words/fold.hpp"
#include "text/words/stop_words/lists.hpp"
#include "text/words/word_scanner.hpp"

namespace fewdim {

namespace {

constexpr std::uint64_t kFewestWords = 50;
constexpr std::uint64_t kWordsOfDocument = 1'000;

/// Words between blanks.
std::vector<std::string> words_between_blanks(std::string_view text) {
  std::vector<std::string> words;
  while (true) {
    const std::size_t begin = text.find_first_not_of(" \n");
    if (begin == std::string_view::npos) return words;
    const std::size_t end = std::min(text.find_first_of(" \n", begin), text.size());
    words.emplace_back(text.substr(begin, end - begin));
    text.remove_prefix(end);
  }
}

using Lists = std::vector<std::vector<std::string>>;

const Lists& lists() {
  static const Lists all = [] {
    Lists made;
    for (const StopList& list : stop_lists())
      made.push_back(folded_stop_words(words_between_blanks(list.words), std::string(list.language)));
    return made;
  }();
  return all;
}

/// The languages, as bits, whose list has the word; neighbors that we have no stems for are there too, lest their texts
/// be taken for those of a language that we have.
using Marks = std::unordered_map<std::string, std::uint64_t, StringHash, std::equal_to<>>;

const Marks& marks() {
  static const Marks all = [] {
    Marks made;
    std::uint64_t bit = 1;
    const auto take = [&](const std::vector<std::string>& words) {
      for (const std::string& word : words) made[word] |= bit;
      bit <<= 1;
    };
    for (const std::vector<std::string>& list : lists()) take(list);
    for (const StopList& list : neighbor_lists())
      take(folded_stop_words(words_between_blanks(list.words), std::string(list.language)));
    return made;
  }();
  return all;
}

std::size_t list_number(const std::string& language) {
  const std::vector<std::string>& names = word_languages();
  const auto found = std::ranges::find(names, language);
  if (found == names.end())
    throw InvalidOption("words", "language", language, fmt::format("must be one of {}", fmt::join(names, ", ")),
                        "use none for a language that is not among them, or auto");
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace

const std::vector<std::string>& word_languages() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> made;
    for (const StopList& list : stop_lists()) made.emplace_back(list.language);
    return made;
  }();
  return names;
}

const std::vector<std::string>& stop_words_of(const std::string& language) { return lists()[list_number(language)]; }

void require_language(const std::string& language) { list_number(language); }

std::size_t elided_prefix(std::string_view folded, const std::string& language) {
  const std::size_t apostrophe = folded.find('\'');
  if (apostrophe == std::string_view::npos || apostrophe == 0 || apostrophe + 1 == folded.size()) return 0;
  const std::string_view list = elisions_of(language);
  const std::string key = ' ' + std::string(folded.substr(0, apostrophe)) + ' ';
  return list.find(key) == std::string_view::npos ? 0 : apostrophe + 1;
}

LanguageDetector::LanguageDetector() : hits_(stop_lists().size() + neighbor_lists().size()) {}

void LanguageDetector::add(std::string_view document) {
  bytes_ += document.size();
  WordScanner scanner(document);
  std::uint64_t taken = 0;
  for (RawWord word; taken < kWordsOfDocument && scanner.next(word); ++taken) {
    const std::size_t size = word.end - word.begin;
    ++words_;
    if (size > 64) continue;
    fold(document.substr(word.begin, size), false, folded_);
    auto found = marks().find(folded_);
    if (found == marks().end()) found = marks().find(std::string_view(folded_).substr(0, folded_.find('\'')));  // l'eau
    if (found == marks().end()) continue;
    for (std::size_t i = 0; i < hits_.size(); ++i) hits_[i] += found->second >> i & 1;
  }
}

std::vector<double> LanguageDetector::shares() const {
  std::vector<double> shares;
  for (std::size_t i = 0; i < stop_lists().size(); ++i)
    shares.push_back(words_ == 0 ? 0.0 : static_cast<double>(hits_[i]) / static_cast<double>(words_));
  return shares;
}

std::string LanguageDetector::language() const {
  if (words_ < kFewestWords) return "none";
  const auto best = static_cast<std::size_t>(std::ranges::max_element(hits_) - hits_.begin());
  if (best >= word_languages().size() || hits_[best] * 100 < words_ * 8) return "none";
  // Titles and short descriptions have few stop words; then the lead must be clear.
  const bool few = words_ < 100 || hits_[best] * 100 < words_ * 15;
  for (std::size_t i = 0; i < hits_.size(); ++i) {
    const std::uint64_t lead = hits_[best] - hits_[i];
    if (i != best && (lead * 50 < words_ || lead * (few ? 2 : 12) < hits_[best])) return "none";
  }
  return word_languages()[best];
}

}  // namespace fewdim
