#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "features/distance_matrix.hpp"
#include "features/given_matrix.hpp"
#include "features/metric.hpp"
#include "features/pair_distances.hpp"
#include "fewdim/error.hpp"
#include "fewdim/method.hpp"
#include "fewdim/model.hpp"
#include "fewdim/plot.hpp"

namespace fewdim {

namespace {

Metric dissimilarity_of(const Model& model) {
  if (!model.as<NeighborModel>() && model.metric()) return *model.metric();
  std::vector<std::string> names;
  for (const MethodCard& card : methods())
    if (card.gives.pictures.has(PictureKind::shepard)) names.push_back(card.name);
  throw Unsupported(fmt::format("{}: has no dissimilarities to compare its map with; Shepard's diagram is for {}",
                                model.method(), fmt::join(names, " and ")));
}

/// Places of pairs, one from each of as many equal stretches: no pair twice.
std::vector<std::uint64_t> some_pairs(std::uint64_t all, std::uint64_t most) {
  std::vector<std::uint64_t> out(std::min(all, most));
  const Random random(0, 0x53484550);
  for (std::uint64_t s = 0; s < out.size(); ++s) {
    const double width = static_cast<double>(all) / static_cast<double>(out.size());
    const auto first = static_cast<std::uint64_t>(width * static_cast<double>(s));
    const auto end = static_cast<std::uint64_t>(width * static_cast<double>(s + 1));
    out[s] = all <= most ? s : first + random.below(s, std::max<std::uint64_t>(1, end - first));
  }
  return out;
}

/// The graph of the disparities between the smallest and the largest dissimilarity drawn.
void set_line(const Model& model, ShepardPlot& plot) {
  if (model.as<StressModel>() && model.stress().type == Disparity::ordinal) {
    plot.line_x = model.stress().knots;
    plot.line_y = model.stress().knot_heights;
    return;
  }
  const double shift = model.as<StressModel>() ? model.stress().shift : 0.0;
  const double factor = model.as<StressModel>() ? model.stress().factor : 1.0;
  plot.line_x = Vector<double>::Zero(2);
  plot.line_x << plot.dissimilarities.minCoeff(), plot.dissimilarities.maxCoeff();
  plot.line_y = (shift + (factor * plot.line_x).array()).matrix();
}

}  // namespace

ShepardPlot shepard_diagram(const Model& model, const Dataset& data, const Execution& exec, Index most) {
  const Metric metric = dissimilarity_of(model);
  const bool given = metric == Metric::precomputed;
  if (most < 1)
    throw InvalidOption("shepard", "most", std::to_string(most), "must be 1 or more", "give a number of dots");
  const Dataset objects = given ? full_distances(data, "shepard", exec) : data;
  const Matrix<double> map =
      model.as<StressModel>() ? model.stress().configuration : model.transform(objects, exec).matrix<double>();
  if (map.rows() != objects.rows())
    throw DataError(
        fmt::format("shepard: the model was fitted on {} objects, the data have {}; give what it was fitted "
                    "on",
                    map.rows(), objects.rows()));
  MetricRows<double> rows;
  if (!given) rows = pack_rows<double>(objects, metric, metric_center(objects, metric, exec), "shepard", exec);
  const std::vector<std::uint64_t> pairs = some_pairs(pair_count(map.rows()), static_cast<std::uint64_t>(most));
  ShepardPlot out;
  out.dissimilarities.resize(std::ssize(pairs));
  out.distances.resize(std::ssize(pairs));
  for (Index p = 0; p < std::ssize(pairs); ++p) {
    const auto [i, j] = pair_at(pairs[static_cast<std::size_t>(p)]);
    out.dissimilarities[p] = given ? given_entry(objects, i, j) : distance(rows, i, rows, j);
    double square = 0.0;
    for (Index c = 0; c < map.cols(); ++c) square += (map(i, c) - map(j, c)) * (map(i, c) - map(j, c));
    out.distances[p] = std::sqrt(square);
  }
  set_line(model, out);
  return out;
}

}  // namespace fewdim
