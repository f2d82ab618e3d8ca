#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/remedy.hpp"
#include "fewdim/words.hpp"
#include "text/counts/term_counting.hpp"
#include "text/counts/term_limits.hpp"
#include "text/words/languages.hpp"
#include "text/words/splitter_state.hpp"
#include "text/words/word_file.hpp"

namespace fewdim {

namespace {

bool is_file(const std::string& stop_words) { return stop_words != "auto" && stop_words != "none"; }

WordRules rules_for(const WordOptions& options, const std::string& language, const std::vector<WordLine>& stop_lines) {
  WordRules rules{language, options.stems && language != "none", {}, options.ngrams, options.shortest, options.numbers};
  if (options.stop_words == "auto" && language != "none") rules.stop_words = stop_words_of(language);
  if (!is_file(options.stop_words)) return rules;
  std::vector<std::string> words;
  for (const WordLine& line : stop_lines) words.push_back(line.text);
  rules.stop_words = folded_stop_words(words, language);
  return rules;
}

/// Terms of a vocabulary's lines as the text's are made, sorted. Lines without a term, as those of stop words, have no
/// part in it.
std::vector<std::string> vocabulary_terms(const std::vector<WordLine>& lines, const std::string& path,
                                          const PreparedRules& rules) {
  TermMaker maker(rules);
  std::vector<std::string> terms;
  for (const WordLine& line : lines) {
    const std::vector<std::string> words = terms_of_line(line.text, maker);
    if (words.empty()) continue;
    if (std::ssize(words) > rules.rules.ngrams)
      throw DataError(fmt::format("{}:{}: a term of {} words, but {}; {}, or give shorter terms", path, line.number,
                                  words.size(), option_is("ngrams", std::to_string(rules.rules.ngrams)),
                                  raise_option("ngrams")));
    terms.push_back(fmt::format("{}", fmt::join(words, " ")));
  }
  std::ranges::sort(terms);
  return terms;
}

/// For every number of the merged table its place among some terms, or -1.
std::vector<std::int32_t> columns_of(const KeptTerms& terms, const MergedCounts& merged) {
  std::vector<std::int32_t> columns(static_cast<std::size_t>(merged.table.size()), -1);
  for (std::size_t i = 0; i < terms.ids.size(); ++i)
    columns[static_cast<std::size_t>(terms.ids[i])] = static_cast<std::int32_t>(i);
  return columns;
}

}  // namespace

struct TermCounter::State {
  explicit State(WordOptions given) : options(std::move(given)) {
    require_limits(options);
    if (is_file(options.stop_words)) stop_lines = read_word_lines(options.stop_words);
    if (!options.vocabulary.empty()) vocabulary = read_word_lines(options.vocabulary);
    if (options.language == "auto")
      detector.emplace();
    else
      decide(options.language);
  }

  void decide(const std::string& language) {
    rules = std::make_unique<PreparedRules>(rules_for(options, language, stop_lines));
    counting.emplace(*rules);
  }

  /// Decides on the documents that were held back, and counts them.
  void release(const Execution& exec) {
    decide(detector->language());
    detector.reset();
    counting->add(held, exec);
    held = {};
  }

  WordOptions options;
  std::vector<WordLine> stop_lines, vocabulary;
  std::optional<LanguageDetector> detector;  ///< while the language is not known
  std::vector<std::string> held;             ///< documents that wait for it
  std::unique_ptr<PreparedRules> rules;
  std::optional<TermCounting> counting;
};

TermCounter::TermCounter(WordOptions options) : state_(std::make_unique<State>(std::move(options))) {}
TermCounter::~TermCounter() = default;
TermCounter::TermCounter(TermCounter&&) noexcept = default;
TermCounter& TermCounter::operator=(TermCounter&&) noexcept = default;

void TermCounter::add(const std::vector<std::string>& texts, const Execution& exec) {
  std::size_t next = 0;
  while (state_->detector && next < texts.size()) {
    state_->detector->add(texts[next]);
    state_->held.push_back(texts[next++]);
    if (state_->detector->enough()) state_->release(exec);
  }
  if (next < texts.size()) state_->counting->add(std::span(texts).subspan(next), exec);
}

Index TermCounter::documents() const {
  return std::ssize(state_->held) + (state_->counting ? state_->counting->documents() : 0);
}

std::uint64_t TermCounter::bytes() const {
  std::uint64_t bytes = state_->counting ? state_->counting->bytes() : 0;
  for (const std::string& text : state_->held) bytes += sizeof text + text.capacity();
  return bytes;
}

TermCounts TermCounter::finish(const Execution& exec, bool others) {
  State& state = *state_;
  if (state.detector) state.release(exec);
  std::vector<std::string> vocabulary;
  if (!state.options.vocabulary.empty())
    vocabulary = vocabulary_terms(state.vocabulary, state.options.vocabulary, *state.rules);
  TermCounting counting = std::move(*state.counting);  // whatever happens below, the counter is empty afterwards
  state.counting.emplace(*state.rules);
  const Index documents = counting.documents();
  const MergedCounts merged = counting.merge();
  LimitedTerms terms =
      apply_limits(merged, documents, state.options, state.options.vocabulary.empty() ? nullptr : &vocabulary);

  TermCounts result;
  if (others && !terms.others.ids.empty()) {
    const Index count = std::ssize(terms.others.ids);
    result.other_counts = counting.matrix(merged, columns_of(terms.others, merged), count, false, exec);
    result.other_words = std::move(terms.others.texts);
  }
  terms.others = {};
  for (const std::int32_t id : terms.kept.ids)
    result.documents.push_back(merged.documents[static_cast<std::size_t>(id)]);
  result.counts = counting.matrix(merged, columns_of(terms.kept, merged), std::ssize(terms.kept.ids), true, exec);
  result.terms = std::move(terms.kept.texts);
  result.words = static_cast<Index>(merged.words);
  result.distinct = merged.table.size();
  result.lengths.setZero(documents);
  for (Index i = 0; i < documents; ++i)
    for (std::int64_t at = result.counts.offsets[static_cast<std::size_t>(i)];
         at < result.counts.offsets[static_cast<std::size_t>(i) + 1]; ++at)
      result.lengths[i] += static_cast<double>(result.counts.values[static_cast<std::size_t>(at)]);
  result.rules = state.rules->rules;
  return result;
}

Csr<float> count_terms(const std::vector<std::string>& texts, const std::vector<std::string>& terms,
                       const WordSplitter& splitter, const Execution& exec) {
  const PreparedRules rules(splitter.rules());
  TermCounting counting(rules);
  counting.add(texts, exec);
  const MergedCounts merged = counting.merge();
  std::vector<std::int32_t> columns(static_cast<std::size_t>(merged.table.size()), -1);
  for (std::int32_t id = 0; id < merged.table.size(); ++id) {
    const std::string text = merged.table.text(id);
    const auto found = std::ranges::lower_bound(terms, text);
    if (found != terms.end() && *found == text)
      columns[static_cast<std::size_t>(id)] = static_cast<std::int32_t>(found - terms.begin());
  }
  const CountRows rows = counting.matrix(merged, columns, std::ssize(terms), true, exec);
  Csr<float> out;
  out.rows = rows.rows, out.cols = rows.cols;
  out.offsets.assign(rows.offsets.begin(), rows.offsets.end());
  out.columns.assign(rows.columns.begin(), rows.columns.end());
  out.values.assign(rows.values.begin(), rows.values.end());
  return out;
}

}  // namespace fewdim
