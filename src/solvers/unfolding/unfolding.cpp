#include "solvers/unfolding/unfolding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/conventions.hpp"
#include "base/memory.hpp"
#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "graph/parts.hpp"
#include "solvers/eigen/direct.hpp"
#include "solvers/unfolding/routes.hpp"

namespace fewdim {

namespace {

constexpr Index kExact = 60, kFactored = 50'000;  // objects at most, where the route is left to us

/// Objects at one place are one vertex; of several links between two places the shortest counts.
struct Places {
  std::vector<std::int32_t> of{};  ///< object to place
  Vector<double> weights{};
  std::vector<Link> links{};
  std::vector<Index> link_of{};  ///< given link to link of places; -1 inside of one
};

Places places_of(const UnfoldingProblem& problem) {
  double mean = 0.0;
  for (const Link& l : problem.links) mean += l.length / static_cast<double>(problem.links.size());
  Sets sets(problem.vertices);
  for (const Link& l : problem.links)
    if (l.length <= kNoLength * mean) sets.join(l.first, l.second);
  Places out;
  out.of.resize(static_cast<std::size_t>(problem.vertices), -1);
  std::vector<double> weights;
  for (std::int32_t i = 0; i < problem.vertices; ++i) {
    const std::int32_t head = sets.of(i);
    if (head == i) {
      out.of[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(weights.size());
      weights.push_back(1.0);
    } else {  // a set is named by its lowest member
      const std::int32_t place = out.of[static_cast<std::size_t>(head)];
      out.of[static_cast<std::size_t>(i)] = place;
      weights[static_cast<std::size_t>(place)] += 1.0;
    }
  }
  out.weights = Eigen::Map<Vector<double>>(weights.data(), std::ssize(weights));
  std::map<std::pair<std::int32_t, std::int32_t>, Index> known;
  for (const Link& l : problem.links) {
    const auto ends =
        std::minmax({out.of[static_cast<std::size_t>(l.first)], out.of[static_cast<std::size_t>(l.second)]});
    if (ends.first == ends.second) {
      out.link_of.push_back(-1);
      continue;
    }
    const auto [at, fresh] = known.try_emplace(ends, std::ssize(out.links));
    if (fresh) out.links.push_back({ends.first, ends.second, l.length});
    Link& link = out.links[static_cast<std::size_t>(at->second)];
    link.length = std::min(link.length, l.length);
    out.link_of.push_back(at->second);
  }
  return out;
}

/// Turns the map to its principal axes.
void to_principal_axes(Unfolding& u) {
  Matrix<double> second = Matrix<double>::Zero(u.map.cols(), u.map.cols());
  for (Index c = 0; c < u.map.cols(); ++c)
    for (Index r = c; r < u.map.cols(); ++r)
      for (Index i = 0; i < u.map.rows(); ++i) second(r, c) += u.map(i, r) * u.map(i, c);
  const SymmetricEigen eigen = eigen_symmetric(second, u.map.cols());
  Index rank = 0;
  while (rank < eigen.values.size() && eigen.values[rank] > 1e-12 * eigen.values[0]) ++rank;
  rank = std::max<Index>(rank, 1);
  u.values = eigen.values.head(rank).cwiseMax(0.0);
  u.map = (u.map * eigen.vectors.leftCols(rank)).eval();
  fix_signs(u.map);
}

double violation_of(const UnfoldingProblem& problem, const Matrix<double>& map) {
  double mean = 0.0, worst = 0.0;
  for (const Link& l : problem.links) mean += l.length / static_cast<double>(problem.links.size());
  for (const Link& l : problem.links) {
    double square = 0.0;
    for (Index c = 0; c < map.cols(); ++c) {
      const double d = map(l.first, c) - map(l.second, c);
      square += d * d;
    }
    const double off = std::sqrt(square) - l.length;
    if (l.length > kNoLength * mean)
      worst = std::max(worst, (problem.form == UnfoldingForm::equality ? std::abs(off) : off) / l.length);
  }
  return worst;
}

}  // namespace

UnfoldingRoute unfolding_route(UnfoldingRoute asked, Index vertices) {
  if (asked != UnfoldingRoute::automatic) return asked;
  return vertices <= kExact ? UnfoldingRoute::exact
                            : (vertices <= kFactored ? UnfoldingRoute::factored : UnfoldingRoute::laplacian);
}

Route route_of(UnfoldingRoute route) {
  switch (route) {
    case UnfoldingRoute::automatic:
      return Route::automatic;
    case UnfoldingRoute::exact:
      return Route::exact;
    case UnfoldingRoute::factored:
      return Route::factored;
    case UnfoldingRoute::laplacian:
      return Route::laplacian;
  }
  return Route::automatic;
}

std::uint64_t unfolding_bytes(UnfoldingRoute route, UnfoldingForm form, Index vertices, Index links) {
  const auto n = static_cast<std::uint64_t>(vertices), m = static_cast<std::uint64_t>(links);
  if (route == UnfoldingRoute::exact) return sizeof(double) * (13 * n * n + m * m + 40 * (n + m));
  // The factor of springs on a sheet has about 30 numbers a row, in blocks of the map's columns.
  const std::uint64_t columns = form == UnfoldingForm::equality ? 8 : 4;
  return sizeof(double) * (n * columns * columns * 80 + n * columns * 40 + 10 * m);
}

Unfolding unfold(const UnfoldingProblem& problem, const Execution& exec) {
  if (problem.form == UnfoldingForm::equality) require_no_shortcut(problem.vertices, problem.links, problem.who);
  const Places places = places_of(problem);
  Unfolding out;
  out.merged = problem.vertices - places.weights.size();
  if (places.links.empty())
    throw DataError(fmt::format("{}: all objects are at one place; there is nothing to unfold", problem.who));
  const LinkNetwork network(places.weights.size(), places.links, places.weights);
  const UnfoldingRoute route = unfolding_route(problem.route, network.vertices());
  out.route = route_of(route);
  UnfoldedNetwork solved;
  if (route == UnfoldingRoute::exact) {
    solved = unfold_exactly(network, problem, exec);
  } else {
    solved = unfold_factored(network, graph_of(network.vertices(), places.links), problem,
                             route == UnfoldingRoute::laplacian, exec);
  }
  out.map.resize(problem.vertices, solved.map.cols());
  for (Index i = 0; i < problem.vertices; ++i) out.map.row(i) = solved.map.row(places.of[static_cast<std::size_t>(i)]);
  out.stresses = Vector<double>::Zero(std::ssize(problem.links));
  for (Index e = 0; e < out.stresses.size(); ++e)
    if (const Index at = places.link_of[static_cast<std::size_t>(e)]; at >= 0) out.stresses[e] = solved.stresses[at];
  to_principal_axes(out);
  for (Index c = 0; c < out.values.size(); ++c) out.variance += out.values[c];
  out.bound = solved.bound;
  out.gap = std::isfinite(out.bound) ? std::max(0.0, 1.0 - out.variance / out.bound) : 1.0;
  out.violation = violation_of(problem, out.map);
  out.lowest = solved.lowest;
  out.iterations = solved.iterations;
  out.rank = solved.rank;
  out.converged = out.violation <= problem.tolerance;
  out.why = solved.why;
  if (!out.converged)
    throw NotConverged(fmt::format(
        "{}: distances of linked objects are off by up to {:.2g} of their length, {:.2g} is asked for; {}", problem.who,
        out.violation, problem.tolerance,
        problem.form == UnfoldingForm::equality ? "use " + set_option("form", "inequality") + ", " +
                                                      lower_option("neighbors") + ", or " + raise_option("tolerance")
                                                : raise_option("tolerance")));
  return out;
}

}  // namespace fewdim
