#pragma once

#include <cstdint>
#include <span>

#include "features/metric.hpp"
#include "fewdim/types.hpp"

namespace fewdim {

/// gram[a·k + b] = (x_a − x)·(x_b − x), with x a point of cols(rows) numbers and x_a its neighbors among `rows`.
void local_gram(const double* point, const MetricRows<double>& rows, std::span<const std::int32_t> neighbors,
                double* gram);
/// The same from distances: ½(d_a² + d_b² − d_ab²), where d_a is the a-th of `to_neighbors` and d_ab an entry of the
/// square matrix `between`.
void local_gram(const double* to_neighbors, const Matrix<double>& between, std::span<const std::int32_t> neighbors,
                double* gram);

/// The weights w, summing to 1, that bring Σ_a w_a x_a nearest to the point, ‖Σ_a w_a (x_a − x)‖² = wᵀGw: those
/// of (G + r tr(G) I) w ∝ 1 (Saul & Roweis 2003, §2.2). `gram` is overwritten. Where that matrix is not positive
/// definite, as distances of no space can have it, r is raised tenfold until it is. Where all neighbors are the point
/// itself, the weights are equal. Returns wᵀGw.
double barycentric_weights(double* gram, Index count, double regularization, double* weights);

}  // namespace fewdim
