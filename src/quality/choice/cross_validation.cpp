#include "quality/choice/cross_validation.hpp"

#include <fmt/format.h>

#include <numeric>
#include <vector>

#include "base/blas.hpp"
#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "operators/tiles.hpp"
#include "solvers/eigen/direct.hpp"

namespace fewdim {

namespace {

constexpr Seed kFoldSalt = 0x63726f73'7376616c;
constexpr double kSmallestFree = 1e-6;    ///< of 1 − h_j
constexpr double kSmallestValue = 1e-10;  ///< of λ_c/λ_1: below, a direction from a Gram matrix is rounding

/// The fold of each row: a random order, cut into parts of nearly equal size.
std::vector<Index> deal_folds(Index rows, Index folds, Seed seed) {
  std::vector<Index> order(static_cast<std::size_t>(rows)), fold(static_cast<std::size_t>(rows));
  std::iota(order.begin(), order.end(), Index{0});
  const Random random(seed ^ kFoldSalt, 0);
  for (std::uint64_t i = order.size(); i-- > 1;) std::swap(order[i], order[random.below(i, i + 1)]);
  for (std::size_t i = 0; i < order.size(); ++i)
    fold[static_cast<std::size_t>(order[i])] = static_cast<Index>(i) % folds;
  return fold;
}

/// One fold's work: the plane of the other rows, then the deleted residuals of its own.
class Fold {
 public:
  Fold(const Dataset& data, const SecondMoments& moments, const std::vector<Index>& fold_of, Index fold)
      : data_(data), moments_(moments), cols_(moments.mean.size()) {
    for (Index i = 0; i < moments.rows; ++i)
      (fold_of[static_cast<std::size_t>(i)] == fold ? held_ : training_).push_back(i);
  }

  Vector<double> press() {
    set_mean();
    if (moments_.gram)
      plane_from_gram();
    else
      plane_from_scatter();
    return residuals();
  }

 private:
  /// Calls body(first index into `rows`, count, tile) with standardized rows, cols_ × count column-major.
  template <class Body>
  void over(const std::vector<Index>& rows, const Body& body) const {
    const Index step = std::min<Index>(tile_rows_for(cols_, sizeof(double)), 256), total = std::ssize(rows);
    Matrix<double> tile(cols_, std::min(step, total));
    for (Index first = 0; first < total; first += step) {
      const Index count = std::min(step, total - first);
      for (Index i = 0; i < count; ++i) {
        double* row = &tile(0, i);
        load_rows(data_, rows[static_cast<std::size_t>(first + i)], 1, row);
        for (Index j = 0; j < cols_; ++j) row[j] -= moments_.mean[j];
        if (moments_.inverse_scale.size() > 0)
          for (Index j = 0; j < cols_; ++j) row[j] *= moments_.inverse_scale[j];
      }
      body(first, count, tile);
    }
  }

  /// Mean of the training rows, seen from the mean of all: −Σ held / training.
  void set_mean() {
    mean_ = Vector<double>::Zero(cols_);
    if (!moments_.options.center) return;
    over(held_, [&](Index, Index count, const Matrix<double>& tile) {
      for (Index i = 0; i < count; ++i) mean_ -= tile.col(i);
    });
    mean_ /= static_cast<double>(training_.size());
  }

  Index most() const {
    const Index freedom = std::ssize(training_) - (moments_.options.center ? 1 : 0);
    return std::max<Index>(0, std::min({freedom, cols_ - 1, kMostCrossValidated}));
  }

  void keep_positive(const Vector<double>& values) {
    count_ = 0;
    while (count_ < values.size() && values[count_] > kSmallestValue * values[0] && values[count_] > 0.0) ++count_;
  }

  /// S_training = S − Σ_held xxᵀ − n m mᵀ.
  void plane_from_scatter() {
    Matrix<double> scatter = moments_.products;
    over(held_, [&](Index, Index count, const Matrix<double>& tile) {
      blas::syrk(false, cols_, count, -1.0, tile.data(), cols_, 1.0, scatter.data(), cols_);
    });
    blas::syrk(false, cols_, 1, -static_cast<double>(training_.size()), mean_.data(), cols_, 1.0, scatter.data(),
               cols_);
    SymmetricEigen eigen = eigen_symmetric(scatter, most());
    keep_positive(eigen.values);
    plane_ = std::move(eigen.vectors);
  }

  /// K α = λ α on the training rows gives the direction X̃ᵀα/√λ; α sums to 0, so the mean of X̃ drops out.
  void plane_from_gram() {
    const Index n = std::ssize(training_);
    Matrix<double> gram(n, n);
    for (Index b = 0; b < n; ++b)
      for (Index a = b; a < n; ++a)
        gram(a, b) = moments_.products(training_[static_cast<std::size_t>(a)], training_[static_cast<std::size_t>(b)]);
    if (moments_.options.center) center_both_sides(gram);
    const SymmetricEigen eigen = eigen_symmetric(gram, most());
    keep_positive(eigen.values);
    plane_ = Matrix<double>::Zero(cols_, count_);
    if (count_ == 0) return;
    Matrix<double> weights(n, count_);
    for (Index c = 0; c < count_; ++c) weights.col(c) = eigen.vectors.col(c) / std::sqrt(eigen.values[c]);
    over(training_, [&](Index first, Index count, const Matrix<double>& tile) {
      blas::gemm(false, false, cols_, count_, count, 1.0, tile.data(), cols_, &weights(first, 0), n, 1.0, plane_.data(),
                 cols_);
    });
  }

