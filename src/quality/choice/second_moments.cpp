#include "quality/choice/second_moments.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/memory.hpp"
#include "operators/column_moments.hpp"
#include "operators/gram_matrix.hpp"
#include "operators/row_moments.hpp"
#include "operators/tile_products.hpp"
#include "quality/embedding/sparse_products.hpp"
#include "solvers/eigen/direct.hpp"

namespace fewdim {

namespace {

constexpr Index kLargestSide = 5000;

/// Two offsets per column, and 4 bytes of number and 8 of value per entry.
std::uint64_t transposed_bytes(const Dataset& data) {
  const auto* x = data.sparse<double>();
  const std::int64_t entries = x ? x->nonzeros() : data.sparse<float>()->nonzeros();
  return 16 * static_cast<std::uint64_t>(data.cols() + 1) + 12 * static_cast<std::uint64_t>(entries);
}

bool takes_gram(const Dataset& data) { return !data.is_stream() && data.rows() < data.cols(); }

/// Deviations from the column scatters. A column whose values differ from their mean by rounding alone is constant.
void set_scales(SecondMoments& out, const Vector<double>& scatter) {
  const double n = static_cast<double>(out.rows);
  out.variance.resize(scatter.size());
  for (Index j = 0; j < scatter.size(); ++j) {
    const double rounding = 1e-12 * out.mean[j];  // a plain sum of 4,096 equal numbers is off by up to 1e-13
    out.variance[j] = scatter[j] > n * rounding * rounding ? scatter[j] / out.divisor() : 0.0;
  }
  if (!out.options.scale) return;
  out.inverse_scale = Vector<double>::Zero(scatter.size());
  for (Index j = 0; j < scatter.size(); ++j)
    if (out.variance[j] > 0.0) out.inverse_scale[j] = 1.0 / std::sqrt(out.variance[j]);
}

void scale_scatter(SecondMoments& out) {
  if (out.inverse_scale.size() == 0) return;
  for (Index j = 0; j < out.products.cols(); ++j)
    for (Index i = j; i < out.products.rows(); ++i) out.products(i, j) *= out.inverse_scale[i] * out.inverse_scale[j];
}

/// Σ (x−μ)(x−μ)ᵀ = XᵀX − N μμᵀ on one side; on the other the transposed rows, divided by the deviations, give XS⁻²Xᵀ,
/// and centering both sides of it takes μ off the rows.
template <class T>
void add_sparse(SecondMoments& out, const CsrView<T>& x, const Execution& exec) {
  if (out.gram) {
    const Csr<double> columns = transposed(x, out.inverse_scale);
    out.products = sparse_scatter(columns.view(), exec);
    if (out.options.center) center_both_sides(out.products);
    return;
  }
  const double n = static_cast<double>(out.rows);
  out.products = sparse_scatter(x, exec);
  for (Index j = 0; j < x.cols; ++j)
    for (Index i = j; i < x.cols; ++i) out.products(i, j) -= n * out.mean[i] * out.mean[j];
  scale_scatter(out);
}

}  // namespace

void center_both_sides(Matrix<double>& gram) {
  const Index n = gram.rows();
  Vector<double> means = Vector<double>::Zero(n);
  for (Index b = 0; b < n; ++b)
    for (Index a = b; a < n; ++a) {
      means[a] += gram(a, b);
      if (a != b) means[b] += gram(a, b);
    }
  means /= static_cast<double>(n);
  double mean = 0.0;
  for (const double m : means) mean += m;
  mean /= static_cast<double>(n);
  for (Index b = 0; b < n; ++b)
    for (Index a = b; a < n; ++a) gram(a, b) += mean - means[a] - means[b];
}

Index SecondMoments::varying_columns() const {
  Index count = 0;
  for (const double v : variance) count += v > 0.0;
  return count;
}

bool second_moments_fit(const Dataset& data, const Execution& exec, std::string& why_not) {
  const bool gram = takes_gram(data);
  const Index side = gram ? data.rows() : data.cols();
  if (side > kLargestSide) {
    why_not = fmt::format("it needs the whole spectrum, whose matrix has side {}; at most {} is computed", side,
                          kLargestSide);
    return false;
  }
  const auto n = static_cast<std::uint64_t>(side);
  // The matrix while it is formed, then one copy for the eigenvalues.
  const std::uint64_t forming = data.is_sparse() ? 8 * n * n + (gram ? transposed_bytes(data) : 0)
                                : gram           ? gram_matrix_bytes(side, 8)
                                                 : row_moments_bytes(side, data.is_stream(), 8);
  const std::uint64_t bytes = std::max(forming, 16 * n * n);
  if (bytes <= memory_limit(exec)) return true;
  why_not = fmt::format("it needs the whole spectrum, which takes {}, and the limit is {}", format_bytes(bytes),
                        format_bytes(memory_limit(exec)));
  return false;
}

SecondMoments second_moments(const Dataset& data, const MomentOptions& options, const Execution& exec) {
  SecondMoments out;
  out.options = options;
  out.gram = takes_gram(data);
  const ScatterOptions scatter{.center = options.center, .who = "choose-k"};
  if (data.is_sparse()) {
    const ColumnMoments columns = column_moments(data, scatter, exec);
    out.rows = columns.rows;
    out.mean = columns.mean;
    set_scales(out, columns.scatter);
    if (const auto* x = data.sparse<double>()) add_sparse(out, *x, exec);
    if (const auto* x = data.sparse<float>()) add_sparse(out, *x, exec);
    return out;
  }
  if (out.gram) {
    out.rows = data.rows();
    GramMatrix gram = gram_matrix(data, scatter, options.scale, out.divisor(), exec);
    out.mean = std::move(gram.mean);
    set_scales(out, gram.column_scatter);
    out.products = std::move(gram.gram);
    // Scaling has blown up what rounding left of constant columns: one multiple of 11ᵀ, which centering takes off.
    if (options.scale && options.center && out.varying_columns() < data.cols()) center_both_sides(out.products);
    return out;
  }
  Moments moments = row_moments(data, scatter, exec);
  out.rows = moments.rows;
  out.mean = options.center ? std::move(moments.mean) : Vector<double>::Zero(data.cols());
  set_scales(out, moments.scatter.diagonal());
  out.products = std::move(moments.scatter);
  scale_scatter(out);
  return out;
}

SampleSpectrum whole_spectrum(const SecondMoments& moments) {
  SampleSpectrum out{.values = {},
                     .rows = moments.rows,
                     .cols = moments.varying_columns(),
                     .centered = moments.options.center,
                     .correlation = moments.options.scale};
  Matrix<double> work = moments.products;
  const Vector<double> all = eigenvalues_symmetric(work);
  const Index count = std::max<Index>(0, std::min({out.freedom(), out.cols, all.size()}));
  out.values = (all.head(count) / moments.divisor()).cwiseMax(0.0);
  return out;
}

}  // namespace fewdim
