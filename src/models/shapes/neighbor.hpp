#pragma once

#include <string>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/model.hpp"

namespace fewdim {

/// The weight of a link of this length: exp(−d²/t), 1 where the bandwidth t is 0, or the given number where it is −1.
double link_weight(double length, double bandwidth);

/// The numbers of Model::transform for the neighbor shape. No row's place depends on those beside it. Results are of
/// `precision`.
Dataset neighbor_transform(const NeighborModel& model, const Dataset& data, Precision precision, const Execution& exec);

/// Weights back to the input: those that rebuild the coordinates from the nearest places, on the rows that have them.
Dataset neighbor_inverse(const NeighborModel& model, const Dataset& coordinates, Precision precision,
                         const Execution& exec);

/// Throws DataError "<who>: ..." where the parts' sizes do not fit each other.
void require_shapes(const Model::Head& head, const NeighborModel& model, const std::string& who);
/// And where a number is not what it must be.
void require_sound(const Model::Head& head, const NeighborModel& model, const Matrix<double>& embedding,
                   const std::string& who);

}  // namespace fewdim
