#pragma once

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "operators/tiles.hpp"

namespace fewdim {

/// How a second-moment matrix is to be formed.
struct ScatterOptions {
  bool center = true;
  bool float64_products = true;  ///< false: float32 products by tiles, float64 sums
  const Vector<double>* weights = nullptr;
  std::string_view who = "pca";  ///< for messages
};

/// First and second moments of weighted rows: Σw, the mean, and the scatter Σ w (x−μ)(x−μ)ᵀ about it (about
/// zero when not centered). Only the lower triangle is kept. Parts merge exactly (Chan, Golub & LeVeque 1983).
struct Moments {
  Index rows = 0;
  double weight = 0.0;
  Vector<double> mean;
  Matrix<double> scatter;

  void merge(const Moments& other, bool center);
};

/// One pass over rows that lie in memory or arrive as a stream: tile by tile the mean is taken off first, then
/// the products are formed, so that large means cost no digits.
Moments row_moments(const Dataset& data, const ScatterOptions& options, const Execution& exec);
std::uint64_t row_moments_bytes(Index cols, bool stream, std::size_t scalar_bytes);

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

/// The columns' means and scatters alone, dense, sparse (never made dense) or stream.
struct ColumnMoments {
  Index rows = 0;
  double weight = 0.0;
  Vector<double> mean;
  Vector<double> scatter;
};
ColumnMoments column_moments(const Dataset& data, const ScatterOptions& options, const Execution& exec);

/// Rounding error of a matrix formed this way, relative to its trace: √n·u with n the longest sum of a tile
/// (Higham & Mary 2019, with their λ = 4), plus the float64 sums over tiles.
double forming_error(Index rows, Index tile_rows, bool float64_products);

/// Copies the lower triangle to the upper.
void symmetrize(Matrix<double>& a);

}  // namespace fewdim
