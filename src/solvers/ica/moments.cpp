#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "solvers/ica/ica.hpp"
#include "solvers/ica/kernels.hpp"

namespace fewdim {

namespace {

constexpr Index most_parts = 64;
constexpr std::uint32_t start_stream = 0x49434100;

/// A tile of about 96 KiB: it and its image stay in the second-level cache.
Index rows_of_tile(Index cols) {
  return std::clamp<Index>(12'288 / std::max<Index>(1, cols) / contrast_run * contrast_run, 4 * contrast_run, 1024);
}

/// V f(Λ) Vᵀ of a symmetric matrix.
Matrix<double> function_of(const Matrix<double>& symmetric, double (*f)(double)) {
  const Eigen::SelfAdjointEigenSolver<Matrix<double>> pairs(symmetric);
  Matrix<double> scaled = pairs.eigenvectors();
  for (Index c = 0; c < scaled.cols(); ++c) scaled.col(c) *= f(pairs.eigenvalues()[c]);
  return scaled * pairs.eigenvectors().transpose();
}

}  // namespace

template <class T>
WhiteTiles<T>::WhiteTiles(const DenseView<T>& rows, const Execution& exec)
    : rows_(rows.rows),
      cols_(rows.cols),
      tile_rows_(rows_of_tile(rows.cols)),
      tiles_((rows.rows + tile_rows_ - 1) / tile_rows_),
      numbers_(std::make_shared_for_overwrite<T[]>(static_cast<std::size_t>(tiles_ * tile_rows_ * cols_))) {
  for_each_part(exec, tiles_, [&](Index, Index first, Index end) {
    for (Index t = first; t < end; ++t) {
      T* out = numbers_.get() + t * tile_rows_ * cols_;
      const Index count = tile_rows_ - padding(t);
      for (Index i = 0; i < count; ++i) {
        const T* row = rows.data + (t * tile_rows_ + i) * rows.row_stride;
        for (Index c = 0; c < cols_; ++c) out[c * tile_rows_ + i] = row[c * rows.col_stride];
      }
      for (Index c = 0; c < cols_; ++c) std::fill_n(out + c * tile_rows_ + count, tile_rows_ - count, T(0));
    }
  });
}

template <class T>
std::uint64_t WhiteTiles<T>::bytes(Index rows, Index cols) {
  return static_cast<std::uint64_t>(rows + rows_of_tile(cols)) * static_cast<std::uint64_t>(cols) * sizeof(T);
}

template <class T>
Matrix<double> WhiteTiles<T>::whiten(const Execution& exec) {
  const Index k = cols_, height = tile_rows_;
  std::vector<Matrix<double>> sums(static_cast<std::size_t>(ica_parts(tiles_)), Matrix<double>::Zero(k, k));
  for_each_part(exec, tiles_, [&](Index part, Index first, Index end) {
    Matrix<T> square(k, k);
    for (Index t = first; t < end; ++t) {
      blas::gemm(true, false, k, k, height, T(1), tile(t), height, tile(t), height, T(0), square.data(), k);
      sums[static_cast<std::size_t>(part)] += square.template cast<double>();
    }
  });
  Matrix<double> covariance = Matrix<double>::Zero(k, k);
  for (const Matrix<double>& sum : sums) covariance += sum / static_cast<double>(rows_);
  const Matrix<double> root = function_of(covariance, [](double x) { return 1.0 / std::sqrt(x); });
  const Matrix<T> factor = root.template cast<T>();
  for_each_part(exec, tiles_, [&](Index, Index first, Index end) {
    Matrix<T> image(height, k);
    for (Index t = first; t < end; ++t) {
      T* numbers = numbers_.get() + t * height * k;
      blas::gemm(false, false, height, k, k, T(1), numbers, height, factor.data(), k, T(0), image.data(), height);
      std::copy_n(image.data(), height * k, numbers);
    }
  });
  return root;
}

Index ica_parts(Index tiles) { return std::min(tiles, most_parts); }

void for_each_part(const Execution& exec, Index tiles, const std::function<void(Index, Index, Index)>& task) {
  const Index parts = ica_parts(tiles);
  parallel_for(exec, parts, [&](Index part) { task(part, part * tiles / parts, (part + 1) * tiles / parts); });
}

template <class T>
ContrastMoments contrast_moments(const WhiteTiles<T>& z, const Matrix<double>& w, IcaContrast contrast,
                                 const Execution& exec, Index every) {
  const Index k = z.cols(), m = w.rows(), height = z.tile_rows();
  const Index tiles = (z.tiles() + every - 1) / every;
  const Matrix<T> factor = w.template cast<T>();
  const ContrastSums zero = contrast_at_zero(contrast);
  struct Part {
    Matrix<double> cross;
    Vector<double> slope, value;
  };
  std::vector<Part> parts(static_cast<std::size_t>(ica_parts(tiles)));
  for_each_part(exec, tiles, [&](Index part, Index first, Index end) {
    Part& sum = parts[static_cast<std::size_t>(part)];
    sum = {Matrix<double>::Zero(m, k), Vector<double>::Zero(m), Vector<double>::Zero(m)};
    Matrix<T> y(height, m), cross(m, k);
    for (Index i = first; i < end; ++i) {
      const Index t = i * every;
      blas::gemm(false, true, height, m, k, T(1), z.tile(t), height, factor.data(), m, T(0), y.data(), height);
      for (Index c = 0; c < m; ++c) {
        const ContrastSums sums = contrast_in_place(contrast, y.data() + c * height, height);
        sum.slope[c] += sums.slope - static_cast<double>(z.padding(t)) * zero.slope;
        sum.value[c] += sums.value - static_cast<double>(z.padding(t)) * zero.value;
      }
      blas::gemm(true, false, m, k, height, T(1), y.data(), height, z.tile(t), height, T(0), cross.data(), m);
      sum.cross += cross.template cast<double>();
    }
  });
  ContrastMoments out{Matrix<double>::Zero(m, k), Vector<double>::Zero(m), Vector<double>::Zero(m)};
  for (const Part& part : parts) {
    out.cross += part.cross;
    out.slope += part.slope;
    out.value += part.value;
  }
  const double weight = 1.0 / static_cast<double>(tiles * height - z.padding((tiles - 1) * every));
  out.cross *= weight;
  out.slope *= weight;
  out.value *= weight;
  return out;
}

RotationState rotation_state(Matrix<double> w, ContrastMoments moments) {
  const Index k = w.rows();
  RotationState s;
  s.cross = moments.cross * w.transpose();
  s.signs.resize(k);
  for (Index i = 0; i < k; ++i)
    s.signs[i] = moments.slope[i] * w.row(i).squaredNorm() - s.cross(i, i) < 0.0 ? -1.0 : 1.0;
  s.residuals = Vector<double>::Zero(k);
  for (Index i = 0; i < k; ++i)
    for (Index j = 0; j < k; ++j)
      s.residuals[i] =
          std::max(s.residuals[i], 0.5 * std::abs(s.signs[i] * s.cross(i, j) - s.signs[j] * s.cross(j, i)));
  s.w = std::move(w);
  s.moments = std::move(moments);
  return s;
}

Matrix<double> random_rotation(Index k, Seed seed) {
  Matrix<double> start(k, k);
  fill_normal<double>(seed, start_stream, start);
  return nearest_rotation(start);
}

Matrix<double> nearest_rotation(const Matrix<double>& m) {
  const Matrix<double> near =
      function_of(m * m.transpose(), [](double x) { return 1.0 / std::sqrt(std::max(x, 1e-300)); }) * m;
  // One of Newton's steps for what squaring has lost.
  return 1.5 * near - 0.5 * (near * near.transpose()) * near;
}

template class WhiteTiles<float>;
template class WhiteTiles<double>;
template ContrastMoments contrast_moments(const WhiteTiles<float>&, const Matrix<double>&, IcaContrast,
                                          const Execution&, Index);
template ContrastMoments contrast_moments(const WhiteTiles<double>&, const Matrix<double>&, IcaContrast,
                                          const Execution&, Index);

}  // namespace fewdim
