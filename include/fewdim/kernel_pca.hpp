#pragma once

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/kernel.hpp"
#include "fewdim/method.hpp"
#include "fewdim/model.hpp"
#include "fewdim/options.hpp"
#include "fewdim/plan.hpp"

namespace fewdim {

/// What to do with a kernel that is no inner product, and so has negative eigenvalues.
enum class Indefinite {
  error,  ///< refuse it
  clip,   ///< count negative eigenvalues as zero: shares are of the positive ones
  keep    ///< leave them in the total, as the trace has them
};

/// For many rows: exact, by Nyström's approximation from a few rows, or by random Fourier features (gaussian kernel).
enum class KernelApproximation { none, nystrom, fourier };

/// The rows of Nyström's approximation: by their share of what is not yet known (RPCholesky), or all alike.
enum class KernelPivots { adaptive, uniform };

struct KernelPcaOptions {
  Components components = 2;
  KernelKind kernel = KernelKind::gaussian;
  double sigma = from_data;  ///< width of the gaussian kernel; from_data: the median distance
  double gamma = from_data;  ///< instead of sigma: 1/(2σ²); laplacian: 1/median; others: 1/columns
  double offset = 1.0;       ///< c of the polynomial and sigmoid kernels
  Index degree = 3;          ///< p of the polynomial kernel
  bool center = true;        ///< false: kernel SVD
  Indefinite indefinite = Indefinite::error;
  KernelApproximation approximation = KernelApproximation::none;
  Index landmarks = 0;  ///< of an approximation: rows, or Fourier features; 0: 1,000
  KernelPivots pivots = KernelPivots::adaptive;
  Preimage inverse = Preimage::none;  ///< the way back to the input space
  double ridge = 1e-3;                ///< of the ridge: how much smoothness counts, as a share
  double tolerance = 0.0;             ///< 0: 1e-10, or 1e-5 for float32
  Seed seed = 0;
  bool embedding = true;  ///< keep the scores of the training rows in the model
};

/// Kernel principal components (Schölkopf, Smola & Müller 1998) of rows, or of objects known by a kernel matrix alone.
FEWDIM_API Model fit_kernel_pca(const Dataset& data, const KernelPcaOptions& options = {}, const Execution& exec = {});

FEWDIM_API Plan plan_kernel_pca(const DataShape& shape, const KernelPcaOptions& options, const Execution& exec = {});

FEWDIM_API const MethodCard& kernel_pca_card();

}  // namespace fewdim
