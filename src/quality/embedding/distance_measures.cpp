#include "quality/embedding/distance_measures.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace fewdim {

namespace {

constexpr std::array kSums{&PairSums::rows,
                           &PairSums::pairs,
                           &PairSums::x,
                           &PairSums::y,
                           &PairSums::xx,
                           &PairSums::yy,
                           &PairSums::xy,
                           &PairSums::original_square,
                           &PairSums::embedding_square,
                           &PairSums::product,
                           &PairSums::difference_square,
                           &PairSums::residual_square,
                           &PairSums::residual_product,
                           &PairSums::row_xx,
                           &PairSums::row_yy,
                           &PairSums::row_xy};

/// What a measure is computed from.
struct Pairs {
  const PairSums& sums;
  const DistanceShift& shift;
  double n;  ///< rows there are

  double mean_x() const { return shift.original + sums.x / sums.pairs; }
  double mean_y() const { return shift.embedding + sums.y / sums.pairs; }
  double variance_x() const { return sums.xx / sums.pairs - sums.x / sums.pairs * (sums.x / sums.pairs); }
  double variance_y() const { return sums.yy / sums.pairs - sums.y / sums.pairs * (sums.y / sums.pairs); }
  double covariance() const { return sums.xy / sums.pairs - sums.x / sums.pairs * (sums.y / sums.pairs); }
};

constexpr double kRounding = 1e-12;  // of distances that are equal but for rounding

bool equal_originals(const Pairs& p) { return !(p.variance_x() > std::pow(kRounding * p.mean_x(), 2)); }
bool equal_embedded(const Pairs& p) { return !(p.variance_y() > std::pow(kRounding * p.mean_y(), 2)); }

double pearson(const Pairs& p) {
  return std::clamp(p.covariance() / std::sqrt(p.variance_x() * p.variance_y()), -1.0, 1.0);
}

/// 1 − r² as (1−r)(1+r), so that the last digits of an r near 1 count once.
double residual_variance(const Pairs& p) {
  const double r = pearson(p);
  return (1.0 - r) * (1.0 + r);
}

/// Kruskal 1964: √(Σ(δ−d)²/Σd²).
double stress(const Pairs& p) { return std::sqrt(p.sums.difference_square / p.sums.embedding_square); }

/// The b of the least Σ(δ−bd)².
double best_scale(const Pairs& p) { return p.shift.scale + p.sums.residual_product / p.sums.embedding_square; }

/// √(min_b Σ(δ−bd)²/Σδ²), which is also the least √(Σ(δ−bd)²/Σ(bd)²).
double stress_scaled(const Pairs& p) {
  const double left =
      p.sums.residual_square - p.sums.residual_product / p.sums.embedding_square * p.sums.residual_product;
  return std::sqrt(std::max(left, 0.0) / p.sums.original_square);
}

/// dCov² = mean δd + mean δ · mean d − 2 mean of (row mean δ)(row mean d), over all N² pairs with δ_ii = 0 (Székely,
/// Rizzo & Bakirov 2007).
double distance_covariance(double product, double sum_x, double sum_y, double row_product, const Pairs& p) {
  const double entries = p.sums.rows * p.n;
  return product / entries + sum_x / entries * (sum_y / entries) - 2.0 * row_product / (entries * p.n);
}

double distance_correlation(const Pairs& p) {
  const PairSums& s = p.sums;
  const double a = s.x + s.pairs * p.shift.original, b = s.y + s.pairs * p.shift.embedding;
  const double both = distance_covariance(s.product, a, b, s.row_xy, p);
  const double own = distance_covariance(s.original_square, a, a, s.row_xx, p) *
                     distance_covariance(s.embedding_square, b, b, s.row_yy, p);
  return std::sqrt(std::clamp(both / std::sqrt(own), 0.0, 1.0));
}

struct Definition {
  const char* name;
  double (*value)(const Pairs&);
  const char* (*undefined)(const Pairs&);  ///< why, or null
};

const char* no_spread(const Pairs& p) {
  if (equal_originals(p)) return "all distances of the original are equal";
  return equal_embedded(p) ? "all distances of the embedding are equal" : nullptr;
}
const char* one_place(const Pairs& p) {
  if (!(p.sums.original_square > 0.0)) return "all rows of the original are at one place";
  return p.sums.embedding_square > 0.0 ? nullptr : "all rows of the embedding are at one place";
}

constexpr std::array kDefinitions{Definition{"residual_variance", residual_variance, no_spread},
                                  Definition{"pearson", pearson, no_spread},
                                  Definition{"distance_correlation", distance_correlation, one_place},
                                  Definition{"stress", stress, one_place},
                                  Definition{"stress_scaled", stress_scaled, one_place},
                                  Definition{"best_scale", best_scale, one_place}};

/// √((m−1)/m Σ(θ₋ᵢ − mean)²), times √(1 − m/N) as the rows are drawn without replacement.
double jackknife(const Definition& definition, const std::vector<PairSums>& rows, const PairSums& all, Index n,
                 const DistanceShift& shift) {
  std::vector<double> without;
  without.reserve(rows.size());
  for (const PairSums& row : rows) {
    PairSums rest = all;
    rest -= row;
    without.push_back(definition.value({rest, shift, static_cast<double>(n)}));
  }
  const auto m = static_cast<double>(rows.size());
  double mean = 0.0, square = 0.0;
  for (const double value : without) mean += value / m;
  for (const double value : without) square += (value - mean) * (value - mean);
  return std::sqrt((m - 1.0) / m * square * (1.0 - m / static_cast<double>(n)));
}

}  // namespace

