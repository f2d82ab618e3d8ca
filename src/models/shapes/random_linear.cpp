#include "models/shapes/random_linear.hpp"

#include <Eigen/Eigenvalues>
#include <bit>

#include "base/blas.hpp"
#include "base/clones.hpp"
#include "base/remedy.hpp"
#include "features/random_map.hpp"
#include "models/shapes/row_tiles.hpp"

namespace fewdim {

namespace {

/// Rows of one product with a panel: a BLAS packs the panel anew for each, which has to be little beside the product.
constexpr Index strip = 1024;
constexpr Index panel_bytes = Index{24} << 20;
/// From here on most of the map is worth a dense product.
constexpr double dense_density = 0.1;

bool by_lists(const RandomMap& map) { return map.kind == ProjectionKind::sparse && map.density < dense_density; }
bool by_panels(const RandomMap& map) { return map.kind != ProjectionKind::hadamard && !by_lists(map); }

/// Features of a panel: whole column blocks, so that the cut changes no bits.
Index panel_features(const RandomMap& map, std::size_t scalar_bytes) {
  const Index block = column_block * map.components * static_cast<Index>(scalar_bytes);
  return std::min(map.features, column_block * std::max<Index>(1, panel_bytes / block));
}

/// out += x R over the features first .. first+features, whose rows of R lie in `panel`; sets out where first is 0.
template <class T>
class Panel {
 public:
  Panel(const RandomMap& map, Index most)
      : map_(map), panel_(std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(most * map.components))) {}

  void draw(Index first, Index features, const Execution& exec) {
    first_ = first;
    features_ = features;
    draw_rows(map_, first, features, panel_.get(), exec);
  }
  Index width() const { return map_.components; }

  template <class View>
  bool apply(const View& x, Index row, Index rows, T* out) const {
    if constexpr (std::is_same_v<View, CsrView<T>>)
      add_sparse(x, row, rows, out);
    else
      add_dense(x, row, rows, out);
    return all_finite(out, rows * width());
  }

 private:
  void add_dense(const DenseView<T>& x, Index row, Index rows, T* out) const {
    const Index k = width(), ld = std::min(features_, column_block) + 8;
    std::unique_ptr<T[]> tile, rest;
    for (Index done = 0; done < rows; done += strip) {
      const Index count = std::min(strip, rows - done);
      const bool in_place = count == strip && x.col_stride == 1 && x.row_stride >= x.cols;
      if (!in_place && !tile) tile = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(ld * strip));
      T* y = out + done * k;
      if (count < strip) {  // the same product as of a whole strip: the same bits however rows are batched
        rest = std::make_unique<T[]>(static_cast<std::size_t>(strip * k));
        std::copy_n(y, first_ > 0 ? count * k : 0, rest.get());
        y = rest.get();
      }
      for (Index col = 0; col < features_; col += column_block) {
        const Index cols = std::min(column_block, features_ - col);
        if (!in_place) {
          gather(x, row + done, count, first_ + col, cols, tile.get(), ld);
          std::fill(tile.get() + count * ld, tile.get() + strip * ld, T(0));
        }
        const T* from = in_place ? x.data + (row + done) * x.row_stride + first_ + col : tile.get();
        blas::gemm(false, false, k, strip, cols, T(1), panel_.get() + col * k, k, from, in_place ? x.row_stride : ld,
                   T(first_ + col == 0 ? 0 : 1), y, k);
      }
      if (count < strip) std::copy_n(y, count * k, out + done * k);
    }
  }

  void add_sparse(const CsrView<T>& x, Index row, Index rows, T* out) const {
    const Index k = width();
    for (Index i = 0; i < rows; ++i) {
      T* y = out + i * k;
      if (first_ == 0) std::fill_n(y, k, T(0));
      const std::int32_t *begin = x.columns + x.offsets[row + i], *end = x.columns + x.offsets[row + i + 1];
      const std::int32_t* at = first_ == 0 ? begin : std::lower_bound(begin, end, first_);
      for (; at != end && *at < first_ + features_; ++at) {
        const T value = x.values[at - x.columns];
        const T* weights = panel_.get() + (*at - first_) * k;
        for (Index c = 0; c < k; ++c) y[c] += value * weights[c];
      }
    }
  }

  const RandomMap& map_;
  std::unique_ptr<T[]> panel_;
  Index first_ = 0, features_ = 0;
};

