#pragma once

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/landmarks.hpp"
#include "fewdim/method.hpp"
#include "fewdim/metric.hpp"
#include "fewdim/model.hpp"
#include "fewdim/options.hpp"
#include "fewdim/plan.hpp"

namespace fewdim {

/// Makes distances Euclidean by adding a constant to those between different objects.
enum class DistanceCorrection {
  none,
  lingoes,  ///< √(d² + 2c), the smallest c ≥ 0 (Lingoes 1971)
  cailliez  ///< d + c, the smallest c ≥ 0 (Cailliez 1983)
};

struct MdsOptions {
  Components components = 2;
  /// automatic: a matrix that is square and symmetric with zeros on the diagonal and none below holds distances, all
  /// others hold rows, compared by euclidean distance.
  Metric metric = Metric::automatic;
  DistanceCorrection correction = DistanceCorrection::none;
  bool triangle = false;  ///< count the triples that break the triangle inequality
  Index landmarks = 0;    ///< 0: all distances; else those to so many objects
  LandmarkChoice choice = LandmarkChoice::random;
  double tolerance = 0.0;
  Seed seed = 0;
  bool embedding = true;
  Vector<double> weights{};  ///< one per object; empty: data.weights, or ones
};

/// Classical (Torgerson) scaling: coordinates whose distances are nearest to those given, from B = −½JΔ²J.
FEWDIM_API Model fit_mds(const Dataset& data, const MdsOptions& options = {}, const Execution& exec = {});

FEWDIM_API Plan plan_mds(const DataShape& shape, const MdsOptions& options, const Execution& exec = {});

FEWDIM_API const MethodCard& mds_card();

}  // namespace fewdim
