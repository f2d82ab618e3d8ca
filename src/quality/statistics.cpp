#include <algorithm>
#include <cmath>
#include <memory>

#include "base/blas.hpp"
#include "base/memory.hpp"
#include "base/remedy.hpp"
#include "data/table/reshape.hpp"
#include "fewdim/pca.hpp"
#include "models/shapes/linear.hpp"
#include "models/shapes/row_tiles.hpp"

namespace fewdim {

namespace {

/// For each row, with x̃ = (x − mean)/scale: the scores y = Vᵀx̃, then ‖x̃‖², then ‖x̃ − Vy‖².
class RowDistances {
 public:
  explicit RowDistances(const LinearModel& model)
      : map_(model.map), transposed_(model.map.transpose()), mean_(model.mean), inverse_scale_(model.scale.size()) {
    if (mean_.size() == 0) mean_ = Vector<double>::Zero(map_.rows());
    for (Index j = 0; j < model.scale.size(); ++j) inverse_scale_[j] = 1.0 / model.scale[j];
    // What a row of zeros has: y = −Vᵀ(μ/s), ‖x̃‖² = ‖μ/s‖².
    origin_ = Vector<double>::Zero(width());
    for (Index j = 0; j < map_.rows(); ++j) {
      const double centered = -mean_[j] * inverse_scale(j);
      for (Index c = 0; c < map_.cols(); ++c) origin_[c] += centered * map_(j, c);
      origin_[map_.cols()] += centered * centered;
    }
  }

  Index width() const { return map_.cols() + 2; }

  template <class T>
  bool apply(const DenseView<T>& x, Index first, Index rows, double* out) const {
    const Index d = map_.rows(), k = map_.cols(), block = std::min(d, column_block);
    const auto tile = std::make_unique_for_overwrite<double[]>(static_cast<std::size_t>(block * strip_rows));
    const auto scores = std::make_unique<double[]>(static_cast<std::size_t>(k * strip_rows));
    for (Index done = 0; done < rows; done += strip_rows) {
      const Index count = std::min(strip_rows, rows - done);
      double* results = out + done * width();
      for (Index i = 0; i < count; ++i) results[i * width() + k] = results[i * width() + k + 1] = 0.0;
      for (Index col = 0; col < d; col += block) {
        const Index cols = std::min(block, d - col);
        standardize(x, first + done, count, col, cols, tile.get());
        for (Index i = 0; i < count; ++i) results[i * width() + k] += square_of(tile.get() + i * cols, cols);
        blas::gemm(true, false, k, strip_rows, cols, 1.0, &map_(col, 0), d, tile.get(), cols, col == 0 ? 0.0 : 1.0,
                   scores.get(), k);
      }
      for (Index col = 0; col < d; col += block) {
        const Index cols = std::min(block, d - col);
        if (block < d) standardize(x, first + done, count, col, cols, tile.get());  // else it still lies there
        blas::gemm(false, false, cols, strip_rows, k, -1.0, &map_(col, 0), d, scores.get(), k, 1.0, tile.get(), cols);
        for (Index i = 0; i < count; ++i) results[i * width() + k + 1] += square_of(tile.get() + i * cols, cols);
      }
      for (Index i = 0; i < count; ++i) std::copy_n(scores.get() + i * k, k, results + i * width());
    }
    return all_finite(out, rows * width());
  }

  /// From the stored entries alone; ‖x̃‖² − ‖y‖² is the squared residual as V is orthonormal. Where it cancels, the row
  /// is taken apart densely.
  template <class T>
  bool apply(const CsrView<T>& x, Index first, Index rows, double* out) const {
    const Index k = map_.cols();
    for (Index i = 0; i < rows; ++i) {
      double* result = out + i * width();
      std::copy_n(origin_.data(), width(), result);
      for (std::int64_t e = x.offsets[first + i]; e < x.offsets[first + i + 1]; ++e) {
        const Index j = x.columns[e];
        const double value = static_cast<double>(x.values[e]) * inverse_scale(j), mean = mean_[j] * inverse_scale(j);
        result[k] += value * (value - 2.0 * mean);
        const double* weights = &transposed_(0, j);
        for (Index c = 0; c < k; ++c) result[c] += value * weights[c];
      }
      result[k] = std::max(result[k], 0.0);
      const double in_plane = square_of(result, k);
      result[k + 1] = result[k] - in_plane;
      if (result[k + 1] < 1e-6 * result[k]) take_apart(x, first + i, result);
    }
    return all_finite(out, rows * width());
  }

 private:
  double inverse_scale(Index j) const { return inverse_scale_.size() > 0 ? inverse_scale_[j] : 1.0; }

  static double square_of(const double* values, Index count) {
    double sum = 0.0;
    for (Index j = 0; j < count; ++j) sum += values[j] * values[j];
    return sum;
  }

  template <class View>
  void standardize(const View& x, Index row, Index rows, Index col, Index cols, double* tile) const {
    gather(x, row, rows, col, cols, tile, cols);
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < cols; ++j)
        tile[i * cols + j] = (tile[i * cols + j] - mean_[col + j]) * inverse_scale(col + j);
    std::fill(tile + rows * cols, tile + strip_rows * cols, 0.0);
  }

