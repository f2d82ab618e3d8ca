#pragma once

#include <array>

#include "base/describe.hpp"
#include "fewdim/pca.hpp"

/// The names of the options that PCA and SVD have in common.
namespace fewdim {

template <>
struct EnumNames<PcaRoute> {
  static constexpr std::array names{
      std::pair{PcaRoute::automatic, "auto"}, std::pair{PcaRoute::covariance, "covariance"},
      std::pair{PcaRoute::gram, "gram"},      std::pair{PcaRoute::svd, "svd"},
      std::pair{PcaRoute::krylov, "krylov"},  std::pair{PcaRoute::power, "power"}};
};

template <>
struct EnumNames<Accuracy> {
  static constexpr std::array names{std::pair{Accuracy::standard, "standard"}, std::pair{Accuracy::high, "high"}};
};

}  // namespace fewdim
