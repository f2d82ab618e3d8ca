#include "quality/embedding/sparse_products.hpp"

#include <algorithm>
#include <numeric>

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
Csr<double> transposed(const CsrView<T>& x, const Vector<double>& factor) {
  const auto entries = static_cast<std::size_t>(x.nonzeros());
  Csr<double> out;
  out.rows = x.cols, out.cols = x.rows;
  out.offsets.assign(static_cast<std::size_t>(x.cols) + 1, 0);
  out.columns.resize(entries);
  out.values.resize(entries);
  for (std::size_t e = 0; e < entries; ++e) ++out.offsets[static_cast<std::size_t>(x.columns[e]) + 1];
  std::partial_sum(out.offsets.begin(), out.offsets.end(), out.offsets.begin());
  std::vector<std::int64_t> next(out.offsets.begin(), out.offsets.end() - 1);
  for (Index i = 0; i < x.rows; ++i)
    for (std::int64_t e = x.offsets[i]; e < x.offsets[i + 1]; ++e) {
      const auto to = static_cast<std::size_t>(next[static_cast<std::size_t>(x.columns[e])]++);
      out.columns[to] = static_cast<std::int32_t>(i);
      out.values[to] = static_cast<double>(x.values[e]) * (factor.size() > 0 ? factor[x.columns[e]] : 1.0);
    }
  return out;
}

template Matrix<double> sparse_scatter(const CsrView<float>&, const Execution&);
template Matrix<double> sparse_scatter(const CsrView<double>&, const Execution&);
template Csr<double> transposed(const CsrView<float>&, const Vector<double>&);
template Csr<double> transposed(const CsrView<double>&, const Vector<double>&);

}  // namespace fewdim