  template <class T>
  void take_apart(const CsrView<T>& x, Index row, double* result) const {
    const Index d = map_.rows(), k = map_.cols();
    Vector<double> rest(d);
    for (Index j = 0; j < d; ++j) rest[j] = -mean_[j] * inverse_scale(j);
    for (std::int64_t e = x.offsets[row]; e < x.offsets[row + 1]; ++e)
      rest[x.columns[e]] += static_cast<double>(x.values[e]) * inverse_scale(x.columns[e]);
    result[k] = square_of(rest.data(), d);
    for (Index c = 0; c < k; ++c)
      for (Index j = 0; j < d; ++j) rest[j] -= result[c] * map_(j, c);
    result[k + 1] = square_of(rest.data(), d);
  }

  Matrix<double> map_, transposed_;  // D×k, and k×D where a feature's weights lie together
  Vector<double> mean_, inverse_scale_, origin_;
};

/// A model file may lack them.
void require_eigenvalues(const LinearModel& shape, std::string_view who) {
  if (!is_orthonormal(shape))
    throw Unsupported(std::string(who) + ": are for orthonormal directions, and the model's are not; use " +
                      use_method("pca"));
  if (shape.explained_variance.size() != shape.map.cols())
    throw Unsupported(std::string(who) + ": the model holds no eigenvalues to measure by; fit it anew");
}

/// Refuses the columns that transform would refuse, in its words.
void require_columns_of(const Model& model, const Dataset& data) {
  Dataset no_rows{Matrix<double>(0, data.cols())};
  no_rows.column_names = data.column_names;
  model.transform(no_rows);
}

}  // namespace

// Contributions and cos² as in Lebart, Morineau & Piron (1995) and FactoMineR: y_ik²/Σ_i y_ik² and y_ik²/‖x̃_i‖².
RowStatistics row_statistics(const Model& model, const Dataset& data, const Execution& exec) {
  const LinearModel& shape = model.linear();
  require_eigenvalues(shape, "row statistics");
  if (const auto own = own_columns(data, model.head().feature_names, "row statistics", exec))
    return row_statistics(model, *own, exec);
  require_columns_of(model, data);
  const Dataset distances = map_rows_to<double>(RowDistances(shape), data, "row statistics", exec);
  const DenseView<double>& rows = *distances.dense<double>();
  const Index n = rows.rows, k = shape.map.cols();
  require_room(n, 2 * k + 2, sizeof(double), "row statistics", exec);

  // A component without variance has no scale to measure a distance by.
  Vector<double> inverse_variance = Vector<double>::Zero(k);
  for (Index c = 0; c < k; ++c)
    if (shape.explained_variance[c] > 1e-14 * shape.explained_variance[0])
      inverse_variance[c] = 1.0 / shape.explained_variance[c];

  RowStatistics out{Vector<double>::Zero(n), Vector<double>(n), Matrix<double>(n, k), Matrix<double>(n, k)};
  Vector<double> inertia = Vector<double>::Zero(k);
  for (Index i = 0; i < n; ++i) {
    const double* row = rows.data + i * rows.row_stride;
    out.spe[i] = row[k + 1];
    for (Index c = 0; c < k; ++c) {
      const double square = row[c] * row[c];
      inertia[c] += square;
      out.contributions(i, c) = square;
      out.t2[i] += square * inverse_variance[c];
      out.cos2(i, c) = row[k] > 0.0 ? std::min(1.0, square / row[k]) : 0.0;  // the mean itself has no direction
    }
  }
  for (Index c = 0; c < k; ++c)
    for (Index i = 0; i < n; ++i)
      out.contributions(i, c) = inertia[c] > 0.0 ? out.contributions(i, c) / inertia[c] : 0.0;
  return out;
}

ColumnStatistics column_statistics(const Model& model) {
  const LinearModel& shape = model.linear();
  require_eigenvalues(shape, "column statistics");
  const Index d = shape.map.rows(), k = shape.map.cols();
  ColumnStatistics out{Matrix<double>(d, k), Matrix<double>(d, k), {}, {}};
  for (Index c = 0; c < k; ++c) {
    const double deviation = std::sqrt(std::max(0.0, shape.explained_variance[c]));
    for (Index j = 0; j < d; ++j) {
      out.loadings(j, c) = shape.map(j, c) * deviation;
      out.contributions(j, c) = shape.map(j, c) * shape.map(j, c);
    }
  }
  const bool scaled = shape.scale.size() > 0;
  if (shape.mean.size() == 0 || (!scaled && shape.column_variance.size() == 0)) return out;

  // corr(x_j, y_k) = loading_jk / deviation of x_j, which is 1 after scaling.
  out.correlations = Matrix<double>::Zero(d, k);
  for (Index c = 0; c < k; ++c)
    for (Index j = 0; j < d; ++j) {
      const double variance = scaled ? 1.0 : shape.column_variance[j];
      const double rounding = 1e-12 * shape.mean[j];  // a constant column varies by no more
      if (variance > rounding * rounding)
        out.correlations(j, c) = std::clamp(out.loadings(j, c) / std::sqrt(variance), -1.0, 1.0);
    }
  out.cos2 = out.correlations.array().square();
  return out;
}

}  // namespace fewdim
