#pragma once

#include <string>
#include <vector>

#include "fewdim/types.hpp"

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
///   spectrum     Σ_u count_u(s)·count_u(t) of strings, over all substrings u of one length; see StringKernel
///   precomputed  the data are the kernel matrix itself
enum class KernelKind { linear, polynomial, gaussian, laplacian, sigmoid, cosine, chi2, spectrum, precomputed };

/// The spectrum kernel of strings (Leslie, Eskin & Noble 2002) and the strings it compares with. A character is a
/// Unicode code point.
struct StringKernel {
  Index length = 3;                  ///< of the substrings, in characters
  bool normalize = true;             ///< K(s,t)/√(K(s,s)K(t,t)); 0 where one of them is too short to have a substring
  std::vector<std::string> texts{};  ///< of the training objects, UTF-8
};

}  // namespace fewdim
