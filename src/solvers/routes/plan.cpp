#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/memory.hpp"
#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "operators/gram_matrix.hpp"
#include "operators/sparse_gram.hpp"
#include "solvers/eigen/krylov.hpp"
#include "solvers/routes/decompose.hpp"
#include "solvers/routes/formed.hpp"
#include "solvers/routes/plan_builder.hpp"

namespace fewdim {

namespace {

constexpr double kProbe = 64;  // products that look for what was missed
constexpr Index kDenseBlock = 16;
constexpr Index kSparseBlock = 8;

/// Components that are asked for; 0 where a share or a criterion decides.
Index known_count(const SpectralProblem& problem, Index limit) {
  if (problem.components.kind != Components::Kind::count) return 0;
  if (problem.components.count == Components::all) return limit;
  return std::clamp<Index>(problem.components.count, 0, limit);
}

double count_of(const SpectralProblem& problem, Index limit) {
  if (problem.components.kind == Components::Kind::count && problem.components.count > 0)
    return static_cast<double>(std::min(problem.components.count, limit));
  return static_cast<double>(limit) * 0.5;  // a share: not known ahead; suppose half
}

double formed_eigen_seconds(double n, double k) {
  if (takes_krylov_on_formed(static_cast<Index>(n), static_cast<Index>(k)))
    return seconds_for(Work::formed_products, (5 * k + 120) * 2 * n * n);
  return seconds_for(Work::tridiagonal, (4.0 / 3.0) * n * n * n) * (k < n / 3 ? 1.0 : 2.5);
}

/// Sizes that all routes are weighed by.
struct Sizes {
  bool sparse, known;
  double rows, cols, components, entries, speed, stream_seconds;
  std::size_t scalar;  ///< bytes
};

Sizes sizes_of(const DataShape& shape, const SpectralProblem& problem, Index limit) {
  Sizes s{};
  s.sparse = shape.nonzeros >= 0;
  s.known = shape.rows >= 0;
  s.cols = static_cast<double>(shape.cols);
  s.rows = s.known ? static_cast<double>(shape.rows) : 100.0 * s.cols;
  s.components = std::max(1.0, count_of(problem, limit));
  s.entries = static_cast<double>(shape.nonzeros);
  const bool single = shape.precision == Precision::float32 && !problem.float64_products;
  s.scalar = single ? 4 : 8;
  s.speed = single ? 2.0 : 1.0;
  if (shape.stream)
    s.stream_seconds = seconds_for(Work::stream, s.rows * s.cols * (shape.precision == Precision::float32 ? 4 : 8));
  return s;
}

std::uint64_t square_bytes(double x) { return static_cast<std::uint64_t>(x * x * 8); }

RouteCost covariance_cost(const DataShape& shape, const Sizes& s) {
  const double n = s.rows, d = s.cols, k = s.components;
  RouteCost cost{.route = Route::covariance, .passes = 1};
  cost.flops = n * d * d;
  cost.bytes = row_moments_bytes(shape.cols, shape.stream, s.scalar) + 2 * square_bytes(d) +
               static_cast<std::uint64_t>(d * k * 16);
  cost.seconds = seconds_for(Work::blas, cost.flops / s.speed) + formed_eigen_seconds(d, k) + s.stream_seconds;
  return cost;
}

RouteCost gram_cost(const DataShape& shape, const Sizes& s, bool asked) {
  const double n = s.rows, d = s.cols, k = s.components;
  RouteCost cost{.route = Route::gram, .passes = 2};
  cost.flops = n * n * d + 2 * n * d * k;
  cost.bytes =
      s.known ? gram_matrix_bytes(shape.rows, s.scalar) + 2 * square_bytes(n) + static_cast<std::uint64_t>(d * k * 16)
              : 0;
  cost.seconds = seconds_for(Work::blas, cost.flops / s.speed) + formed_eigen_seconds(n, k);
  if (s.sparse) {
    // Σ n_j² products for columns of n_j entries: between entries²/D, where they are alike, and N·entries.
    const double products = std::min(s.entries * std::sqrt(s.entries / std::max(d, 1.0) * n), s.entries * n);
    cost.flops = 2 * products + 2 * s.entries * k;
    cost.bytes =
        2 * square_bytes(n) + sparse_gram_bytes(shape.cols, shape.nonzeros) + static_cast<std::uint64_t>(d * k * 16);
    cost.seconds = seconds_for(Work::sparse_pairs, products) + seconds_for(Work::sparse_products, s.entries * k) +
                   formed_eigen_seconds(n, k);
  }
  if (s.known && shape.rows >= shape.cols && !asked) cost.verdict = Verdict::no_smaller;
  if (shape.stream || !s.known) cost.verdict = Verdict::needs_memory;
  return cost;
}

RouteCost krylov_cost(const DataShape& shape, const Sizes& s) {
  const double n = s.rows, d = s.cols, k = s.components;
  const Index block = s.sparse ? kSparseBlock : kDenseBlock;
  const auto basis = static_cast<double>(krylov_basis(shape.cols, static_cast<Index>(k), block));
  const double products = std::min(d, 5 * k + 120) + k + kProbe;
  RouteCost cost{.route = Route::krylov,
                 .passes = static_cast<int>(std::ceil(products / static_cast<double>(block))) + 3};
  cost.flops = (s.sparse ? 4.0 * s.entries : 4.0 * n * d) * products + 8 * d * basis * basis;
  cost.bytes = static_cast<std::uint64_t>(d * (basis + 2.0 * k + 16.0 * 3.0 * static_cast<double>(block)) * 8) +
               (s.sparse ? 0 : static_cast<std::uint64_t>((shape.stream ? 32 : 16)) << 20);
  cost.seconds = (s.sparse ? seconds_for(Work::sparse_products, s.entries * products)
                           : seconds_for(Work::blas_thin, 4.0 * n * d * products / s.speed)) +
                 seconds_for(Work::blas_basis, 8 * d * basis * basis) + s.stream_seconds * cost.passes;
  cost.seconds +=
      2.0 * seconds_for(Work::tridiagonal, (4.0 / 3.0) * basis * basis * basis);  // the small problems on the way
  cost.seconds += 2e-3;  // its many small steps: never worth it for a table of a few thousand numbers
  if (shape.stream && !shape.rewindable) cost.verdict = Verdict::needs_passes;
  return cost;
}

RouteCost svd_cost(const DataShape& shape, const Sizes& s) {
  const double n = s.rows, d = s.cols;
  RouteCost cost{.route = Route::svd, .passes = 1};
  cost.flops = 4 * n * d * std::min(n, d) + 9 * std::pow(std::min(n, d), 3);
  cost.bytes = static_cast<std::uint64_t>(n * d * 8 * 2.2);
  cost.seconds = seconds_for(Work::blas_svd, cost.flops);
  cost.verdict = shape.stream ? Verdict::needs_memory : Verdict::copies_data;
  return cost;
}

RouteCost power_cost(const DataShape& shape, const Sizes& s) {
  RouteCost cost{.route = Route::power, .passes = 0};
  cost.flops = 4 * s.rows * s.cols * s.components * 200;
  cost.bytes = static_cast<std::uint64_t>(s.cols * (2 * s.components + 8) * 8);
  cost.seconds = seconds_for(Work::blas_vector, cost.flops);
  cost.verdict = shape.stream && !shape.rewindable ? Verdict::needs_passes : Verdict::slow;
  return cost;
}

/// The route that is asked for, or the fastest of those that are open and fit; null where none does. Those that do not
/// fit are told so.
const RouteCost* choose(std::vector<RouteCost>& routes, const SpectralProblem& problem, std::uint64_t limit) {
  const bool asked = problem.route != PcaRoute::automatic;
  RouteCost* best = nullptr;
  for (RouteCost& cost : routes) {
    if (asked ? cost.route != route_of(problem.route) : cost.verdict != Verdict::open) continue;
    if (asked && cannot_take(cost))
      throw InvalidOption(problem.who, "route", word_of(cost.route), verdict_of(cost),
                          fmt::format("use {}", set_option("route", "auto")));
    if (cost.bytes > limit) {
      cost.verdict = Verdict::over_limit;
      continue;
    }
    if (!best || cost.seconds < best->seconds) best = &cost;
  }
  return best;
}

[[noreturn]] void refuse(const std::vector<RouteCost>& routes, const SpectralProblem& problem, std::uint64_t limit) {
  const bool asked = problem.route != PcaRoute::automatic;
  std::uint64_t least = UINT64_MAX;
  std::string slow;  // one that is only taken when asked for
  for (const RouteCost& cost : routes) {
    if (cost.verdict == Verdict::over_limit) least = std::min(least, cost.bytes);
    if (!asked && cost.verdict == Verdict::slow && cost.bytes <= limit)
      slow = fmt::format(", or use {}, which is slow and needs {}", set_option("route", word_of(cost.route)),
                         format_bytes(cost.bytes));
  }
  throw OverMemory(fmt::format("{}: the {} needs {} of working memory, the limit is {}; {} or {}{}", problem.who,
                               asked ? "route " + word_of(route_of(problem.route)) : "leanest fast route",
                               format_bytes(least), format_bytes(limit), raise_option("memory_limit"),
                               lower_option("components"), slow));
}

/// Why the route is the one: true of the shape, whatever the limit.
Reason reason_for(const RouteCost& best, const std::vector<RouteCost>& routes, const DataShape& shape,
                  const SpectralProblem& problem, std::uint64_t limit) {
  if (problem.route != PcaRoute::automatic) return Reason(ReasonKind::asked_for);
  if (best.route == Route::covariance)
    return Reason(problem.center ? ReasonKind::covariance_formed : ReasonKind::products_formed, shape.cols);
  if (best.route == Route::gram) return Reason(ReasonKind::fewer_rows, shape.rows, shape.cols);
  const Index most = component_limit(problem, shape.rows, shape.cols), count = known_count(problem, most);
  if (shape.nonzeros >= 0) {
    const double cells =
        std::max(1.0, static_cast<double>(std::max<Index>(shape.rows, 0)) * static_cast<double>(shape.cols));
    return Reason(ReasonKind::sparse_products, static_cast<double>(shape.nonzeros) / cells, count, most);
  }
  std::uint64_t least = UINT64_MAX;
  bool cheaper = true;
  for (const RouteCost& cost : routes) {
    if (cost.route != Route::covariance && cost.route != Route::gram) continue;
    // A Gram matrix that is no smaller than the covariance is not weighed, though it may seem faster.
    if (cost.verdict == Verdict::no_smaller && cost.seconds < best.seconds) return Reason(ReasonKind::products_alone);
    if (cost.verdict != Verdict::over_limit) continue;  // of those that fit, none is faster
    least = std::min(least, cost.bytes);
    cheaper = cheaper && best.seconds < cost.seconds;
  }
  return cheaper ? Reason(ReasonKind::cheaper_products, count, most)
                 : Reason(ReasonKind::forming_over_limit, count, most, least, limit);
}

}  // namespace

bool cannot_take(const RouteCost& cost) {
  return cost.verdict == Verdict::needs_memory || cost.verdict == Verdict::needs_passes ||
         cost.verdict == Verdict::over_limit;
}

Route route_of(PcaRoute route) {
  switch (route) {
    case PcaRoute::automatic:
      return Route::automatic;
    case PcaRoute::covariance:
      return Route::covariance;
    case PcaRoute::gram:
      return Route::gram;
    case PcaRoute::svd:
      return Route::svd;
    case PcaRoute::krylov:
      return Route::krylov;
    case PcaRoute::power:
      return Route::power;
  }
  return Route::automatic;
}

DataShape shape_of(const Dataset& data) {
  DataShape shape{.rows = data.rows(), .cols = data.cols(), .precision = data.precision()};
  if (const auto* v = data.sparse<double>()) shape.nonzeros = v->nonzeros();
  if (const auto* v = data.sparse<float>()) shape.nonzeros = v->nonzeros();
  if (const RowStream* stream = data.stream()) {
    shape.stream = true;
    shape.rewindable = stream->rewindable();
  }
  return shape;
}

Index component_limit(const SpectralProblem& problem, Index rows, Index cols) {
  return std::min(rows < 0 ? cols : rows - (problem.center ? 1 : 0), cols);
}

Plan plan_spectral(const DataShape& shape, const SpectralProblem& problem, const Execution& exec) {
  const Sizes sizes = sizes_of(shape, problem, component_limit(problem, shape.rows, shape.cols));
  PlanBuilder plan(shape, exec);
  plan.consider(covariance_cost(shape, sizes))
      .consider(gram_cost(shape, sizes, problem.route != PcaRoute::automatic))
      .consider(krylov_cost(shape, sizes))
      .consider(svd_cost(shape, sizes))
      .consider(power_cost(shape, sizes));
  const RouteCost* best = choose(plan.considered(), problem, plan.limit());
  if (!best) refuse(plan.considered(), problem, plan.limit());
  plan.because(reason_for(*best, plan.considered(), shape, problem, plan.limit()));
  return plan.take(best->route);
}

}  // namespace fewdim
