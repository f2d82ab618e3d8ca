#include "quality/row_distances.hpp"

#include <algorithm>

#include "features/given_matrix.hpp"
#include "features/metric.hpp"

namespace fewdim {

namespace {

template <class C>
class MetricDistances : public RowDistances {
 public:
  MetricDistances(const Dataset& data, Metric metric, std::string_view who, const Execution& exec)
      : rows_(pack_rows<C>(data, metric, {}, who, exec)) {}  // differences need no center

  Index rows() const override { return rows_.rows; }

  void fill(const Index* which, Index count, double* out) const override {
    // Blocks of rows that stay in cache while all of `which` are compared with them.
    constexpr Index kCacheBytes = 128 << 10;
    const Index n = rows_.rows;
    const Index block =
        std::max<Index>(8, kCacheBytes / (static_cast<Index>(sizeof(C)) * std::max<Index>(1, rows_.cols)));
    for (Index first = 0; first < n; first += block)
      for (Index r = 0; r < count; ++r)
        for (Index j = first; j < std::min(n, first + block); ++j) out[r * n + j] = distance(rows_, which[r], rows_, j);
  }

 private:
  MetricRows<C> rows_;
};

class GivenDistances : public RowDistances {
 public:
  explicit GivenDistances(const Dataset& data) : data_(data) {}

  Index rows() const override { return data_.rows(); }

  void fill(const Index* which, Index count, double* out) const override {
    const Index n = data_.rows();
    for (Index r = 0; r < count; ++r) copy_given(data_, which[r], 1, 0, n, out + r * n);
  }

 private:
  Dataset data_;
};

}  // namespace

std::unique_ptr<RowDistances> row_distances(const Dataset& data, Metric metric, std::string_view who,
                                            const Execution& exec) {
  if (metric == Metric::precomputed) return std::make_unique<GivenDistances>(data);
  if (data.precision() == Precision::float32) return std::make_unique<MetricDistances<float>>(data, metric, who, exec);
  return std::make_unique<MetricDistances<double>>(data, metric, who, exec);
}

}  // namespace fewdim
