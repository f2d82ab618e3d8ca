#pragma once

#include <limits>
#include <string>
#include <vector>

#include "fewdim/reason.hpp"
#include "fewdim/route.hpp"
#include "fewdim/types.hpp"

namespace fewdim {

/// How far the components of a fit can be trusted. Residuals are computed anew in double from the returned
/// vectors; no solver's own word is taken. Eigenvalues are those of the method's operator A (for PCA the
/// covariance, for SVD AᵀA), and all bounds hold up to the rounding error `forming_error`.
struct Certificate {
  Route route = Route::none;
  std::vector<Reason> why{};  ///< of this route; words_of() makes the sentence
  Index iterations = 0;
  Index products = 0;      ///< operator-times-vector products spent
  double tolerance = 0.0;  ///< asked for, of each residual relative to its own eigenvalue
  bool converged = false;
  Vector<double> residuals;     ///< r_i = |A v_i - lambda_i v_i| / lambda_1
  Vector<double> value_bounds;  ///< |lambda_i - true| / lambda_1 <= this, the i-th largest of all
  Vector<double> angle_bounds;  ///< radians; sin(angle to the true axis, or to its group) <= r_i / gap; pi/2: no bound
  std::vector<Index> groups;    ///< per component; equal numbers: eigenvalues too close, axes inside arbitrary
  double orthogonality = 0.0;   ///< max |VᵀV - I|
  double forming_error = 0.0;   ///< rounding of the formed matrix, relative to lambda_1 (0: never formed)
  /// No direction outside of the components has an eigenvalue above this, relative to lambda_1 (infinity: not known),
  double outside_bound = std::numeric_limits<double>::infinity();
  double outside_probability = 1.0;   ///< but with this probability (0: proved; 1: not known)
  std::vector<std::string> warnings;  ///< with remedies as marks: spoken() says them
};

}  // namespace fewdim
