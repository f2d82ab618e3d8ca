#pragma once

#include <functional>

#include "features/metric.hpp"
#include "fewdim/landmarks.hpp"

namespace fewdim {

template <>
struct EnumNames<LandmarkChoice> {
  static constexpr std::array names{std::pair{LandmarkChoice::maxmin, "maxmin"},
                                    std::pair{LandmarkChoice::random, "random"}};
};

/// `count` distinct rows of 0 .. n−1 at random, rising. Throws InvalidOption unless 1 <= count <= n.
std::vector<std::int32_t> random_landmarks(Index n, Index count, Seed seed, std::string_view who);

/// Fills distances[j], of row i to every row j.
using DistancesFrom = std::function<void(Index i, double* distances)>;

/// The first at random, then always the row farthest from those chosen (de Silva & Tenenbaum 2004), the lowest of equal
/// ones; returned rising. Rows out of reach, at infinity, are the farthest of all.
std::vector<std::int32_t> maxmin_landmarks(Index n, Index count, Seed seed, const DistancesFrom& distances_from,
                                           std::string_view who, const Execution& exec);

/// By the metric of rows.
template <class C>
std::vector<std::int32_t> maxmin_landmarks(const MetricRows<C>& points, Index count, Seed seed, std::string_view who,
                                           const Execution& exec);

}  // namespace fewdim
