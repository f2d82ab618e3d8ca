#include "fewdim/words.hpp"
#include "text/words/splitter_state.hpp"
#include "text/words/word_scanner.hpp"

namespace fewdim {

WordSplitter::WordSplitter(WordRules rules) : state_(std::make_shared<const State>(std::move(rules))) {}

const WordRules& WordSplitter::rules() const { return state_->rules.rules; }

std::vector<Token> WordSplitter::split(std::string_view text) const {
  TermMaker maker(state_->rules);
  std::vector<Token> words;
  WordScanner scanner(text);
  for (RawWord word; scanner.next(word);) {
    const std::string_view term = maker.make(text.substr(word.begin, word.end - word.begin), word.ideograph);
    if (!term.empty()) words.push_back({std::string(term), word.begin, word.end});
  }
  const auto longest = static_cast<std::size_t>(std::max<Index>(1, rules().ngrams));
  if (longest == 1) return words;
  std::vector<Token> tokens;
  for (std::size_t i = 0; i < words.size(); ++i) {
    tokens.push_back(words[i]);
    for (std::size_t n = 1; n < longest && i + n < words.size(); ++n) {
      Token longer = tokens.back();
      longer.term += ' ';
      longer.term += words[i + n].term;
      longer.end = words[i + n].end;
      tokens.push_back(std::move(longer));
    }
  }
  return tokens;
}

}  // namespace fewdim
