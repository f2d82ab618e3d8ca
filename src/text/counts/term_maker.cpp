#include "text/counts/term_maker.hpp"

#include <libstemmer.h>

#include <algorithm>
#include <array>
#include <new>

#include "text/words/fold.hpp"
#include "text/words/languages.hpp"
#include "text/words/word_scanner.hpp"

namespace fewdim {

namespace {

// Longer than any word of a language: addresses, encoded files, and what was made to do harm.
constexpr std::size_t kLongestRaw = 4096;
constexpr std::size_t kLongest = 256;

}  // namespace

PreparedRules::PreparedRules(WordRules given)
    : rules(std::move(given)),
      stop_words(rules.stop_words.begin(), rules.stop_words.end()),
      turkish(rules.language == "turkish"),
      english(rules.language == "english") {
  if (rules.language != "none") require_language(rules.language);
  for (const std::string& word : stop_words) longest_stop_word = std::max(longest_stop_word, word.size());
}

void TermMaker::Deleter::operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }

TermMaker::TermMaker(const PreparedRules& rules) : rules_(rules) {
  if (!rules.rules.stems || rules.rules.language == "none") return;
  stemmer_.reset(sb_stemmer_new(rules.rules.language.c_str(), "UTF_8"));
  if (!stemmer_) throw std::bad_alloc();
}

std::string_view TermMaker::make(std::string_view raw, bool ideograph) {
  if (raw.size() > kLongestRaw) return {};
  fold(raw, rules_.turkish, folded_);
  std::string_view word = folded_;
  // "dog's" and "dogs'" are "dog" and "dogs"; a scanner leaves no apostrophe at the end, but for Hebrew.
  if (rules_.english && word.size() > 2 && word.ends_with("'s")) word.remove_suffix(2);
  word.remove_prefix(elided_prefix(word, rules_.rules.language));
  if (word.empty() || word.size() > kLongest) return {};
  if (!ideograph && characters(word) < static_cast<std::size_t>(std::max<Index>(1, rules_.rules.shortest))) return {};
  if (!rules_.rules.numbers && is_number(word)) return {};
  if (word.size() <= rules_.longest_stop_word && rules_.stop_words.contains(word)) return {};
  if (!stemmer_ || ideograph) return word;
  const auto* symbols = reinterpret_cast<const sb_symbol*>(word.data());
  const sb_symbol* stem = sb_stemmer_stem(stemmer_.get(), symbols, static_cast<int>(word.size()));
  if (!stem) throw std::bad_alloc();
  const int length = sb_stemmer_length(stemmer_.get());
  if (length <= 0) return word;
  return {reinterpret_cast<const char*>(stem), static_cast<std::size_t>(length)};
}

std::vector<std::string> folded_stop_words(const std::vector<std::string>& words, const std::string& language) {
  std::vector<std::string> folded(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) fold(words[i], language == "turkish", folded[i]);
  std::erase(folded, std::string{});
  std::ranges::sort(folded);
  folded.erase(std::unique(folded.begin(), folded.end()), folded.end());
  return folded;
}

std::vector<std::string> terms_of_line(std::string_view line, TermMaker& maker) {
  std::vector<std::string> terms;
  WordScanner scanner(line);
  for (RawWord word; scanner.next(word);) {
    const std::string_view term = maker.make(line.substr(word.begin, word.end - word.begin), word.ideograph);
    if (!term.empty()) terms.emplace_back(term);
  }
  return terms;
}

}  // namespace fewdim
