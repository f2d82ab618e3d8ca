#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/model.hpp"

namespace fewdim {

struct SearchOptions {
  Index count = 10;
  /// The share of term matching: score = (1 − match) · cosine + match · BM25 / (the best document's BM25). 0 is LSI
  /// alone, 1 is BM25 alone. Where the query has words that are no terms of the concepts (in too few documents, or new
  /// with documents that were added), those can only match: the share is then match + (1 − match) · s, s being their
  /// share of the query by BM25's weights; 0 stays 0.
  double match = 0.2;
  Index snippet = 200;  ///< characters of text around the words that matter; 0: none
  Index reasons = 0;    ///< terms and concepts that made a hit; 0: not asked for
};

/// A piece of a text with the words that matter.
struct Snippet {
  std::string text;                                        ///< on one line; "…" where it was cut
  std::vector<std::pair<std::size_t, std::size_t>> marks;  ///< bytes of `text`, [begin, end)
};

/// A part of a cosine: all parts of a hit's terms, or of its concepts, sum to it.
struct ScorePart {
  std::string name;
  double part = 0.0;
};

struct Hit {
  Index document = 0;  ///< counted from 0
  std::string id{};
  double score = 0.0;
  double cosine = 0.0;
  double bm25 = 0.0;
  Snippet snippet{};
  std::vector<ScorePart> terms{}, concepts{};  ///< the largest first
  std::vector<ScorePart> matches{};  ///< what words of the query add to the score by matching; with (1 − match) ·
                                     ///< cosine they sum to it
};

/// A word of the collection that has no place among the concepts.
struct OutsideWord {
  std::string word;
  Index documents = 0;  ///< that hold it
};

struct SearchResult {
  std::vector<Hit> hits;
  std::vector<std::string> known;    ///< words of the query that the collection has
  std::vector<std::string> unknown;  ///< and those it has not (as far as the index knows: TextIndex::all_words)
  std::vector<OutsideWord> outside;  ///< of the known ones: those that are found by matching alone
  double match = 0.0;                ///< the share of term matching in the scores
  /// For words that are unknown: words of the collection that are written nearly so, most frequent first.
  std::vector<std::pair<std::string, std::vector<std::string>>> suggestions;
};

/// The documents whose meaning is nearest to a text: cosines with all documents, exact. A text without a known word
/// finds nothing, which is no error.
FEWDIM_API SearchResult search(const Model& model, std::string_view text, const SearchOptions& options = {},
                               const Execution& exec = {});
/// Documents near a document, which is not among them.
FEWDIM_API SearchResult similar(const Model& model, Index document, const SearchOptions& options = {},
                                const Execution& exec = {});
/// The number of a document; throws DataError with the nearest id where there is none.
FEWDIM_API Index find_document(const Model& model, std::string_view id);

/// Ranks documents for many queries, by several systems: to compare them. What is not found is not in a ranking, as in
/// a run for trec_eval. Refers to the model.
class FEWDIM_API Rankings {
 public:
  explicit Rankings(const Model& model, const Execution& exec = {});
  ~Rankings();
  Rankings(const Rankings&) = delete;
  Rankings& operator=(const Rankings&) = delete;

  /// By LSI, with the first `concepts` only (0: all); `match` as in SearchOptions. All documents that have a term, or
  /// match a word.
  std::vector<Index> by_meaning(std::string_view text, Index concepts = 0, double match = 0.0) const;
  /// By the cosine of the weighted terms themselves. Documents that share one.
  std::vector<Index> by_terms(std::string_view text) const;
  std::vector<Index> by_bm25(std::string_view text) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

struct NearTerm {
  std::string term;
  double cosine = 0.0;
  Index documents = 0;  ///< that hold it
};

/// Terms near a term (or near the middle of several), by the cosine of the rows of VΣ. Throws DataError, with near
/// spellings, where no word is known.
FEWDIM_API std::vector<NearTerm> near_terms(const Model& model, std::string_view words, Index count,
                                            const Execution& exec = {});

/// What stands at an end of a concept.
struct Pole {
  std::vector<ScorePart> terms;      ///< entries of the concept's direction, the largest first
  std::vector<ScorePart> documents;  ///< ids, with their coordinates
};

struct Topic {
  Index component = 0;
  double singular_value = 0.0;
  double share = 0.0;  ///< of the sum of squares
  Pole plus, minus;
};

/// What concepts [first, first + count) are about: the `top` terms and documents at both ends.
FEWDIM_API std::vector<Topic> topics(const Model& model, Index first, Index count, Index top,
                                     const Execution& exec = {});

}  // namespace fewdim
