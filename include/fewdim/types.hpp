#pragma once

#include <Eigen/Core>
#include <cstdint>

namespace fewdim {

using Index = Eigen::Index;
using Seed = std::uint64_t;

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
template <class T>
using RowMatrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;

/// A block of column vectors, seen where it lies (column-major, any leading dimension).
template <class T>
using Block = Eigen::Ref<Matrix<T>, 0, Eigen::OuterStride<>>;
template <class T>
using ConstBlock = Eigen::Ref<const Matrix<T>, 0, Eigen::OuterStride<>>;

/// The scalar type of a data set. float32 stays float32, float64 stays float64.
enum class Precision { float32, float64 };

template <class T>
constexpr Precision precision_of = sizeof(T) == 4 ? Precision::float32 : Precision::float64;

}  // namespace fewdim
