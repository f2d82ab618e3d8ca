#pragma once

#include "solvers/eigen/krylov.hpp"
#include "solvers/routes/decompose.hpp"

/// What a route asks of a problem before it starts: is it sound, how many components, which scales.
namespace fewdim {

/// Enough rows and columns, ddof and k within their bounds.
void require_rows(const SpectralProblem& problem, Index rows, Index cols);
/// One weight per row, none negative, not all zero.
void require_weights(const SpectralProblem& problem, Index rows);
void require_variance(const SpectralProblem& problem, double total);

/// The number wanted, as a function of the eigenvalues found so far. `total` must outlive it.
Wanted wanted_of(const SpectralProblem& problem, Index limit, const double& total);
/// A first guess for the number of components, where it isn't given.
Index guess_of(const SpectralProblem& problem, Index limit);

/// Standard deviations for scaling; refuses constant columns by name.
Vector<double> scales_of(const SpectralProblem& problem, const Dataset* data, const Vector<double>& variance,
                         const Vector<double>& mean);
double divisor_of(const SpectralProblem& problem, Index rows);

}  // namespace fewdim
