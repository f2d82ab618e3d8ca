#include "models/shapes/row_fit.hpp"

#include <fmt/format.h>

#include "models/shapes/row_tiles.hpp"
#include "solvers/ratings/row_regression.hpp"

namespace fewdim {

namespace {

RowDesign design_of(const LinearModel& model) {
  RowDesign design;
  const Index items = model.map.rows(), k = model.map.cols();
  design.table = LaneTable(items, k);
  for (Index j = 0; j < items; ++j)
    for (Index c = 0; c < k; ++c) design.table.row(j)[c] = model.map(j, c);
  design.shift = model.mean;
  design.ridge = model.regression.ridge;
  design.by_count = model.regression.ridge_by_count;
  design.implicit = model.row_fit == RowFit::implicit;
  design.confidence = model.regression.confidence;
  if (design.implicit) design.gram = gram_of(design.table);
  return design;
}

/// Entries of one row, seen or gathered.
template <class U>
struct RowEntries {
  std::vector<std::int32_t> columns{};
  std::vector<U> values{};

  template <class V>
  void gather(const DenseView<V>& x, Index row, const Vector<double>& scale) {
    columns.clear(), values.clear();
    for (Index j = 0; j < x.cols; ++j)
      if (const double value = static_cast<double>(x(row, j)); !std::isnan(value)) add(j, value, scale);
  }
  template <class V>
  void gather(const CsrView<V>& x, Index row, const Vector<double>& scale) {
    columns.clear(), values.clear();
    for (std::int64_t e = x.offsets[row]; e < x.offsets[row + 1]; ++e)
      if (!std::isnan(x.values[e])) add(x.columns[e], static_cast<double>(x.values[e]), scale);
  }

 private:
  void add(Index j, double value, const Vector<double>& scale) {
    columns.push_back(static_cast<std::int32_t>(j));
    values.push_back(static_cast<U>(scale.size() > 0 ? value / scale[j] : value));
  }
};

class RowPlaces {
 public:
  explicit RowPlaces(const LinearModel& model) : design_(design_of(model)), scale_(model.scale) {
    if (scale_.size() > 0 && design_.shift.size() > 0) design_.shift.array() /= scale_.array();
  }

  Index width() const { return design_.table.cols(); }

  template <class View, class U>
  bool apply(const View& x, Index first, Index rows, U* out) const {
    RowFitter fitter(design_);
    RowEntries<double> entries;
    for (Index i = 0; i < rows; ++i) {
      entries.gather(x, first + i, scale_);
      const double* y = fitter.fit(entries.columns.data(), entries.values.data(), std::ssize(entries.columns));
      for (Index c = 0; c < width(); ++c) out[i * width() + c] = static_cast<U>(y[c]);
    }
    return all_finite(out, rows * width());
  }

 private:
  RowDesign design_;
  Vector<double> scale_;
};

}  // namespace

Dataset fit_rows(const LinearModel& model, const Dataset& data, std::string_view stage, const Execution& exec) {
  return map_rows(RowPlaces(model), data, stage, exec);
}

}  // namespace fewdim
