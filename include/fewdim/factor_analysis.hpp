#pragma once

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/gaussian.hpp"
#include "fewdim/method.hpp"
#include "fewdim/model.hpp"
#include "fewdim/options.hpp"

namespace fewdim {

enum class FactorRotation { none, varimax, promax };
/// Of a row: the posterior mean of its factors (Thomson 1939), or their unbiased estimate (Bartlett 1937).
enum class FactorScores { regression, bartlett };

struct FactorAnalysisOptions {
  Components components = 2;  ///< a number
  FactorRotation rotation = FactorRotation::varimax;
  FactorScores scores = FactorScores::regression;
  double least_uniqueness = 0.005;  ///< of each feature's variance; less where the others leave less than 40 % of it
  double tolerance = 1e-8;          ///< of the gradient; with missing values: of what a step of EM adds, for each value
  Index iterations = 10'000;        ///< of each start
  Index starts = 0;                 ///< 0: 24 up to 69 features, fewer of more, 2 from 200 on
  Seed seed = 0;                    ///< of the random starts
  bool embedding = false;
};

/// Maximum-likelihood factor analysis: x = mean + s∘(L f + e), f ~ N(0, Φ), e ~ N(0, diag ψ), in units of the features'
/// standard deviations s.
FEWDIM_API Model fit_factor_analysis(const Dataset& data, const FactorAnalysisOptions& options = {},
                                     const Execution& exec = {});
FEWDIM_API Plan plan_factor_analysis(const DataShape& shape, const FactorAnalysisOptions& options = {},
                                     const Execution& exec = {});
FEWDIM_API const MethodCard& factor_analysis_card();

}  // namespace fewdim
