#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "fewdim/error.hpp"
#include "fewdim/words.hpp"

namespace fewdim {

namespace {

constexpr Index kRowsPerTask = 4096;
constexpr double kSaturation = 1.2;  // k and b of BM25, as Robertson et al. (1994) and everyone after them
constexpr double kLengthShare = 0.75;

/// What the training documents say of a term.
struct TermSums {
  double documents = 0;    ///< n
  double occurrences = 0;  ///< Σ c
  double c_log_c = 0;      ///< Σ c ln c
};

double global_weight(Weighting weighting, double total, const TermSums& term) {
  const double n = term.documents;
  switch (weighting) {
    case Weighting::tf_idf:
      return std::log((1 + total) / (1 + n)) + 1;
    case Weighting::tf_idf_plain:
    case Weighting::log_tf_idf:
      return n > 0 ? std::log(total / n) : 0.0;
    case Weighting::log_entropy: {
      if (n == 0) return 0.0;
      if (total <= 1) return 1.0;  // ln 1 = 0: nothing is known of the spread
      // Σ p ln p with p = c/C is Σ c ln c / C − ln C.
      const double negative_entropy = term.c_log_c / term.occurrences - std::log(term.occurrences);
      const double weight = 1 + negative_entropy / std::log(total);
      return weight < 1e-12 ? 0.0 : weight;  // spread evenly, up to rounding
    }
    case Weighting::bm25:
      return std::log(1 + (total - n + 0.5) / (n + 0.5));
    default:
      return 1.0;
  }
}

double local_weight(const TermWeights& weights, double count, double length) {
  switch (weights.weighting) {
    case Weighting::binary:
      return 1.0;
    case Weighting::histogram:
      return count / length;
    case Weighting::log_tf_idf:
      return 1 + std::log(count);
    case Weighting::log_entropy:
      return std::log1p(count);
    case Weighting::bm25: {
      const double share = weights.mean_length > 0 ? length / weights.mean_length : 1.0;
      return count * (kSaturation + 1) / (count + kSaturation * (1 - kLengthShare + kLengthShare * share));
    }
    default:
      return count;
  }
}

void weigh_row(const TermWeights& weights, const std::int32_t* columns, float* values, std::int64_t size) {
  double length = 0.0, squares = 0.0;
  for (std::int64_t i = 0; i < size; ++i) length += static_cast<double>(values[i]);
  for (std::int64_t i = 0; i < size; ++i) {
    const double count = static_cast<double>(values[i]);
    const double weight = count > 0 ? local_weight(weights, count, length) * weights.global[columns[i]] : 0.0;
    values[i] = static_cast<float>(weight);
    squares += weight * weight;
  }
  if (!weights.normalize || !(squares > 0)) return;
  const double scale = 1 / std::sqrt(squares);
  for (std::int64_t i = 0; i < size; ++i) values[i] = static_cast<float>(static_cast<double>(values[i]) * scale);
}

}  // namespace

TermWeights term_weights(const CsrView<float>& counts, Weighting weighting, bool normalize, const Execution& exec) {
  std::vector<TermSums> sums(static_cast<std::size_t>(counts.cols));
  double total = 0.0;
  for (std::int64_t i = 0; i < counts.nonzeros(); ++i) {
    const double count = static_cast<double>(counts.values[i]);
    if (!(count > 0)) continue;
    TermSums& term = sums[static_cast<std::size_t>(counts.columns[i])];
    term.documents += 1;
    term.occurrences += count;
    if (count > 1) term.c_log_c += count * std::log(count);
    total += count;
  }
  TermWeights weights;
  weights.weighting = weighting;
  weights.normalize = normalize;
  weights.mean_length = counts.rows > 0 ? total / static_cast<double>(counts.rows) : 0.0;
  weights.global.resize(counts.cols);
  for (Index j = 0; j < counts.cols; ++j)
    weights.global[j] = global_weight(weighting, static_cast<double>(counts.rows), sums[static_cast<std::size_t>(j)]);
  report_progress(exec, "weights", counts.rows, counts.rows, "documents");
  return weights;
}

namespace {

void weigh_rows(const TermWeights& weights, const CsrView<float>& rows, float* values, const Execution& exec) {
  if (weights.global.size() != rows.cols)
    throw DataError(
        fmt::format("words: weights of {} terms do not fit counts of {}; use the terms that they were made of",
                    weights.global.size(), rows.cols));
  const Index tasks = (rows.rows + kRowsPerTask - 1) / kRowsPerTask;
  parallel_for(exec, tasks, [&](Index task) {
    const Index last = std::min(rows.rows, (task + 1) * kRowsPerTask);
    for (Index row = task * kRowsPerTask; row < last; ++row) {
      const std::int64_t begin = rows.offsets[row], end = rows.offsets[row + 1];
      weigh_row(weights, rows.columns + begin, values + begin, end - begin);
    }
  });
}

}  // namespace

void apply_weights(const TermWeights& weights, Csr<float>& counts, const Execution& exec) {
  weigh_rows(weights, counts.view(), counts.values.data(), exec);
}

void apply_weights(const TermWeights& weights, CountRows& counts, const Execution& exec) {
  weigh_rows(weights, counts.view(), counts.values.data(), exec);
}

}  // namespace fewdim
