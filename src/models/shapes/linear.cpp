#include "models/shapes/linear.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/blas.hpp"
#include "base/remedy.hpp"
#include "data/table/reshape.hpp"
#include "fewdim/error.hpp"
#include "models/shapes/gaussian.hpp"
#include "models/shapes/nonnegative_rows.hpp"
#include "models/shapes/random_linear.hpp"
#include "models/shapes/row_fit.hpp"
#include "models/shapes/row_tiles.hpp"

namespace fewdim {

namespace {

/// W = diag(1/scale) · map · diag(output_scale), so that y = Wᵀ (x − mean).
Matrix<double> folded_map(const LinearModel& model) {
  Matrix<double> weights = model.map;
  if (model.scale.size() > 0) weights.array().colwise() /= model.scale.array();
  if (model.output_scale.size() > 0) weights.array().rowwise() *= model.output_scale.transpose().array();
  return weights;
}

Vector<double> or_constant(const Vector<double>& values, Index size, double constant) {
  return values.size() > 0 ? values : Vector<double>::Constant(size, constant);
}

/// Dense rows to coordinates, computed in T.
template <class T>
class Projection {
 public:
  explicit Projection(const LinearModel& model)
      : weights_(folded_map(model).cast<T>()), mean_(or_constant(model.mean, model.map.rows(), 0.0).cast<T>()) {}

  Index width() const { return weights_.cols(); }

  template <class View, class U>
  bool apply(const View& x, Index first, Index rows, U* out) const {
    const Index ld =
        std::min(weights_.rows(), column_block) + 8;  // off powers of two: rows of a tile share no cache set
    const auto tile = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(ld * tile_rows));
    const auto scores = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(width() * tile_rows));
    for (Index done = 0; done < rows; done += tile_rows) {
      const Index count = std::min(tile_rows, rows - done);
      for (Index col = 0; col < weights_.rows(); col += column_block)
        add_block(x, first + done, count, col, tile.get(), ld, scores.get());
      for (Index i = 0; i < count * width(); ++i)
        out[done * width() + i] = static_cast<U>(scores[static_cast<std::size_t>(i)]);
    }
    return all_finite(out, rows * width());  // what is not finite in x reaches y, which is smaller to look through
  }

 private:
  /// scores += Wᵀ (x − mean) over one block of columns.
  template <class View>
  void add_block(const View& x, Index row, Index rows, Index col, T* tile, Index ld, T* scores) const {
    const Index cols = std::min(column_block, weights_.rows() - col);
    gather(x, row, rows, col, cols, tile, ld);
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < cols; ++j) tile[i * ld + j] -= mean_[col + j];
    const Index padded = (rows + strip_rows - 1) / strip_rows * strip_rows;
    std::fill(tile + rows * ld, tile + padded * ld, T(0));
    for (Index i = 0; i < padded; i += strip_rows)
      blas::gemm(true, false, width(), strip_rows, cols, T(1), weights_.data() + col, weights_.rows(), tile + i * ld,
                 ld, T(col == 0 ? 0 : 1), scores + i * width(), width());
  }

  Matrix<T> weights_;
  Vector<T> mean_;
};

/// Sparse rows to coordinates: Σ over the stored entries, less what the mean maps to.
class SparseProjection {
 public:
  explicit SparseProjection(const LinearModel& model)
      : weights_(folded_map(model).transpose()), offset_(weights_.rows()) {
    offset_.setZero();
    for (Index j = 0; j < model.mean.size(); ++j)
      for (Index c = 0; c < offset_.size(); ++c) offset_[c] += model.mean[j] * weights_(c, j);
  }

  Index width() const { return weights_.rows(); }

  template <class U>
  bool apply(const CsrView<U>& x, Index first, Index rows, U* out) const {
    const Index k = width();
    Vector<double> sum(k);
    for (Index i = 0; i < rows; ++i) {
      sum.setZero();
      for (std::int64_t e = x.offsets[first + i]; e < x.offsets[first + i + 1]; ++e) {
        const double value = x.values[e];
        const double* weights = weights_.data() + x.columns[e] * k;
        for (Index c = 0; c < k; ++c) sum[c] += value * weights[c];
      }
      for (Index c = 0; c < k; ++c) out[i * k + c] = static_cast<U>(sum[c] - offset_[c]);
    }
    return all_finite(out, rows * k);
  }

 private:
  Matrix<double> weights_;  // k×D: a feature's weights lie together
  Vector<double> offset_;
};

/// Coordinates back to rows, computed in T.
template <class T>
class Reconstruction {
 public:
  explicit Reconstruction(const LinearModel& model)
      : Reconstruction(model, model.inverse_map.size() > 0 ? model.inverse_map : model.map) {}
  Reconstruction(const LinearModel& model, const Matrix<double>& map)
      : map_(map.cast<T>()),
        mean_(or_constant(model.mean, map.rows(), 0.0).cast<T>()),
        scale_(or_constant(model.scale, map.rows(), 1.0).cast<T>()),
        output_scale_(or_constant(model.output_scale, map.cols(), 1.0).cast<T>()) {}

  Index width() const { return map_.rows(); }

