#pragma once

#include "fewdim/kernel_pca.hpp"
#include "fewdim/model.hpp"

namespace fewdim {

/// Throws where no way back of the kind that is asked for goes with the other options, or its matrix is above the
/// memory limit.
void require_inverse(const KernelPcaOptions& options, Index rows, Index cols, const Execution& exec);

/// Bytes that the regression takes: the kernel between N coordinates, and the rows.
std::uint64_t ridge_bytes(Index rows, Index cols);

/// Regression of rows on their coordinates (Bakır, Weston & Schölkopf 2004): with K_y the gaussian kernel between
/// coordinates, whose width is their median distance,
///
///   (K_y + ridge·I) W = X − mean.
///
/// `error` becomes the root mean square of what is left of the rows themselves.
KernelInverse fit_ridge(const Matrix<double>& objects, Matrix<double> places, double ridge, Seed seed, double& error,
                        const Execution& exec);

}  // namespace fewdim
