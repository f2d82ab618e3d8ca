#include "search/reasons.hpp"

#include <algorithm>
#include <cmath>

#include "fewdim/text_index.hpp"
#include "models/text/term_rows.hpp"

namespace fewdim {

namespace {

/// A document's counts, gathered from the lists of its terms.
Csr<float> row_of(const TextIndex& index, Index document) {
  Csr<float> row;
  row.rows = 1, row.cols = index.terms.size();
  const auto wanted = static_cast<std::int32_t>(document);
  for (Index t = 0; t < index.terms.size(); ++t) {
    const auto first = index.posting_documents.begin() + index.posting_offsets[t],
               last = index.posting_documents.begin() + index.posting_offsets[t + 1];
    const auto at = std::lower_bound(first, last, wanted);
    if (at == last || *at != wanted) continue;
    row.columns.push_back(static_cast<std::int32_t>(t));
    row.values.push_back(index.posting_counts[at - index.posting_documents.begin()]);
  }
  row.offsets.push_back(std::ssize(row.columns));
  return row;
}

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

struct Word {
  Index term;
  std::size_t begin, end;  // bytes
  Index from, to;          // characters
};

/// The words of a text that the index knows, with their places counted in characters, too.
std::vector<Word> words_of(const TextIndex& index, const std::string& text) {
  std::vector<Word> out;
  std::size_t byte = 0;
  Index character = 0;
  const auto advance = [&](std::size_t to) {
    for (; byte < to; ++byte) character += continues(text[byte]) ? 0 : 1;
    return character;
  };
  for (const Token& token : WordSplitter(index.rules).split(text)) {
    const Index term = index.find_word(token.term);
    if (term < 0 || token.begin < byte) continue;  // an n-gram begins before the word that ended it
    const Index from = advance(token.begin);
    out.push_back({term, token.begin, token.end, from, advance(token.end)});
  }
  return out;
}

/// The words [first, last) within `width` characters whose different terms are worth most.
std::pair<std::size_t, std::size_t> best_window(const std::vector<Word>& words, const std::map<Index, double>& worth,
                                                Index width) {
  std::map<Index, Index> inside;
  double sum = 0.0, best = -1.0;
  std::pair<std::size_t, std::size_t> out{0, 0};
  const auto value = [&](Index term) {
    const auto at = worth.find(term);
    return at == worth.end() ? 0.0 : at->second;
  };
  for (std::size_t first = 0, last = 0; first < words.size(); ++first) {
    for (; last < words.size() && words[last].to - words[first].from <= width; ++last)
      if (inside[words[last].term]++ == 0) sum += value(words[last].term);
    if (last == first) {  // one word longer than the window
      ++last;
      if (inside[words[first].term]++ == 0) sum += value(words[first].term);
    }
    if (sum > best + 1e-12) best = sum, out = {first, last};
    if (--inside[words[first].term] == 0) sum -= value(words[first].term);
  }
  return out;
}

}  // namespace

std::map<Index, double> parts_of(const Model& model, Index document, const std::string* text,
                                 const std::vector<float>& query, const Execution& exec) {
  const TextIndex& index = model.index();
  const LinearModel& linear = model.linear();
  Csr<float> row = text ? counted_terms(index, {*text}, exec) : row_of(index, document);
  apply_weights(index.weights, row, exec);
  Vector<double> direction(std::ssize(query));
  for (Index c = 0; c < direction.size(); ++c) direction[c] = static_cast<double>(query[static_cast<std::size_t>(c)]);
  if (linear.output_scale.size() > 0) direction = direction.cwiseProduct(linear.output_scale).eval();
  const double norm = static_cast<double>(index.norms[document]);
  std::map<Index, double> out;
  for (std::size_t e = 0; e < row.columns.size(); ++e)
    out[row.columns[e]] =
        norm > 0.0 ? static_cast<double>(row.values[e]) * linear.map.row(row.columns[e]).dot(direction) / norm : 0.0;
  return out;
}

Snippet snippet_of(const TextIndex& index, const std::string& text, const std::map<Index, double>& parts,
                   const Query& query, Index width) {
  const std::vector<Word> words = words_of(index, text);
  std::map<Index, double> worth;
  double largest = 0.0;
  for (const auto& [term, part] : parts) largest = std::max(largest, part);
  for (const auto& [term, part] : parts)
    if (part > 0.0) worth[term] = part;
  for (const CountedTerm& word : all_words(query)) worth[word.term] += std::max(largest, 1e-3);
  const auto [first, last] = best_window(words, worth, width);

  // From a little before the first word that counts: a line reads better from its beginning.
  Index room = width, begin_character = 0;
  std::size_t begin = 0;
  if (!words.empty()) {
    const Index taken = words[std::max(last, first + 1) - 1].to - words[first].from;
    const Index before = std::min(words[first].from, std::max<Index>(0, (width - taken) / 2));
    begin_character = words[first].from - before;
    for (Index character = 0; begin < text.size() && character < begin_character; ++begin)
      if (begin + 1 >= text.size() || !continues(text[begin + 1])) ++character;
    if (begin > 0)  // not inside of a word
      for (const Word& word : words)
        if (word.begin < begin && begin < word.end) begin = word.begin;
  }
  std::size_t end = begin;
  for (; end < text.size() && room > 0; --room) {
    ++end;
    while (end < text.size() && continues(text[end])) ++end;
  }
  if (end < text.size())
    for (const Word& word : words)
      if (word.begin < end && end < word.end) end = word.begin > begin ? word.begin : word.end;

  Snippet out;
  if (begin > 0) out.text = "…";
  std::size_t next = 0;
  bool blank = true;
  for (std::size_t at = begin; at < end; ++at) {
    while (next < words.size() && words[next].begin < at) ++next;
    if (next < words.size() && words[next].begin == at && words[next].end <= end) {
      const Word& word = words[next];
      const auto value = worth.find(word.term);
      const bool matters = value != worth.end() && value->second >= 0.25 * std::max(largest, 1e-3);
      const std::size_t from = out.text.size();
      out.text.append(text, word.begin, word.end - word.begin);
      if (matters) out.marks.emplace_back(from, out.text.size());
      at = word.end - 1;
      blank = false;
      continue;
    }
    const char c = text[at];
    const bool is_blank = c == '\n' || c == '\t' || c == ' ' || c == '\r' || c == '\v' || c == '\f';
    if (is_blank && blank) continue;
    out.text += is_blank ? ' ' : c;
    blank = is_blank;
  }
  while (out.text.ends_with(' ')) out.text.pop_back();
  if (end < text.size()) out.text += " …";
  return out;
}

}  // namespace fewdim
