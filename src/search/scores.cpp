#include "search/scores.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/clones.hpp"
#include "base/parallel.hpp"

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

std::vector<float> bm25_of(const TextIndex& index, const std::vector<CountedTerm>& query) {
  constexpr double k1 = 1.2, b = 0.75;
  const Index n = index.documents();
  std::vector<float> out(static_cast<std::size_t>(n), 0.0F);
  const double mean = index.weights.mean_length > 0.0 ? index.weights.mean_length : 1.0;
  for (const CountedTerm& word : query) {
    const std::int64_t first = index.posting_offsets[word.term], last = index.posting_offsets[word.term + 1];
    const auto holding = static_cast<double>(last - first);
    const double idf = std::log(1.0 + (static_cast<double>(n) - holding + 0.5) / (holding + 0.5));
    for (std::int64_t p = first; p < last; ++p) {
      const Index document = index.posting_documents[p];
      const double c = static_cast<double>(index.posting_counts[p]),
                   length = static_cast<double>(index.lengths[document]);
      const double part =
          static_cast<double>(word.count) * idf * c * (k1 + 1.0) / (c + k1 * (1.0 - b + b * length / mean));
      out[static_cast<std::size_t>(document)] += static_cast<float>(part);
    }
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
