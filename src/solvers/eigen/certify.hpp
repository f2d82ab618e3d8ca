#pragma once

#include <limits>

#include "fewdim/certificate.hpp"
#include "fewdim/execution.hpp"
#include "operators/operator.hpp"

namespace fewdim {

/// r_i = ‖A v_i − λ_i v_i‖ / λ_1, computed anew in double.
Vector<double> relative_residuals(const SymmetricOperator& a, const Vector<double>& values, ConstBlock<double> vectors);

/// What is known of the eigenvalues that belong to no component, absolute.
struct OutsideBound {
  double upper = std::numeric_limits<double>::infinity();  ///< none is above it,
  double probability = 1.0;                                ///< but with this probability
};

/// The next eigenvalue, of a spectrum that is known whole; `values` are all of it or one more than there are vectors.
OutsideBound known_outside(const Vector<double>& values, Index count);

/// Fills the bounds, the groups and the orthogonality of a certificate from its residuals.
/// Neighbors closer than ten times their uncertainty form a group: the axes inside it are arbitrary. With R the
/// residuals of a group, as many eigenvalues as it has members are within ‖R‖ of its values (Kahan 1967; Parlett 1998,
/// thm 11.5.1); that they are the i-th largest of all is known where nothing outside is larger. Nothing outside is
/// above μ: then the largest of the k-th group is not above max(θ, μ) + ‖R‖, and
///   |λ̂_i − λ_i| ≤ ‖R‖ + max(0, μ − λ̂_i)
///   sin ∠(v_i, its group) ≤ r_i / gap,  the gap to other groups and to μ   (Davis & Kahan 1970)
/// `scale`: what residuals are relative to; 0: the largest eigenvalue.
void complete_certificate(Certificate& certificate, const Vector<double>& values, ConstBlock<double> vectors,
                          const OutsideBound& outside, const Execution& exec, double scale = 0.0);

/// What the residual of each pair may be, relative to the largest eigenvalue: the tolerance times its own eigenvalue,
/// but not less than `floor`, what rounding leaves of the largest.
Vector<double> allowed_residuals(const Vector<double>& values, Index count, double tolerance, double floor);

}  // namespace fewdim
