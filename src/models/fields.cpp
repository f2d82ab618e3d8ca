#include "models/fields.hpp"

#include "fewdim/error.hpp"

namespace fewdim {

void ModelFields::refuse(const std::string& reason) const { throw DataError("model " + reason); }

}  // namespace fewdim
