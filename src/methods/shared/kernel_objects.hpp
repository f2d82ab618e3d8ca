#pragma once

#include <string_view>
#include <vector>

#include "fewdim/kernel_pca.hpp"
#include "fewdim/reason.hpp"

/// Kernels of objects that are no rows of numbers.
namespace fewdim {

/// All that a fit asks of objects: the values of their kernel.
struct ObjectKernel {
  Vector<double> diagonal;
  /// As SymmetricTiles::Fill: for tiles on or below the diagonal, whose places are multiples of their size.
  std::function<void(Index row, Index m, Index col, Index n, double* out)> tile;
  StringKernel strings{};     ///< what the model keeps; without texts: nothing
  std::vector<Reason> why{};  ///< for the certificate
};

/// The spectrum kernel. Refers to the data.
ObjectKernel kernel_of_texts(const Dataset& data, StringKernel kernel, std::string_view who, const Execution& exec);

/// Any callable. Refers to it. On the diagonal's tiles, too, each pair is computed once.
ObjectKernel kernel_of_pairs(Index count, const PairKernel& k, std::string_view who, const Execution& exec);

}  // namespace fewdim
