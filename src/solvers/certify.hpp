#pragma once

#include "fewdim/certificate.hpp"
#include "fewdim/execution.hpp"
#include "operators/operator.hpp"

namespace fewdim {

/// r_i = ‖A v_i − λ_i v_i‖ / λ_1, computed anew in double.
Vector<double> relative_residuals(const SymmetricOperator& a, const Vector<double>& values, ConstBlock<double> vectors);

/// Fills the bounds, the groups and the orthogonality of a certificate from its residuals. `values` may hold more
/// eigenvalues than there are vectors: the next ones bound the last gaps.
///   |λ̂_i − λ| ≤ r_i                    (Weyl; Parlett 1998, thm 4.5.1)
///   sin ∠(v_i, its group) ≤ r_i / gap   (Davis & Kahan 1970)
/// Neighbors closer than ten times their uncertainty form a group: the axes inside it are arbitrary.
void complete_certificate(Certificate& certificate, const Vector<double>& values, ConstBlock<double> vectors,
                          const Execution& exec);

}  // namespace fewdim
