#include "quality/choice/parallel_analysis.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/blas.hpp"
#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "operators/tiles.hpp"
#include "quality/choice/null_spectrum.hpp"
#include "solvers/eigen/direct.hpp"

namespace fewdim {

namespace {

constexpr double kBudget = 5e10;
constexpr Index kScratch = Index{1} << 25;
constexpr Seed kNoiseSalt = 0x70617261'6c6c656c;  // keeps these draws apart from others under the same seed

bool at_most_five_percent(Index as_large, Index replicates) { return 20 * (1 + as_large) <= 1 + replicates; }

std::uint64_t replicate_bytes(Index rows, Index cols) {
  const auto n = static_cast<std::uint64_t>(rows), d = static_cast<std::uint64_t>(cols), side = std::min(n, d);
  return 8 * (n * d + 2 * side * side) + (std::uint64_t{2} << 20);
}

/// Components are kept while at most 5 % of the replicates reach the eigenvalue of the same rank.
template <class CountAsLarge>
Index leading_significant(const SampleSpectrum& spectrum, Index replicates, const CountAsLarge& count_as_large) {
  const Index rank = spectrum.rank();
  Index k = 0;
  while (k < rank && at_most_five_percent(count_as_large(k), replicates)) ++k;
  return k;
}

/// Column j of the data, standardized, then shuffled (Fisher & Yates) or with signs flipped at random.
void shuffle_column(double* column, Index rows, bool permute, const Random& random) {
  if (permute) {
    for (Index i = rows - 1; i > 0; --i) {
      const auto pick = random.below(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(i) + 1);
      std::swap(column[i], column[pick]);
    }
    return;
  }
  for (Index i = 0; i < rows; ++i)
    if (random.below(static_cast<std::uint64_t>(i), 2) != 0) column[i] = -column[i];
}

KAdvice advice(const SampleSpectrum& spectrum, Index k, const std::string& than) {
  const bool more = !spectrum.whole && k == spectrum.values.size();
  return {"parallel", k,
          fmt::format("{}{} component{} {}{}", more ? "at least " : "", k, k == 1 ? " exceeds" : "s exceed", than,
                      more ? "; only these were computed" : "")};
}

KAdvice against_permutations(const Dataset& data, const SecondMoments& moments, const SampleSpectrum& spectrum,
                             Index replicates, Seed seed, const Execution& exec) {
  std::vector<Vector<double>> nulls(static_cast<std::size_t>(replicates));
  Execution fitting = exec;  // as many at a time as memory allows
  fitting.threads = static_cast<int>(
      std::min<std::uint64_t>(static_cast<std::uint64_t>(thread_count(exec)),
                              memory_limit(exec) / replicate_bytes(moments.rows, moments.mean.size())));
  constexpr Index kRound = 8;
  for (Index first = 0; first < replicates; first += kRound) {
    parallel_for(fitting, std::min(kRound, replicates - first), [&](Index r) {
      nulls[static_cast<std::size_t>(first + r)] = shuffled_spectrum(data, moments, seed, first + r);
    });
    report_progress(exec, "parallel analysis", std::min(replicates, first + kRound), replicates, "replicates");
  }
  const Index k = leading_significant(spectrum, replicates, [&](Index i) {
    Index as_large = 0;
    for (const auto& null : nulls) as_large += null[i] >= spectrum.values[i];
    return as_large;
  });
  const char* what = moments.options.center ? "permutations of the columns" : "random sign flips";
  return advice(spectrum, k, fmt::format("the 95th percentile of {} {}", replicates, what));
}

KAdvice against_normals(const SampleSpectrum& spectrum, Seed seed, const Execution& exec) {
  const Index replicates = std::min(spectrum.freedom(), spectrum.cols) <= 5000 ? 99 : 19;
  std::vector<NoiseSpectrum> nulls(static_cast<std::size_t>(replicates));
  parallel_for(exec, replicates, [&](Index r) {
    nulls[static_cast<std::size_t>(r)] =
        NoiseSpectrum(spectrum.freedom(), spectrum.cols, seed ^ kNoiseSalt, static_cast<std::uint32_t>(r));
  });
  const Index k = leading_significant(spectrum, replicates, [&](Index i) {
    Index as_large = 0;
    for (const auto& null : nulls) as_large += null.count_above(spectrum.values[i]) > i;
    return as_large;
  });
  return advice(spectrum, k,
                fmt::format("the 95th percentile of {} spectra of independent normal columns", replicates));
}

KAdvice against_edge(const SecondMoments& moments, const SampleSpectrum& spectrum) {
  const double edge = noise_edge(moments.variance, spectrum.freedom());
  Index k = 0;
  while (k < spectrum.rank() && spectrum.values[k] > edge) ++k;
  return advice(spectrum, k, fmt::format("{:.4g}, the upper edge for independent columns of these variances", edge));
}

}  // namespace

Index affordable_permutations(Index rows, Index cols, const Execution& exec) {
  const double n = static_cast<double>(rows), d = static_cast<double>(cols), side = std::min(n, d);
  if (n * d > static_cast<double>(kScratch) || replicate_bytes(rows, cols) > memory_limit(exec)) return 0;
  const double each = n * d * side + 4.0 * side * side * side;
  return 99.0 * each <= kBudget ? 99 : 19.0 * each <= kBudget ? 19 : 0;
}

Vector<double> shuffled_spectrum(const Dataset& data, const SecondMoments& moments, Seed seed, Index replicate) {
  const Index rows = moments.rows, cols = moments.mean.size();
  Matrix<double> x(rows, cols);
  {
    RowMatrix<double> tile;
    const Index step = tile_rows_for(cols, sizeof(double));
    for (Index first = 0; first < rows; first += step) {
      const Index count = std::min(step, rows - first);
      tile.resize(count, cols);
      load_rows(data, first, count, tile.data());
      for (Index j = 0; j < cols; ++j) {
        const double factor = moments.inverse_scale.size() > 0 ? moments.inverse_scale[j] : 1.0;
        for (Index i = 0; i < count; ++i) x(first + i, j) = (tile(i, j) - moments.mean[j]) * factor;
      }
    }
  }
  for (Index j = 0; j < cols; ++j) {
    const auto stream = static_cast<std::uint32_t>(replicate * cols + j);
    shuffle_column(&x(0, j), rows, moments.options.center, Random(seed ^ kNoiseSalt, stream));
  }
  const Index side = std::min(rows, cols);
  Matrix<double> products(side, side);
  blas::syrk(cols <= rows, side, std::max(rows, cols), 1.0 / moments.divisor(), x.data(), rows, 0.0, products.data(),
             side);
  x.resize(0, 0);
  return eigenvalues_symmetric(products);
}

KAdvice parallel_advice(const Dataset& data, const SecondMoments& moments, const SampleSpectrum& spectrum, Seed seed,
                        const Execution& exec) {
  if (spectrum.rank() == 0) return {"parallel", -1, "can't say: the data do not vary"};

  const Index permutations = data.is_dense() ? affordable_permutations(moments.rows, moments.mean.size(), exec) : 0;
  if (permutations > 0) return against_permutations(data, moments, spectrum, permutations, seed, exec);
  if (moments.options.scale) return against_normals(spectrum, seed, exec);
  return against_edge(moments, spectrum);
}

}  // namespace fewdim
