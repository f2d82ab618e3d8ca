#pragma once

#include "fewdim/model.hpp"
#include "solvers/factors/factor_em.hpp"

/// Principal axes of rows with missing values, for PCA and probabilistic PCA.
namespace fewdim {

struct ObservedAxes {
  Vector<double> mean, scale;  ///< scale: empty where not scaled
  Matrix<double> vectors;      ///< D×k, orthonormal, signs fixed
  Vector<double> values;       ///< variances along them, the noise's included: λ
  double noise = 0.0;          ///< σ²: variance along every other axis
  FactorEmResult em;           ///< its factors turned to the axes
  Vector<double> residuals;    ///< what one more step would change of each column of the loadings, over their largest
  Index rows = 0, missing = 0, patterns = 0, empty_rows = 0;
  double tolerance = 0.0;
  std::uint64_t bytes = 0;  ///< of working memory
};

struct ObservedOptions {
  std::string who;
  Components components = 2;
  bool scale = false;
  int ddof = 0;  ///< of the scale
  bool relevance = false;
  double tolerance = 1e-10;
  Index iterations = 10'000;
  Seed seed = 0;
};

/// By EM. Throws NotConverged where the steps are not enough.
ObservedAxes observed_axes(const Dataset& data, const ObservedOptions& options, const Execution& exec);

Certificate em_certificate(const ObservedAxes& axes);
Plan em_plan(const ObservedAxes& axes, const Dataset& data, const Execution& exec);

/// log p at the maximum, its BIC and the share of missing values, as a model's diagnostics.
void tell_fit(Model::Head& head, double log_likelihood, Index rows, Index cols, Index components, double noise);
void tell_missing(Model::Head& head, const ObservedAxes& axes);

/// The noise and the loadings U(Λ − σ²)^½ of a model whose axes and variances are known.
void keep_noise(LinearModel& shape, const Vector<double>& values, double noise, Precision precision);

}  // namespace fewdim
