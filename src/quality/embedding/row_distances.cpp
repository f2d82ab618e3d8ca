#include "quality/embedding/row_distances.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/remedy.hpp"
#include "features/given_matrix.hpp"
#include "features/metric.hpp"
#include "graph/geodesics.hpp"
#include "graph/parts.hpp"

namespace fewdim {

namespace {

template <class C>
class MetricDistances : public RowDistances {
 public:
  MetricDistances(const Dataset& data, Metric metric, std::string_view who, const Execution& exec)
      : rows_(pack_rows<C>(data, metric, {}, who, exec)) {  // differences need no center
    if (metric != Metric::euclidean || rows_.cols > kShortRow) return;
    columns_.resize(rows_.rows, rows_.cols);
    for (Index i = 0; i < rows_.rows; ++i)
      for (Index j = 0; j < rows_.cols; ++j) columns_(i, j) = static_cast<double>(rows_.row(i)[j]);
  }

  Index rows() const override { return rows_.rows; }

  void fill(const Index* which, Index count, double* out) const override {
    // Blocks of rows that stay in cache while all of `which` are compared with them.
    constexpr Index kCacheBytes = 128 << 10;
    const Index n = rows_.rows;
    if (columns_.size() > 0) {
      fill_order(which, count, out);
      roots_of_squares(count * n, out);
      return;
    }
    const Index block =
        std::max<Index>(8, kCacheBytes / (static_cast<Index>(sizeof(C)) * std::max<Index>(1, rows_.cols)));
    for (Index first = 0; first < n; first += block)
      for (Index r = 0; r < count; ++r)
        for (Index j = first; j < std::min(n, first + block); ++j) out[r * n + j] = distance(rows_, which[r], rows_, j);
  }

  void fill_order(const Index* which, Index count, double* out) const override {
    if (columns_.size() == 0) return fill(which, count, out);
    const Index n = rows_.rows;
    for (Index r = 0; r < count; ++r) {
      const Vector<double> x = columns_.row(which[r]);
      squares_by_columns(columns_.data(), n, rows_.cols, x.data(), out + r * n);
    }
  }

 private:
  MetricRows<C> rows_;
  Matrix<double> columns_;  // the rows, where they are short
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

class GeodesicDistances : public RowDistances {
 public:
  explicit GeodesicDistances(NeighborGraph graph) : graph_(std::move(graph)) {}

  Index rows() const override { return graph_.vertices(); }

  void fill(const Index* which, Index count, double* out) const override {
    const std::vector<std::int32_t> sources(which, which + count);
    geodesics_into<double>(graph_, sources, out, rows(), {.threads = 1});  // the caller has the threads
  }

  std::string note() const override {
    if (graph_.parts.size() < 2) return {};
    return fmt::format(
        "the neighbor graph is in {}; they were joined by the shortest links between them, and a larger {} may join "
        "them by itself",
        describe_parts(graph_.parts), set_option("geodesics"));
  }

 private:
  NeighborGraph graph_;
};

template <class C>
NeighborGraph graph_of(const Dataset& data, Metric metric, const Neighborhood& neighborhood, std::string_view who,
                       const Execution& exec) {
  if (metric == Metric::precomputed) return neighbor_graph(*data.dense<C>(), neighborhood, who, exec);
  return neighbor_graph(pack_rows<C>(data, metric, metric_center(data, metric, exec), who, exec), neighborhood, who,
                        exec);
}

}  // namespace

std::unique_ptr<RowDistances> row_distances(const Dataset& data, Metric metric, std::string_view who,
                                            const Execution& exec) {
  if (metric == Metric::precomputed) return std::make_unique<GivenDistances>(data);
  if (data.precision() == Precision::float32) return std::make_unique<MetricDistances<float>>(data, metric, who, exec);
  return std::make_unique<MetricDistances<double>>(data, metric, who, exec);
}

std::unique_ptr<RowDistances> geodesic_distances(const Dataset& data, Metric metric, Index neighbors,
                                                 std::string_view who, const Execution& exec) {
  const Neighborhood neighborhood{.k = neighbors, .disconnected = Disconnected::bridge};
  return std::make_unique<GeodesicDistances>(data.precision() == Precision::float32
                                                 ? graph_of<float>(data, metric, neighborhood, who, exec)
                                                 : graph_of<double>(data, metric, neighborhood, who, exec));
}

}  // namespace fewdim
