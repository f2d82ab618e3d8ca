#include "text/term_counting.hpp"
#include "text/word_scanner.hpp"

namespace fewdim {

std::int32_t CountingLane::term_of(std::string_view text, const RawWord& word) {
  const std::size_t size = word.end - word.begin;
  std::int32_t term = seen_.find(text, word.begin, size);
  if (term != RawWords::kUnknown) return term;
  const std::string_view made = maker_.make(text.substr(word.begin, size), word.ideograph);
  term = made.empty() ? -1 : table.add_word(made);
  seen_.remember(term);
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
  for (RawWord word; scanner.next(word);) {
    ++words;
    const std::int32_t term = term_of(text, word);
    if (term >= 0) add_word(term);
  }
  documents.resize(static_cast<std::size_t>(table.size()));
  ++out.documents;
  out.put(touched_.size());
  for (const std::int32_t term : touched_) {
    const auto i = static_cast<std::size_t>(term);
    const std::uint64_t code = static_cast<std::uint64_t>(term) << 1;
    if (counts_[i] == 1) {
      out.put(code);
    } else {
      out.put(code | 1);
      out.put(counts_[i]);
    }
    ++documents[i];
    counts_[i] = 0;
  }
  touched_.clear();
}

std::uint64_t CountingLane::bytes() const {
  return table.bytes() + seen_.bytes() +
         sizeof(std::int32_t) * (documents.capacity() + counts_.capacity() + touched_.capacity());
}

}  // namespace fewdim
