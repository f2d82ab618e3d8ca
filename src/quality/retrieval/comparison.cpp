#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.hpp"
#include "fewdim/error.hpp"
#include "fewdim/retrieval.hpp"
#include "quality/choice/distributions.hpp"

namespace fewdim {

namespace {

constexpr Index all_flips_up_to = 16;

/// Sums that are equal in exact numbers should count as such: as large as the observed one, but for rounding.
class AsLarge {
 public:
  explicit AsLarge(const std::vector<double>& differences) {
    double sum = 0.0, magnitude = 0.0;
    for (const double d : differences) sum += d, magnitude += std::abs(d);
    least_ = std::abs(sum) - 1e-12 * magnitude;
  }
  bool operator()(double sum) const { return std::abs(sum) >= least_; }

 private:
  double least_;
};

double exact_p(const std::vector<double>& differences) {
  const AsLarge as_large(differences);
  const std::uint32_t flips = std::uint32_t{1} << differences.size();
  std::uint32_t count = 0;
  for (std::uint32_t signs = 0; signs < flips; ++signs) {
    double sum = 0.0;
    for (std::size_t i = 0; i < differences.size(); ++i)
      sum += (signs >> i & 1) != 0 ? -differences[i] : differences[i];
    count += as_large(sum) ? 1 : 0;
  }
  return static_cast<double>(count) / static_cast<double>(flips);
}

/// (1 + count)/(1 + draws): the ranking as it is belongs to those it is compared with (Davison & Hinkley 1997, 4.2).
double drawn_p(const std::vector<double>& differences, Seed seed, Index draws) {
  const AsLarge as_large(differences);
  const Random random(seed, 0);
  constexpr std::size_t bits = 63;
  const std::size_t words = (differences.size() + bits - 1) / bits;
  Index count = 0;
  for (Index draw = 0; draw < draws; ++draw) {
    double sum = 0.0;
    for (std::size_t word = 0; word < words; ++word) {
      std::uint64_t signs = random.below(static_cast<std::uint64_t>(draw) * words + word, std::uint64_t{1} << bits);
      for (std::size_t i = word * bits; i < std::min(differences.size(), (word + 1) * bits); ++i, signs >>= 1)
        sum += (signs & 1) != 0 ? -differences[i] : differences[i];
    }
    count += as_large(sum) ? 1 : 0;
  }
  return static_cast<double>(1 + count) / static_cast<double>(1 + draws);
}

}  // namespace

PairedComparison compare_paired(std::span<const double> a, std::span<const double> b, Seed seed, Index draws) {
  if (a.size() != b.size() || a.empty())
    throw DataError(fmt::format("evaluate: {} and {} queries can't be paired; compare rankings of the same ones",
                                a.size(), b.size()));
  if (draws < 1) throw InvalidOption("evaluate", "draws", std::to_string(draws), "at least 1", "raise it");
  PairedComparison out;
  out.queries = std::ssize(a);
  std::vector<double> differences;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = b[i] - a[i];
    if (!std::isfinite(difference))
      throw DataError(fmt::format("evaluate: query {} has a measure that is not a number", i + 1));
    differences.push_back(difference);
    out.mean_difference += difference / static_cast<double>(a.size());
    ++(difference > 0.0 ? out.better : difference < 0.0 ? out.worse : out.equal);
  }
  const auto n = static_cast<double>(a.size());
  out.low = out.high = std::numeric_limits<double>::quiet_NaN();
  if (a.size() > 1) {
    double squares = 0.0;
    for (const double d : differences) squares += (d - out.mean_difference) * (d - out.mean_difference);
    // Student's t squared is F with 1 and n − 1 degrees.
    const double half = std::sqrt(f_quantile(0.95, 1.0, n - 1.0) * squares / (n - 1.0) / n);
    out.low = out.mean_difference - half;
    out.high = out.mean_difference + half;
  }
  out.exact = out.queries <= all_flips_up_to;
  out.p_value = out.exact ? exact_p(differences) : drawn_p(differences, seed, draws);
  return out;
}

}  // namespace fewdim
