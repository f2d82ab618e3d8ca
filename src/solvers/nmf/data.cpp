#include <algorithm>

#include "base/parallel.hpp"
#include "operators/standardized.hpp"
#include "operators/tiles.hpp"
#include "solvers/nmf/nmf.hpp"

namespace fewdim {

namespace {

constexpr Index kDataLanes = 16;

/// Xᵀ by counting: entries of a column in the order of the rows.
template <class T>
Csr<T> transposed(const CsrView<T>& a) {
  Csr<T> out;
  out.rows = a.cols;
  out.cols = a.rows;
  out.offsets.assign(static_cast<std::size_t>(a.cols) + 1, 0);
  const auto entries = static_cast<std::size_t>(a.nonzeros());
  for (std::size_t e = 0; e < entries; ++e) ++out.offsets[static_cast<std::size_t>(a.columns[e]) + 1];
  for (std::size_t j = 1; j < out.offsets.size(); ++j) out.offsets[j] += out.offsets[j - 1];
  std::vector<std::int64_t> next(out.offsets.begin(), out.offsets.end() - 1);
  out.columns.resize(entries);
  out.values.resize(entries);
  for (Index i = 0; i < a.rows; ++i)
    for (std::int64_t e = a.offsets[i]; e < a.offsets[i + 1]; ++e) {
      const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(a.columns[e])]++);
      out.columns[at] = static_cast<std::int32_t>(i);
      out.values[at] = a.values[e];
    }
  return out;
}

const Standardization& as_they_are() {
  static const Standardization none;
  return none;
}

/// Runs body(first_row, rows, tile) → number over tiles of dense or sparse rows, and adds the numbers up by lanes.
template <class Body>
double sum_over_tiles(const Dataset& data, const Execution& exec, const Body& body) {
  const RowTiles<double> tiles(data, as_they_are(), kDataLanes, tile_rows_for(data.cols(), sizeof(double)));
  std::vector<double> sums(static_cast<std::size_t>(tiles.lanes()), 0.0);
  tiles.scan(exec, "nmf", [&](Index lane, Index first, Index rows, double* tile) {
    sums[static_cast<std::size_t>(lane)] += body(first, rows, tile);
  });
  double total = 0.0;
  for (const double sum : sums) total += sum;
  return total;
}

template <class T>
void sums_of_entries(const CsrView<T>& a, double& sum, double& squares) {
  for (Index i = 0; i < a.rows; ++i) {
    double row = 0.0, row_squares = 0.0;
    for (std::int64_t e = a.offsets[i]; e < a.offsets[i + 1]; ++e) {
      const double value = a.values[e];
      row += value;
      row_squares += value * value;
    }
    sum += row;
    squares += row_squares;
  }
}

}  // namespace

std::uint64_t NmfData::bytes(const Dataset& data) { return data.is_sparse() ? data.bytes() : 0; }

NmfData::NmfData(const Dataset& data, const Execution& exec) : data_(data), exec_(exec) {
  if (const auto* a = data.sparse<double>()) {
    columns_ = Dataset(transposed(*a));
    sums_of_entries(*a, sum_, square_sum_);
    return;
  }
  if (const auto* a = data.sparse<float>()) {
    columns_ = Dataset(transposed(*a));
    sums_of_entries(*a, sum_, square_sum_);
    return;
  }
  const Index cols = data.cols();
  const auto plain = [cols](Index, Index rows, const double* tile) {
    double sum = 0.0;
    for (Index i = 0; i < rows * cols; ++i) sum += tile[i];
    return sum;
  };
  const auto squares = [cols](Index, Index rows, const double* tile) {
    double sum = 0.0;
    for (Index i = 0; i < rows * cols; ++i) sum += tile[i] * tile[i];
    return sum;
  };
  sum_ = sum_over_tiles(data, exec, plain);
  square_sum_ = sum_over_tiles(data, exec, squares);
}

void NmfData::times(ConstBlock<double> h, Block<double> out) const {
  Standardized(data_, as_they_are(), true, exec_).apply(h, out);
}

void NmfData::transposed_times(ConstBlock<double> w, Block<double> out) const {
  if (columns_.empty())
    Standardized(data_, as_they_are(), true, exec_).apply_adjoint(w, out);
  else
    Standardized(columns_, as_they_are(), true, exec_).apply(w, out);
}

double NmfData::residual(const NmfFactors& f) const {
  const Index cols = data_.cols(), k = f.h.cols();
  return sum_over_tiles(data_, exec_, [&](Index first, Index rows, double* tile) {
    double sum = 0.0;
    for (Index i = 0; i < rows; ++i) {
      double* row = tile + i * cols;
      for (Index c = 0; c < k; ++c) {
        const double weight = f.w(first + i, c);
        if (weight == 0.0) continue;
        const double* part = f.h.data() + c * cols;
        for (Index j = 0; j < cols; ++j) row[j] -= weight * part[j];
      }
      for (Index j = 0; j < cols; ++j) sum += row[j] * row[j];
    }
    return sum;
  });
}

}  // namespace fewdim
