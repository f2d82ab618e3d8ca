#include "quality/embedding/rank_correlation.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "quality/embedding/ordering.hpp"

namespace fewdim {

namespace {

constexpr Index kGroups = 20;

using Order = std::vector<std::uint32_t>;

/// Ranks of the pairs that `in` lets pass, from 1 on, the mean rank for equal ones.
template <class In>
void mid_ranks(const Order& order, const std::vector<double>& values, In in, std::vector<double>& ranks) {
  double before = 0.0;
  for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
    double equal = 0.0;
    for (last = first; last < order.size() && values[order[last]] == values[order[first]]; ++last)
      if (in(order[last])) equal += 1.0;
    for (std::size_t p = first; p < last; ++p) ranks[order[p]] = before + 0.5 * (equal + 1.0);
    before += equal;
  }
}

/// Both orders, once; then a correlation for every selection is a few passes.
class RankedPairs {
 public:
  RankedPairs(const std::vector<double>& x, const std::vector<double>& y)
      : x_(x), y_(y), rank_x_(x.size()), rank_y_(x.size()) {
    Ordering ordering;
    order_x_ = ordering.sort(x.data(), std::ssize(x));
    order_y_ = ordering.sort(y.data(), std::ssize(y));
  }

  bool constant(const std::vector<double>& values, const Order& order) const {
    return values[order.front()] == values[order.back()];
  }
  const char* undefined() const {
    if (constant(x_, order_x_)) return "not defined: all distances of the original are equal";
    return constant(y_, order_y_) ? "not defined: all distances of the embedding are equal" : nullptr;
  }

  template <class In>
  double correlation(In in) {
    mid_ranks(order_x_, x_, in, rank_x_);
    mid_ranks(order_y_, y_, in, rank_y_);
    double count = 0.0;
    for (std::size_t p = 0; p < x_.size(); ++p)
      if (in(static_cast<std::uint32_t>(p))) count += 1.0;
    const double mean = 0.5 * (count + 1.0);
    double xx = 0.0, yy = 0.0, xy = 0.0;
    for (std::size_t p = 0; p < x_.size(); ++p) {
      if (!in(static_cast<std::uint32_t>(p))) continue;
      const double x = rank_x_[p] - mean, y = rank_y_[p] - mean;
      xx += x * x;
      yy += y * y;
      xy += x * y;
    }
    return xx > 0.0 && yy > 0.0 ? std::clamp(xy / std::sqrt(xx * yy), -1.0, 1.0) : 0.0;
  }

  /// The jackknife's variance when one group of pairs is left out at a time.
  double variance(Index groups, const std::vector<std::uint8_t>& group) {
    std::vector<double> without;
    for (Index g = 0; g < groups; ++g)
      without.push_back(correlation([&](std::uint32_t pair) { return group[pair] != g; }));
    const auto count = static_cast<double>(groups);
    double mean = 0.0, square = 0.0;
    for (const double value : without) mean += value / count;
    for (const double value : without) square += (value - mean) * (value - mean);
    return (count - 1.0) / count * square;
  }

 private:
  const std::vector<double>&x_, &y_;
  Order order_x_, order_y_;
  std::vector<double> rank_x_, rank_y_;
};

}  // namespace

PairSample::PairSample(Index n, Index looked_at, Seed seed, const Limits& limits)
    : n_(n), looked_at_(looked_at), partners_(0), seed_(seed) {
  const bool exact = looked_at == n;
  const Index all = exact ? n / 2 * (n - 1 + n % 2) : looked_at * (n - 1);
  if (all > (exact ? limits.all : limits.drawn)) partners_ = std::max<Index>(1, limits.drawn / looked_at);
  const auto size = static_cast<std::size_t>(partners_ > 0 ? looked_at * partners_ : all);
  original_.resize(size);
  embedding_.resize(size);
}

std::uint64_t PairSample::bytes() const { return original_.size() * (4 * sizeof(double) + 4 * sizeof(std::uint64_t)); }

/// Where the pairs of a row begin.
std::size_t PairSample::offset(Index p, Index i) const {
  if (partners_ > 0) return static_cast<std::size_t>(p * partners_);
  if (looked_at_ < n_) return static_cast<std::size_t>(p * (n_ - 1));
  return static_cast<std::size_t>(i * (n_ - 1) - i * (i - 1) / 2);  // j > i only
}

void PairSample::keep(Index p, Index i, const double* original, const double* embedding) {
  std::size_t at = offset(p, i);
  const auto take = [&](Index j) {
    original_[at] = original[j];
    embedding_[at] = embedding[j];
    ++at;
  };
  if (partners_ == 0) {
    for (Index j = looked_at_ < n_ ? 0 : i + 1; j < n_; ++j)
      if (j != i) take(j);
    return;
  }
  const Random random(seed_, 1);  // stream 0 draws the rows
  for (Index t = 0; t < partners_; ++t) {
    const auto number =
        static_cast<std::uint64_t>(i) * static_cast<std::uint64_t>(partners_) + static_cast<std::uint64_t>(t);
    const auto j = static_cast<Index>(random.below(number, static_cast<std::uint64_t>(n_ - 1)));
    take(j < i ? j : j + 1);
  }
}

Measure PairSample::spearman() const {
  Measure out{.name = "spearman"};
  RankedPairs pairs(original_, embedding_);
  if (const char* why = pairs.undefined()) {
    out.note = why;
    return out;
  }
  out.value = pairs.correlation([](std::uint32_t) { return true; });
  if (every_pair() && looked_at_ == n_) return out;
  // With f the share of rows, B their variance and W that of the partners: leaving out rows shows B + W, leaving out
  // partners W, and the estimate has (1 − f)B + W = (1 − f)(B + W) + fW.
  const Index per_row = partners_ > 0 ? partners_ : n_ - 1;
  const double share = static_cast<double>(looked_at_) / static_cast<double>(n_);
  std::vector<std::uint8_t> group(original_.size());
  double variance = 0.0;
  if (looked_at_ < n_) {
    const Index groups = std::min(kGroups, looked_at_);
    for (std::size_t pair = 0; pair < group.size(); ++pair)
      group[pair] = static_cast<std::uint8_t>(static_cast<Index>(pair) / per_row % groups);
    variance += (1.0 - share) * pairs.variance(groups, group);
  }
  if (const Index groups = std::min(kGroups, per_row); !every_pair() && groups > 1) {
    for (std::size_t pair = 0; pair < group.size(); ++pair)
      group[pair] = static_cast<std::uint8_t>(static_cast<Index>(pair) % per_row % groups);
    variance += share * pairs.variance(groups, group);
  }
  out.standard_error = std::sqrt(variance);
  return out;
}

}  // namespace fewdim
