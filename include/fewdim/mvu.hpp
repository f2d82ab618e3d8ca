#pragma once

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/method.hpp"
#include "fewdim/metric.hpp"
#include "fewdim/model.hpp"
#include "fewdim/neighborhood.hpp"
#include "fewdim/plan.hpp"
#include "fewdim/unfolding.hpp"

namespace fewdim {

struct MvuOptions {
  Index components = 2;
  /// Few neighbors: each link is a constraint, and chords across a bend keep it bent.
  Neighborhood neighborhood{.k = 6};
  /// automatic: a matrix that is square and symmetric with zeros on the diagonal and none below holds distances, all
  /// others hold rows, compared by euclidean distance.
  Metric metric = Metric::automatic;
  bool graph = false;  ///< the data are the graph: a square matrix of link lengths, 0 where there is none
  bool rigid = false;  ///< neighbors of a common object keep their distances, too (angles, as in the paper of 2004)
  UnfoldingForm form = UnfoldingForm::inequality;
  UnfoldingRoute solver = UnfoldingRoute::automatic;
  double tolerance = 0.0;  ///< largest violation of a neighbors' distance, relative to it; 0: 1e-5
  Seed seed = 0;
  bool embedding = true;
};

/// Maximum variance unfolding: pulls the objects as far apart as the distances of neighbors allow.
FEWDIM_API Model fit_mvu(const Dataset& data, const MvuOptions& options = {}, const Execution& exec = {});

FEWDIM_API Plan plan_mvu(const DataShape& shape, const MvuOptions& options, const Execution& exec = {});

FEWDIM_API const MethodCard& mvu_card();

}  // namespace fewdim