PairSums& PairSums::operator+=(const PairSums& other) {
  for (const auto sum : kSums) this->*sum += other.*sum;
  return *this;
}

PairSums& PairSums::operator-=(const PairSums& other) {
  for (const auto sum : kSums) this->*sum -= other.*sum;
  return *this;
}

DistanceShift distance_shift(Index i, const double* original, const double* embedding, Index rows) {
  const PairSums sums = pair_sums(i, original, embedding, rows, {});
  return {sums.x / sums.pairs, sums.y / sums.pairs,
          sums.embedding_square > 0.0 ? sums.product / sums.embedding_square : 0.0};
}

PairSums pair_sums(Index i, const double* original, const double* embedding, Index rows, const DistanceShift& shift) {
  PairSums s;
  const auto add = [&](Index first, Index last) {
    for (Index j = first; j < last; ++j) {
      const double a = original[j], b = embedding[j], x = a - shift.original, y = b - shift.embedding;
      const double residual = a - shift.scale * b;
      s.x += x;
      s.y += y;
      s.xx += x * x;
      s.yy += y * y;
      s.xy += x * y;
      s.original_square += a * a;
      s.embedding_square += b * b;
      s.product += a * b;
      s.difference_square += (a - b) * (a - b);
      s.residual_square += residual * residual;
      s.residual_product += residual * b;
    }
  };
  add(0, i);
  add(i + 1, rows);
  s.rows = 1.0;
  s.pairs = static_cast<double>(rows - 1);
  const double a = s.x + s.pairs * shift.original, b = s.y + s.pairs * shift.embedding;
  s.row_xx = a * a;
  s.row_yy = b * b;
  s.row_xy = a * b;
  return s;
}

std::vector<Measure> distance_measures(const std::vector<PairSums>& rows, Index n, const DistanceShift& shift) {
  PairSums all;
  for (const PairSums& row : rows) all += row;
  const Pairs pairs{all, shift, static_cast<double>(n)};
  const bool finite = std::ranges::all_of(kSums, [&](auto sum) { return std::isfinite(all.*sum); });
  std::vector<Measure> out;
  for (const Definition& definition : kDefinitions) {
    Measure measure{.name = definition.name};
    if (!finite)
      measure.note = "not defined: the distances are too large to be squared; divide the data by a constant";
    else if (const char* why = definition.undefined(pairs))
      measure.note = std::string("not defined: ") + why;
    else
      measure.value = definition.value(pairs);
    if (measure.value && std::ssize(rows) < n) {
      measure.standard_error = jackknife(definition, rows, all, n, shift);
      if (!std::isfinite(measure.standard_error)) measure.standard_error = 0.0;
    }
    out.push_back(std::move(measure));
  }
  return out;
}

}  // namespace fewdim
