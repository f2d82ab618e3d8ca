#pragma once

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/method.hpp"
#include "fewdim/model.hpp"
#include "fewdim/options.hpp"
#include "fewdim/random_map.hpp"

namespace fewdim {

struct RandomProjectionOptions {
  Components components = "auto";  ///< a number, or auto: what Johnson & Lindenstrauss ask for
  ProjectionKind kind = ProjectionKind::gaussian;
  double distortion = 0.1;     ///< of squared distances, for components=auto
  double density = from_data;  ///< sparse: of the entries that are not 0; auto: 1/√D
  bool store = false;          ///< keep the map and its pseudo-inverse in the model instead of the seed alone
  Seed seed = 0;
  bool embedding = false;
};

/// y = Rᵀx with a random R of D×k: squared distances are kept on average, and all of them within 1 ± ε where
/// k ≥ johnson_lindenstrauss(N, ε).
FEWDIM_API Model fit_random_projection(const Dataset& data, const RandomProjectionOptions& options = {},
                                       const Execution& exec = {});
FEWDIM_API Plan plan_random_projection(const DataShape& shape, const RandomProjectionOptions& options = {},
                                       const Execution& exec = {});
FEWDIM_API const MethodCard& random_projection_card();

/// The number of components that keeps all squared distances of `rows` points within 1 ± distortion, with a probability
/// above 0 for one draw: 4 ln N / (ε²/2 − ε³/3), rounded down as scikit-learn does (Dasgupta & Gupta 2003).
FEWDIM_API Index johnson_lindenstrauss(Index rows, double distortion);

}  // namespace fewdim
