#pragma once

#include "fewdim/dataset.hpp"
#include "fewdim/disparity.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/method.hpp"
#include "fewdim/metric.hpp"
#include "fewdim/model.hpp"
#include "fewdim/options.hpp"
#include "fewdim/plan.hpp"

namespace fewdim {

/// Where stress majorization starts: at classical scaling of the dissimilarities (of their ranks, for ordinal ones), or
/// at random points.
enum class MapStart { classical, random };

struct SmacofOptions {
  Components components = 2;  ///< a number
  Disparity type = Disparity::ratio;
  Ties ties = Ties::weak;  ///< of ordinal disparities
  /// automatic: a matrix that is square and symmetric with zeros on the diagonal and none below holds distances, all
  /// others hold rows, compared by euclidean distance.
  Metric metric = Metric::automatic;
  MapStart start = MapStart::classical;
  Index restarts = 0;         ///< further starts at random; the best map is kept
  Index iterations = 10'000;  ///< passes over all pairs, at most, for each start
  double tolerance = 1e-6;    ///< relative decrease of the stress at which to stop
  Seed seed = 0;
  bool embedding = true;
};

/// Multidimensional scaling by stress majorization: the map whose distances differ least from the disparities,
/// Σ(t − d)². Metric with ratio or interval disparities, non-metric with ordinal ones.
FEWDIM_API Model fit_smacof(const Dataset& data, const SmacofOptions& options = {}, const Execution& exec = {});

FEWDIM_API Plan plan_smacof(const DataShape& shape, const SmacofOptions& options, const Execution& exec = {});

FEWDIM_API const MethodCard& smacof_card();

}  // namespace fewdim
