#pragma once

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/method.hpp"
#include "fewdim/model.hpp"
#include "fewdim/options.hpp"

namespace fewdim {

/// Where the iteration starts: from singular vectors, from those with the mean in place of zeros, or anywhere.
enum class NmfStart { nndsvd, nndsvda, random };

struct NmfOptions {
  Components components = 2;  ///< a number, or a criterion asked about the SVD
  NmfStart start = NmfStart::nndsvd;
  double ridge = 0.0;        ///< adds ridge (‖W‖² + ‖H‖²) to the loss
  double lasso = 0.0;        ///< adds 2 lasso (Σ W + Σ H)
  Index iterations = 10000;  ///< at most
  double tolerance = 1e-5;   ///< of the projected gradient, relative to ‖X‖²
  Seed seed = 0;             ///< of the random start
  bool embedding = false;    ///< keep the weights of the training rows in the model
};

/// X ≈ WHᵀ with W ≥ 0, H ≥ 0, the least of ‖X − WHᵀ‖² that is reached from the start (it is a local one). The map is
/// H, its columns of length 1 (with penalties as they come: those set the scale), in the order of ‖w_c‖²‖h_c‖². The
/// weights of a row, new or not, are its non-negative least squares on H. Throws DataError for data with a negative
/// number, and NotConverged.
FEWDIM_API Model fit_nmf(const Dataset& data, const NmfOptions& options = {}, const Execution& exec = {});
FEWDIM_API Plan plan_nmf(const DataShape& shape, const NmfOptions& options = {}, const Execution& exec = {});
FEWDIM_API const MethodCard& nmf_card();

}  // namespace fewdim
