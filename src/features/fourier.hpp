#pragma once

#include <string_view>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"

/// Random Fourier features: z(x) = (cos ω_1·x .. cos ω_m·x, sin ω_1·x .. sin ω_m·x)/√m, so that z(x)·z(y) is the mean
/// of cos ω_j·(x−y) (Rahimi & Recht 2007).
namespace fewdim {

/// Features first .. first+n of `rows` rows x, D apart, to out, row-major; on this thread. `frequencies` is m×D.
void fourier_tile(const RowMatrix<double>& frequencies, const double* x, Index rows, Index first, Index n, double* out);

/// All features of all rows, N×2m. Refuses values that are not finite.
RowMatrix<double> fourier_features(const Matrix<double>& frequencies, const Dataset& data, std::string_view who,
                                   const Execution& exec);

}  // namespace fewdim
