#pragma once

#include "fewdim/choose_k.hpp"
#include "fewdim/model.hpp"
#include "solvers/routes/decompose.hpp"

namespace fewdim {

/// What PCA and SVD share after the decomposition: the linear shape and the model's head. `precision` is the model's.
LinearModel shape_from(const Decomposition& decomposition, Precision precision);
Model::Head head_from(std::string method, const Dataset& data, Decomposition decomposition, OptionMap options,
                      Seed seed, const std::string& component_prefix);

/// float32 data make a float32 model: what is stored is what is used.
template <class M>
void round_to(Precision precision, M& m) {
  if (precision == Precision::float32) m = m.template cast<float>().template cast<double>().eval();
}

/// A number or a share as it is; a criterion by asking it about the data.
Components resolve_components(const Dataset& data, const Components& components, ChooseOptions choose,
                              std::string_view who, const Execution& exec);

/// Scores times factor(λ): whitening and U have 1/√λ, the balanced factor U√Σ has 1/√σ = λ^-¼. A component without
/// variance is refused as `option`=`value`.
void scale_scores(LinearModel& shape, Precision precision, double (*factor)(double), std::string_view who,
                  std::string_view option, std::string_view value);
double inverse_root(double eigenvalue);
double inverse_fourth_root(double eigenvalue);

/// Keeps the training scores in the model, for `embedding = true`.
void keep_scores(Model& model, const Dataset& data, const Execution& exec);

}  // namespace fewdim