/// One panel after the other; each is drawn once and goes past all rows.
template <class T, class View>
Dataset through_panels(const RandomMap& map, const View& x, const Dataset& data, std::string_view stage,
                       const Execution& exec) {
  require_room(x.rows, map.components, sizeof(T), stage, exec);
  const Index most = panel_features(map, sizeof(T));
  Panel<T> panel(map, most);
  RowMatrix<T> out(x.rows, map.components);
  bool finite = true;
  for (Index first = 0; first < map.features; first += most) {
    panel.draw(first, std::min(most, map.features - first), exec);
    finite = apply_to_view(panel, x, out.data(), 0, x.rows, stage, exec);
  }
  if (!finite) {  // what is not finite stays so in the sums
    require_finite(data, stage, exec);
    refuse_overflow(out.data(), map.components, 0, stage);
  }
  return Dataset(std::move(out));
}

template <class T>
struct LaneType {
  using type __attribute__((vector_size(64))) = T;
};
template <class T>
using Lanes = typename LaneType<T>::type;
template <class T>
constexpr Index lane_count = 64 / static_cast<Index>(sizeof(T));

/// y_c ± x_j for as many rows as a cache line has numbers: tile is features×lanes, y is k×lanes.
template <class T>
__attribute__((always_inline)) inline void scatter(const SignedLists& lists, Index first, Index count, const T* tile,
                                                   T* y) {
  for (Index j = 0; j < count; ++j) {
    const Lanes<T> x = reinterpret_cast<const Lanes<T>*>(tile)[j];
    auto* sums = reinterpret_cast<Lanes<T>*>(y);
    const std::int64_t* offsets = lists.offsets.data() + 2 * (first + j);
    const std::int32_t* entries = lists.entries.data();
    for (std::int64_t e = offsets[0]; e < offsets[1]; ++e) sums[entries[e]] += x;
    for (std::int64_t e = offsets[1]; e < offsets[2]; ++e) sums[entries[e]] -= x;
  }
}
FEWDIM_CLONES void scatter_lanes(const SignedLists& lists, Index first, Index count, const double* tile, double* y) {
  scatter(lists, first, count, tile, y);
}
FEWDIM_CLONES void scatter_lanes(const SignedLists& lists, Index first, Index count, const float* tile, float* y) {
  scatter(lists, first, count, tile, y);
}

template <class T>
T* aligned(std::vector<T>& storage, Index count) {
  storage.assign(static_cast<std::size_t>(count + lane_count<T>), T(0));
  const auto address = reinterpret_cast<std::uintptr_t>(storage.data());
  return reinterpret_cast<T*>((address + 63) / 64 * 64);
}

/// Sums of signed entries; a feature may have none, so that what is not finite is looked for in the input.
template <class T>
class ListMap {
 public:
  ListMap(const RandomMap& map, const Execution& exec) : map_(map), lists_(draw_lists(map, exec)) {}
  Index width() const { return map_.components; }

  bool apply(const DenseView<T>& x, Index row, Index rows, T* out) const {
    constexpr Index lanes = lane_count<T>, features = 256;
    const Index k = width();
    std::vector<T> tile_storage, sum_storage;
    T *tile = aligned(tile_storage, features * lanes), *sums = aligned(sum_storage, k * lanes);
    bool finite = true;
    for (Index done = 0; done < rows; done += lanes) {
      const Index count = std::min(lanes, rows - done);
      std::fill_n(sums, k * lanes, T(0));
      std::fill_n(tile, features * lanes, T(0));
      for (Index first = 0; first < map_.features; first += features) {
        const Index cols = std::min(features, map_.features - first);
        load(x, row + done, count, first, cols, tile);
        finite = all_finite(tile, cols * lanes) && finite;
        scatter_lanes(lists_, first, cols, tile, sums);
      }
      for (Index i = 0; i < count; ++i)
        for (Index c = 0; c < k; ++c) out[(done + i) * k + c] = static_cast<T>(lists_.factor) * sums[c * lanes + i];
    }
    return finite && all_finite(out, rows * k);
  }

