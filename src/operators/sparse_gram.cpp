#include "operators/sparse_gram.hpp"

#include <algorithm>
#include <vector>

#include "base/index.hpp"
#include "base/parallel.hpp"

namespace fewdim {

namespace {

/// The entries by columns, rows ascending in each, times S⁻².
struct ByColumns {
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> rows;
  std::vector<double> values;
};

template <class S>
ByColumns by_columns(const CsrView<S>& x, const Vector<double>& inverse_scale) {
  ByColumns out;
  const std::int64_t entries = x.nonzeros();
  out.offsets.assign(at(x.cols + 1), 0);
  out.rows.resize(at(entries));
  out.values.resize(at(entries));
  for (std::int64_t e = 0; e < entries; ++e) ++out.offsets[at(x.columns[e] + 1)];
  for (Index j = 0; j < x.cols; ++j) out.offsets[at(j + 1)] += out.offsets[at(j)];
  std::vector<std::int64_t> next(out.offsets.begin(), out.offsets.end() - 1);
  for (Index i = 0; i < x.rows; ++i)
    for (std::int64_t e = x.offsets[i]; e < x.offsets[i + 1]; ++e) {
      const Index j = x.columns[e];
      const double scale = inverse_scale.size() > 0 ? inverse_scale[j] * inverse_scale[j] : 1.0;
      const std::int64_t place = next[at(j)]++;
      out.rows[at(place)] = static_cast<std::int32_t>(i);
      out.values[at(place)] = static_cast<double>(x.values[e]) * scale;
    }
  return out;
}

template <class S>
Matrix<double> form(const CsrView<S>& x, const Standardization& s, const Execution& exec) {
  const ByColumns columns = by_columns(x, s.inverse_scale);
  const bool centered = s.mean.size() > 0;
  Matrix<double> k = Matrix<double>::Zero(x.rows, x.rows);
  Vector<double> c = Vector<double>::Zero(x.rows);
  double m = 0.0;
  for (Index j = 0; j < s.mean.size(); ++j) {
    const double level = s.mean[j] * (s.inverse_scale.size() > 0 ? s.inverse_scale[j] : 1.0);
    m += level * level;
  }
  // Row i of the lower triangle belongs to one task, which adds its entries in their order.
  constexpr Index kRows = 16;
  const Index tasks = (x.rows + kRows - 1) / kRows;
  parallel_for(exec, tasks, [&](Index task) {
    for (Index i = task * kRows; i < std::min(x.rows, (task + 1) * kRows); ++i) {
      double* row = k.data() + i * x.rows;  // column i of a symmetric matrix
      for (std::int64_t e = x.offsets[i]; e < x.offsets[i + 1]; ++e) {
        const Index j = x.columns[e];
        const auto value = static_cast<double>(x.values[e]);
        if (centered) {
          const double inverse = s.inverse_scale.size() > 0 ? s.inverse_scale[j] : 1.0;
          c[i] += value * inverse * inverse * s.mean[j];
        }
        for (std::int64_t p = columns.offsets[at(j)]; p < columns.offsets[at(j + 1)] && columns.rows[at(p)] <= i; ++p)
          row[columns.rows[at(p)]] += value * columns.values[at(p)];
      }
    }
  });
  const auto root = [&](Index i) { return s.root_weights.size() > 0 ? s.root_weights[i] : 1.0; };
  parallel_for(exec, tasks, [&](Index task) {
    for (Index i = task * kRows; i < std::min(x.rows, (task + 1) * kRows); ++i)
      for (Index h = 0; h <= i; ++h) {
        double value = k(h, i);
        if (centered) value = value - c[i] - c[h] + m;
        k(h, i) = value * (root(i) * root(h));
      }
  });
  for (Index i = 0; i < x.rows; ++i)
    for (Index h = 0; h < i; ++h) k(i, h) = k(h, i);
  return k;
}

}  // namespace

Matrix<double> sparse_gram(const Dataset& data, const Standardization& standardization, const Execution& exec) {
  if (const auto* x = data.sparse<double>()) return form(*x, standardization, exec);
  return form(*data.sparse<float>(), standardization, exec);
}

std::uint64_t sparse_gram_bytes(Index cols, std::int64_t nonzeros) {
  return static_cast<std::uint64_t>(cols) * 16 + static_cast<std::uint64_t>(nonzeros) * 12;
}

}  // namespace fewdim
