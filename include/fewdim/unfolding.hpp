#pragma once

namespace fewdim {

/// What becomes of the distances of linked objects when a graph is unfolded.
enum class UnfoldingForm {
  inequality,  ///< they may shrink but not grow: the optimum and its certificate are always attained
  equality     ///< they stay as they are (Weinberger & Saul 2004): the stresses that prove an optimum may not exist
};

/// How the semidefinite program of unfolding is solved.
enum class UnfoldingRoute {
  automatic,  ///< by size
  exact,      ///< interior points over all of the Gram matrix (CSDP)
  factored,   ///< a low-rank factor of it, and a bound from the dual
  laplacian   ///< the factor from a start in the span of the graph's smoothest functions
};

}  // namespace fewdim
