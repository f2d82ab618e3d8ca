#pragma once

#include "fewdim/types.hpp"

/// The loops over a tile that are not a matrix product: memory-bound, so compiled for wide vectors. Tiles are row-major
/// and packed. Sums run down the columns, in row order: every vector width gives the same bits.
namespace fewdim {

/// Weighted mean of the tile's columns; returns the sum of the weights. Null weights are ones.
double tile_mean(const float* tile, Index rows, Index cols, const double* weights, double* mean);
double tile_mean(const double* tile, Index rows, Index cols, const double* weights, double* mean);

/// x_ij ← (x_ij − mean_j) · inverse_scale_j · root_weight_i, computed in double and rounded once. Null does nothing.
void standardize_tile(float* tile, Index rows, Index cols, const double* mean, const double* inverse_scale,
                      const double* root_weights);
void standardize_tile(double* tile, Index rows, Index cols, const double* mean, const double* inverse_scale,
                      const double* root_weights);

/// sums_j += Σ_i w_i (x_ij − mean_j)². Null weights are ones, a null mean is zero.
void add_tile_squares(const float* tile, Index rows, Index cols, const double* mean, const double* weights,
                      double* sums);
void add_tile_squares(const double* tile, Index rows, Index cols, const double* mean, const double* weights,
                      double* sums);

/// sum_i += x_i.
void add_converted(const float* x, Index count, double* sum);

}  // namespace fewdim
