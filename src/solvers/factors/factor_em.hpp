#pragma once

#include <string>
#include <vector>

#include "fewdim/execution.hpp"
#include "fewdim/types.hpp"
#include "solvers/factors/observed_table.hpp"

namespace fewdim {

/// x = mean + loadings z + e with z ~ N(0, I) and e ~ N(0, diag(noise)): probabilistic PCA where the noise is one for
/// all features, factor analysis where it is not.
struct GaussianFactors {
  Vector<double> mean;
  Matrix<double> loadings;  ///< D×k
  Vector<double> noise;     ///< D
};

struct FactorEmOptions {
  std::string who = "ppca";
  bool one_noise = true;
  bool relevance = false;     ///< a prior on each column of the loadings, so that those not needed vanish (Bishop 1999)
  double tolerance = 1e-10;   ///< of what a step adds to the log-likelihood, for each observed value
  Index iterations = 10'000;  ///< E-steps, at most
  double least_noise = 1e-12;
  Vector<double> least_noises{};  ///< of each feature; empty: least_noise for all
};

struct FactorEmResult {
  GaussianFactors factors;
  double log_likelihood = 0.0;
  std::vector<double> history;  ///< log-likelihood after each accepted step; never falls, but with a prior
  Index iterations = 0;
  double gain = 0.0;  ///< of the last step, for each observed value
  bool converged = false;
};

/// Maximum likelihood by expectation and maximization with the values that are there alone (Rubin & Thayer 1982;
/// Tipping & Bishop 1999; Ilin & Raiko 2010), extrapolated where that does not lower the likelihood (Varadhan & Roland
/// 2008).
FactorEmResult fit_factors(const ObservedTable& table, GaussianFactors start, const FactorEmOptions& options,
                           const Execution& exec);

/// log p of the observed values of all rows.
double log_likelihood(const ObservedTable& table, const GaussianFactors& factors, const Execution& exec);

/// Bytes that one step needs beyond the table.
std::uint64_t factor_em_bytes(Index rows, Index cols, Index components);

}  // namespace fewdim
