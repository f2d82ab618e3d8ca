// No claim of a certificate may be violated: symmetric matrices that are not positive, and the lowest eigenvectors of
// sparse ones. See claims_test.cpp for how to run more cases, or one.

#include <gtest/gtest.h>

#include "solvers/eigen/smallest.hpp"
#include "solvers/eigen/symmetric.hpp"
#include "support/claim_tally.hpp"
#include "support/sparse.hpp"
#include "support/spectra.hpp"

namespace fewdim {
namespace {

using test::Claimed;
using test::Draw;
using test::Spread;
using test::Tally;
using test::Violation;

constexpr double kSeconds = 60.0;
constexpr double kFloor = 0x1p-46;  // of residuals: 64 roundings of the largest value

/// The largest are of the spectrum drawn; of the others some are mirrored, some far below the largest in the other
/// direction.
Vector<double> indefinite(Draw& draw, Vector<double> values, Index keep) {
  const double factor = draw.pick({1.0, 1.0, 1e-3, 10.0, 1e3});
  const double share = draw.pick({0.0, 0.3, 0.9});
  for (Index i = keep; i < values.size(); ++i)
    if (draw.chance(share)) values[i] *= -factor;
  std::sort(values.data(), values.data() + values.size(), std::greater<>());
  return values;
}

void judge_symmetric(Draw& draw, Seed seed, Spread spread, Index size, Index most, Tally& tally) {
  const test::DrawnSpectrum spectrum = test::drawn_spectrum(draw, spread, size);
  Index positive = 0;  // far enough from zero to be one
  while (positive < size && spectrum.values[positive] > 1e-10) ++positive;
  const Index count = std::min({positive, most, draw.chance(0.5) ? spectrum.edge : draw.between(1, positive)});
  const Vector<double> values = indefinite(draw, spectrum.values, std::min(size, count + draw.between(0, 2)));
  const test::Truth truth = test::truth_of(test::symmetric_with(draw, values) * draw.decades(-3, 3));
  SymmetricProblem problem{.who = "test", .components = count, .total = 0.0, .limit = size};
  problem.total = truth.values.cwiseMax(0.0).sum();
  if (draw.chance(0.1)) problem.components = draw.pick({0.3, 0.8, 0.95});
  problem.tolerance = draw.pick({1e-1, 1e-3, 1e-5, 1e-8, 1e-10, 1e-10, 1e-14});
  if (size > 800) problem.tolerance = std::max(problem.tolerance, 1e-10);
  problem.seed = static_cast<Seed>(draw.between(0, 1000));
  problem.at_least = draw.chance(0.2) ? std::min<Index>(10, size) : 0;
  const std::string what = fmt::format("{} {}x{} lowest {:.1e}, k {} (edge {}), at least {}, tolerance {:.0e}",
                                       name_of(spread), size, size, truth.values[size - 1] / truth.values[0],
                                       problem.components.text(), spectrum.edge, problem.at_least, problem.tolerance);
  const auto add = [&](const std::vector<Violation>& found, double chance) {
    tally.add(found, seed, size, what, chance);
  };
  const SymmetricOperator op(size, [&](ConstBlock<double> x, Block<double> y) { y.noalias() = truth.matrix * x; });
  try {
    const SymmetricPairs pairs = symmetric_pairs(op, problem, test::with_deadline(kSeconds));
    tally.count("fits, " + word_of(pairs.certificate.route));
    const double scale = pairs.values[0],
                 rounding = test::rounding_of(size, size) * std::max(1.0, truth.norm() / scale);
    const Claimed claimed{pairs.values, pairs.vectors, pairs.certificate, scale, rounding};
    std::vector<Violation> found = test::Judge(truth, claimed).violations();
    if (!pairs.certificate.converged) found.push_back({"converged", "returned, but not converged"});
    for (Index i = 0; i < pairs.wanted; ++i)
      if (pairs.certificate.residuals[i] > std::max({problem.tolerance * pairs.values[i] / scale, rounding, kFloor}))
        found.push_back({"converged", fmt::format("residual {} of value {:.1e}: {:.2e}", i + 1, pairs.values[i] / scale,
                                                  pairs.certificate.residuals[i])});
    add(found, pairs.certificate.outside_probability);
  } catch (const NotConverged& e) {
    tally.count("not converged");
    if (size <= 800 && problem.tolerance >= 1e-8 && truth.norm() <= 10.0 * truth.values[0])
      add({{"refused", e.what()}}, 1.0);
  } catch (const Interrupted&) {
    add({{"time", "no result in time"}}, 1.0);
  } catch (const std::exception& e) {
    add({{"exception", e.what()}}, 1.0);
  }
}

TEST(SymmetricClaims, Hold) {
  test::run_cases(40, 0.12, [](Seed seed, Tally& tally) {
    Draw draw(seed);
    const auto spread = static_cast<Spread>(draw.between(0, 8));
    const Index size = draw.chance(0.2) ? draw.between(1, 6) : draw.between(5, 90);
    judge_symmetric(draw, seed, spread, size, size, tally);
  });
}

TEST(SymmetricClaims, HoldByKrylov) {
  test::run_cases(41, 0.0016, [](Seed seed, Tally& tally) {
    Draw draw(seed);
    const auto spread = draw.pick({Spread::outlier, Spread::outliers, Spread::clusters, Spread::repeated,
                                   Spread::repeated, Spread::low_rank, Spread::decay});
    judge_symmetric(draw, seed, spread, draw.between(801, 900), 60, tally);
  });
}

struct Graph {
  std::string name;
  Index size = 0;
  test::Edges edges{};
};

/// Paths, cycles (each value twice), grids (some twice), complete graphs and stars (one value n − 1 or n − 2 times),
/// and several of them side by side, which nobody tells the solver of.
Graph drawn_graph(Draw& draw) {
  Graph out;
  const Index parts = draw.chance(0.25) ? draw.between(2, 5) : 1;
  for (Index part = 0; part < parts; ++part) {
    const Index n = draw.between(4, parts > 1 ? 30 : 110), before = out.size;
    test::Edges edges;
    switch (draw.between(0, 4)) {
      case 0:
        edges = test::path(n), out.name += "path ";
        break;
      case 1:
        edges = test::cycle(n), out.name += "cycle ";
        break;
      case 2:
        edges = test::grid(2, n / 2), out.name += "ladder ";
        break;
      case 3:
        for (Index i = 1; i < n; ++i) edges.emplace_back(0, i);
        out.name += "star ";
        break;
      default:
        for (Index i = 0; i < n; ++i)
          for (Index j = 0; j < i; ++j) edges.emplace_back(i, j);
        out.name += "complete ";
    }
    Index last = 0;
    for (auto& [i, j] : edges) last = std::max({last, i, j}), i += before, j += before;
    out.edges.insert(out.edges.end(), edges.begin(), edges.end());
    out.size += last + 1;
  }
  out.name += std::to_string(out.size);
  return out;
}

/// Its Laplacian, some edges far weaker than the others; or another positive matrix, with no null space.
SparseSymmetric drawn_matrix(Draw& draw, std::string& name, bool& constant) {
  if (draw.chance(0.2)) {
    const Index size = draw.between(8, 100);
    name = fmt::format("random {}", size), constant = false;
    return test::random_positive(size, 3, static_cast<Seed>(draw.between(0, 1'000'000)));
  }
  const Graph graph = drawn_graph(draw);
  const double weakest = draw.pick({0.0, 0.0, -3.0, -9.0});
  test::Entries entries;
  for (Index i = 0; i < graph.size; ++i) entries[{i, i}] = 0.0;
  for (const auto& [i, j] : graph.edges) {
    const double weight = draw.chance(0.8) ? 1.0 : draw.decades(weakest, 0.0);
    entries[{i, i}] += weight, entries[{j, j}] += weight;
    entries[{i, j}] -= weight, entries[{j, i}] -= weight;
  }
  name = fmt::format("{}, weights from 1e{}", graph.name, weakest), constant = true;
  return test::sparse_of(graph.size, entries);
}

TEST(SmallestClaims, Hold) {
  test::run_cases(50, 0.04, [](Seed seed, Tally& tally) {
    Draw draw(seed);
    std::string name;
    bool constant = true;
    const SparseSymmetric a = drawn_matrix(draw, name, constant);
    const Index n = a.size(), nulls = constant && draw.chance(0.8) ? 1 : 0;
    SmallestProblem problem{.who = "test", .count = draw.between(1, std::min<Index>(12, n - 2))};
    if (nulls > 0) problem.null_space = test::constant_vector(n);
    problem.route =
        draw.pick({SmallestRoute::automatic, SmallestRoute::dense, SmallestRoute::factor, SmallestRoute::filter});
    problem.tolerance = draw.pick({1e-3, 1e-6, 1e-8, 1e-8});
    problem.seed = static_cast<Seed>(draw.between(0, 1000));
    const std::string what = fmt::format("{}, {} in the null space, k {}, route {}, tolerance {:.0e}", name, nulls,
                                         problem.count, static_cast<int>(problem.route), problem.tolerance);
    const auto add = [&](const std::vector<Violation>& found) { tally.add(found, seed, n, what, 1.0); };
    try {
      const SmallestPairs pairs = smallest_pairs(a, problem, test::with_deadline(kSeconds));
      tally.count("fits, " + word_of(pairs.certificate.route));
      // −A, so that the lowest are the largest; the null space that is known goes to the other end.
      Matrix<double> turned = -a.dense();
      if (nulls > 0) turned.array() -= 2.0 * pairs.norm / static_cast<double>(n);
      const test::Truth truth = test::truth_of(std::move(turned));
      const Vector<double> values = -pairs.values;
      Certificate c = pairs.certificate;
      c.outside_probability = 1.0;  // lies at the other end of the spectrum
      const Claimed claimed{values, pairs.vectors, c, pairs.norm, test::rounding_of(n, n)};
      add(test::Judge(truth, claimed).violations());
    } catch (const NotConverged&) {
      tally.count("not converged");
    } catch (const Interrupted&) {
      add({{"time", "no result in time"}});
    } catch (const std::exception& e) {
      add({{"exception", e.what()}});
    }
  });
}

}  // namespace
}  // namespace fewdim
