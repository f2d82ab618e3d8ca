#include "features/fourier.hpp"

#include <algorithm>
#include <cmath>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "data/table/checks.hpp"

namespace fewdim {

namespace {

/// f(ω·x)/√m for frequencies first .. first+n, written `stride` apart.
template <class Function>
void waves(const RowMatrix<double>& frequencies, const double* x, Index rows, Index first, Index n, Function f,
           double* out, Index stride) {
  const Index cols = frequencies.cols();
  std::vector<double> angles(static_cast<std::size_t>(rows * n));
  blas::gemm(true, false, n, rows, cols, 1.0, frequencies.data() + first * cols, cols, x, cols, 0.0, angles.data(), n);
  const double scale = 1.0 / std::sqrt(static_cast<double>(frequencies.rows()));
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < n; ++j) out[i * stride + j] = scale * f(angles[static_cast<std::size_t>(i * n + j)]);
}

}  // namespace

void fourier_tile(const RowMatrix<double>& frequencies, const double* x, Index rows, Index first, Index n,
                  double* out) {
  const Index count = frequencies.rows(), cosines = std::clamp<Index>(count - first, 0, n);
  const auto cosine = [](double angle) { return std::cos(angle); };
  const auto sine = [](double angle) { return std::sin(angle); };
  if (cosines > 0) waves(frequencies, x, rows, first, cosines, cosine, out, n);
  if (cosines < n) waves(frequencies, x, rows, first + cosines - count, n - cosines, sine, out + cosines, n);
}

RowMatrix<double> fourier_features(const Matrix<double>& frequencies, const Dataset& data, std::string_view who,
                                   const Execution& exec) {
  constexpr Index kRows = 64;
  require_finite(data, std::string(who), exec);
  const RowMatrix<double> packed = frequencies, x = data.matrix<double>();
  const Index n = x.rows(), count = 2 * packed.rows();
  RowMatrix<double> out(n, count);
  parallel_for(exec, (n + kRows - 1) / kRows, [&](Index task) {
    const Index first = task * kRows;
    fourier_tile(packed, x.data() + first * x.cols(), std::min(kRows, n - first), 0, count, out.data() + first * count);
  });
  return out;
}

}  // namespace fewdim
