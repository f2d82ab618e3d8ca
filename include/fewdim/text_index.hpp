#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fewdim/export.hpp"
#include "fewdim/types.hpp"
#include "fewdim/words.hpp"

namespace fewdim {

/// Numbers where they lie: in memory of their own, or in the mapping of a file.
template <class T>
class SharedArray {
 public:
  SharedArray() = default;
  SharedArray(std::vector<T> numbers) {  // NOLINT: takes over
    auto owned = std::make_shared<const std::vector<T>>(std::move(numbers));
    view_ = *owned;
    owner_ = std::move(owned);
  }
  SharedArray(std::span<const T> view, std::shared_ptr<const void> owner) : view_(view), owner_(std::move(owner)) {}

  Index size() const { return std::ssize(view_); }
  bool empty() const { return view_.empty(); }
  const T* data() const { return view_.data(); }
  const T& operator[](Index i) const { return view_[static_cast<std::size_t>(i)]; }
  auto begin() const { return view_.begin(); }
  auto end() const { return view_.end(); }
  std::span<const T> view() const { return view_; }

 private:
  std::span<const T> view_{};
  std::shared_ptr<const void> owner_{};
};

/// Strings one behind the other.
class FEWDIM_API StringList {
 public:
  StringList() = default;
  StringList(const std::vector<std::string>& strings);  // NOLINT: copies
  /// `ends`: where each ends in `bytes`, never falling, the last at its size.
  StringList(SharedArray<char> bytes, SharedArray<std::int64_t> ends)
      : bytes_(std::move(bytes)), ends_(std::move(ends)) {}

  Index size() const { return ends_.size(); }
  std::string_view operator[](Index i) const {
    const std::int64_t begin = i == 0 ? 0 : ends_[i - 1];
    return {bytes_.data() + begin, static_cast<std::size_t>(ends_[i] - begin)};
  }
  /// Its place in a list that is sorted by bytes; −1 where it is not.
  Index find(std::string_view text) const;
  const SharedArray<char>& bytes() const { return bytes_; }
  const SharedArray<std::int64_t>& ends() const { return ends_; }

 private:
  SharedArray<char> bytes_;
  SharedArray<std::int64_t> ends_;
};

/// Texts, packed by zstd in frames of some 64 KiB.
class FEWDIM_API PackedTexts {
 public:
  PackedTexts() = default;
  /// Packs texts that come one after the other.
  class FEWDIM_API Builder {
   public:
    /// Above `most` bytes they go to a file without a name.
    explicit Builder(std::uint64_t most = UINT64_MAX);
    ~Builder();
    void add(std::string_view text);
    PackedTexts finish();
    std::uint64_t bytes() const;  ///< of memory

   private:
    struct Packed;
    void close_frame();
    std::string open_;
    std::unique_ptr<Packed> packed_;
    std::vector<std::int64_t> frames_, ends_;
  };
  /// `frames`: where each frame ends in `bytes`; `ends`: where each text ends in all of them unpacked.
  PackedTexts(SharedArray<char> bytes, SharedArray<std::int64_t> frames, SharedArray<std::int64_t> ends);

  Index size() const { return ends_.size(); }
  /// Text i. Throws DataError where a frame does not unpack to what it should.
  std::string operator[](Index i) const;
  const SharedArray<char>& bytes() const { return bytes_; }
  const SharedArray<std::int64_t>& frames() const { return frames_; }
  const SharedArray<std::int64_t>& ends() const { return ends_; }

 private:
  SharedArray<char> bytes_;
  SharedArray<std::int64_t> frames_, ends_;
  std::vector<std::int64_t> frame_begins_;  ///< of unpacked bytes
};

/// The counts of words by word: word w is in documents[p] counts[p] times, for p from offsets[w] to offsets[w+1],
/// documents rising. One word's part of them:
struct WordPostings {
  std::span<const std::int32_t> documents{};
  std::span<const float> counts{};
};

/// What a model of documents has beside its linear map: its words, and the documents as they can be searched.
struct FEWDIM_API TextIndex {
  WordRules rules{};
  TermWeights weights{};
  StringList terms{};   ///< sorted by bytes: the columns of the data, the rows of the map
  StringList ids{};     ///< one a document
  PackedTexts texts{};  ///< one a document, or none

  /// The counts by terms: term t is in posting_documents[p] posting_counts[p] times, for p from posting_offsets[t] to
  /// posting_offsets[t+1], documents rising.
  SharedArray<std::int64_t> posting_offsets{};
  SharedArray<std::int32_t> posting_documents{};
  SharedArray<float> posting_counts{};
  SharedArray<float> lengths{};  ///< terms of each document, with repeats

  SharedArray<float> places{};  ///< N×k, one row after the other: coordinates of unit length, or 0
  SharedArray<float> norms{};   ///< their length before

  /// Words that are no terms, sorted: the limits of the fit left them out (in too few documents, or too many), or they
  /// came with documents that were added later. They have no place among the concepts and are found by matching. Their
  /// counts as those of the terms.
  StringList other_words{};
  SharedArray<std::int64_t> other_offsets{};
  SharedArray<std::int32_t> other_documents{};
  SharedArray<float> other_counts{};
  /// Every word of the documents but for stop words is a term or among those. Not so for an index by a vocabulary, and
  /// one that was made before other words were kept.
  bool all_words = false;

  Index folded = 0;     ///< the last so many documents were not part of the fit, but folded in
  double drift = 0.0;   ///< of those: the mean share of a document (its square) that lies outside of the map
  double inside = 0.0;  ///< of the documents of the fit: the same share

  Index documents() const { return ids.size(); }
  /// The number of a document by its id; −1 where there is none.
  Index document(std::string_view id) const;

  /// Terms and other words under one numbering: first the terms.
  Index words() const { return terms.size() + other_words.size(); }
  bool is_term(Index word) const { return word < terms.size(); }
  std::string_view word(Index i) const { return is_term(i) ? terms[i] : other_words[i - terms.size()]; }
  Index find_word(std::string_view text) const;  ///< −1 where it is none
  WordPostings postings(Index word) const;
  std::uint64_t bytes() const;
};

}  // namespace fewdim
