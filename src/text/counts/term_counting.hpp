#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "text/counts/count_store.hpp"
#include "text/counts/term_maker.hpp"
#include "text/counts/term_table.hpp"
#include "text/words/raw_words.hpp"
#include "text/words/word_scanner.hpp"

namespace fewdim {

/// Counts of one thread at a time: its own numbers for terms, so that lanes never wait for each other.
class CountingLane {
 public:
  explicit CountingLane(const PreparedRules& rules)
      : maker_(rules),
        seen_(!rules.turkish),
        runs_(static_cast<std::size_t>(std::max<Index>(1, rules.rules.ngrams)), -1) {}
  void count(std::string_view text, CountChunk& out);
  std::uint64_t bytes() const;

  TermTable table;
  std::vector<std::int32_t> documents;  ///< how many hold the term
  std::uint64_t words = 0;

 private:
  std::int32_t new_word(std::string_view text, const RawWord& word, const RawWords::Key& key);
  void touch(std::int32_t term);
  void add_word(std::int32_t term);
  void put_document(CountChunk& out);

  static constexpr std::size_t kAhead = 16;

  TermMaker maker_;
  RawWords seen_;
  std::array<RawWord, kAhead> ahead_;
  std::array<RawWords::Key, kAhead> keys_;
  std::vector<std::uint32_t> counts_;  ///< of the document at hand
  std::vector<std::int32_t> touched_;  ///< its terms
  std::vector<std::int32_t> runs_;     ///< runs that end at the word before, by length less 1
};

/// All lanes' counts under one numbering.
struct MergedCounts {
  TermTable table;
  std::vector<std::int32_t> documents;          ///< how many hold the term
  std::vector<std::vector<std::int32_t>> maps;  ///< of each lane: its numbers to those of the table
  std::uint64_t words = 0;
};

/// Counts terms of documents on many threads. Which lane takes which documents is left to chance; what comes out of
/// merge() and matrix() depends on the texts alone once terms are put in the order of their bytes.
class TermCounting {
 public:
  explicit TermCounting(const PreparedRules& rules) : rules_(rules) {}
  void add(std::span<const std::string> texts, const Execution& exec);
  Index documents() const { return store_.documents(); }
  std::uint64_t bytes() const;
  /// Ends the counting: lanes are given up.
  MergedCounts merge();
  /// Documents × columns; `columns` has a column, or -1, for every number of the merged table. The last time it
  /// empties the store.
  CountRows matrix(const MergedCounts& merged, const std::vector<std::int32_t>& columns, Index cols, bool last,
                   const Execution& exec);

 private:
  const PreparedRules& rules_;
  std::vector<std::unique_ptr<CountingLane>> lanes_;
  CountStore store_;
};

}  // namespace fewdim
