#pragma once

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/method.hpp"
#include "fewdim/metric.hpp"
#include "fewdim/model.hpp"
#include "fewdim/neighborhood.hpp"
#include "fewdim/plan.hpp"
#include "fewdim/route.hpp"

namespace fewdim {

/// The scale of coordinates that are known up to an affine map only.
enum class MapScale {
  unit,      ///< every coordinate has mean 0 and mean square 1, and they are uncorrelated
  isometric  ///< the affine map that keeps the distances of neighbors best; coordinates by falling variance
};

/// Options of the four methods that glue neighborhoods: LLE, modified LLE, LTSA, Hessian LLE.
struct LleOptions {
  Index components = 2;
  Neighborhood neighborhood{};
  /// Finds the neighbors. automatic: a matrix that is square and symmetric with zeros on the diagonal and none below
  /// holds distances, all others hold rows, compared by euclidean distance. The shape of a neighborhood is that of its
  /// rows (of unit length for cosine, and so on) or follows from the distances.
  Metric metric = Metric::automatic;
  double regularization = 1e-3;  ///< of the weights that rebuild an object, as a share of the trace
  MapScale scale = MapScale::unit;
  SmallestRoute solver = SmallestRoute::automatic;
  double tolerance = 0.0;  ///< of an eigenvector: residual over gap; 0: 1e-8
  Seed seed = 0;
  bool embedding = true;
};

/// Locally linear embedding: each object is rebuilt from its neighbors by weights that sum to 1, and the map keeps
/// them.
FEWDIM_API Model fit_lle(const Dataset& data, const LleOptions& options = {}, const Execution& exec = {});
/// With several independent weight vectors an object, as many as the neighborhood is flat to: far less bent.
FEWDIM_API Model fit_modified_lle(const Dataset& data, const LleOptions& options = {}, const Execution& exec = {});
/// Local tangent space alignment: the coordinates of each neighborhood in its tangent space, glued by affine maps.
FEWDIM_API Model fit_ltsa(const Dataset& data, const LleOptions& options = {}, const Execution& exec = {});
/// Hessian LLE: the coordinates whose second derivatives along the manifold vanish.
FEWDIM_API Model fit_hessian_lle(const Dataset& data, const LleOptions& options = {}, const Execution& exec = {});

FEWDIM_API const MethodCard& lle_card();
FEWDIM_API const MethodCard& modified_lle_card();
FEWDIM_API const MethodCard& ltsa_card();
FEWDIM_API const MethodCard& hessian_lle_card();

}  // namespace fewdim
