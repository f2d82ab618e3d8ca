#pragma once

#include <string>
#include <vector>

#include "fewdim/certificate.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/route.hpp"
#include "operators/sparse_symmetric.hpp"
#include "solvers/sparse/elimination.hpp"

namespace fewdim {

/// The smallest eigenpairs of a sparse positive semidefinite matrix beyond a null space that is known.
struct SmallestProblem {
  std::string who{};            ///< method, for messages
  Index count = 2;              ///< pairs wanted after the null space
  Matrix<double> null_space{};  ///< N×c, orthonormal; deflated exactly, never returned
  double tolerance = 1e-8;      ///< of the vectors, radians; as far as rounding allows
  Seed seed = 0;
  SmallestRoute route = SmallestRoute::automatic;
};

/// What a route takes.
struct SmallestCost {
  SmallestRoute route = SmallestRoute::factor;
  std::uint64_t bytes = 0;
  double flops = 0.0;
  double fill = 0.0;  ///< numbers of the factor per row; 0 where there is none
  std::vector<Reason> why{};
};

struct SmallestPairs {
  Vector<double> values;       ///< ascending, `count` of them
  Matrix<double> vectors;      ///< orthonormal, orthogonal to the null space, signs fixed
  double next = 0.0;           ///< the eigenvalue after the last; NaN where there is none
  double norm = 0.0;           ///< not below ‖A‖: what the certificate's residuals and bounds are relative to
  double null_residual = 0.0;  ///< largest ‖A z‖ over the columns of the null space
  Index zeros = 0;             ///< how many of `values` are zero to rounding: parts of a graph that nobody told of
  /// Residuals and value bounds are relative to `norm`. Each residual is below tolerance·gap, with the gap to the next
  /// eigenvalue that differs, or at the floor of rounding, 64ε‖A‖. Angles are the smaller of residual/gap and, on the
  /// route by a factor, what (A+σ)⁻¹r says of a residual r, eigenvector by eigenvector: the stiff part of r turns
  /// little.
  Certificate certificate;
  SmallestCost cost{};  ///< of the route that was taken
};

/// Before any data are seen: `row_entries` in each row of the matrix, of a graph that lies in `dimension` dimensions; a
/// factor that takes more than `limit` bytes is not chosen.
SmallestCost smallest_cost(Index size, Index row_entries, Index count, Index dimension, std::uint64_t limit,
                           SmallestRoute asked = SmallestRoute::automatic);
Route route_of(SmallestRoute route);

/// Small matrices by LAPACK; else inverse iteration with a sparse factor where the predicted fill is affordable, or
/// products alone by Chebyshev filters. Throws InvalidOption for a count that is out of bounds, NotConverged where the
/// tolerance is missed, OverMemory where no route fits.
SmallestPairs smallest_pairs(const SparseSymmetric& a, const SmallestProblem& problem, const Execution& exec);

}  // namespace fewdim
