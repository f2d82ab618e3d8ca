#include <cmath>

#include "base/random.hpp"
#include "solvers/nmf/nmf.hpp"

namespace fewdim {

namespace {

double part_norm(ConstBlock<double> v, double sign) {
  double sum = 0.0;
  for (Index i = 0; i < v.rows(); ++i)
    if (const double value = sign * v(i, 0); value > 0.0) sum += value * value;
  return std::sqrt(sum);
}

/// factor · max(0, sign v), with `fill` where that is zero.
void set_part(ConstBlock<double> v, double sign, double factor, double fill, Block<double> out) {
  for (Index i = 0; i < v.rows(); ++i) {
    const double value = factor * sign * v(i, 0);
    out(i, 0) = value > 0.0 ? value : fill;
  }
}

}  // namespace

NmfFactors nndsvd(const NmfData& x, const Vector<double>& singular_values, const Matrix<double>& v, double fill) {
  const Index k = v.cols();
  Matrix<double> u(x.rows(), k);  // UΣ
  x.times(v, u);
  NmfFactors f{Matrix<double>(x.rows(), k), Matrix<double>(x.cols(), k)};
  for (Index c = 0; c < k; ++c) {
    // ‖u⁺‖‖v⁺‖ or ‖u⁻‖‖v⁻‖; the first pair has one sign, up to rounding (Perron & Frobenius).
    const double up = part_norm(u.col(c), 1.0), vp = part_norm(v.col(c), 1.0);
    const double un = part_norm(u.col(c), -1.0), vn = part_norm(v.col(c), -1.0);
    const double sign = up * vp >= un * vn ? 1.0 : -1.0;
    const double of_u = sign > 0.0 ? up : un, of_v = sign > 0.0 ? vp : vn;
    const bool nothing = !(singular_values[c] > 1e-14 * singular_values[0]) || !(of_u * of_v > 0.0);
    const double size = nothing ? 0.0 : std::sqrt(of_u * of_v);  // √(σ m), as u holds σ
    set_part(u.col(c), sign, nothing ? 0.0 : size / of_u, fill, f.w.col(c));
    set_part(v.col(c), sign, nothing ? 0.0 : size / of_v, fill, f.h.col(c));
  }
  return f;
}

NmfFactors random_factors(const NmfData& x, Index components, Seed seed) {
  NmfFactors f{Matrix<double>(x.rows(), components), Matrix<double>(x.cols(), components)};
  // The mean of a product of two uniform numbers is ¼.
  const double mean = x.sum() / static_cast<double>(x.rows()) / static_cast<double>(x.cols());
  const double size = 2.0 * std::sqrt(mean / static_cast<double>(components));
  for (Index c = 0; c < components; ++c) {
    const Random rows(seed, static_cast<std::uint32_t>(2 * c)), cols(seed, static_cast<std::uint32_t>(2 * c + 1));
    for (Index i = 0; i < x.rows(); ++i) f.w(i, c) = size * rows.uniform(static_cast<std::uint64_t>(i));
    for (Index j = 0; j < x.cols(); ++j) f.h(j, c) = size * cols.uniform(static_cast<std::uint64_t>(j));
  }
  return f;
}

}  // namespace fewdim
