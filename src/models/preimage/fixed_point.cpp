#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "base/blas.hpp"
#include "models/preimage/ways.hpp"

namespace fewdim {

namespace {

constexpr int kMostSteps = 200;
constexpr double kStill = 1e-18;     // γ‖step‖² below which a point has come to rest: 1e-9 of the kernel's width
constexpr double kSlack = 1e-14;     // rounding of the height
constexpr double kVanished = 1e-10;  // a denominator that is this share of its terms is all rounding

/// P = Σ_j β_j φ_j for a block of coordinates, as an N×64 matrix in columns:
/// β_j = 1/N + Σ_c y_c (a_jc − mean of a_c), or Σ_c y_c a_jc without centering.
Matrix<double> expansion(const KernelModel& model, const double* coordinates) {
  const Matrix<double>& a = model.coefficients;
  const Index n = a.rows(), count = a.cols();
  Matrix<double> out(n, kBackRows);
  blas::gemm(false, false, n, kBackRows, count, 1.0, a.data(), n, coordinates, count, 0.0, out.data(), n);
  if (model.means.size() == 0) return out;
  Vector<double> sums = Vector<double>::Zero(count);
  for (Index c = 0; c < count; ++c)
    for (Index j = 0; j < n; ++j) sums[c] += a(j, c);
  for (Index i = 0; i < kBackRows; ++i) {
    double shift = 1.0;
    for (Index c = 0; c < count; ++c) shift -= coordinates[i * count + c] * sums[c];
    shift /= static_cast<double>(n);
    for (Index j = 0; j < n; ++j) out(j, i) += shift;
  }
  return out;
}

/// The points of a block on their way up the height f(z) = P·φ(z) = Σ_j β_j k(z, x_j). As ‖φ(z)‖ = 1, the highest is
/// the one with the nearest features.
class Climb {
 public:
  Climb(const KernelModel& model, const FeatureDistances& features, const double* coordinates)
      : kernel_{.kind = KernelKind::gaussian, .gamma = model.gamma},
        objects_(features.objects()),
        beta_(expansion(model, coordinates)),
        trial_{.metric = Metric::euclidean, .rows = kBackRows, .cols = objects_.cols},
        points_(new double[static_cast<std::size_t>(kBackRows * objects_.cols)]),
        here_(objects_.cols, kBackRows),
        sums_(objects_.cols, kBackRows) {
    trial_.values = points_;
    trial_.squares.resize(kBackRows);
  }

  /// Row i sets out from a training object.
  void start(Index i, Index object) { std::copy_n(objects_.row(object), objects_.cols, point(i)); }

  /// Goes up until every point has come to rest; never below its start.
  const Matrix<double>& run() {
    Vector<double> best = Vector<double>::Constant(kBackRows, -std::numeric_limits<double>::infinity());
    std::vector<bool> rests(kBackRows, false);
    Index left = kBackRows;
    for (int step = 0; step < kMostSteps && left > 0; ++step) {
      weigh();
      for (Index i = 0; i < kBackRows; ++i) {
        if (rests[static_cast<std::size_t>(i)] || move(i, step == 0, best[i])) continue;
        rests[static_cast<std::size_t>(i)] = true;
        --left;
      }
    }
    return here_;
  }

 private:
  double* point(Index i) { return points_.get() + i * objects_.cols; }

  /// At every trial point: the height Σ β k, the sum of |β| k, and Σ β k x.
  void weigh() {
    const Index cols = objects_.cols, objects = objects_.rows;
    height_.setZero();
    size_.setZero();
    sums_.setZero();
    for (Index i = 0; i < kBackRows; ++i) {
      trial_.squares[i] = 0.0;
      for (Index c = 0; c < cols; ++c) trial_.squares[i] += point(i)[c] * point(i)[c];
    }
    for (Index first = 0; first < objects; first += kBackObjects) {
      const Index n = std::min(kBackObjects, objects - first);
      kernel_tile(kernel_, trial_, 0, kBackRows, objects_, first, n, tile_.data());
      for (Index i = 0; i < kBackRows; ++i)
        for (Index j = 0; j < n; ++j) {
          double& weight = tile_[static_cast<std::size_t>(i * n + j)];
          weight *= beta_(first + j, i);
          height_[i] += weight;
          size_[i] += std::abs(weight);
        }
      blas::gemm(false, false, cols, kBackRows, n, 1.0, objects_.row(first), cols, tile_.data(), n, 1.0, sums_.data(),
                 cols);
    }
  }

  /// Takes a trial that is higher and sets the next, Σ β k x / Σ β k; halves the step where it is not. False where the
  /// point has come to rest.
  bool move(Index i, bool first, double& best) {
    double* trial = point(i);
    const bool higher = first || height_[i] >= best - kSlack * std::abs(best);
    const bool goes_on = higher && std::isfinite(height_[i]) && height_[i] > kVanished * size_[i];
    if (higher) {
      best = height_[i];
      std::copy_n(trial, objects_.cols, here_.col(i).data());
      if (!goes_on) return false;
    }
    double square = 0.0;
    for (Index c = 0; c < objects_.cols; ++c) {
      trial[c] = higher ? sums_(c, i) / height_[i] : 0.5 * (trial[c] + here_(c, i));
      square += (trial[c] - here_(c, i)) * (trial[c] - here_(c, i));
    }
    return kernel_.gamma * square > kStill;
  }

  Kernel kernel_;
  const MetricRows<double>& objects_;
  Matrix<double> beta_;
  MetricRows<double> trial_;
  std::shared_ptr<double[]> points_;
  Matrix<double> here_, sums_;
  Vector<double> height_ = Vector<double>::Zero(kBackRows), size_ = Vector<double>::Zero(kBackRows);
  std::vector<double> tile_ = std::vector<double>(static_cast<std::size_t>(kBackRows * kBackObjects));
};

}  // namespace

WayBack back_by_fixed_point(const KernelModel& model, const RowMatrix<double>& coordinates, const Execution& exec) {
  const auto features = std::make_shared<FeatureDistances>(model, coordinates, exec);
  return [&model, &coordinates, features](Index row, double* out) {
    Climb climb(model, *features, coordinates.data() + row * coordinates.cols());
    const auto nearest = features->nearest(row, 1);
    for (Index i = 0; i < kBackRows; ++i) climb.start(i, nearest[static_cast<std::size_t>(i)][0].object);
    const Matrix<double>& points = climb.run();
    const Vector<double>& center = features->center();
    for (Index i = 0; i < kBackRows; ++i)
      for (Index c = 0; c < points.rows(); ++c) out[i * points.rows() + c] = points(c, i) + center[c];
  };
}

}  // namespace fewdim
