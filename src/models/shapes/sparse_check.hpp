#pragma once

#include "data/table/checks.hpp"

namespace fewdim {

/// validate_csr() for whatever precision the data set has; data of another kind pass.
inline void require_valid_sparse(const Dataset& data, std::string_view who) {
  if (const auto* x = data.sparse<double>()) validate_csr(*x, who);
  if (const auto* x = data.sparse<float>()) validate_csr(*x, who);
}

}  // namespace fewdim
