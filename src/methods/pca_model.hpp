#pragma once

#include "fewdim/pca.hpp"
#include "solvers/routes/decompose.hpp"

/// What a fit to rows and one to their moments have in common.
namespace fewdim {

SpectralProblem pca_problem(const PcaOptions& options, Precision precision);
PcaOptions pca_options_of(const OptionMap& map);
Model pca_model(const Dataset& data, Decomposition decomposition, const PcaOptions& options);

}  // namespace fewdim