  template <class View, class U>
  bool apply(const View& y, Index first, Index rows, U* out) const {
    const Index k = map_.cols();
    const auto scores = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(k * strip_rows));
    const auto back = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(column_block * strip_rows));
    bool finite = true;
    for (Index done = 0; done < rows; done += strip_rows) {
      const Index count = std::min(strip_rows, rows - done);
      gather(y, first + done, count, 0, k, scores.get(), k);
      for (Index i = 0; i < count * k; ++i) unscale(scores[static_cast<std::size_t>(i)], i % k);
      std::fill(scores.get() + count * k, scores.get() + strip_rows * k, T(0));
      for (Index col = 0; col < width(); col += column_block)
        write_block(scores.get(), col, back.get(), count, out + done * width() + col);
      finite = all_finite(out + done * width(), count * width()) && finite;
    }
    return finite;
  }

 private:
  void unscale(T& score, Index component) const {
    const T scale = output_scale_[component];
    score = scale != T(0) ? score / scale : score * T(0);  // 0, but for a score that is not finite
  }

  template <class U>
  void write_block(const T* scores, Index col, T* back, Index rows, U* out) const {
    const Index cols = std::min(column_block, width() - col);
    blas::gemm(false, false, cols, strip_rows, map_.cols(), T(1), map_.data() + col, map_.rows(), scores, map_.cols(),
               T(0), back, cols);
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < cols; ++j)
        out[i * width() + j] = static_cast<U>(mean_[col + j] + scale_[col + j] * back[i * cols + j]);
  }

  Matrix<T> map_;
  Vector<T> mean_, scale_, output_scale_;
};

}  // namespace

Dataset linear_transform(const LinearModel& model, const Dataset& data, bool single, const Execution& exec) {
  constexpr std::string_view stage = "transform";
  if (model.random.features > 0) return random_transform(model.random, data, stage, exec);
  if (model.row_fit == RowFit::nonnegative) return nonnegative_transform(model, data, stage, exec);
  require_valid_sparse(data, stage);
  if (fits_observed(model)) return fit_rows(model, data, stage, exec);
  if (const auto* x = data.sparse<double>()) return map_view<double>(SparseProjection(model), *x, data, stage, exec);
  if (const auto* x = data.sparse<float>()) return map_view<float>(SparseProjection(model), *x, data, stage, exec);
  if (single && data.precision() == Precision::float32) return map_rows(Projection<float>(model), data, stage, exec);
  return map_rows(Projection<double>(model), data, stage, exec);
}

Dataset linear_inverse(const LinearModel& model, const Dataset& coordinates, bool single, const Execution& exec) {
  constexpr std::string_view stage = "inverse_transform";
  if (model.random.features > 0) {
    const RandomMap& map = model.random;
    require_memory(exec, pseudo_inverse_bytes(map.features, map.components),
                   "inverse_transform: the pseudo-inverse of the random map", raise_option("memory_limit"));
    const Matrix<double> back = pseudo_inverse(random_matrix(map, exec), exec);
    if (coordinates.precision() == Precision::float32)
      return map_rows(Reconstruction<float>(model, back), coordinates, stage, exec);
    return map_rows(Reconstruction<double>(model, back), coordinates, stage, exec);
  }
  if (single && coordinates.precision() == Precision::float32)
    return map_rows(Reconstruction<float>(model), coordinates, stage, exec);
  return map_rows(Reconstruction<double>(model), coordinates, stage, exec);
}

namespace {

bool wants_single(const Model::Head& head, const LinearModel& model) {
  const auto accuracy = head.options.find("accuracy");
  const bool high = accuracy != head.options.end() && accuracy->second == OptionValue(std::string("high"));
  return head.precision == Precision::float32 && !high && fits_single(model);
}

}  // namespace

Dataset place(const LinearModel& model, const Model::Head& head, const Dataset& rows, const Execution& exec) {
  if (model.noise.size() > 0 && has_missing(rows, exec))
    return place(model, head, fill_rows(model, rows, false, "transform", exec).rows, exec);
  return linear_transform(model, rows, wants_single(head, model), exec);
}

void require_way_back(const LinearModel& model, const Model::Head&) {
  if (features_of(model) == 0) throw Unsupported("the model is empty; fit one, or load one from a file");
}

Dataset back(const LinearModel& model, const Model::Head& head, const Dataset& coordinates, const Execution& exec) {
  return linear_inverse(model, coordinates, wants_single(head, model), exec);
}

const std::vector<std::int32_t>& left_out_of(const LinearModel&) {
  static const std::vector<std::int32_t> none;
  return none;
}

bool fits_single(const LinearModel& model) {
  const auto comfortable = [](double value) { return std::abs(value) >= 1e-30 && std::abs(value) <= 1e30; };
  const auto comfortable_or_zero = [&](double value) { return value == 0.0 || comfortable(value); };
  return std::ranges::all_of(model.scale, comfortable) &&
         std::ranges::all_of(model.output_scale, comfortable_or_zero) &&
         std::ranges::all_of(model.mean, comfortable_or_zero);
}

}  // namespace fewdim
