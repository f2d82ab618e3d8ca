#pragma once

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/method.hpp"
#include "fewdim/model.hpp"
#include "fewdim/options.hpp"
#include "fewdim/pca.hpp"

namespace fewdim {

/// What `transform` gives: UΣ (projections), U (unit columns), or the balanced factor U√Σ.
enum class SvdScores { projection, unit, balanced };

struct SvdOptions {
  Components components = 2;
  SvdScores scores = SvdScores::projection;
  PcaRoute route = PcaRoute::automatic;
  Accuracy accuracy = Accuracy::standard;
  double tolerance = 0.0;
  Seed seed = 0;
  bool embedding = false;
};

/// Truncated SVD of the data as they are (not centered): X ≈ U Σ Vᵀ, the best approximation of its rank.
FEWDIM_API Model fit_svd(const Dataset& data, const SvdOptions& options = {}, const Execution& exec = {});
FEWDIM_API Plan plan_svd(const DataShape& shape, const SvdOptions& options = {}, const Execution& exec = {});
FEWDIM_API const MethodCard& svd_card();

}  // namespace fewdim
