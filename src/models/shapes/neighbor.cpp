#include "models/shapes/neighbor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "data/table/checks.hpp"
#include "features/metric.hpp"
#include "graph/barycentric.hpp"
#include "models/shapes/new_links.hpp"

namespace fewdim {

namespace {

constexpr Index kNeighborRows = 64;  // in a task
constexpr double kInverseRegularization = 1e-3;
constexpr Index kInverseNeighbors = 12;  // where the graph is by radius or given

std::span<const std::int32_t> targets_of(const NeighborLists& links, Index row) {
  const auto begin = links.offsets[static_cast<std::size_t>(row)],
             end = links.offsets[static_cast<std::size_t>(row) + 1];
  return {links.indices.data() + begin, links.indices.data() + end};
}

const double* lengths_of(const NeighborLists& links, Index row) {
  return links.distances.data() + links.offsets[static_cast<std::size_t>(row)];
}

/// out_c = Σ_a w_a from(target_a, c)
void combine(std::span<const std::int32_t> targets, const double* weights, const Matrix<double>& from, double* out) {
  for (Index c = 0; c < from.cols(); ++c) {
    double sum = 0.0;
    for (std::size_t a = 0; a < targets.size(); ++a) sum += weights[a] * from(targets[a], c);
    out[c] = sum;
  }
}

/// Fills out(row, ·) for every row by place(row, weights scratch, out).
template <class Place>
RowMatrix<double> by_rows(Index rows, Index cols, const Execution& exec, const Place& place) {
  RowMatrix<double> out(rows, cols);
  parallel_for(exec, (rows + kNeighborRows - 1) / kNeighborRows, [&](Index task) {
    std::vector<double> weights, gram;
    for (Index i = task * kNeighborRows; i < std::min(rows, (task + 1) * kNeighborRows); ++i)
      place(i, weights, gram, out.data() + i * cols);
  });
  return out;
}

Dataset of_precision(RowMatrix<double> values, Precision precision) {
  if (precision == Precision::float32) return Dataset(RowMatrix<float>(values.cast<float>()));
  return Dataset(std::move(values));
}

/// Places that are sums of the neighbors' places with weights that rebuild the object.
RowMatrix<double> barycentric(const NeighborModel& model, const Dataset& data, const NeighborLists& links,
                              const Execution& exec) {
  MetricRows<double> known, fresh;
  if (model.objects.size() > 0) {
    const Dataset objects(model.objects);
    const Vector<double> center = metric_center(objects, model.metric, exec);
    known = pack_rows<double>(objects, model.metric, center, "transform", exec);
    fresh = pack_rows<double>(data, model.metric, center, "transform", exec);
  }
  return by_rows(data.rows(), model.configuration.cols(), exec,
                 [&](Index i, std::vector<double>& weights, std::vector<double>& gram, double* out) {
                   const auto targets = targets_of(links, i);
                   const double* lengths = lengths_of(links, i);
                   weights.assign(targets.size(), 0.0);
                   gram.resize(targets.size() * targets.size());
                   if (lengths[0] == 0.0) {
                     weights[0] = 1.0;
                   } else {
                     if (known.rows > 0)
                       local_gram(fresh.row(i), known, targets, gram.data());
                     else
                       local_gram(lengths, model.distances, targets, gram.data());
                     placing_weights(gram.data(), std::ssize(targets), model.regularization, weights.data());
                   }
                   combine(targets, weights.data(), model.configuration, out);
                 });
}

/// How much of a new object's link to the nearest training object stands for that object's link to itself, which the
/// graph of the fit does not have: all of it where the two are one, nothing halfway to the next, so that places change
/// steadily from one to the other.
double own_share(const NeighborModel& model, std::span<const std::int32_t> targets, const double* lengths) {
  if (model.own != OwnLink::none || targets.size() < 2 || !(lengths[1] > 0.0)) return 0.0;
  const double ratio = lengths[0] / lengths[1];
  return 1.0 - ratio * ratio;
}

/// The formula of Bengio et al. (2004): what holds between a vertex's place and those of its links, for a new one.
/// Weights of exp(−d²/t) are taken as multiples of the largest, which cancels but in the forms that say so.
///
/// With a link of weight s to itself, the equation (1 − λ) d y = Σ w_j y_j of a vertex becomes
/// ((1 − λ) d + s) y = Σ w_j y_j + s y, d without the link; likewise the other two.
void place_by_links(const NeighborModel& model, std::span<const std::int32_t> targets, const double* lengths, Index row,
                    std::vector<double>& weights, double* out) {
  const double nearest = model.bandwidth > 0.0 ? lengths[0] * lengths[0] / model.bandwidth : 0.0;
  weights.resize(targets.size());
  const double own = own_share(model, targets, lengths);  // of the largest weight, which counts as 1
  double sum = 0.0, scaled = 0.0, others = 0.0;
  for (std::size_t a = 0; a < targets.size(); ++a) {
    weights[a] = model.bandwidth > 0.0 ? std::exp(nearest - lengths[a] * lengths[a] / model.bandwidth)
                                       : link_weight(lengths[a], model.bandwidth);
    sum += weights[a];
    others += a == 0 ? weights[a] - own : weights[a];
    if (model.scales.size() > 0) weights[a] *= model.scales[targets[a]];
    scaled += weights[a];
  }
  combine(targets, weights.data(), model.configuration, out);
  const double largest = std::exp(-nearest);
  for (Index c = 0; c < model.configuration.cols(); ++c) {
    double divisor = model.factors[c] * (scaled - own) + own;
    if (model.placement == Placement::symmetric)  // infinite where weights vanish: the row goes to the origin
      divisor = model.factors[c] * std::sqrt(others / largest) + (own > 0.0 ? own / std::sqrt(largest * others) : 0.0);
    if (model.placement == Placement::unnormalized) divisor = sum - model.factors[c] / largest;
    if (!(divisor > 0.0))
      throw DataError(fmt::format(
          "transform: row {} is too far from the training rows: its links weigh {:.3g} in all, and component {} needs "
          "more than {:.3g}; leave it out, or fit with {}",
          row + 1, sum * largest, c + 1, model.placement == Placement::unnormalized ? model.factors[c] : 0.0,
          set_option("normalization", "random-walk")));
    out[c] /= divisor;
  }
}

RowMatrix<double> by_formula(const NeighborModel& model, Index rows, const NeighborLists& links,
                             const Execution& exec) {
  return by_rows(rows, model.configuration.cols(), exec,
                 [&](Index i, std::vector<double>& weights, std::vector<double>&, double* out) {
                   const auto targets = targets_of(links, i);
                   const double* lengths = lengths_of(links, i);
                   if (lengths[0] == 0.0) {
                     const double one = 1.0;
                     combine(targets.first(1), &one, model.configuration, out);
                   } else {
                     place_by_links(model, targets, lengths, i, weights, out);
                   }
                 });
}

}  // namespace

double link_weight(double length, double bandwidth) {
  if (bandwidth < 0.0) return length;
  return bandwidth > 0.0 ? std::exp(-length * length / bandwidth) : 1.0;
}

namespace {

NeighborLists links_to(const NeighborModel& model, const Dataset& data, const Execution& exec) {
  // A training object is no neighbor of its own: what is all but at its place has one more.
  const Index beside = model.neighbors > 0 && model.own != OwnLink::ignored ? 1 : 0;
  return new_links({.objects = model.objects,
                    .metric = model.metric,
                    .neighbors = model.neighbors + beside,
                    .radius = model.radius,
                    .given = model.given,
                    .vertices = model.configuration.rows(),
                    .left_out = model.left_out,
                    .reach = &model.reach},
                   data, exec);
}

}  // namespace

Dataset neighbor_transform(const NeighborModel& model, const Dataset& data, Precision precision,
                           const Execution& exec) {
  if (data.is_stream()) throw Unsupported("transform: needs the rows in memory; give them in parts");
  if (data.rows() == 0) return Dataset(Matrix<double>(0, model.configuration.cols()));
  const NeighborLists links = links_to(model, data, exec);
  return of_precision(model.placement == Placement::barycentric ? barycentric(model, data, links, exec)
                                                                : by_formula(model, data.rows(), links, exec),
                      precision);
}

Dataset neighbor_inverse(const NeighborModel& model, const Dataset& coordinates, Precision precision,
                         const Execution& exec) {
  if (coordinates.is_stream()) throw Unsupported("inverse_transform: needs the rows in memory; give them in parts");
  if (coordinates.rows() == 0) return Dataset(Matrix<double>(0, model.objects.cols()));
  const char* who = "inverse_transform";
  const Dataset places(model.configuration);
  const Vector<double> center = metric_center(places, Metric::euclidean, exec);
  const auto known = pack_rows<double>(places, Metric::euclidean, center, who, exec);
  const auto fresh = pack_rows<double>(coordinates, Metric::euclidean, center, who, exec);
  const Index k = std::min(model.neighbors > 0 ? model.neighbors : kInverseNeighbors, known.rows);
  const NeighborLists links = nearest_neighbors(fresh, known, k, NeighborSearch::automatic, who, exec);
  return of_precision(by_rows(coordinates.rows(), model.objects.cols(), exec,
                              [&](Index i, std::vector<double>& weights, std::vector<double>& gram, double* out) {
                                const auto targets = targets_of(links, i);
                                weights.assign(targets.size(), 0.0);
                                gram.resize(targets.size() * targets.size());
                                if (lengths_of(links, i)[0] == 0.0) {
                                  weights[0] = 1.0;
                                } else {
                                  local_gram(fresh.row(i), known, targets, gram.data());
                                  placing_weights(gram.data(), std::ssize(targets), kInverseRegularization,
                                                  weights.data());
                                }
                                combine(targets, weights.data(), model.objects, out);
                              }),
                      precision);
}

Dataset place(const NeighborModel& model, const Model::Head& head, const Dataset& rows, const Execution& exec) {
  return neighbor_transform(model, rows, head.precision, exec);
}

void require_way_back(const NeighborModel& model, const Model::Head& head) {
  if (model.objects.size() == 0)
    throw Unsupported(
        fmt::format("{}: the model was made from distances or links, and has no rows to go back to", head.method));
}

Dataset back(const NeighborModel& model, const Model::Head& head, const Dataset& coordinates, const Execution& exec) {
  return neighbor_inverse(model, coordinates, head.precision, exec);
}

}  // namespace fewdim