  /// PRESS of this fold for 0 .. count_ components, cut where a column enters the plane.
  Vector<double> residuals() const {
    Matrix<double> squares = Matrix<double>::Zero(cols_, count_ + 1);  // Σ over rows of e_j², per k
    over(held_, [&](Index, Index count, Matrix<double>& tile) {
      for (Index i = 0; i < count; ++i)
        for (Index j = 0; j < cols_; ++j) {
          tile(j, i) -= mean_[j];
          squares(j, 0) += tile(j, i) * tile(j, i);
        }
      if (count_ == 0) return;
      Matrix<double> scores(count_, count);
      blas::gemm(true, false, count_, count, cols_, 1.0, plane_.data(), cols_, tile.data(), cols_, 0.0, scores.data(),
                 count_);
      for (Index c = 0; c < count_; ++c) {
        const double* direction = &plane_(0, c);
        double* square = &squares(0, c + 1);
        for (Index i = 0; i < count; ++i) {
          const double score = scores(c, i);
          double* residual = &tile(0, i);
          for (Index j = 0; j < cols_; ++j) {
            residual[j] -= score * direction[j];
            square[j] += residual[j] * residual[j];
          }
        }
      }
    });
    Vector<double> press(count_ + 1);
    Vector<double> free = Vector<double>::Ones(cols_);  // 1 − h_j
    for (Index k = 0; k <= count_; ++k) {
      double sum = 0.0;
      for (Index j = 0; j < cols_; ++j) {
        if (k > 0) free[j] -= plane_(j, k - 1) * plane_(j, k - 1);
        if (free[j] < kSmallestFree) return press.head(k);
        sum += squares(j, k) / (free[j] * free[j]);
      }
      press[k] = sum;
    }
    return press;
  }

  const Dataset& data_;
  const SecondMoments& moments_;
  Index cols_;
  std::vector<Index> held_, training_;
  Vector<double> mean_;
  Matrix<double> plane_;
  Index count_ = 0;
};

std::uint64_t fold_bytes(Index rows, Index cols) {
  const auto n = static_cast<std::uint64_t>(rows), d = static_cast<std::uint64_t>(cols), side = std::min(n, d);
  const std::uint64_t kept = std::min<std::uint64_t>(side, kMostCrossValidated);
  return 8 * (3 * side * side + 2 * d * kept + 256 * d);
}

}  // namespace

double press_cost(Index rows, Index cols, Index folds) {
  const double n = static_cast<double>(rows), d = static_cast<double>(cols), side = std::min(n, d),
               f = static_cast<double>(folds);
  const double kept = std::min(side, static_cast<double>(kMostCrossValidated));
  const double planes = cols <= rows ? n * d * d / 2.0 : f * n * d * kept;
  return planes + f * 4.0 * side * side * side + 3.0 * n * d * kept;
}

Vector<double> press_curve(const Dataset& data, const SecondMoments& moments, Index folds, Seed seed,
                           const Execution& exec) {
  folds = std::min(folds, moments.rows);
  const std::vector<Index> fold_of = deal_folds(moments.rows, folds, seed);
  std::vector<Vector<double>> parts(static_cast<std::size_t>(folds));
  Execution fitting = exec;  // as many at a time as memory allows
  const std::uint64_t at_once = memory_limit(exec) / fold_bytes(moments.rows, moments.mean.size());
  fitting.threads =
      static_cast<int>(std::clamp<std::uint64_t>(at_once, 1, static_cast<std::uint64_t>(thread_count(exec))));
  parallel_for(fitting, folds,
               [&](Index f) { parts[static_cast<std::size_t>(f)] = Fold(data, moments, fold_of, f).press(); });
  report_progress(exec, "cross-validation", folds, folds, "folds");
  Vector<double> total = parts[0];
  for (std::size_t f = 1; f < parts.size(); ++f) {
    const Index common = std::min(total.size(), parts[f].size());
    total = (total.head(common) + parts[f].head(common)).eval();
  }
  return total;
}

KAdvice cross_validation_advice(const Dataset& data, const SecondMoments& moments, Seed seed, const Execution& exec) {
  if (data.is_stream()) return {"cross-validation", -1, "can't say: it needs the rows in memory, in any order"};
  if (moments.rows < 4 || moments.varying_columns() < 2)
    return {"cross-validation", -1,
            fmt::format("can't say: {} rows and {} columns that vary leave nothing to predict from", moments.rows,
                        moments.varying_columns())};
  const Vector<double> press = press_curve(data, moments, kFolds, seed, exec);
  Index best = 0;
  for (Index k = 1; k < press.size(); ++k)
    if (press[k] < press[best]) best = k;
  const Index folds = std::min(kFolds, moments.rows);
  if (best == 0)
    return {"cross-validation", 0,
            fmt::format("no component predicts left-out elements better than the mean ({} folds)", folds)};
  const double remains = 100.0 * press[best] / press[0];
  if (best == press.size() - 1)
    return {"cross-validation", best,
            fmt::format("the error on left-out elements still falls at {}, the most looked at; {:.1f} % of the mean's "
                        "remains ({} folds)",
                        best, remains, folds)};
  return {
      "cross-validation", best,
      fmt::format("left-out elements are predicted best by {} of up to {} components; {:.1f} % of the mean's squared "
                  "error remains ({} folds)",
                  best, press.size() - 1, remains, folds)};
}

}  // namespace fewdim
