#pragma once

#include "operators/scatter.hpp"
#include "operators/tiles.hpp"

namespace fewdim {

/// K = X̃X̃ᵀ (N×N, lower triangle) of dense data, formed from column tiles, with the columns' weighted means and
/// scatters. With `scale` each column is divided by √(scatter/divisor) first.
struct GramMatrix {
  double weight = 0.0;
  Vector<double> mean;            ///< D; zero when not centered
  Vector<double> column_scatter;  ///< D: Σ w (x−μ)²
  Matrix<double> gram;
};
GramMatrix gram_matrix(const Dataset& data, const ScatterOptions& options, bool scale, double divisor,
                       const Execution& exec);
std::uint64_t gram_matrix_bytes(Index rows, std::size_t scalar_bytes);

/// out = Aᵀ U for dense data, by column tiles that each write their own rows of the result.
void back_project(const Dataset& data, const Standardization& standardization, bool float64_products,
                  ConstBlock<double> u, Block<double> out, const Execution& exec);

}  // namespace fewdim
