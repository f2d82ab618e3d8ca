#include "data/samples/rating_samples.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.hpp"

namespace fewdim {

namespace {

constexpr std::uint32_t stream_items = 0x48000000, stream_users = 0x49000000;  // + user
constexpr double mean_rating = 3.5, user_spread = 0.4, item_spread = 0.5, factor_spread = 0.5;
constexpr double popularity_power = 0.8;

/// Roots of the standard deviations that factors have in ratings: variances fall as 1, 1/2, 1/3, ...
Vector<double> factor_roots(Index rank) {
  double sum = 0.0;
  for (Index c = 1; c <= rank; ++c) sum += 1.0 / static_cast<double>(c);
  Vector<double> roots(rank);
  for (Index c = 1; c <= rank; ++c) roots[c - 1] = std::sqrt(factor_spread / std::sqrt(sum * static_cast<double>(c)));
  return roots;
}

double factor(const Random& random, Index c, const Vector<double>& roots) {
  return roots[c] * random.normal(static_cast<std::uint64_t>(c) + 2);
}

}  // namespace

Dataset rating_samples(const GenerateOptions& options) {
  const Index items = options.cols, rank = std::max<Index>(options.rank, 1);
  const Vector<double> roots = factor_roots(rank);
  std::vector<double> sums(static_cast<std::size_t>(items));  // of popularities
  double sum = 0.0;
  for (Index j = 0; j < items; ++j)
    sums[static_cast<std::size_t>(j)] = sum += std::pow(static_cast<double>(j + 1), -popularity_power);
  Matrix<double> factors(rank, items);
  Vector<double> effects(items);
  for (Index j = 0; j < items; ++j) {
    const Random random(options.seed, stream_items + static_cast<std::uint32_t>(j));
    effects[j] = item_spread * random.normal(0);
    for (Index c = 0; c < rank; ++c) factors(c, j) = factor(random, c, roots);
  }
  RowMatrix<double> x(options.rows, 3);
  const double mean_count = std::clamp(static_cast<double>(items) / 3.0, 1.0, 100.0);
  const Index most = std::max<Index>(1, items / 3);
  Vector<double> own(rank);
  Index row = 0;
  for (Index user = 0; row < options.rows; ++user) {
    const Random random(options.seed, stream_users + static_cast<std::uint32_t>(user));
    const double spread = std::exp(0.8 * random.normal(0) - 0.32);  // of mean 1
    const Index count = std::clamp(static_cast<Index>(mean_count * spread), std::min<Index>(20, most), most);
    const double effect = user_spread * random.normal(1);
    for (Index c = 0; c < rank; ++c) own[c] = factor(random, c, roots);
    std::vector<Index> rated;
    std::uint64_t draw = static_cast<std::uint64_t>(rank) + 1000;
    for (; std::ssize(rated) < count && row < options.rows; ++draw) {
      const auto place = std::ranges::lower_bound(sums, sum * random.uniform(draw)) - sums.begin();
      const Index item = std::min<Index>(place, items - 1);
      if (std::ranges::find(rated, item) != rated.end()) continue;
      rated.push_back(item);
      double value = mean_rating + effect + effects[item];
      for (Index c = 0; c < rank; ++c) value += own[c] * factors(c, item);
      value += options.noise * random.normal((draw << 20) + 7);
      x.row(row++) << static_cast<double>(user + 1), static_cast<double>(item + 1),
          std::clamp(std::round(value), 1.0, 5.0);
    }
  }
  Dataset data(std::move(x));
  data.column_names = {"user", "item", "rating"};
  return data;
}

}  // namespace fewdim
