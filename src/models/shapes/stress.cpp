#include "models/shapes/stress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/parallel.hpp"
#include "data/table/checks.hpp"
#include "features/metric.hpp"
#include "operators/guttman.hpp"

namespace fewdim {

namespace {

constexpr Index kStressRows = 16;  // new objects in a task
constexpr Index kSteps = 2000;
constexpr double kStill = 1e-10;  // a step this small beside the map's size is the last

/// What all new objects share.
struct Map {
  const Matrix<double>& x;
  Vector<double> norms;    ///< ‖x_j‖²
  Vector<double> squares;  ///< Σ_j x_jc²
  Vector<double> sums;     ///< Σ_j x_jc, 0 but for rounding
  double size = 0.0;       ///< √(Σ‖x_j‖²/N)

  explicit Map(const Matrix<double>& configuration) : x(configuration) {
    norms = Vector<double>::Zero(x.rows());
    squares = sums = Vector<double>::Zero(x.cols());
    double all = 0.0;
    for (Index c = 0; c < x.cols(); ++c) {
      for (Index j = 0; j < x.rows(); ++j) {
        norms[j] += x(j, c) * x(j, c);
        squares[c] += x(j, c) * x(j, c);
        sums[c] += x(j, c);
      }
      all += squares[c];
    }
    size = std::sqrt(all / static_cast<double>(x.rows()));
  }
};

/// Gower's place: y_c = ½ Σ_j x_jc (‖x_j‖² − t_j²) / Σ_j x_jc².
void gower_place(const Map& map, const double* targets, double* y) {
  for (Index c = 0; c < map.x.cols(); ++c) {
    double sum = 0.0;
    for (Index j = 0; j < map.x.rows(); ++j) sum += map.x(j, c) * (map.norms[j] - targets[j] * targets[j]);
    y[c] = map.squares[c] > 0.0 ? 0.5 * sum / map.squares[c] : 0.0;
  }
}

/// y ← (1/N) Σ_j (x_j + (t_j/d_j)(y − x_j)) until it stays.
void place_by_majorization(const Map& map, const double* targets, double* y) {
  const Index k = map.x.cols();
  const auto n = static_cast<double>(map.x.rows());
  gower_place(map, targets, y);
  std::vector<double> next(static_cast<std::size_t>(k));
  for (Index step = 0; step < kSteps; ++step) {
    guttman_pull(map.x, targets, y, next.data());
    double moved = 0.0;
    for (Index c = 0; c < k; ++c) {
      const double to = (map.sums[c] + next[static_cast<std::size_t>(c)]) / n;
      moved += (to - y[c]) * (to - y[c]);
      y[c] = to;
    }
    if (moved <= kStill * kStill * map.size * map.size) return;
  }
}

using Distances = std::function<void(Index row, double* out)>;

void place_row(const StressModel& model, const Map& map, const Distances& distances, Index row,
               std::vector<double>& targets, double* y) {
  const Index objects = map.x.rows();
  distances(row, targets.data());
  for (Index j = 0; j < objects; ++j)
    if (targets[static_cast<std::size_t>(j)] == 0.0) {
      for (Index c = 0; c < map.x.cols(); ++c) y[c] = map.x(j, c);
      return;
    }
  for (double& t : targets) t = disparity_of(model, t);
  place_by_majorization(map, targets.data(), y);
}

void require_distances(const RowMatrix<double>& values) {
  for (Index i = 0; i < values.rows(); ++i)
    for (Index j = 0; j < values.cols(); ++j)
      if (values(i, j) < 0.0)
        throw DataError(fmt::format("transform: row {}, column {} is {}, and a distance can't be negative", i + 1,
                                    j + 1, values(i, j)));
}

}  // namespace

double disparity_of(const StressModel& model, double dissimilarity) {
  if (model.type != Disparity::ordinal) return std::max(0.0, model.shift + model.factor * dissimilarity);
  const double* first = model.knots.data();
  const double* end = first + model.knots.size();
  const Index after = std::upper_bound(first, end, dissimilarity) - first;
  if (after == 0) return model.knot_heights[0];
  if (after == model.knots.size()) return model.knot_heights[after - 1];
  const double share = (dissimilarity - model.knots[after - 1]) / (model.knots[after] - model.knots[after - 1]);
  return model.knot_heights[after - 1] + share * (model.knot_heights[after] - model.knot_heights[after - 1]);
}

Dataset stress_transform(const StressModel& model, const Dataset& data, Precision precision, const Execution& exec) {
  const Index rows = data.rows(), count = model.configuration.cols(), objects = model.configuration.rows();
  if (data.is_stream()) throw Unsupported("transform: needs the rows in memory; give them in parts");
  if (rows == 0) return Dataset(Matrix<double>(0, count));
  const Map map(model.configuration);
  RowMatrix<double> out(rows, count);
  const auto run = [&](const Distances& distances) {
    constexpr Index kRound = 64;
    const Index tasks = (rows + kStressRows - 1) / kStressRows;
    for (Index start = 0; start < tasks; start += kRound) {
      parallel_for(exec, std::min(kRound, tasks - start), [&](Index task) {
        std::vector<double> targets(static_cast<std::size_t>(objects));
        const Index first = (start + task) * kStressRows;
        for (Index i = first; i < std::min(rows, first + kStressRows); ++i)
          place_row(model, map, distances, i, targets, out.data() + i * count);
      });
      report_progress(exec, "transform", std::min(rows, (start + kRound) * kStressRows), rows, "rows");
    }
  };
  if (model.objects.size() == 0) {
    require_finite(data, "transform", exec);
    const RowMatrix<double> values = data.matrix<double>();
    require_distances(values);
    run([&](Index row, double* to) { std::copy_n(values.data() + row * objects, objects, to); });
  } else {
    const Dataset known_rows(model.objects);
    const Vector<double> center = metric_center(known_rows, model.metric, exec);
    const auto known = pack_rows<double>(known_rows, model.metric, center, "transform", exec);
    const auto fresh = pack_rows<double>(data, model.metric, center, "transform", exec);
    // By differences, one by one: equal rows are at exactly 0, and no row's place depends on those beside it.
    run([&](Index row, double* to) {
      for (Index j = 0; j < objects; ++j) to[j] = distance(fresh, row, known, j);
    });
  }
  if (precision == Precision::float32) return Dataset(RowMatrix<float>(out.cast<float>()));
  return Dataset(std::move(out));
}

Dataset place(const StressModel& model, const Model::Head& head, const Dataset& rows, const Execution& exec) {
  return stress_transform(model, rows, head.precision, exec);
}

void require_way_back(const StressModel&, const Model::Head& head) {
  throw Unsupported(fmt::format("{}: has no way back to the input", head.method));
}

Dataset back(const StressModel& model, const Model::Head& head, const Dataset&, const Execution&) {
  require_way_back(model, head);
  return {};
}

const std::vector<std::int32_t>& left_out_of(const StressModel&) {
  static const std::vector<std::int32_t> none;
  return none;
}

}  // namespace fewdim
