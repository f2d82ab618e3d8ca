#include "quality/sparse_products.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace fewdim {

// Each task owns a band of the result and reads the rows in order: no sums to merge, the same bits at any thread count.
constexpr Index kBand = 128;

template <class T>
Matrix<double> sparse_scatter(const CsrView<T>& x, const Execution& exec) {
  Matrix<double> out = Matrix<double>::Zero(x.cols, x.cols);
  parallel_for(exec, (x.cols + kBand - 1) / kBand, [&](Index band) {
    const auto first = static_cast<std::int32_t>(band * kBand);
    for (Index i = 0; i < x.rows; ++i) {
      const std::int64_t end = x.offsets[i + 1];
      std::int64_t e = std::lower_bound(x.columns + x.offsets[i], x.columns + end, first) - x.columns;
      for (; e < end && x.columns[e] < first + kBand; ++e) {
        const auto value = static_cast<double>(x.values[e]);
        double* column = &out(0, x.columns[e]);
        for (std::int64_t f = e; f < end; ++f) column[x.columns[f]] += value * static_cast<double>(x.values[f]);
      }
    }
  });
  return out;
}

template <class T>
Matrix<double> sparse_gram(const CsrView<T>& x, const Vector<double>& weights, const Execution& exec) {
  Matrix<double> out = Matrix<double>::Zero(x.rows, x.rows);
  parallel_for(exec, (x.rows + kBand - 1) / kBand, [&](Index band) {
    Vector<double> row = Vector<double>::Zero(x.cols);
    for (Index j = band * kBand; j < std::min(x.rows, (band + 1) * kBand); ++j) {
      for (std::int64_t e = x.offsets[j]; e < x.offsets[j + 1]; ++e)
        row[x.columns[e]] = static_cast<double>(x.values[e]) * (weights.size() > 0 ? weights[x.columns[e]] : 1.0);
      for (Index i = j; i < x.rows; ++i) {
        double sum = 0.0;
        for (std::int64_t e = x.offsets[i]; e < x.offsets[i + 1]; ++e)
          sum += static_cast<double>(x.values[e]) * row[x.columns[e]];
        out(i, j) = sum;
      }
      for (std::int64_t e = x.offsets[j]; e < x.offsets[j + 1]; ++e) row[x.columns[e]] = 0.0;
    }
  });
  return out;
}

template <class T>
Vector<double> sparse_times(const CsrView<T>& x, const Vector<double>& v) {
  Vector<double> out = Vector<double>::Zero(x.rows);
  for (Index i = 0; i < x.rows; ++i)
    for (std::int64_t e = x.offsets[i]; e < x.offsets[i + 1]; ++e)
      out[i] += static_cast<double>(x.values[e]) * v[x.columns[e]];
  return out;
}

template Matrix<double> sparse_scatter(const CsrView<float>&, const Execution&);
template Matrix<double> sparse_scatter(const CsrView<double>&, const Execution&);
template Matrix<double> sparse_gram(const CsrView<float>&, const Vector<double>&, const Execution&);
template Matrix<double> sparse_gram(const CsrView<double>&, const Vector<double>&, const Execution&);
template Vector<double> sparse_times(const CsrView<float>&, const Vector<double>&);
template Vector<double> sparse_times(const CsrView<double>&, const Vector<double>&);

}  // namespace fewdim
