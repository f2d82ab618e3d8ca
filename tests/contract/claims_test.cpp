// No claim of a certificate may be violated: random cases through every route, compared with LAPACK's spectrum of the
// same numbers.
//
// FEWDIM_CLAIM_CASES=100000 runs more cases (10,000 without), FEWDIM_CLAIM_SEED=... one alone, as a failure names it,
// FEWDIM_CLAIM_SHOW=20 lists so many of each claim.

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "support/claim_tally.hpp"
#include "support/spectral_case.hpp"

namespace fewdim {
namespace {

using test::Claimed;
using test::Draw;
using test::Spread;
using test::Tally;
using test::Violation;

constexpr double kSeconds = 60.0;   // no case takes one
constexpr double kFloor = 0x1p-46;  // of residuals: 64 roundings of the largest value

/// The routes that reach rounding whatever the spectrum: there is nothing to be refused.
bool must_converge(const SpectralProblem& p, const Dataset& data) {
  const bool direct = p.route == PcaRoute::covariance || p.route == PcaRoute::svd;
  return direct && p.tolerance >= 1e-10 && (p.float64_products || data.precision() == Precision::float64);
}

/// What can't be reached is said.
bool says_rounding(const Certificate& c) {
  return std::ranges::any_of(
      c.warnings, [](const std::string& words) { return words.starts_with("rounding leaves residuals above"); });
}

/// Residuals of a fit that has converged: within the tolerance of their own eigenvalues, or at the rounding of the
/// largest, or it says that they are not.
void judge_convergence(const Certificate& c, const Vector<double>& values, double tolerance, double rounding,
                       std::vector<Violation>& found) {
  if (!c.converged) found.push_back({"converged", "returned, but not converged"});
  for (Index i = 0; i < values.size(); ++i) {
    const double allowed = std::max(tolerance * values[i] / values[0], c.forming_error + std::max(rounding, kFloor));
    if (c.residuals[i] > allowed && !says_rounding(c))
      found.push_back({"converged", fmt::format("residual {} of value {:.1e}: {:.2e}, {:.2e} allowed", i + 1,
                                                values[i] / values[0], c.residuals[i], allowed)});
  }
}

std::vector<Violation> judged(const test::Truth& truth, const test::SpectralCase& c, const Vector<double>& values,
                              const Matrix<double>& vectors, const Certificate& certificate) {
  const double scale = values[0] > 0.0 ? values[0] : 1.0;
  const double rounding = test::rounding_of(c.table.rows(), c.table.cols()) * std::max(1.0, truth.norm() / scale) +
                          test::rounding_of_mean(c.table, c.problem, truth.matrix) / scale;
  const Claimed claimed{values, vectors, certificate, scale, rounding};
  return test::Judge(truth, claimed).violations();
}

/// The fit, or what it threw as an outcome or a violation.
std::optional<Decomposition> fit_of(const test::SpectralCase& c, Seed seed, Tally& tally) {
  const auto violated = [&](const char* claim, const std::string& words) {
    tally.add({{claim, words}}, seed, c.size(), c.what, 1.0);
    return std::nullopt;
  };
  try {
    return decompose(c.data, c.problem, test::with_deadline(kSeconds));
  } catch (const NotConverged& e) {
    tally.count("not converged by " + word_of(route_of(c.problem.route)));
    if (must_converge(c.problem, c.data)) return violated("refused", e.what());
  } catch (const Interrupted&) {
    return violated("time", "no result in time");
  } catch (const InvalidOption& e) {
    if (c.problem.route != PcaRoute::gram || !c.data.is_sparse()) return violated("exception", e.what());
    tally.count("sparse gram refused");
  } catch (const DataError& e) {
    if (!c.refusable) return violated("exception", e.what());
    tally.count("constant columns or no variance");
  } catch (const std::exception& e) {
    return violated("exception", e.what());
  }
  return std::nullopt;
}

void judge_fit(const test::SpectralCase& c, Seed seed, bool again, Tally& tally) {
  const std::optional<Decomposition> d = fit_of(c, seed, tally);
  if (!d) return;
  tally.count("fits by " + word_of(d->certificate.route));
  const test::Truth truth = test::truth_of(test::exact_covariance(c.table, c.problem));
  std::vector<Violation> found = judged(truth, c, d->values, d->vectors, d->certificate);
  judge_convergence(d->certificate, d->values, c.problem.tolerance, test::rounding_of(c.table.rows(), c.table.cols()),
                    found);
  tally.add(found, seed, c.size(), c.what, d->certificate.outside_probability);
  if (!again) return;
  const Decomposition r = recertify(c.data, c.problem, *d, test::with_deadline(kSeconds));
  found = judged(truth, c, d->values, d->vectors, r.certificate);
  for (Violation& v : found) v.claim += " recertified";
  tally.add(found, seed, c.size(), c.what, r.certificate.outside_probability);
}

class Claims : public ::testing::TestWithParam<Spread> {};

TEST_P(Claims, HoldForFitsAndWhenRecertified) {
  test::run_cases(static_cast<Seed>(GetParam()), 0.09, [](Seed seed, Tally& tally) {
    Draw draw(seed);
    const auto route = draw.pick({PcaRoute::automatic, PcaRoute::covariance, PcaRoute::gram, PcaRoute::svd,
                                  PcaRoute::krylov, PcaRoute::krylov, PcaRoute::power});
    auto [rows, cols] = test::drawn_shape(draw);
    if (route == PcaRoute::power) rows = std::min<Index>(rows, 40), cols = std::min<Index>(cols, 12);
    test::SpectralCase c = test::drawn_case(draw, GetParam(), route, rows, cols);
    if (route == PcaRoute::power) c.problem.tolerance = std::max(c.problem.tolerance, 1e-8);  // slow by nature
    judge_fit(c, seed, draw.chance(0.5), tally);
  });
}

INSTANTIATE_TEST_SUITE_P(Spectra, Claims,
                         ::testing::Values(Spread::outlier, Spread::outliers, Spread::clusters, Spread::repeated,
                                           Spread::graded, Spread::low_rank, Spread::flat, Spread::identity,
                                           Spread::decay),
                         [](const auto& param) {
                           std::string name = test::name_of(param.param);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

/// Large enough that a formed matrix is left to block Krylov.
class LargeClaims : public ::testing::TestWithParam<PcaRoute> {};

TEST_P(LargeClaims, Hold) {
  test::run_cases(20 + static_cast<Seed>(GetParam()), 0.0008, [](Seed seed, Tally& tally) {
    Draw draw(seed);
    const auto spread = draw.pick({Spread::outlier, Spread::outliers, Spread::clusters, Spread::repeated,
                                   Spread::repeated, Spread::low_rank, Spread::flat, Spread::decay});
    const bool gram = GetParam() == PcaRoute::gram;
    const Index small = draw.between(801, 840), large = draw.between(850, 950);
    test::SpectralCase c = test::drawn_case(draw, spread, GetParam(), gram ? small : large, gram ? large : small);
    c.problem.components = draw.between(1, 40);
    c.problem.tolerance = draw.pick({1e-1, 1e-3, 1e-5, 1e-8, 1e-10});
    c.what += fmt::format(" -> k {}, tolerance {:.0e}", c.problem.components.text(), c.problem.tolerance);
    judge_fit(c, seed, true, tally);
  });
}

INSTANTIATE_TEST_SUITE_P(Routes, LargeClaims, ::testing::Values(PcaRoute::covariance, PcaRoute::gram, PcaRoute::krylov),
                         [](const auto& param) { return word_of(route_of(param.param)); });

/// Pairs that are not the leading ones, or not quite: what a certificate says of them must be true all the same.
std::string spoil(Draw& draw, const test::Truth& truth, Index count, Decomposition& d) {
  const Index size = truth.values.size(), at = draw.between(0, count - 1);
  d.values = truth.values.head(count).cwiseMax(0.0);
  d.vectors = truth.vectors.leftCols(count);
  switch (draw.between(0, 5)) {
    case 0: {  // one is missing, a lower one stands at the end
      const Index other = draw.between(count, size - 1);
      for (Index i = at; i < count; ++i) {
        const Index from = i + 1 < count ? i + 1 : other;
        d.values[i] = std::max(truth.values[from], 0.0);
        d.vectors.col(i) = truth.vectors.col(from);
      }
      return fmt::format("component {} left out, {} in its place", at + 1, other + 1);
    }
    case 1:
      for (Index i = 0; i < count; ++i) d.vectors.col(i) += 1e-6 * draw.unit(size);
      return "vectors off by 1e-6";
    case 2:
      for (Index i = 0; i < count; ++i) {
        d.vectors.col(i) += 1e-6 * draw.unit(size);
        for (Index j = 0; j < i; ++j) d.vectors.col(i) -= d.vectors.col(j).dot(d.vectors.col(i)) * d.vectors.col(j);
        d.vectors.col(i) /= d.vectors.col(i).norm();
      }
      return "vectors off by 1e-6, orthonormal";
    case 3:
      if (at > 0) d.vectors.col(at) = d.vectors.col(at - 1), d.values[at] = d.values[at - 1];
      return fmt::format("component {} is there twice", at);
    case 4:
      d.values[at] *= 1.0 + 1e-6 * draw.normal();
      std::sort(d.values.data(), d.values.data() + count, std::greater<>());
      return fmt::format("value {} off by 1e-6", at + 1);
    default: {  // turned towards a lower one, so that both the value and the direction are between
      const Index other = draw.between(count, size - 1);
      const double angle = draw.decades(-8, 0);
      d.vectors.col(at) = std::cos(angle) * truth.vectors.col(at) + std::sin(angle) * truth.vectors.col(other);
      return fmt::format("component {} turned by {:.1e} towards {}", at + 1, angle, other + 1);
    }
  }
}

TEST(WrongPairs, AreNotCertified) {
  test::run_cases(30, 0.12, [](Seed seed, Tally& tally) {
    Draw draw(seed);
    const auto spread = static_cast<Spread>(draw.between(0, 8));
    auto [rows, cols] = test::drawn_shape(draw);
    cols = std::max<Index>(cols, 2);
    test::SpectralCase c = test::drawn_case(draw, spread, PcaRoute::automatic, rows, cols);
    Matrix<double> covariance = test::exact_covariance(c.table, c.problem);
    if (!covariance.allFinite() || !(covariance.trace() > 0.0)) return tally.count("constant columns");
    const test::Truth truth = test::truth_of(std::move(covariance));
    Decomposition wrong;
    const Index count = draw.between(1, std::min(cols - 1, std::max<Index>(1, component_limit(c.problem, rows, cols))));
    c.what += "; " + spoil(draw, truth, count, wrong) + fmt::format(" of {}", count);
    try {
      const Decomposition r = recertify(c.data, c.problem, wrong, test::with_deadline(kSeconds));
      const auto found = judged(truth, c, wrong.values, wrong.vectors, r.certificate);
      tally.count("recertified");
      tally.add(found, seed, c.size(), c.what, r.certificate.outside_probability);
    } catch (const DataError&) {
      tally.count("constant columns");
    }
  });
}

}  // namespace
}  // namespace fewdim
