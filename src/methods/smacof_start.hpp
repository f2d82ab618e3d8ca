#pragma once

#include "features/pair_distances.hpp"
#include "fewdim/options.hpp"

/// Maps from which stress majorization starts.
namespace fewdim {

/// Coordinates of classical scaling, as if the pairs' numbers were distances of points.
template <class S>
Matrix<double> classical_start(const PairDistances<S>& pairs, const Components& components, Seed seed,
                               const Execution& exec);

/// Objects at one place pull each other nowhere: those that start so by accident are moved apart a little.
template <class S>
void separate(Matrix<double>& x, const PairDistances<S>& deltas, Seed seed);

/// Independent normals; each start of a fit has its own number.
Matrix<double> random_start(Index objects, Index components, Seed seed, Index number);

}  // namespace fewdim
