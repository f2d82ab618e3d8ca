#pragma once

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/landmarks.hpp"
#include "fewdim/method.hpp"
#include "fewdim/metric.hpp"
#include "fewdim/model.hpp"
#include "fewdim/neighborhood.hpp"
#include "fewdim/options.hpp"
#include "fewdim/plan.hpp"

namespace fewdim {

/// What geodesics are computed and held in.
enum class GeodesicStorage {
  automatic,  ///< as the data are; float32 where float64 is above the memory limit
  float32,
  float64
};

struct IsomapOptions {
  Components components = 2;
  Neighborhood neighborhood{};
  /// automatic: a matrix that is square and symmetric with zeros on the diagonal and none below holds distances, all
  /// others hold rows, compared by euclidean distance.
  Metric metric = Metric::automatic;
  bool graph = false;   ///< the data are the graph: a square matrix of edge lengths, 0 where there is none
  Index landmarks = 0;  ///< 0: all pairs of objects
  LandmarkChoice choice = LandmarkChoice::maxmin;
  GeodesicStorage storage = GeodesicStorage::automatic;
  bool geodesics = false;  ///< keep them in the model: new points are then placed without a search
  double tolerance = 0.0;
  Seed seed = 0;
  bool embedding = true;
};

/// Isomap: distances along the data's manifold, measured through a graph of neighbors, and a map from them.
FEWDIM_API Model fit_isomap(const Dataset& data, const IsomapOptions& options = {}, const Execution& exec = {});

FEWDIM_API Plan plan_isomap(const DataShape& shape, const IsomapOptions& options, const Execution& exec = {});

FEWDIM_API const MethodCard& isomap_card();

}  // namespace fewdim
