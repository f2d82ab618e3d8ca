#include "solvers/routes/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/remedy.hpp"
#include "data/table/column_choice.hpp"
#include "fewdim/error.hpp"

namespace fewdim {

void require_rows(const SpectralProblem& problem, Index rows, Index cols) {
  if (cols == 0) throw DataError(fmt::format("{}: the data have no columns of numbers", problem.who));
  if (rows == 0) throw DataError(fmt::format("{}: the data have no rows", problem.who));
  if (problem.center && rows < 2)
    throw DataError(fmt::format("{}: one row has no variance; at least 2 rows are needed", problem.who));
  if (problem.normalize && rows <= problem.ddof)
    throw InvalidOption(problem.who, "ddof", std::to_string(problem.ddof),
                        fmt::format("must be below the number of rows, {}", rows), "use " + set_option("ddof", 0));
  const Components& c = problem.components;
  const Index limit = component_limit(problem, rows, cols);
  if (c.kind == Components::Kind::count && c.count != Components::all && (c.count < 1 || c.count > limit))
    throw InvalidOption(problem.who, "components", std::to_string(c.count),
                        fmt::format("must be between 1 and {} ({} rows, {} columns{})", limit, rows, cols,
                                    problem.center ? ", centered" : ""),
                        fmt::format("use {}, or a share of variance such as {}", set_option("components", limit),
                                    set_option("components", "0.95")));
  if (c.kind == Components::Kind::share && !(c.share > 0.0 && c.share <= 1.0))
    throw InvalidOption(problem.who, "components", fmt::format("{}", c.share),
                        "as a share must be above 0 and at most 1", "use a whole number for a count");
}

void require_weights(const SpectralProblem& problem, Index rows) {
  if (problem.weights.size() == 0) return;
  if (rows >= 0 && problem.weights.size() != rows)
    throw DataError(
        fmt::format("{}: {} weights for {} rows; give one per row", problem.who, problem.weights.size(), rows));
  double sum = 0.0;
  for (Index i = 0; i < problem.weights.size(); ++i) {
    if (!(problem.weights[i] >= 0.0) || std::isinf(problem.weights[i]))
      throw DataError(
          fmt::format("{}: weight {} of row {} must be a number from 0 on", problem.who, problem.weights[i], i + 1));
    sum += problem.weights[i];
  }
  if (!(sum > 0.0)) throw DataError(fmt::format("{}: all weights are zero", problem.who));
}

Wanted wanted_of(const SpectralProblem& problem, Index limit, const double& total) {
  if (problem.components.kind == Components::Kind::count) {
    const Index count = problem.components.count == Components::all ? limit : problem.components.count;
    return [count](const Vector<double>&) { return count; };
  }
  const double share = problem.components.share;
  return [share, limit, &total](const Vector<double>& values) -> Index {
    double sum = 0.0;
    // Of a Gram matrix in float32 the eigenvalues beyond the limit are rounding, which must not make up for the share.
    for (Index i = 0; i < std::min(values.size(), limit); ++i) {
      sum += std::max(values[i], 0.0);
      if (sum >= share * total * (1.0 - 1e-12)) return i + 1;
    }
    return values.size() >= limit ? limit : -1;
  };
}

Index guess_of(const SpectralProblem& problem, Index limit) {
  if (problem.components.kind != Components::Kind::count) return std::min<Index>(limit, 24);
  return problem.components.count == Components::all ? limit : problem.components.count;
}

void require_variance(const SpectralProblem& problem, double total) {
  if (total > 0.0) return;
  throw DataError(problem.center ? fmt::format("{}: the data have no variance: all rows are equal", problem.who)
                                 : fmt::format("{}: the data are all zero", problem.who));
}

Vector<double> scales_of(const SpectralProblem& problem, const Dataset* data, const Vector<double>& variance,
                         const Vector<double>& mean) {
  Vector<double> scale(variance.size());
  Index constant = 0, first = -1;
  for (Index j = 0; j < scale.size(); ++j) {
    scale[j] = std::sqrt(std::max(variance[j], 0.0));
    const double level = mean.size() > 0 ? std::abs(mean[j]) : 0.0;
    if (scale[j] > 1e-12 * level && scale[j] > 0.0) continue;  // the mean of equal numbers is off by up to 8e-14
    ++constant;
    if (first < 0) first = j;
  }
  if (constant > 0) {
    const bool named = data && !data->column_names.empty();
    const std::string name = named ? data->column_names[static_cast<std::size_t>(first)] : std::to_string(first + 1);
    throw DataError(
        fmt::format("{}: {} constant column{} can't be scaled, the first is {}{}; use {}, or {}", problem.who, constant,
                    constant == 1 ? "" : "s", first + 1, named ? fmt::format(" (\"{}\")", name) : "",
                    set_option("drop", typed_column(named ? data->column_names : std::vector<std::string>{}, first)),
                    leave_out("scale")));
  }
  return scale;
}

double divisor_of(const SpectralProblem& problem, Index rows) {
  return problem.normalize ? static_cast<double>(rows - problem.ddof) : 1.0;
}

}  // namespace fewdim
