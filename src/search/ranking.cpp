#include <algorithm>
#include <cmath>
#include <limits>

#include "fewdim/search.hpp"
#include "fewdim/text_index.hpp"
#include "models/text/term_postings.hpp"
#include "search/query.hpp"

namespace fewdim {

struct Rankings::State {
  const Model& model;
  Execution exec;
  std::vector<float> weights;  ///< of the postings, each document scaled to unit length
};

Rankings::Rankings(const Model& model, const Execution& exec) : state_(new State{model, exec, {}}) {
  const TextIndex& index = model.index();
  Csr<float> rows = rows_of(index);
  apply_weights(index.weights, rows, exec);
  state_->weights.resize(static_cast<std::size_t>(index.posting_counts.size()));
  std::vector<std::int64_t> next(index.posting_offsets.begin(), index.posting_offsets.end());
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows.rows); ++i) {
    const auto begin = static_cast<std::size_t>(rows.offsets[i]), end = static_cast<std::size_t>(rows.offsets[i + 1]);
    double square = 0.0;
    for (std::size_t e = begin; e < end; ++e)
      square += static_cast<double>(rows.values[e]) * static_cast<double>(rows.values[e]);
    const double norm = std::sqrt(square);
    for (std::size_t e = begin; e < end; ++e) {
      const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(rows.columns[e])]++);
      state_->weights[at] = norm > 0.0 ? static_cast<float>(static_cast<double>(rows.values[e]) / norm) : 0.0F;
    }
  }
}

Rankings::~Rankings() = default;

std::vector<Index> Rankings::by_meaning(std::string_view text, Index concepts, double match) const {
  const TextIndex& index = state_->model.index();
  const Index n = index.documents(), k = state_->model.components(), used = concepts > 0 ? std::min(concepts, k) : k;
  const Query query = query_of(state_->model, text, state_->exec);
  std::vector<float> scores(static_cast<std::size_t>(n), -std::numeric_limits<float>::infinity());
  match = share_of_match(index, query, match);
  const std::vector<float> matches = match > 0.0 ? bm25_of(index, all_words(query)) : std::vector<float>();
  const float best = matches.empty() ? 0.0F : *std::ranges::max_element(matches);
  double own = 0.0;
  for (Index c = 0; c < used && !query.place.empty(); ++c)
    own += static_cast<double>(query.place[static_cast<std::size_t>(c)]) *
           static_cast<double>(query.place[static_cast<std::size_t>(c)]);
  for (Index i = 0; i < n; ++i) {
    const double matched = best > 0.0F ? static_cast<double>(matches[static_cast<std::size_t>(i)] / best) : 0.0;
    const bool placed = index.norms[i] > 0.0F && own > 0.0;
    if (!placed && matched <= 0.0) continue;  // not found
    const float* place = index.places.data() + i * k;
    double dot = 0.0, square = 0.0;
    for (Index c = 0; c < used && own > 0.0; ++c) {
      const auto x = static_cast<double>(place[c]);
      dot += x * static_cast<double>(query.place[static_cast<std::size_t>(c)]);
      square += x * x;
    }
    const double cosine = square > 0.0 && own > 0.0 ? dot / std::sqrt(square * own) : 0.0;
    scores[static_cast<std::size_t>(i)] = static_cast<float>((1.0 - match) * cosine + match * matched);
  }
  return largest_of(scores, n, -std::numeric_limits<float>::max());
}

std::vector<Index> Rankings::by_terms(std::string_view text) const {
  const TextIndex& index = state_->model.index();
  const Query query = query_of(state_->model, text, state_->exec);
  Csr<float> row;
  row.rows = 1, row.cols = index.terms.size();
  for (const CountedTerm& word : query.terms) {
    row.columns.push_back(static_cast<std::int32_t>(word.term));
    row.values.push_back(word.count);
  }
  row.offsets.push_back(std::ssize(row.columns));
  apply_weights(index.weights, row, state_->exec);
  std::vector<float> scores(static_cast<std::size_t>(index.documents()), 0.0F);
  for (std::size_t e = 0; e < row.columns.size(); ++e)
    for (std::int64_t p = index.posting_offsets[row.columns[e]]; p < index.posting_offsets[row.columns[e] + 1]; ++p)
      scores[static_cast<std::size_t>(index.posting_documents[p])] +=
          row.values[e] * state_->weights[static_cast<std::size_t>(p)];
  return largest_of(scores, index.documents(), 0.0F);
}

std::vector<Index> Rankings::by_bm25(std::string_view text) const {
  const TextIndex& index = state_->model.index();
  const Query query = query_of(state_->model, text, state_->exec);
  return largest_of(bm25_of(index, all_words(query)), index.documents(), 0.0F);
}

}  // namespace fewdim
