#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fewdim/lle.hpp"
#include "fewdim/model.hpp"
#include "methods/shared/local_geometry.hpp"
#include "methods/shared/lowest_embedding.hpp"

/// What LLE, modified LLE, LTSA and Hessian LLE share: the map is given by the lowest eigenvectors, after the constant
/// one, of a sum of small matrices, one for each object and its neighbors.
namespace fewdim {

/// What the neighborhoods had to say, one entry an object.
struct LocalNotes {
  std::vector<std::int32_t> missing;  ///< dimensions that a neighborhood lacks; the first above 0 is refused
  std::vector<std::int32_t> dropped;  ///< columns of its design that depend on others
  std::vector<double> errors;         ///< what its weights leave of the object, squared
  std::vector<double> sizes;          ///< the mean squared distance to its neighbors
};

/// Writes the m×m matrix of object i: of its neighbors, or of the object itself and then its neighbors.
using FillPiece = std::function<void(Index i, double* out)>;

struct LocalMethod {
  std::string who;
  std::string prefix;        ///< of the components' names
  bool with_object = false;  ///< pieces begin with the object itself
  bool misses_all = false;   ///< a neighborhood that lacks dimensions has none: all are at one place
  std::function<Index(Index components)> fewest;  ///< neighbors it takes
  std::string rule;                               ///< the same in words
  std::function<FillPiece(const LocalGeometry&, const LleOptions&, LocalNotes&, const Execution&)> pieces;
};

const LocalMethod& lle_method();
const LocalMethod& modified_lle_method();
const LocalMethod& ltsa_method();
const LocalMethod& hessian_lle_method();

/// The problem of a model, from the data it was fitted on and its own options.
LowestProblem local_problem(const Model& model, const Dataset& data, const LocalMethod& method, const Execution& exec);

Model fit_local(const Dataset& data, const LleOptions& options, const LocalMethod& method, const Execution& exec);
Plan plan_local(const DataShape& shape, const LleOptions& options, std::string_view who, const Execution& exec);

/// verify() of a model of one of them.
Verification verify_local(const Model& model, const Dataset& data, const LocalMethod& method, const Execution& exec);

/// The card of one of them: `own` has its words, its examples and its functions, the rest is the same for all.
MethodCard local_card(const LocalMethod& method, MethodCard own);
/// Options by name, for the cards.
LleOptions lle_options(const OptionMap& map, std::string_view who);

}  // namespace fewdim
