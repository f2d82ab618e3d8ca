#pragma once

#include <Eigen/QR>
#include <deque>

#include "fewdim/types.hpp"

namespace fewdim {

/// Anderson's acceleration (1965) of a fixed-point iteration x ← g(x), by the differences of the last steps: the
/// combination of them whose residual g(x) − x is smallest.
class Anderson {
 public:
  explicit Anderson(Index memory) : memory_(memory) {}

  void clear() {
    steps_.clear();
    changes_.clear();
    last_x_.resize(0, 0);
  }

  /// The next point to try; g(x) itself while there is no history.
  Matrix<double> next(const Matrix<double>& x, const Matrix<double>& image) {
    const Matrix<double> residual = image - x;
    if (last_x_.size() > 0) {
      steps_.push_back(x - last_x_);
      changes_.push_back(residual - last_residual_);
      if (std::ssize(steps_) > memory_) {
        steps_.pop_front();
        changes_.pop_front();
      }
    }
    last_x_ = x;
    last_residual_ = residual;
    if (steps_.empty()) return image;
    Matrix<double> basis(x.size(), std::ssize(changes_));
    for (Index c = 0; c < basis.cols(); ++c) basis.col(c) = changes_[static_cast<std::size_t>(c)].reshaped();
    const Vector<double> weights = basis.colPivHouseholderQr().solve(residual.reshaped());
    Matrix<double> out = image;
    if (!weights.allFinite()) return out;
    for (Index c = 0; c < basis.cols(); ++c) {
      const auto at = static_cast<std::size_t>(c);
      out -= weights[c] * (steps_[at] + changes_[at]);
    }
    return out;
  }
  /// True where next() has more than g(x) to give.
  bool has_history() const { return !steps_.empty(); }

 private:
  Index memory_;
  std::deque<Matrix<double>> steps_, changes_;
  Matrix<double> last_x_, last_residual_;
};

}  // namespace fewdim
