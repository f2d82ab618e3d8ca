#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "base/memory.hpp"
#include "data/table/checks.hpp"
#include "fewdim/quality.hpp"
#include "quality/embedding/same_objects.hpp"
#include "solvers/eigen/direct.hpp"

namespace fewdim {

namespace {

constexpr const char* kProcrustes = "procrustes";

/// Rows less their mean, with columns of zeros up to `cols`.
struct Centered {
  Matrix<double> rows;
  Vector<double> mean;
  double square = 0.0;  ///< Σ‖row‖²
};

Centered centered(const Dataset& data, Index cols, const char* which, const Execution& exec) {
  if (data.is_stream())
    throw Unsupported(
        fmt::format("{}: needs the rows of the {} in memory, and these arrive as a stream", kProcrustes, which));
  require_finite(data, fmt::format("{}: the {}", kProcrustes, which), exec);
  Centered out;
  out.rows = Matrix<double>::Zero(data.rows(), cols);
  out.rows.leftCols(data.cols()) = data.matrix<double>();
  out.mean = out.rows.colwise().mean().transpose();
  double largest = out.rows.cwiseAbs().maxCoeff();
  out.rows.rowwise() -= out.mean.transpose();
  out.square = out.rows.squaredNorm();
  if (!std::isfinite(out.square))
    throw DataError(fmt::format("{}: the numbers of the {} are too large to be squared; divide them by a constant",
                                kProcrustes, which));
  if (!(out.square > std::pow(1e-14 * largest, 2) * static_cast<double>(data.rows())))
    throw DataError(
        fmt::format("{}: all rows of the {} are the same, so there is nothing to align", kProcrustes, which));
  return out;
}

}  // namespace

Procrustes procrustes(const Dataset& reference, const Dataset& other, const ProcrustesOptions& options,
                      const Execution& exec) {
  require_same_objects(reference, "reference", other, "other", kProcrustes);
  if (reference.rows() < 2)
    throw DataError(fmt::format("{}: at least 2 rows are needed, and there are {}", kProcrustes, reference.rows()));
  require_nonempty(reference, kProcrustes);
  require_nonempty(other, kProcrustes);
  const Index cols = std::max(reference.cols(), other.cols()), n = reference.rows();
  require_memory(exec, static_cast<std::uint64_t>(cols) * static_cast<std::uint64_t>(4 * cols + 3 * n) * sizeof(double),
                 fmt::format("{}: two tables of {} columns", kProcrustes, cols), "reduce the wider one with pca first");
  const Centered x = centered(reference, cols, "reference", exec), y = centered(other, cols, "other", exec);

  // YᵀX = U S Vᵀ: R = U Vᵀ is the best rotation, and tr S / ‖Y‖² the best scale.
  Matrix<double> cross = y.rows.transpose() * x.rows;
  ThinSvd svd = svd_dense(cross, true);
  if (!options.reflection && (svd.u * svd.v.transpose()).determinant() < 0.0) {
    svd.u.col(cols - 1) *= -1.0;  // the direction that costs least
    svd.values[cols - 1] *= -1.0;
  }
  const Matrix<double> rotation = svd.u * svd.v.transpose();
  Procrustes out;
  out.scale = options.scaling ? svd.values.sum() / y.square : 1.0;
  out.rotation = rotation.topRows(other.cols());
  out.shift = x.mean - out.scale * rotation.transpose() * y.mean;
  const double left = (x.rows - out.scale * y.rows * rotation).squaredNorm();
  out.disparity = left / x.square;
  out.rms_error = std::sqrt(left / static_cast<double>(n));
  return out;
}

Matrix<double> Procrustes::apply(const Dataset& other) const {
  if (other.cols() != rotation.rows())
    throw DataError(
        fmt::format("{}: the map takes {} columns, and there are {}", kProcrustes, rotation.rows(), other.cols()));
  Matrix<double> out = scale * other.matrix<double>() * rotation;
  out.rowwise() += shift.transpose();
  return out;
}

}  // namespace fewdim
