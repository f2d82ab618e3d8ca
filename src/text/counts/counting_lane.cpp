#include "text/counts/term_counting.hpp"
#include "text/words/word_scanner.hpp"

namespace fewdim {

std::int32_t CountingLane::new_word(std::string_view text, const RawWord& word, const RawWords::Key& key) {
  const std::string_view made = maker_.make(text.substr(word.begin, word.end - word.begin), word.ideograph);
  const std::int32_t term = made.empty() ? -1 : table.add_word(made);
  seen_.remember(key, term);
  return term;
}

void CountingLane::touch(std::int32_t term) {
  const auto i = static_cast<std::size_t>(term);
  if (i >= counts_.size()) counts_.resize(i + 1 + i / 2);
  if (counts_[i]++ == 0) touched_.push_back(term);
}

void CountingLane::add_word(std::int32_t term) {
  touch(term);
  for (std::size_t n = runs_.size() - 1; n > 0; --n) {
    const std::int32_t prefix = runs_[n - 1];
    runs_[n] = prefix < 0 ? -1 : table.add_run(prefix, term);
    if (prefix >= 0) touch(runs_[n]);
  }
  runs_[0] = term;
}

void CountingLane::count(std::string_view text, CountChunk& out) {
  std::ranges::fill(runs_, -1);
  WordScanner scanner(text);
  // Some words ahead, so that their slots are on the way from memory before they are looked at.
  for (std::size_t taken = kAhead; taken == kAhead; words += taken) {
    for (taken = 0; taken < kAhead && scanner.next(ahead_[taken]); ++taken) {
      const RawWord& word = ahead_[taken];
      keys_[taken] = seen_.key_of(text, word.begin, word.end - word.begin);
      seen_.prefetch(keys_[taken]);
    }
    for (std::size_t i = 0; i < taken; ++i) {
      std::int32_t term = seen_.find(keys_[i]);
      if (term == RawWords::kUnknown) term = new_word(text, ahead_[i], keys_[i]);
      if (term >= 0) add_word(term);
    }
  }
  put_document(out);
}

void CountingLane::put_document(CountChunk& out) {
  documents.resize(static_cast<std::size_t>(table.size()));
  ++out.documents;
  std::uint8_t* at = out.make_room(2 * touched_.size() + 1);
  CountChunk::put(at, touched_.size());
  for (const std::int32_t term : touched_) {
    const auto i = static_cast<std::size_t>(term);
    const std::uint64_t code = static_cast<std::uint64_t>(term) << 1;
    CountChunk::put(at, counts_[i] == 1 ? code : code | 1);
    if (counts_[i] > 1) CountChunk::put(at, counts_[i]);
    ++documents[i];
    counts_[i] = 0;
  }
  out.written(at);
  touched_.clear();
}

std::uint64_t CountingLane::bytes() const {
  return table.bytes() + seen_.bytes() +
         sizeof(std::int32_t) * (documents.capacity() + counts_.capacity() + touched_.capacity());
}

}  // namespace fewdim
