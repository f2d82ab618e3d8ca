#pragma once

#include <concepts>
#include <optional>
#include <string>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/model.hpp"
#include "models/fields.hpp"

/// What every shape tells by functions of its own, found by overloading; Model calls them through std::visit. A new
/// shape is a header with its numbers, a source with these functions, and an entry in Model's variant.
namespace fewdim {

template <class S>
concept ModelShape = requires(S& changed, const S& shape, ModelFields& fields, const Model::Head& head,
                              const Dataset& rows, const Execution& exec, const std::string& who) {
  { shape_name(shape) } -> std::same_as<const char*>;  ///< in files and reports
  describe(changed, fields);                           ///< the single declaration of what it holds
  require_fit(head, shape, who);                       ///< what the description can't say: throws DataError
  require_values(shape, who);                          ///< the same of its numbers, when it comes from a file
  { features_of(shape) } -> std::same_as<Index>;
  { components_of(shape) } -> std::same_as<Index>;
  { place(shape, head, rows, exec) } -> std::same_as<Dataset>;  ///< new rows
  require_way_back(shape, head);                                ///< throws Unsupported where there is none
  { back(shape, head, rows, exec) } -> std::same_as<Dataset>;
  { new_object(shape) } -> std::same_as<std::string>;  ///< what a new object comes as; empty: as a row
  { left_out_of(shape) } -> std::same_as<const std::vector<std::int32_t>&>;
  { places_of(shape) } -> std::same_as<const Matrix<double>*>;  ///< of the training objects; null: by transform
  { metric_of(shape) } -> std::same_as<std::optional<Metric>>;  ///< of the distances that it was made from
  { takes_text(shape) } -> std::same_as<bool>;
  { eigenvalues_of(shape, head) } -> std::same_as<Vector<double>>;
  { variance_divisor(shape) } -> std::same_as<double>;  ///< of explained_variance; 0: those are no variances
};

}  // namespace fewdim