  bool apply(const CsrView<T>& x, Index row, Index rows, T* out) const {
    const Index k = width();
    bool finite = true;
    for (Index i = 0; i < rows; ++i) {
      T* y = out + i * k;
      std::fill_n(y, k, T(0));
      for (std::int64_t e = x.offsets[row + i]; e < x.offsets[row + i + 1]; ++e) {
        const T value = x.values[e];
        finite = finite && std::isfinite(value);
        const std::int64_t* offsets = lists_.offsets.data() + 2 * Index{x.columns[e]};
        for (std::int64_t at = offsets[0]; at < offsets[1]; ++at)
          y[lists_.entries[static_cast<std::size_t>(at)]] += value;
        for (std::int64_t at = offsets[1]; at < offsets[2]; ++at)
          y[lists_.entries[static_cast<std::size_t>(at)]] -= value;
      }
      for (Index c = 0; c < k; ++c) y[c] *= static_cast<T>(lists_.factor);
    }
    return finite && all_finite(out, rows * k);
  }

 private:
  /// tile[j·lanes + i] = x(row + i, first + j)
  static void load(const DenseView<T>& x, Index row, Index rows, Index first, Index cols, T* tile) {
    constexpr Index lanes = lane_count<T>, run = 8;
    for (Index j0 = 0; j0 < cols; j0 += run)
      for (Index i = 0; i < rows; ++i) {
        const T* from = x.data + (row + i) * x.row_stride + (first + j0) * x.col_stride;
        for (Index j = 0; j < std::min(run, cols - j0); ++j) tile[(j0 + j) * lanes + i] = from[j * x.col_stride];
      }
  }

  const RandomMap& map_;
  SignedLists lists_;
};

template <class T>
class HadamardMap {
 public:
  explicit HadamardMap(const RandomMap& map)
      : draw_(draw_hadamard(map)), signs_(draw_.signs.begin(), draw_.signs.end()), features_(map.features) {}
  Index width() const { return std::ssize(draw_.rows); }

  bool apply(const DenseView<T>& x, Index row, Index rows, T* out) const {
    std::vector<T> storage;
    T* buffer = aligned(storage, draw_.padded);
    for (Index i = 0; i < rows; ++i) {
      const T* from = x.data + (row + i) * x.row_stride;
      const Index stride = x.col_stride;
      if (stride == 1)
        apply_signs(signs_, from, buffer);
      else
        for (Index j = 0; j < features_; ++j) buffer[j] = from[j * stride] * signs_[static_cast<std::size_t>(j)];
      std::fill(buffer + features_, buffer + draw_.padded, T(0));
      transformed(buffer, out + i * width());
    }
    return all_finite(out, rows * width());
  }

  bool apply(const CsrView<T>& x, Index row, Index rows, T* out) const {
    std::vector<T> storage;
    T* buffer = aligned(storage, draw_.padded);
    for (Index i = 0; i < rows; ++i) {
      const std::int64_t begin = x.offsets[row + i], end = x.offsets[row + i + 1];
      const double levels = std::log2(static_cast<double>(draw_.padded)) + 1.0;
      if (4.0 * static_cast<double>((end - begin) * width()) < static_cast<double>(draw_.padded) * levels) {
        few_entries(x, begin, end, out + i * width());
        continue;
      }
      std::fill(buffer, buffer + draw_.padded, T(0));
      for (std::int64_t e = begin; e < end; ++e) buffer[x.columns[e]] = x.values[e] * sign(x.columns[e]);
      transformed(buffer, out + i * width());
    }
    return all_finite(out, rows * width());
  }

 private:
  T sign(std::int32_t feature) const { return signs_[static_cast<std::size_t>(feature)]; }

  void transformed(T* buffer, T* y) const {
    hadamard_sample(buffer, draw_.padded, draw_.rows, y);
    for (Index c = 0; c < width(); ++c) y[c] *= static_cast<T>(draw_.factor);
  }

  void few_entries(const CsrView<T>& x, std::int64_t begin, std::int64_t end, T* y) const {
    std::fill_n(y, width(), T(0));
    for (std::int64_t e = begin; e < end; ++e) {
      const T value = x.values[e] * sign(x.columns[e]) * static_cast<T>(draw_.factor);
      for (Index c = 0; c < width(); ++c) {
        const auto shared = static_cast<std::uint64_t>(x.columns[e] & draw_.rows[static_cast<std::size_t>(c)]);
        y[c] += (std::popcount(shared) & 1) != 0 ? -value : value;
      }
    }
  }

  HadamardDraw draw_;
  std::vector<T> signs_;
  Index features_;
};

