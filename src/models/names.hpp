#pragma once

#include <array>
#include <utility>

#include "base/describe.hpp"
#include "features/kernel.hpp"
#include "features/metric.hpp"
#include "fewdim/model.hpp"

/// The words for what models hold: in files, in reports, in options.
namespace fewdim {

template <>
struct EnumNames<Precision> {
  static constexpr std::array names{std::pair{Precision::float32, "float32"}, std::pair{Precision::float64, "float64"}};
};
template <>
struct EnumNames<Extension> {
  static constexpr std::array names{std::pair{Extension::exact, "exact"}, std::pair{Extension::nystrom, "nystrom"},
                                    std::pair{Extension::heuristic, "heuristic"}, std::pair{Extension::none, "none"}};
};

template <>
struct EnumNames<ProjectionKind> {
  static constexpr std::array names{std::pair{ProjectionKind::gaussian, "gaussian"},
                                    std::pair{ProjectionKind::sparse, "sparse"},
                                    std::pair{ProjectionKind::hadamard, "hadamard"}};
};

template <>
struct EnumNames<RowFit> {
  static constexpr std::array names{std::pair{RowFit::product, "product"},
                                    std::pair{RowFit::nonnegative, "nonnegative"},
                                    std::pair{RowFit::observed, "observed"}, std::pair{RowFit::implicit, "implicit"}};
};

template <>
struct EnumNames<Similarity> {
  static constexpr std::array names{
      std::pair{Similarity::kernel, "kernel"}, std::pair{Similarity::distance, "distance"},
      std::pair{Similarity::geodesic, "geodesic"}, std::pair{Similarity::fourier, "fourier"}};
};

template <>
struct EnumNames<Preimage> {
  static constexpr std::array names{std::pair{Preimage::none, "none"}, std::pair{Preimage::ridge, "ridge"},
                                    std::pair{Preimage::fixed_point, "fixed-point"},
                                    std::pair{Preimage::distances, "distances"}};
};

template <>
struct EnumNames<Placement> {
  static constexpr std::array names{
      std::pair{Placement::barycentric, "barycentric"}, std::pair{Placement::random_walk, "random-walk"},
      std::pair{Placement::symmetric, "symmetric"}, std::pair{Placement::unnormalized, "unnormalized"}};
};

template <>
struct EnumNames<OwnLink> {
  static constexpr std::array names{std::pair{OwnLink::ignored, "ignored"}, std::pair{OwnLink::none, "none"},
                                    std::pair{OwnLink::one, "one"}};
};

template <>
struct EnumNames<Disparity> {  // R's names, and those of the two kinds of scaling
  static constexpr std::array names{std::pair{Disparity::ratio, "ratio"}, std::pair{Disparity::interval, "interval"},
                                    std::pair{Disparity::ordinal, "ordinal"}, std::pair{Disparity::ratio, "metric"},
                                    std::pair{Disparity::ordinal, "nonmetric"}};
};

}  // namespace fewdim
