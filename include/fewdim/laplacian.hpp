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

/// What a link of a neighbor graph weighs.
enum class LinkWeights {
  heat,    ///< exp(−d²/t)
  binary,  ///< 1
  given    ///< what the given graph has in its place: entries are weights, not lengths
};

/// Which Laplacian of the weights W, with D their sums.
enum class Normalization {
  random_walk,  ///< (D − W) y = λ D y: Belkin & Niyogi's
  symmetric,    ///< (I − D^−½ W D^−½) y = λ y
  unnormalized  ///< (D − W) y = λ y
};

struct LaplacianOptions {
  Index components = 2;
  Neighborhood neighborhood{};
  Metric metric = Metric::automatic;
  bool graph = false;  ///< the data are the graph: a square matrix of lengths, or of weights, 0 where there is none
  LinkWeights weights = LinkWeights::heat;
  double bandwidth = 0.0;  ///< t; 0: the median squared length of a link
  Normalization normalization = Normalization::random_walk;
  SmallestRoute solver = SmallestRoute::automatic;
  double tolerance = 0.0;
  Seed seed = 0;
  bool embedding = true;
};

/// Laplacian eigenmaps: coordinates that differ least along the links of the neighbor graph.
FEWDIM_API Model fit_laplacian(const Dataset& data, const LaplacianOptions& options = {}, const Execution& exec = {});
FEWDIM_API const MethodCard& laplacian_card();

struct DiffusionOptions {
  Index components = 2;
  Neighborhood neighborhood{};
  Metric metric = Metric::automatic;
  bool graph = false;
  LinkWeights weights = LinkWeights::heat;
  double bandwidth = 0.0;
  double alpha = 1.0;  ///< how much of the sampling density is taken out: 0 none, ½ Fokker–Planck, 1 all of it
  double time = 1.0;   ///< steps of the walk: coordinates are scaled by μᵗ
  SmallestRoute solver = SmallestRoute::automatic;
  double tolerance = 0.0;
  Seed seed = 0;
  bool embedding = true;
};

/// Diffusion maps: euclidean distance in the map is the distance of where random walks have got to.
FEWDIM_API Model fit_diffusion(const Dataset& data, const DiffusionOptions& options = {}, const Execution& exec = {});
FEWDIM_API const MethodCard& diffusion_card();

}  // namespace fewdim
