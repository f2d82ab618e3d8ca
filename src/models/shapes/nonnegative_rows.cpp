#include "models/shapes/nonnegative_rows.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/blas.hpp"
#include "models/file/checks.hpp"
#include "models/shapes/row_tiles.hpp"
#include "solvers/nmf/nonnegative.hpp"

namespace fewdim {

namespace {

/// mapᵀmap + diag(ridge).
Matrix<double> gram_with_ridge(const LinearModel& model) {
  const Index k = model.map.cols();
  Matrix<double> gram(k, k);
  for (Index c = 0; c < k; ++c)
    for (Index l = 0; l <= c; ++l) {
      double sum = 0.0;
      for (Index j = 0; j < model.map.rows(); ++j) sum += model.map(j, c) * model.map(j, l);
      gram(c, l) = gram(l, c) = sum;
    }
  if (model.regression.ridge.size() > 0) gram.diagonal() += model.regression.ridge;
  return gram;
}

class NonnegativeRows {
 public:
  explicit NonnegativeRows(const LinearModel& model)
      : map_(model.map),
        transposed_(model.map.transpose()),
        lasso_(model.regression.lasso),
        solver_(gram_with_ridge(model)) {}

  Index width() const { return map_.cols(); }

  template <class View, class U>
  bool apply(const View& x, Index first, Index rows, U* out) const {
    const Index k = width();
    const auto scores = std::make_unique_for_overwrite<double[]>(static_cast<std::size_t>(k * strip_rows));
    NonnegativeSolver::Scratch scratch(k);
    Vector<double> y(k);
    for (Index done = 0; done < rows; done += strip_rows) {
      const Index count = std::min(strip_rows, rows - done);
      project(x, first + done, count, scores.get());
      for (Index i = 0; i < count; ++i) {
        double* a = scores.get() + i * k;
        for (Index c = 0; c < k; ++c) a[c] -= lasso_;
        solver_.solve(a, y.data(), scratch);
        for (Index c = 0; c < k; ++c) out[(done + i) * k + c] = static_cast<U>(y[c]);
      }
    }
    return all_finite(out, rows * k);
  }

 private:
  /// scores = mapᵀx for each of up to strip_rows rows.
  template <class T>
  void project(const DenseView<T>& x, Index first, Index count, double* scores) const {
    const Index ld = std::min(map_.rows(), column_block) + 8;  // off powers of two: rows of a tile share no cache set
    const auto tile = std::make_unique_for_overwrite<double[]>(static_cast<std::size_t>(ld * strip_rows));
    for (Index col = 0; col < map_.rows(); col += column_block) {
      const Index cols = std::min(column_block, map_.rows() - col);
      gather(x, first, count, col, cols, tile.get(), ld);
      std::fill(tile.get() + count * ld, tile.get() + strip_rows * ld, 0.0);
      blas::gemm(true, false, width(), strip_rows, cols, 1.0, map_.data() + col, map_.rows(), tile.get(), ld,
                 col == 0 ? 0.0 : 1.0, scores, width());
    }
  }

  template <class T>
  void project(const CsrView<T>& x, Index first, Index count, double* scores) const {
    const Index k = width();
    for (Index i = 0; i < count; ++i) {
      double* sum = scores + i * k;
      std::fill_n(sum, k, 0.0);
      for (std::int64_t e = x.offsets[first + i]; e < x.offsets[first + i + 1]; ++e) {
        const double value = x.values[e];
        const double* weights = transposed_.data() + x.columns[e] * k;
        for (Index c = 0; c < k; ++c) sum[c] += value * weights[c];
      }
    }
  }

  Matrix<double> map_, transposed_;  // D×k, and k×D where a feature's weights lie together
  double lasso_;
  NonnegativeSolver solver_;
};

}  // namespace

Dataset nonnegative_transform(const LinearModel& model, const Dataset& data, std::string_view stage,
                              const Execution& exec) {
  return map_rows(NonnegativeRows(model), data, stage, exec);
}

void require_nonnegative(const LinearModel& model, const std::string& who) {
  const auto positive_or_zero = [](double value) { return std::isfinite(value) && value >= 0.0; };
  const RowRegression& fit = model.regression;
  if (model.mean.size() + model.scale.size() + model.output_scale.size() + model.inverse_map.size() > 0)
    throw DataError(
        fmt::format("{}: rows placed without negative coordinates have no mean, scale or inverse map", who));
  if (fit.ridge_by_count || fit.confidence != 0.0 || !positive_or_zero(fit.lasso))
    throw DataError(fmt::format("{}: a regression that is none of non-negative least squares", who));
  require_all(model.map, "components", "positive or zero", who, positive_or_zero);
  require_all(fit.ridge, "ridge", "positive or zero", who, positive_or_zero);
}

}  // namespace fewdim
