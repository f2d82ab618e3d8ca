#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"

namespace fewdim {

/// How text becomes terms.
struct WordOptions {
  std::string language = "auto";    ///< of stop words and stems: "english", ..., "none", or "auto": detected
  std::string stop_words = "auto";  ///< "auto": the language's; "none"; or a file with one word a line
  bool stems = true;                ///< of the language
  Index ngrams = 1;                 ///< runs of up to so many words are terms too; words left out don't break them
  Index shortest = 2;          ///< characters of a word; shorter ones are left out (but ideographs, which are words)
  bool numbers = true;         ///< take words that are digits only
  double min_documents = 2;    ///< a term is in so many documents at least: a number, or a share below 1
  double max_documents = 1.0;  ///< and in so many at most: a share, or a number above 1
  Index max_terms = 0;         ///< keep those in most documents; 0: all
  std::string vocabulary{};    ///< a file with one term a line: those of them that are met, in how few documents ever
};

/// A term at its place in a text.
struct Token {
  std::string term;       ///< folded, stemmed; of an n-gram its words with blanks between
  std::size_t begin = 0;  ///< bytes of the text it was made from
  std::size_t end = 0;
};

/// What remains of WordOptions once the language is known and files are read: all that a saved model needs to take
/// new text apart in the same way.
struct WordRules {
  std::string language = "none";  ///< a name of languages(), or "none"
  bool stems = false;
  std::vector<std::string> stop_words{};  ///< folded, not stemmed; sorted
  Index ngrams = 1;
  Index shortest = 2;
  bool numbers = true;
};

/// Takes text apart at the word boundaries of UAX #29. Han and Hiragana characters, and letters of scripts that only a
/// dictionary can cut (Thai, Lao, Khmer, Myanmar), are words by themselves; words longer than 256 bytes are left out.
/// Cheap to copy; safe to use from many threads.
class FEWDIM_API WordSplitter {
 public:
  explicit WordSplitter(WordRules rules);
  const WordRules& rules() const;
  /// Terms in the order of the text; what is not UTF-8 separates words.
  std::vector<Token> split(std::string_view text) const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

/// Languages with stems and a stop list.
FEWDIM_API const std::vector<std::string>& word_languages();
/// The stop list of one; folded and sorted.
FEWDIM_API const std::vector<std::string>& stop_words_of(const std::string& language);

/// Sparse rows that can be changed in place: in memory, or in a file without a name where they would take too much.
struct CountRows {
  Index rows = 0;
  Index cols = 0;
  std::span<std::int64_t> offsets{};
  std::span<std::int32_t> columns{};
  std::span<float> values{};
  std::shared_ptr<void> owner{};
  bool on_disk = false;

  CsrView<float> view() const { return {rows, cols, offsets.data(), columns.data(), values.data()}; }
};

/// Terms of documents, counted.
struct TermCounts {
  WordRules rules;
  std::vector<std::string> terms;       ///< sorted by their bytes: the columns
  CountRows counts;                     ///< documents × terms
  Vector<double> lengths;               ///< a document's terms, with repeats; of those in `terms`
  std::vector<std::int32_t> documents;  ///< how many hold the term
  Index words = 0;                      ///< with repeats, before stop words and limits
  Index distinct = 0;                   ///< terms before the limits
  /// Where they were asked for: words that the limits left out, sorted, and their counts. (Runs are not among them:
  /// their words are here or there; and none where there is a vocabulary.)
  std::vector<std::string> other_words{};
  CountRows other_counts{};
};

/// Counts the terms of documents that come in batches; what it has counted does not depend on how they were cut.
class FEWDIM_API TermCounter {
 public:
  explicit TermCounter(WordOptions options);
  ~TermCounter();
  TermCounter(TermCounter&&) noexcept;
  TermCounter& operator=(TermCounter&&) noexcept;
  void add(const std::vector<std::string>& texts, const Execution& exec = {});
  Index documents() const;
  std::uint64_t bytes() const;  ///< of memory that it holds
  /// The counts, limits applied. Throws DataError where no term is left, and says what took them. The counter is empty
  /// afterwards. `others`: count the words that the limits leave out, too.
  TermCounts finish(const Execution& exec = {}, bool others = false);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Counts of known terms in new texts: rows × terms.size(). `terms` is sorted.
FEWDIM_API Csr<float> count_terms(const std::vector<std::string>& texts, const std::vector<std::string>& terms,
                                  const WordSplitter& splitter, const Execution& exec = {});

/// What a count c of a term in a document becomes: local weight × global weight. With N documents, n of them holding
/// the term, p_j its share of occurrences in document j, |x| the document's length and |x̄| the mean one:
enum class Weighting {
  counts,        ///< c
  binary,        ///< 1
  histogram,     ///< c / |x|
  tf_idf,        ///< c · (ln((1 + N)/(1 + n)) + 1)
  tf_idf_plain,  ///< c · ln(N/n)
  log_tf_idf,    ///< (1 + ln c) · ln(N/n)
  log_entropy,   ///< ln(1 + c) · (1 + Σ_j p_j ln p_j / ln N)   (Dumais 1991)
  bm25           ///< c (k+1) / (c + k (1 − b + b |x|/|x̄|)) · ln(1 + (N − n + ½)/(n + ½)), k = 1.2, b = 0.75
};

/// How documents are weighed, once and for all: new ones are weighed by the training documents' numbers.
struct TermWeights {
  Weighting weighting = Weighting::log_entropy;
  bool normalize = true;     ///< rows to unit length
  Vector<double> global;     ///< one a term
  double mean_length = 0.0;  ///< of documents, in terms
};

FEWDIM_API TermWeights term_weights(const CsrView<float>& counts, Weighting weighting, bool normalize,
                                    const Execution& exec = {});
/// In place: values of `counts` become weights.
FEWDIM_API void apply_weights(const TermWeights& weights, Csr<float>& counts, const Execution& exec = {});
FEWDIM_API void apply_weights(const TermWeights& weights, CountRows& counts, const Execution& exec = {});

}  // namespace fewdim
