#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/memory.hpp"
#include "base/remedy.hpp"
#include "operators/gram_matrix.hpp"
#include "operators/sparse_gram.hpp"
#include "solvers/eigen/krylov.hpp"
#include "solvers/routes/decompose.hpp"
#include "solvers/routes/formed.hpp"

namespace fewdim {

namespace {

// Nominal rates of a two-core machine of 2023, measured; they rank the routes and are the same everywhere, so that the
// choice - and with it the bits - never depends on the machine's load or its number of threads.
constexpr double kGemmRate = 120e9;         // multiply-adds ×2 per second in level-3 BLAS, float64
constexpr double kTridiagonalRate = 6e9;    // in LAPACK's reduction, half of it bound by memory
constexpr double kSparseSeconds = 0.45e-9;  // per stored entry and vector in AᵀA x
constexpr double kSparseProduct = 0.6e-9;   // per pair of stored entries in one column, for XXᵀ
constexpr double kReadRate = 2e9;           // bytes per second through a stream
constexpr double kProbe = 64;               // products that look for what was missed
constexpr Index kDenseBlock = 16;
constexpr Index kSparseBlock = 8;

double count_of(const SpectralProblem& problem, Index limit) {
  if (problem.components.kind == Components::Kind::count && problem.components.count > 0)
    return static_cast<double>(std::min(problem.components.count, limit));
  return static_cast<double>(limit) * 0.5;  // a share: not known ahead; suppose half
}

std::string counted(Index count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

double formed_eigen_seconds(double n, double k) {
  if (takes_krylov_on_formed(static_cast<Index>(n), static_cast<Index>(k))) return (5 * k + 120) * 2 * n * n / 25e9;
  return (4.0 / 3.0) * n * n * n / kTridiagonalRate * (k < n / 3 ? 1.0 : 2.5);
}

}  // namespace

std::string route_name(PcaRoute route) {
  switch (route) {
    case PcaRoute::automatic:
      return "auto";
    case PcaRoute::covariance:
      return "covariance";
    case PcaRoute::gram:
      return "gram";
    case PcaRoute::svd:
      return "svd";
    case PcaRoute::krylov:
      return "krylov";
    case PcaRoute::power:
      return "power";
  }
  return "auto";
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
  const bool sparse = shape.nonzeros >= 0, known = shape.rows >= 0;
  const double d = static_cast<double>(shape.cols);
  const double n = known ? static_cast<double>(shape.rows) : 100.0 * d;
  const Index limit = component_limit(problem, shape.rows, shape.cols);
  const double k = std::max(1.0, count_of(problem, limit));
  const bool single = shape.precision == Precision::float32 && !problem.float64_products;
  const std::size_t scalar = single ? 4 : 8;
  const double speed = single ? 2.0 : 1.0;
  const double stream_seconds =
      shape.stream ? n * d * (shape.precision == Precision::float32 ? 4 : 8) / kReadRate : 0.0;
  const auto square = [](double x) { return static_cast<std::uint64_t>(x * x * 8); };

  std::vector<RouteCost> routes;
  {
    RouteCost cost{.route = "covariance", .passes = 1};
    cost.flops = n * d * d;
    cost.bytes =
        row_moments_bytes(shape.cols, shape.stream, scalar) + 2 * square(d) + static_cast<std::uint64_t>(d * k * 16);
    cost.seconds = cost.flops / (kGemmRate * speed) + formed_eigen_seconds(d, k) + stream_seconds;
    routes.push_back(cost);
  }
  {
    RouteCost cost{.route = "gram", .passes = 2};
    cost.flops = n * n * d + 2 * n * d * k;
    cost.bytes =
        known ? gram_matrix_bytes(shape.rows, scalar) + 2 * square(n) + static_cast<std::uint64_t>(d * k * 16) : 0;
    cost.seconds = cost.flops / (kGemmRate * speed) + formed_eigen_seconds(n, k);
    if (sparse) {
      // Σ n_j² products for columns of n_j entries: between entries²/D, where they are alike, and N·entries.
      const auto entries = static_cast<double>(shape.nonzeros);
      const double products = std::min(entries * std::sqrt(entries / std::max(d, 1.0) * n), entries * n);
      cost.flops = 2 * products + 2 * entries * k;
      cost.bytes =
          2 * square(n) + sparse_gram_bytes(shape.cols, shape.nonzeros) + static_cast<std::uint64_t>(d * k * 16);
      cost.seconds = products * kSparseProduct + entries * k * kSparseSeconds + formed_eigen_seconds(n, k);
    }
    if (known && shape.rows >= shape.cols && problem.route == PcaRoute::automatic)
      cost.verdict = "no smaller than the covariance";
    if (shape.stream) cost.verdict = "needs the data in memory";
    routes.push_back(cost);
  }
  {
    const Index block = sparse ? kSparseBlock : kDenseBlock;
    const auto basis = static_cast<double>(krylov_basis(shape.cols, static_cast<Index>(k), block));
    const double products = std::min(d, 5 * k + 120) + k + kProbe;
    RouteCost cost{.route = "krylov", .passes = static_cast<int>(std::ceil(products / static_cast<double>(block))) + 3};
    cost.flops = (sparse ? 4.0 * static_cast<double>(shape.nonzeros) : 4.0 * n * d) * products + 8 * d * basis * basis;
    cost.bytes = static_cast<std::uint64_t>(d * (basis + 2.0 * k + 16.0 * 3.0 * static_cast<double>(block)) * 8) +
                 (sparse ? 0 : static_cast<std::uint64_t>((shape.stream ? 32 : 16)) << 20);
    cost.seconds = (sparse ? static_cast<double>(shape.nonzeros) * products * kSparseSeconds
                           : 4.0 * n * d * products / (0.7 * kGemmRate * speed)) +
                   8 * d * basis * basis / (0.5 * kGemmRate) + stream_seconds * cost.passes;
    cost.seconds += 2.0 * (4.0 / 3.0) * basis * basis * basis / kTridiagonalRate;  // the small problems on the way
    cost.seconds += 2e-3;  // its many small steps: never worth it for a table of a few thousand numbers
    if (shape.stream && !shape.rewindable) cost.verdict = "needs several passes; a pipe has one";
    routes.push_back(cost);
  }
  {
    RouteCost cost{.route = "svd", .passes = 1};
    cost.flops = 4 * n * d * std::min(n, d) + 9 * std::pow(std::min(n, d), 3);
    cost.bytes = static_cast<std::uint64_t>(n * d * 8 * 2.2);
    cost.seconds = cost.flops / (0.25 * kGemmRate);
    cost.verdict =
        shape.stream ? "needs the data in memory" : "copies the data; ask for it with " + set_option("route", "svd");
    routes.push_back(cost);
  }
  {
    RouteCost cost{.route = "power", .passes = 0};
    cost.flops = 4 * n * d * k * 200;
    cost.bytes = static_cast<std::uint64_t>(d * (2 * k + 8) * 8);
    cost.seconds = cost.flops / (0.1 * kGemmRate);
    cost.verdict = shape.stream && !shape.rewindable ? "needs several passes; a pipe has one"
                                                     : "slow; ask for it with " + set_option("route", "power");
    routes.push_back(cost);
  }

  Plan plan;
  plan.memory_limit = memory_limit(exec);
  plan.input_bytes = shape.stream ? 0
                     : sparse     ? static_cast<std::uint64_t>(shape.nonzeros) * (scalar == 4 ? 8 : 12)
                                  : static_cast<std::uint64_t>(n * d) * (shape.precision == Precision::float32 ? 4 : 8);
  const bool asked = problem.route != PcaRoute::automatic;
  RouteCost* best = nullptr;
  for (RouteCost& cost : routes) {
    if (asked ? cost.route != route_name(problem.route) : !cost.verdict.empty()) continue;
    if (asked && cost.verdict.starts_with("needs"))
      throw InvalidOption(problem.who, "route", cost.route, cost.verdict, "use " + set_option("route", "auto"));
    if (cost.bytes > plan.memory_limit) {
      cost.verdict = fmt::format("needs {}, over the limit", format_bytes(cost.bytes));
      continue;
    }
    if (!best || cost.seconds < best->seconds) best = &cost;
  }
  if (!best) {
    std::uint64_t least = UINT64_MAX;
    for (const RouteCost& cost : routes)
      if (cost.verdict.ends_with("over the limit")) least = std::min(least, cost.bytes);
    std::string slow;  // one that is only taken when asked for
    for (const RouteCost& cost : routes)
      if (!asked && cost.verdict.starts_with("slow") && cost.bytes <= plan.memory_limit)
        slow = fmt::format(", or use {}, which is slow and needs {}", set_option("route", cost.route),
                           format_bytes(cost.bytes));
    throw OverMemory(fmt::format("{}: the {} needs {} of working memory, the limit is {}; {} or {}{}", problem.who,
                                 asked ? "route " + route_name(problem.route) : "leanest fast route",
                                 format_bytes(least), format_bytes(plan.memory_limit), raise_option("memory_limit"),
                                 lower_option("components"), slow));
  }
  const std::string rows = known ? fmt::format("{}", shape.rows) : "?";
  if (asked) {
    plan.why = "asked for";
  } else if (best->route == "covariance") {
    plan.why = fmt::format("{}: {} {}×{} {} is formed in one pass", counted(shape.cols, "column"),
                           shape.cols == 1 ? "its" : "their", shape.cols, shape.cols,
                           problem.center ? "covariance" : "matrix of products");
  } else if (best->route == "gram") {
    plan.why = fmt::format("fewer rows ({}) than columns ({}): the {}×{} Gram matrix is the small one", rows,
                           shape.cols, rows, rows);
  } else {
    plan.why = sparse
                   ? fmt::format("sparse ({:.2g} % filled), {:.0f} of {} components: products with the data alone",
                                 100.0 * static_cast<double>(shape.nonzeros) / std::max(1.0, n * d), k, limit)
                   : fmt::format("{:.0f} of {} components: cheaper by products with the data than by forming a matrix",
                                 k, limit);
  }
  for (RouteCost& cost : routes)
    if (&cost == best)
      cost.verdict = "chosen";
    else if (cost.verdict.empty())
      cost.verdict = "slower";
  plan.route = best->route;
  plan.bytes = best->bytes;
  plan.passes = best->passes;
  plan.seconds = best->seconds;
  plan.considered = std::move(routes);
  return plan;
}

}  // namespace fewdim
