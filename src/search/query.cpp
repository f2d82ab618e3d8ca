#include "search/query.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/utf8.hpp"
#include "fewdim/text_index.hpp"
#include "models/shapes/linear.hpp"

namespace fewdim {

namespace {

std::vector<std::string_view> characters_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t size = std::max<std::size_t>(1, utf8_character(text));
    out.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return out;
}

/// Edits (Damerau's four) between two words; more than `most` is all the same.
Index edits(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b, Index most) {
  const Index n = std::ssize(a), m = std::ssize(b);
  if (std::abs(n - m) > most) return most + 1;
  std::vector<Index> older(static_cast<std::size_t>(m) + 1), old(older), now(older);
  for (Index j = 0; j <= m; ++j) old[static_cast<std::size_t>(j)] = j;
  for (Index i = 1; i <= n; ++i) {
    now[0] = i;
    Index least = i;
    for (Index j = 1; j <= m; ++j) {
      const auto at = static_cast<std::size_t>(j), row = static_cast<std::size_t>(i);
      Index cost = std::min({old[at] + 1, now[at - 1] + 1, old[at - 1] + (a[row - 1] == b[at - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[row - 1] == b[at - 2] && a[row - 2] == b[at - 1])
        cost = std::min(cost, older[at - 2] + 1);
      now[at] = cost;
      least = std::min(least, cost);
    }
    if (least > most) return most + 1;
    older.swap(old);
    old.swap(now);
  }
  return old[static_cast<std::size_t>(m)];
}

}  // namespace

Query query_of(const Model& model, std::string_view text, const Execution& exec) {
  const TextIndex& index = model.index();
  const LinearModel& linear = model.linear();
  Query out;
  std::map<Index, float> counts;
  for (const Token& token : WordSplitter(index.rules).split(text)) {
    const Index found = index.find_word(token.term);
    if (found < 0 && token.term.find(' ') != std::string::npos) continue;  // a run of words, each of which is judged
    if (found >= 0) counts[found] += 1.0F;
    const std::string word(text.substr(token.begin, token.end - token.begin));
    auto& list = found >= 0 ? out.known : out.unknown;
    if (std::ranges::find(list, word) != list.end()) continue;
    list.push_back(word);
    if (found >= 0 && !index.is_term(found)) out.outside.push_back({word, std::ssize(index.postings(found).documents)});
  }
  Csr<float> row;
  row.rows = 1, row.cols = index.terms.size();
  for (const auto& [term, count] : counts) {
    if (!index.is_term(term)) {
      out.others.push_back({term, count});
      continue;
    }
    out.terms.push_back({term, count});
    row.columns.push_back(static_cast<std::int32_t>(term));
    row.values.push_back(count);
  }
  row.offsets.push_back(std::ssize(row.columns));
  apply_weights(index.weights, row, exec);
  Vector<double> place = Vector<double>::Zero(model.components());
  for (std::size_t e = 0; e < row.columns.size(); ++e)
    place += static_cast<double>(row.values[e]) * linear.map.row(row.columns[e]).transpose();
  if (linear.output_scale.size() > 0) place = place.cwiseProduct(linear.output_scale).eval();
  const double length = place.norm();
  if (length > 0.0)
    for (Index c = 0; c < place.size(); ++c) out.place.push_back(static_cast<float>(place[c] / length));
  return out;
}

std::vector<CountedTerm> all_words(const Query& query) {
  std::vector<CountedTerm> out = query.terms;
  out.insert(out.end(), query.others.begin(), query.others.end());
  return out;
}

double share_of_match(const TextIndex& index, const Query& query, double match) {
  if (match <= 0.0 || query.others.empty()) return match;
  const auto weight = [&](const std::vector<CountedTerm>& words) {
    double sum = 0.0;
    for (const CountedTerm& word : words) sum += static_cast<double>(word.count) * inverse_frequency(index, word.term);
    return sum;
  };
  const double outside = weight(query.others), all = outside + weight(query.terms);
  return all > 0.0 ? match + (1.0 - match) * outside / all : match;
}

std::string shown_term(const TextIndex& index, Index term) {
  constexpr std::size_t kDocuments = 5;
  const std::string stem(index.word(term));
  if (!index.rules.stems || index.texts.size() == 0) return stem;
  const WordSplitter splitter(index.rules);
  WordRules plain = index.rules;
  plain.stems = false;
  const WordSplitter folder(plain);
  std::map<std::string, Index> words;
  const std::span<const std::int32_t> documents = index.postings(term).documents;
  for (const std::int32_t document : documents.first(std::min(kDocuments, documents.size()))) {
    const std::string text = index.texts[document];
    for (const Token& token : splitter.split(text)) {
      if (token.term != stem) continue;
      std::string word;
      for (const Token& part : folder.split(std::string_view(text).substr(token.begin, token.end - token.begin)))
        if (part.term.size() > word.size()) word = part.term;  // of a run: the whole of it is the longest
      if (!word.empty()) ++words[word];
    }
  }
  const auto most = std::ranges::max_element(words, [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second < b.second : a.first.size() > b.first.size();
  });
  return most == words.end() ? stem : most->first;
}

std::vector<std::string> near_spellings(const TextIndex& index, std::string_view word, Index count) {
  const WordSplitter splitter(index.rules);
  const std::vector<Token> tokens = splitter.split(word);
  const std::string folded = tokens.empty() ? std::string(word) : tokens.front().term;
  const auto letters = characters_of(folded);
  const Index most = std::ssize(letters) < 4 ? 1 : 2;
  struct Candidate {
    Index steps, documents, term;
  };
  std::vector<Candidate> found;
  for (Index t = 0; t < index.words(); ++t) {
    const std::string_view term = index.word(t);
    if (std::abs(std::ssize(term) - std::ssize(folded)) > 4 * most) continue;
    const Index steps = edits(letters, characters_of(term), most);
    if (steps <= most) found.push_back({steps, std::ssize(index.postings(t).documents), t});
  }
  std::ranges::sort(found, [](const Candidate& a, const Candidate& b) {
    return a.steps != b.steps           ? a.steps < b.steps
           : a.documents != b.documents ? a.documents > b.documents
                                        : a.term < b.term;
  });
  std::vector<std::string> out;
  for (const Candidate& candidate : found)
    if (std::ssize(out) < count) out.push_back(shown_term(index, candidate.term));
  return out;
}

}  // namespace fewdim
