#pragma once

#include <string>
#include <vector>

#include "fewdim/dataset.hpp"
#include "solvers/ica/ica.hpp"
#include "solvers/routes/decompose.hpp"

namespace fewdim {

/// How far found sources are from Gaussian.
struct SourceShapes {
  Vector<double> excess_kurtosis;  ///< E[y⁴] − 3
  Vector<double> logcosh;          ///< E[log cosh y] less that of a Gaussian
  std::vector<Index> gaussian;     ///< sources for which both lie within their error
};

/// Of y = Wz, in the given order.
template <class T>
SourceShapes look_at_sources(const WhiteTiles<T>& z, const Matrix<double>& w, const std::vector<Index>& order,
                             const Execution& exec);

/// More than one Gaussian source can't be told apart: any rotation of them is as good.
void warn_of_gaussian_sources(const SourceShapes& shapes, Index rows, std::vector<std::string>& warnings);

/// Columns that vary by less than their rounding have no part in any source.
void warn_of_constant_columns(const Dataset& data, const Decomposition& d, std::vector<std::string>& warnings);

}  // namespace fewdim
