#include "search/scores.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/clones.hpp"
#include "base/parallel.hpp"
#include "fewdim/text_index.hpp"

namespace fewdim {

namespace {

constexpr Index kLanes = 16;
constexpr Index kRows = 2048;  // of a task

/// Sixteen sums side by side, added up in a fixed order: the same bits at every vector width.
FEWDIM_CLONES void dot_rows(const float* rows, Index count, Index k, const float* q, float* out) {
  for (Index i = 0; i < count; ++i) {
    const float* row = rows + i * k;
    std::array<float, kLanes> sums{};
    Index c = 0;
    for (; c + kLanes <= k; c += kLanes)
      for (Index l = 0; l < kLanes; ++l) sums[static_cast<std::size_t>(l)] += row[c + l] * q[c + l];
    for (Index l = 0; c < k; ++c, ++l) sums[static_cast<std::size_t>(l)] += row[c] * q[c];
    float sum = 0.0F;
    for (const float part : sums) sum += part;
    out[i] = sum;
  }
}

/// What a word adds to the BM25 of its p-th document; `weight`: its count in the query times its idf.
double bm25_part(const TextIndex& index, double weight, const WordPostings& postings, std::size_t p) {
  constexpr double k1 = 1.2, b = 0.75;
  const double mean = index.weights.mean_length > 0.0 ? index.weights.mean_length : 1.0;
  const double c = static_cast<double>(postings.counts[p]),
               length = static_cast<double>(index.lengths[postings.documents[p]]);
  return weight * c * (k1 + 1.0) / (c + k1 * (1.0 - b + b * length / mean));
}

}  // namespace

std::vector<float> cosines_of(const TextIndex& index, const std::vector<float>& query, const Execution& exec) {
  const Index n = index.documents(), k = std::ssize(query);
  std::vector<float> out(static_cast<std::size_t>(n));
  parallel_for(exec, (n + kRows - 1) / kRows, [&](Index task) {
    const Index first = task * kRows, count = std::min(kRows, n - first);
    dot_rows(index.places.data() + first * k, count, k, query.data(), out.data() + first);
  });
  return out;
}

double inverse_frequency(const TextIndex& index, Index word) {
  const auto n = static_cast<double>(index.documents()),
             holding = static_cast<double>(index.postings(word).documents.size());
  return std::log(1.0 + (n - holding + 0.5) / (holding + 0.5));
}

std::vector<float> bm25_of(const TextIndex& index, const std::vector<CountedTerm>& query) {
  std::vector<float> out(static_cast<std::size_t>(index.documents()), 0.0F);
  for (const CountedTerm& word : query) {
    const double weight = static_cast<double>(word.count) * inverse_frequency(index, word.term);
    const WordPostings postings = index.postings(word.term);
    for (std::size_t p = 0; p < postings.documents.size(); ++p)
      out[static_cast<std::size_t>(postings.documents[p])] += static_cast<float>(bm25_part(index, weight, postings, p));
  }
  return out;
}

std::vector<double> bm25_parts(const TextIndex& index, const std::vector<CountedTerm>& query, Index document) {
  std::vector<double> out;
  for (const CountedTerm& word : query) {
    const double weight = static_cast<double>(word.count) * inverse_frequency(index, word.term);
    const WordPostings postings = index.postings(word.term);
    const auto at = std::ranges::lower_bound(postings.documents, static_cast<std::int32_t>(document));
    const bool there = at != postings.documents.end() && *at == document;
    const auto p = static_cast<std::size_t>(at - postings.documents.begin());
    out.push_back(there ? bm25_part(index, weight, postings, p) : 0.0);
  }
  return out;
}

std::vector<Index> largest_of(const std::vector<float>& scores, Index count, float floor) {
  const auto better = [&](Index a, Index b) {
    const float x = scores[static_cast<std::size_t>(a)], y = scores[static_cast<std::size_t>(b)];
    return x != y ? x > y : a < b;
  };
  std::vector<Index> heap;  // its front is the worst that is kept
  for (Index i = 0; i < std::ssize(scores); ++i) {
    if (!(scores[static_cast<std::size_t>(i)] > floor)) continue;
    if (std::ssize(heap) < count) {
      heap.push_back(i);
      std::ranges::push_heap(heap, better);
    } else if (count > 0 && better(i, heap.front())) {
      std::ranges::pop_heap(heap, better);
      heap.back() = i;
      std::ranges::push_heap(heap, better);
    }
  }
  std::ranges::sort_heap(heap, better);
  return heap;
}

}  // namespace fewdim
