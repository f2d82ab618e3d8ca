#include <algorithm>

#include "models/preimage/ways.hpp"

namespace fewdim {

namespace {

/// coefficients = u/√λ and places = u√λ of unit vectors u: the places are the coefficients over their own squares.
RowMatrix<double> places_of(const KernelModel& model) {
  RowMatrix<double> out = model.coefficients;
  for (Index c = 0; c < out.cols(); ++c) {
    double square = 0.0;
    for (Index j = 0; j < out.rows(); ++j) square += model.coefficients(j, c) * model.coefficients(j, c);
    for (Index j = 0; j < out.rows() && square > 0.0; ++j) out(j, c) /= square;
  }
  return out;
}

MetricRows<double> packed(const RowMatrix<double>& rows, const Vector<double>& center, const Execution& exec) {
  return pack_rows<double>(Dataset(rows), Metric::euclidean, center, "inverse_transform", exec);
}

}  // namespace

FeatureDistances::FeatureDistances(const KernelModel& model, const RowMatrix<double>& coordinates,
                                   const Execution& exec)
    : model_(model), places_(places_of(model)) {
  const Kernel kernel{model.kernel, model.gamma, model.offset, model.degree};
  const Dataset objects(model.objects);
  center_ = kernel_center(objects, kernel, exec);
  objects_ = pack_rows<double>(objects, kernel, center_, "inverse_transform", exec);
  const Vector<double> middle = metric_center(Dataset(places_), Metric::euclidean, exec);
  packed_places_ = packed(places_, middle, exec);
  packed_coordinates_ = packed(coordinates, middle, exec);
  const bool centered = model.means.size() > 0;
  off_.resize(places_.rows());
  for (Index i = 0; i < places_.rows(); ++i) {
    double square = kernel_diagonal(kernel, objects_, i);
    if (centered) square += model.mean - 2.0 * model.means[i];
    for (Index c = 0; c < places_.cols(); ++c) square -= places_(i, c) * places_(i, c);
    off_[i] = std::max(0.0, square);
  }
  drift_ = Vector<double>::Zero(places_.cols());
  for (Index c = 0; c < drift_.size() && centered; ++c)
    for (Index j = 0; j < places_.rows(); ++j) drift_[c] += model.coefficients(j, c) * (model.means[j] - model.mean);
}

std::vector<std::vector<FeatureNeighbor>> FeatureDistances::nearest(Index row, Index count) const {
  const Index objects = places_.rows();
  const auto most = static_cast<std::size_t>(std::min(count, objects));
  std::vector<std::vector<FeatureNeighbor>> out(kBackRows);
  std::vector<double> tile(static_cast<std::size_t>(kBackRows * kBackObjects));
  for (Index first = 0; first < objects; first += kBackObjects) {
    const Index n = std::min(kBackObjects, objects - first);
    distance_tile(packed_coordinates_, row, kBackRows, packed_places_, first, n, true, tile.data());
    for (Index i = 0; i < kBackRows; ++i) {
      auto& list = out[static_cast<std::size_t>(i)];
      for (Index j = 0; j < n; ++j) {
        const double square = off_[first + j] + tile[static_cast<std::size_t>(i * n + j)];
        if (list.size() == most && !(square < list.back().square)) continue;
        if (list.size() == most) list.pop_back();
        const auto at = std::ranges::upper_bound(list, square, {}, &FeatureNeighbor::square);
        list.insert(at, {square, first + j});
      }
    }
  }
  // By differences now: 0 for an object's own place.
  for (Index i = 0; i < kBackRows; ++i)
    for (FeatureNeighbor& neighbor : out[static_cast<std::size_t>(i)]) {
      const double d = distance(packed_coordinates_, row + i, packed_places_, neighbor.object);
      neighbor.square = off_[neighbor.object] + d * d;
    }
  return out;
}

double FeatureDistances::product(const double* y, Index object) const {
  // φ_i·v_c = y_ic + m·v_c
  double sum = model_.means.size() > 0 ? model_.means[object] : 0.0;
  for (Index c = 0; c < drift_.size(); ++c) sum += y[c] * (places_(object, c) + drift_[c]);
  return sum;
}

double FeatureDistances::square(const double* y) const {
  double sum = model_.means.size() > 0 ? model_.mean : 0.0;
  for (Index c = 0; c < drift_.size(); ++c) sum += y[c] * (y[c] + 2.0 * drift_[c]);
  return std::max(0.0, sum);
}

}  // namespace fewdim
