#pragma once

#include "base/stopwatch.hpp"
#include "operators/standardized.hpp"
#include "solvers/eigen/certify.hpp"
#include "solvers/routes/decompose.hpp"
#include "solvers/routes/problem.hpp"

/// The routes that decompose() chooses from, one source file each, and what they share.
namespace fewdim {

/// D×D: eigenpairs of Σ̂ from its moments, by LAPACK, block Krylov or (`by_power`) power iteration. `data`, where there
/// are any, only names the columns in messages.
void solve_covariance(Decomposition& out, Moments moments, const Dataset* data, const SpectralProblem& problem,
                      bool by_power, const Execution& exec, Stopwatch& watch);

/// N×N: eigenpairs of K = AAᵀ, carried over to AᵀA.
void solve_gram(Decomposition& out, const Dataset& data, const SpectralProblem& problem, const Execution& exec,
                Stopwatch& watch);

/// Products with the data alone: block Krylov, or power iteration when `route` says so.
void solve_by_products(Decomposition& out, const Dataset& data, const SpectralProblem& problem, Route route,
                       const Execution& exec, Stopwatch& watch);

/// LAPACK's singular value decomposition of a copy of A.
void solve_svd(Decomposition& out, const Dataset& data, const SpectralProblem& problem, const Execution& exec,
               Stopwatch& watch);

/// Mean, scale and total from the columns alone: what the routes need that never form a matrix.
Standardization standardize_columns(Decomposition& out, const Dataset& data, const SpectralProblem& problem,
                                    const Execution& exec);

/// AᵀA / divisor by its products. Refers to `a`.
SymmetricOperator normal_operator(const Standardized& a, double divisor);

/// Signs, clipping of rounding below zero, the bounds, and the verdict: is each residual within what is `allowed`, and
/// was nothing larger missed? `found_outside`: an eigenvalue outside of the components that is known to be there.
void finish(Decomposition& out, const SpectralProblem& problem, const OutsideBound& outside,
            const Vector<double>& allowed, const Execution& exec, double found_outside = 0.0);

/// The rounding error of products AᵀAx, relative to √(trace·λ₁): each of both costs so much (Higham 2002, 3.5, by its
/// probabilistic form; float32 sums are short, and added in double).
double product_noise(const Dataset& data, Index rows, bool float64_products);
/// The trace of what is multiplied: sparse rows are not centered before.
double uncentered_total(const Decomposition& out, const Dataset& data);
/// What rounding of the column means costs, relative to the largest eigenvalue: N δδᵀ for means that are off by δ, and
/// first order in δ where moments of several tiles were merged.
double centering_error(const Decomposition& out, bool merged);
/// Both together, relative to the largest eigenvalue found.
double product_error(const Decomposition& out, const Dataset& data, bool float64_products);

/// Σ_{i>k} λ_i² from the squares of all of them.
void take_tail(Decomposition& out, double all_squares);
double squares_of(const Matrix<double>& a);

}  // namespace fewdim
