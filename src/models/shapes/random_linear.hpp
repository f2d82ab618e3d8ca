#pragma once

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/model.hpp"

namespace fewdim {

/// y = Rᵀx for each row, in the data's precision, with R drawn on the way: by panels of features that all rows go past
/// (gaussian, and sparse from a density of 0.1 up), as lists of signs (sparse), or by fast Hadamard transforms. For a
/// stream the whole map is held while it runs.
Dataset random_transform(const RandomMap& map, const Dataset& data, std::string_view stage, const Execution& exec);

/// Bytes it works with beside the rows and the result.
std::uint64_t random_transform_bytes(const RandomMap& map, bool stream, std::size_t scalar_bytes);

/// R itself, D×k.
Matrix<double> random_matrix(const RandomMap& map, const Execution& exec);

/// R (RᵀR)⁺, which takes y back to the shortest x that y stands for. D×k.
Matrix<double> pseudo_inverse(const Matrix<double>& map, const Execution& exec);
/// Bytes of that with the map beside it.
std::uint64_t pseudo_inverse_bytes(Index features, Index components);

}  // namespace fewdim
