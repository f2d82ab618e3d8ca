#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fewdim/types.hpp"

namespace fewdim {

/// What a model of ratings has beside its linear map, whose features are the items and whose embedding places the
/// users: who they are, and what they have rated.
struct RatingsIndex {
  std::vector<std::string> users{};     ///< one a row of the embedding
  std::vector<std::int64_t> offsets{};  ///< user u has rated items[offsets[u]] .. items[offsets[u + 1] − 1], rising
  std::vector<std::int32_t> items{};
  double lowest = 0.0, highest = 0.0;  ///< of the ratings it was fitted on; predictions stay between them
};

}  // namespace fewdim
