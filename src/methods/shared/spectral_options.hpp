#pragma once

#include <array>

#include "base/describe.hpp"
#include "fewdim/route.hpp"
#include "solvers/routes/decompose.hpp"

/// The options of how a spectrum is computed, which PCA and SVD have in common.
namespace fewdim {

template <>
struct EnumNames<PcaRoute> {
  static constexpr std::array names{
      std::pair{PcaRoute::automatic, "auto"}, std::pair{PcaRoute::covariance, "covariance"},
      std::pair{PcaRoute::gram, "gram"},      std::pair{PcaRoute::svd, "svd"},
      std::pair{PcaRoute::krylov, "krylov"},  std::pair{PcaRoute::power, "power"}};
};

template <>
struct EnumNames<Accuracy> {
  static constexpr std::array names{std::pair{Accuracy::standard, "standard"}, std::pair{Accuracy::high, "high"}};
};

/// Their declaration; what residuals are relative to is the method's to say.
template <class Options, class Visitor>
void describe_solver(Options& o, Visitor&& field, std::string_view tolerance_help) {
  field(o.route,
        {.name = "route", .help = "how to compute it; auto weighs shape, sparsity, k and memory, and says why"});
  field(o.accuracy, {.name = "accuracy", .help = "high computes float32 data with float64 products"});
  field(o.tolerance, {.name = "tolerance", .minimum = 0, .maximum = 1, .help = tolerance_help});
  field(o.seed, {.name = "seed", .help = "of the random start vectors"});
}

/// What they ask of the solver. The default tolerance is relative to the largest eigenvalue.
template <class Options>
SpectralProblem spectral_problem(std::string who, const Options& o, Precision precision) {
  SpectralProblem p;
  p.who = std::move(who);
  p.components = o.components;
  p.route = o.route;
  p.float64_products = precision == Precision::float64 || o.accuracy == Accuracy::high;
  p.tolerance = o.tolerance > 0.0 ? o.tolerance : p.float64_products ? 1e-10 : 1e-5;
  p.seed = o.seed;
  return p;
}

}  // namespace fewdim