template <class T, class Op>
Dataset map_any(const Op& op, const Dataset& data, std::string_view stage, const Execution& exec) {
  if (const auto* view = data.dense<T>()) return map_view<T>(op, *view, data, stage, exec);
  if (const auto* view = data.sparse<T>()) return map_view<T>(op, *view, data, stage, exec);
  if (RowStream* stream = data.stream()) return map_stream<T>(op, *stream, data, stage, exec);
  return Matrix<T>(0, op.width());
}

template <class T>
Dataset transform_as(const RandomMap& map, const Dataset& data, std::string_view stage, const Execution& exec) {
  if (map.kind == ProjectionKind::hadamard) return map_any<T>(HadamardMap<T>(map), data, stage, exec);
  if (by_lists(map)) return map_any<T>(ListMap<T>(map, exec), data, stage, exec);
  if (const auto* view = data.dense<T>()) return through_panels<T>(map, *view, data, stage, exec);
  if (const auto* view = data.sparse<T>()) return through_panels<T>(map, *view, data, stage, exec);
  Panel<T> whole(map, map.features);
  whole.draw(0, map.features, exec);
  return map_any<T>(whole, data, stage, exec);
}

}  // namespace

std::uint64_t random_transform_bytes(const RandomMap& map, bool stream, std::size_t scalar_bytes) {
  const auto d = static_cast<double>(map.features), k = static_cast<double>(map.components);
  double bytes = 0.0;
  if (by_panels(map))
    bytes =
        (stream ? d : static_cast<double>(panel_features(map, scalar_bytes))) * k * static_cast<double>(scalar_bytes);
  else if (by_lists(map))
    bytes = 16.0 * d + 8.0 * (map.density * d * k + d);  // entries once in parts and once together
  else
    bytes = 24.0 * static_cast<double>(std::bit_ceil(static_cast<std::uint64_t>(map.features)));
  return bytes < 0x1p63 ? static_cast<std::uint64_t>(bytes) : UINT64_MAX;
}

Dataset random_transform(const RandomMap& map, const Dataset& data, std::string_view stage, const Execution& exec) {
  require_valid_sparse(data, stage);
  const bool single = data.precision() == Precision::float32;
  require_memory(exec, random_transform_bytes(map, data.is_stream(), single ? 4 : 8),
                 std::string(stage) + ": the random map",
                 lower_option("components") + ", or use " + set_option("kind", "hadamard"));
  return single ? transform_as<float>(map, data, stage, exec) : transform_as<double>(map, data, stage, exec);
}

Matrix<double> random_matrix(const RandomMap& map, const Execution& exec) {
  RowMatrix<double> rows(map.features, map.components);
  draw_rows(map, 0, map.features, rows.data(), exec);
  return rows;
}

std::uint64_t pseudo_inverse_bytes(Index features, Index components) {
  const double bytes = 8.0 * static_cast<double>(components) *
                       (2.0 * static_cast<double>(features) + 4.0 * static_cast<double>(components));
  return bytes < 0x1p63 ? static_cast<std::uint64_t>(bytes) : UINT64_MAX;
}

Matrix<double> pseudo_inverse(const Matrix<double>& map, const Execution& exec) {
  constexpr Index block = 256;
  const Index d = map.rows(), k = map.cols();
  Matrix<double> gram = Matrix<double>::Zero(k, k);
  blas::syrk(true, k, d, 1.0, map.data(), d, 0.0, gram.data(), k);
  const Eigen::SelfAdjointEigenSolver<Matrix<double>> pairs(gram);  // reads the lower triangle
  const Vector<double>& values = pairs.eigenvalues();
  Matrix<double> scaled = pairs.eigenvectors();
  for (Index c = 0; c < k; ++c) scaled.col(c) *= values[c] > 1e-13 * values[k - 1] ? 1.0 / values[c] : 0.0;
  Matrix<double> inverse(k, k), out(d, k);
  blas::gemm(false, true, k, k, k, 1.0, scaled.data(), k, pairs.eigenvectors().data(), k, 0.0, inverse.data(), k);
  parallel_for(exec, (d + block - 1) / block, [&](Index task) {
    const Index first = task * block, rows = std::min(block, d - first);
    blas::gemm(false, false, rows, k, k, 1.0, map.data() + first, d, inverse.data(), k, 0.0, out.data() + first, d);
  });
  return out;
}

}  // namespace fewdim
