#pragma once

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"

namespace fewdim {

/// How moments are to be formed, and who asks.
struct ScatterOptions {
  bool center = true;
  bool float64_products = true;  ///< false: float32 products by tiles, float64 sums
  const Vector<double>* weights = nullptr;
  std::string_view who = "pca";  ///< for messages
};

/// The weights of rows first .. first+rows, or null where all are ones. A stream may turn out longer than its weights.
const double* weights_at(const ScatterOptions& options, Index first, Index rows);
void require_all_weights_used(const ScatterOptions& options, Index rows);

/// A mean that is not finite betrays a value that is not: says how many there are and where the first is.
template <class C>
void require_finite_tile(const Vector<double>& mean, const C* tile, Index first, Index rows, const Dataset& data,
                         std::string_view who, const Execution& exec);

}  // namespace fewdim
