#pragma once

namespace fewdim {

/// A similarity of two objects that is an inner product of some features of theirs, never formed.
///
///   linear       x·y
///   polynomial   (γ x·y + c)^p
///   gaussian     exp(−γ‖x−y‖²), γ = 1/(2σ²)
///   laplacian    exp(−γ Σ|x_j−y_j|)
///   sigmoid      tanh(γ x·y + c); not an inner product for all γ and c
///   cosine       x·y / (‖x‖‖y‖)
///   chi2         exp(−γ Σ (x_j−y_j)²/(x_j+y_j)), for numbers that are not negative
///   precomputed  the data are the kernel matrix itself
enum class KernelKind { linear, polynomial, gaussian, laplacian, sigmoid, cosine, chi2, precomputed };

}  // namespace fewdim
