#pragma once

#include <vector>

#include "fewdim/model.hpp"

namespace fewdim {

/// Hotelling's T² of a new row stays below this with the given probability: k(N²−1)/(N(N−k)) · F(k, N−k), for normal
/// scores and eigenvalues estimated from N rows (Jackson 1991). 0, no limit, when N <= k or k = 0.
double t2_limit(Index rows, Index components, double confidence);

/// SPE of a row stays below this: g χ²_h with g = θ2/θ1 and h = θ1²/θ2 (Box 1954), θ1 = Σ λ and θ2 = Σ λ² over the
/// eigenvalues left off the plane. 0 when nothing is left off.
double spe_limit(double theta1, double theta2, double confidence);

/// Both limits at 95 % and 99 %, for eigenvalues with divisor N − 1.
std::vector<DistanceLimits> distance_limits(double theta1, double theta2, Index rows, Index components);

}  // namespace fewdim
