#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>

#include "fewdim/words.hpp"

struct sb_stemmer;

namespace fewdim {

struct StringHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>{}(text); }
};

/// Rules, ready to be used by many threads.
struct PreparedRules {
  explicit PreparedRules(WordRules given);
  WordRules rules;
  std::unordered_set<std::string, StringHash, std::equal_to<>> stop_words;
  std::size_t longest_stop_word = 0;  ///< bytes
  bool turkish = false;
  bool english = false;
};

/// Makes terms of raw words: fold, cut off articles and possessives, leave out, stem. For one thread: stemmers have
/// state.
class TermMaker {
 public:
  explicit TermMaker(const PreparedRules& rules);
  /// The term of one raw word; empty where it is left out: a stop word, too short, a number, or longer than words are.
  /// Good until the next call.
  std::string_view make(std::string_view raw, bool ideograph);

 private:
  struct Deleter {
    void operator()(sb_stemmer* stemmer) const;
  };
  const PreparedRules& rules_;
  std::unique_ptr<sb_stemmer, Deleter> stemmer_;
  std::string folded_;
};

/// A stop list as text is compared with it: folded by the language's rules, sorted, without repeats.
std::vector<std::string> folded_stop_words(const std::vector<std::string>& words, const std::string& language);

/// The words of one line, kept and stemmed; for vocabularies.
std::vector<std::string> terms_of_line(std::string_view line, TermMaker& maker);

}  // namespace fewdim
