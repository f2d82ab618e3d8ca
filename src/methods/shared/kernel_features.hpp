#pragma once

#include "features/kernel.hpp"
#include "fewdim/kernel_pca.hpp"
#include "fewdim/model.hpp"

/// Kernel PCA of many rows: few explicit features z(x) with z(x)·z(y) ≈ k(x,y), and plain PCA of those.
namespace fewdim {

/// z(x) = L⁻¹ (k(x,x_1) .. k(x,x_m)) of m landmark rows x_j with L Lᵀ = K among them: the Nyström approximation
/// (Williams & Seeger 2001).
/// `settings` are the options as the model keeps them.
Model fit_nystrom(const Dataset& data, const KernelPcaOptions& options, OptionMap settings, const Kernel& kernel,
                  const MetricRows<double>& rows, const Execution& exec);

/// z(x) = (cos ω_j·x, sin ω_j·x)/√m, ω_j from the kernel's Fourier transform: random features of the gaussian kernel
/// (Rahimi & Recht 2007).
Model fit_fourier(const Dataset& data, const KernelPcaOptions& options, OptionMap settings, const Kernel& kernel,
                  const MetricRows<double>& rows, const Execution& exec);

/// Bytes that either takes.
std::uint64_t kernel_features_bytes(Index rows, Index features, Index cols);

/// What a number of features is called for: the option, or 1,000, and no more than there are rows for Nyström.
Index feature_count(const KernelPcaOptions& options, Index rows);

}  // namespace fewdim
