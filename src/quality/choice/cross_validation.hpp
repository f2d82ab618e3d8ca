#pragma once

#include "fewdim/choose_k.hpp"
#include "quality/choice/second_moments.hpp"

namespace fewdim {

constexpr Index kFolds = 7;
constexpr Index kMostCrossValidated = 500;  ///< components looked at

/// PRESS(k), k = 0 .. up to 500: rows are dealt into folds at random, fixed by the seed; the plane comes from the other
/// folds, and each element of a held-out row is predicted from the row's other elements. With e = x − PPᵀx and h_j the
/// squared length of row j of P, the deleted residual is e_j/(1 − h_j) in closed form (Bro et al. 2008, "ekf"). Columns
/// are scaled once, by the deviation in all rows. The curve ends where a column lies in the plane (1 − h_j < 1e-6) or
/// the training rows have no further direction.
Vector<double> press_curve(const Dataset& data, const SecondMoments& moments, Index folds, Seed seed,
                           const Execution& exec);

/// Multiply-adds of press_curve, roughly.
double press_cost(Index rows, Index cols, Index folds);

/// The k of the smallest PRESS, the first of equals.
KAdvice cross_validation_advice(const Dataset& data, const SecondMoments& moments, Seed seed, const Execution& exec);

}  // namespace fewdim
