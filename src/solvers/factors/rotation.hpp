#pragma once

#include "fewdim/types.hpp"

namespace fewdim {

struct Rotated {
  Matrix<double> loadings;     ///< D×k
  Matrix<double> correlation;  ///< of the factors; empty: they are uncorrelated
  Index iterations = 0;
};

/// Kaiser's varimax (1958): the orthogonal turn of the factors that makes the squared loadings of each as unlike as
/// possible, rows brought to equal length for it.
Rotated varimax(const Matrix<double>& loadings);

/// Promax (Hendrickson & White 1964): from varimax on toward loadings raised to a power; the factors may correlate.
Rotated promax(const Matrix<double>& loadings, double power = 4.0);

}  // namespace fewdim
