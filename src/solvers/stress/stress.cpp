#include "solvers/stress/stress.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "solvers/stress/anderson.hpp"

namespace fewdim {

namespace {

constexpr Index kMemory = 6;  // steps that Anderson's acceleration looks back

/// Plain sums: Eigen's depend on how memory is aligned.
double norm_of(const Matrix<double>& m) {
  double sum = 0.0;
  for (Index i = 0; i < m.size(); ++i) sum += m.data()[i] * m.data()[i];
  return std::sqrt(sum);
}

struct DeltaSums {
  double lowest = INFINITY, sum = 0.0, square = 0.0;
};

template <class S>
DeltaSums sums_of(const PairDistances<S>& deltas, const Execution& exec) {
  const PairTiles tiles(deltas.objects());
  std::vector<DeltaSums> parts(static_cast<std::size_t>(tiles.count()));
  parallel_for(exec, tiles.count(), [&](Index number) {
    const auto at = tiles.tile(number);
    std::vector<S> scratch;
    const auto piece = deltas.piece(at.row, at.m, at.col, at.n, scratch);
    DeltaSums& part = parts[static_cast<std::size_t>(number)];
    for (Index i = at.row; i < at.row + at.m; ++i)
      for (Index j = 0; j < std::min(at.n, i - at.col); ++j) {
        const auto delta = static_cast<double>(piece.row(i)[j]);
        part.lowest = std::min(part.lowest, delta);
        part.sum += delta;
        part.square += delta * delta;
      }
  });
  DeltaSums out;
  for (const DeltaSums& part : parts) {
    out.lowest = std::min(out.lowest, part.lowest);
    out.sum += part.sum;
    out.square += part.square;
  }
  return out;
}

}  // namespace

template <class S>
StressFunction<S>::StressFunction(const PairDistances<S>& deltas, Disparity kind, OrdinalDisparities* ordinal,
                                  const Execution& exec)
    : deltas_(deltas), kind_(kind), ordinal_(ordinal), exec_(exec) {
  const DeltaSums sums = sums_of(deltas, exec);
  lowest_ = sums.lowest;
  sum_ = sums.sum;
  squares_ = sums.square;
  // The order of dissimilarities has no unit: a root mean square of 1 for its disparities.
  size_ = kind == Disparity::ordinal ? static_cast<double>(pair_count(deltas.objects())) : squares_;
}

/// min Σ(a + b(δ − δ₀) − d)² over a, b ≥ 0, scaled to the size wanted. `at` holds Σδd and Σd.
template <class S>
Affine StressFunction<S>::interval_fit(const PairSums& at) const {
  const auto n = static_cast<double>(pair_count(deltas_.objects()));
  const double u = sum_ - n * lowest_;                                        // Σ(δ − δ₀)
  const double uu = squares_ - 2.0 * lowest_ * sum_ + n * lowest_ * lowest_;  // Σ(δ − δ₀)²
  const double ud = at.cross - lowest_ * at.plain, d = at.plain;              // Σ(δ − δ₀)d, Σd
  const double determinant = n * uu - u * u;
  double a = d / n, b = 0.0;
  if (determinant > 1e-12 * n * uu) {
    a = (d * uu - u * ud) / determinant;
    b = (n * ud - u * d) / determinant;
    if (a < 0.0) a = 0.0, b = ud / uu;
    if (b < 0.0) a = d / n, b = 0.0;
  }
  const double square = n * a * a + 2.0 * a * b * u + b * b * uu;  // Σt²
  const double factor = square > 0.0 ? std::sqrt(size_ / square) : 0.0;
  return {factor * (a - b * lowest_), factor * b};
}

template <class S>
double StressFunction<S>::ordinal_stress(const Matrix<double>& x, Matrix<double>& image) {
  const OrdinalDisparities::Sums sums = ordinal_->evaluate(x, image, exec_);
  affine_ = {0.0, sums.fitted > 0.0 ? std::sqrt(size_ / sums.fitted) : 0.0};
  image *= affine_.factor;
  if (!(sums.square > 0.0)) return 1.0;
  scale_ = affine_.factor * sums.cross / sums.square;
  return sums.residual / sums.square;
}

template <class S>
double StressFunction<S>::operator()(const Matrix<double>& x, Matrix<double>& image) {
  if (kind_ == Disparity::ordinal) return ordinal_stress(x, image);
  affine_ = {};
  if (kind_ == Disparity::interval) affine_ = interval_fit(measure_pairs(deltas_, {}, x, exec_));
  const PairSums sums = guttman_transform(deltas_, affine_, x, image, exec_);
  if (!(sums.square > 0.0)) return 1.0;
  scale_ = sums.cross / sums.square;
  // t = b·t' with t' the projection of d on the line through t: Σ(t − d)² = Σ(t' − d)² + (1 − b)² Σt².
  const double off = 1.0 - sums.cross / size_;
  return std::max(0.0, (sums.residual - off * off * size_) / sums.square);
}

template <class S>
double StressFunction<S>::squared_correlation(const Matrix<double>& x) const {
  const auto n = static_cast<double>(pair_count(deltas_.objects()));
  PairSums at;                                             // of d
  double sum = n * affine_.shift + affine_.factor * sum_;  // Σt
  if (kind_ == Disparity::ordinal) {
    sum = 0.0;
    ordinal_->for_each([&](Index, Index, double fitted, double distance) {
      const double t = affine_.factor * fitted;
      sum += t;
      at.plain += distance;
      at.square += distance * distance;
      at.cross += t * distance;
    });
  } else {
    at = measure_pairs(deltas_, affine_, x, exec_);
  }
  const double covariance = at.cross - sum * at.plain / n;
  const double t = size_ - sum * sum / n, d = at.square - at.plain * at.plain / n;
  return t > 1e-14 * size_ && d > 1e-14 * at.square ? covariance * covariance / (t * d) : 0.0;
}

template <class S>
Vector<double> StressFunction<S>::by_object(const Matrix<double>& x) const {
  if (kind_ != Disparity::ordinal) return stress_by_object(deltas_, affine_, x, exec_);
  Vector<double> out = Vector<double>::Zero(deltas_.objects());
  ordinal_->for_each([&](Index i, Index j, double fitted, double) {
    double square = 0.0;
    for (Index c = 0; c < x.cols(); ++c) square += (x(i, c) - x(j, c)) * (x(i, c) - x(j, c));
    const double miss = affine_.factor * fitted - std::sqrt(square);
    out[i] += miss * miss;
    out[j] += miss * miss;
  });
  return out;
}

template <class S>
Majorized majorize(StressFunction<S>& stress, Matrix<double> start, const MajorizeOptions& options,
                   const Execution& exec) {
  Majorized out;
  out.x = std::move(start);
  Matrix<double> image;
  const auto evaluate = [&](const Matrix<double>& x) {
    ++out.iterations;
    const double value = stress(x, image);
    report_progress(exec, "smacof", out.iterations, options.iterations, "iterations");
    return value;
  };
  out.stress = evaluate(out.x);
  out.image = image;
  double scale = stress.scale();
  const auto measure = [&] { out.residual = norm_of(scale * out.x - out.image) / (scale * norm_of(out.x)); };
  measure();
  Anderson anderson(kMemory);
  bool current = true;  // the last evaluation was of out.x
  while (!(out.converged = out.stress <= options.nothing) && out.iterations < options.iterations) {
    Matrix<double> next = anderson.next(out.x, out.image);
    double value = evaluate(next);
    if (!(value <= out.stress)) {  // the plain step can't raise it but by rounding
      const bool plain = !anderson.has_history();
      anderson.clear();
      current = false;
      if (!plain && out.iterations >= options.iterations) break;
      if (!plain) value = evaluate(next = out.image);
      if (!(value <= out.stress)) {
        out.change = 0.0;
        out.converged = out.residual <= std::sqrt(options.tolerance);
        break;
      }
    }
    out.change = (out.stress - value) / std::max(out.stress, options.small);
    out.x = std::move(next);
    out.image = image;
    out.stress = value;
    scale = stress.scale();
    current = true;
    measure();
    if (out.change <= options.tolerance && out.residual <= std::sqrt(options.tolerance)) {
      out.converged = true;
      break;
    }
  }
  if (!current) stress(out.x, image);
  return out;
}

std::uint64_t majorize_bytes(Index objects, Index components) {
  const auto map = static_cast<std::uint64_t>(objects) * static_cast<std::uint64_t>(components) * sizeof(double);
  return guttman_bytes(objects, components) + map * (4 * kMemory + 8);
}

#define FEWDIM_INSTANTIATE(S)       \
  template class StressFunction<S>; \
  template Majorized majorize(StressFunction<S>&, Matrix<double>, const MajorizeOptions&, const Execution&);
FEWDIM_INSTANTIATE(float)
FEWDIM_INSTANTIATE(double)
#undef FEWDIM_INSTANTIATE

}  // namespace fewdim
