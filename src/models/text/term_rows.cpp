#include "models/text/term_rows.hpp"

#include <map>

#include "fewdim/text_index.hpp"

namespace fewdim {

namespace {

constexpr std::size_t kFew = 64;  // texts that are looked up word by word; more are worth a table of the terms

Csr<float> counted_one_by_one(const TextIndex& index, const std::vector<std::string>& texts) {
  const WordSplitter splitter(index.rules);
  Csr<float> out;
  out.rows = std::ssize(texts), out.cols = index.terms.size();
  for (const std::string& text : texts) {
    std::map<Index, float> counts;
    for (const Token& token : splitter.split(text))
      if (const Index term = index.terms.find(token.term); term >= 0) counts[term] += 1.0F;
    for (const auto& [term, count] : counts) {
      out.columns.push_back(static_cast<std::int32_t>(term));
      out.values.push_back(count);
    }
    out.offsets.push_back(std::ssize(out.columns));
  }
  return out;
}

}  // namespace

Csr<float> counted_terms(const TextIndex& index, const std::vector<std::string>& texts, const Execution& exec) {
  if (texts.size() <= kFew) return counted_one_by_one(index, texts);
  std::vector<std::string> terms;
  terms.reserve(static_cast<std::size_t>(index.terms.size()));
  for (Index t = 0; t < index.terms.size(); ++t) terms.emplace_back(index.terms[t]);
  return count_terms(texts, terms, WordSplitter(index.rules), exec);
}

Dataset weighted_terms(const TextIndex& index, const std::vector<std::string>& texts, const Execution& exec) {
  Csr<float> rows = counted_terms(index, texts, exec);
  apply_weights(index.weights, rows, exec);
  return rows;
}

}  // namespace fewdim
