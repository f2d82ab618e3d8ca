#pragma once

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/gaussian.hpp"
#include "fewdim/method.hpp"
#include "fewdim/model.hpp"
#include "fewdim/options.hpp"

namespace fewdim {

struct PpcaOptions {
  Components components = 2;  ///< a number; without missing values also a share of variance, or a criterion
  bool scale = false;         ///< divide each column by its standard deviation
  bool relevance = false;     ///< drop the components that the data don't need (automatic relevance determination)
  double tolerance = 1e-10;   ///< of what a step of EM adds to the log-likelihood, for each value
  Index iterations = 10'000;  ///< steps of EM, at most
  Seed seed = 0;
  bool embedding = false;  ///< keep the training scores in the model
};

/// Probabilistic PCA (Tipping & Bishop 1999): x = mean + W z + e, z ~ N(0, I), e ~ N(0, σ²I). In closed form where no
/// value is missing, by EM where some are. See gaussian.hpp for what such a model can tell.
FEWDIM_API Model fit_ppca(const Dataset& data, const PpcaOptions& options = {}, const Execution& exec = {});
FEWDIM_API Plan plan_ppca(const DataShape& shape, const PpcaOptions& options = {}, const Execution& exec = {});
FEWDIM_API const MethodCard& ppca_card();

}  // namespace fewdim
