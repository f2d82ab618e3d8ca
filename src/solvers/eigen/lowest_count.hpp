#pragma once

#include <string>
#include <vector>

#include "fewdim/execution.hpp"
#include "operators/sparse_symmetric.hpp"
#include "solvers/eigen/certify.hpp"
#include "solvers/sparse/elimination.hpp"

namespace fewdim {

/// What a count of eigenvalues, by the inertia of A − τI, says of the lowest vectors that were kept.
struct LowestCount {
  Index missing = -1;    ///< lower ones that were not; −1: not known
  double next = 0.0;     ///< no eigenvalue but those kept is below; not above the last where that is not known
  double other = 0.0;    ///< the same but for those that share the last value
  bool counted = false;  ///< a count could be trusted

  /// As a certificate has it, whose values are those of −A/norm.
  OutsideBound outside(double norm) const;
};

/// `values` are Rayleigh quotients of the vectors kept, each within `margin` of an eigenvalue; beside them there are
/// `null` null vectors. `claimed`: the eigenvalue after the last, as it was found, or NaN.
LowestCount count_missing(const SparseSymmetric& a, const Elimination& elimination, const Vector<double>& values,
                          Index null, double margin, double claimed, std::vector<std::string>& warnings,
                          const Execution& exec);

}  // namespace fewdim
