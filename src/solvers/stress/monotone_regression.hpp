#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fewdim/types.hpp"

/// Least-squares fit of a sequence that never falls, by pooling adjacent violators (Ayer et al. 1955; Kruskal 1964).
namespace fewdim {

/// Neighbors that share one value, their mean: the weighted sum of their numbers, and their weight together. Sums, not
/// means: to pool takes no division.
template <class Weight>
struct Blocks {
  double* sums;
  Weight* weights;
  Index count = 0;

  double mean(Index block) const { return sums[block] / static_cast<double>(weights[block]); }

  /// Adds a block at the end, and pools as long as the last two fall. Sums and weights stand at the front of their
  /// arrays, so that they may be read from farther behind in the same ones.
  void push(double sum, Weight weight) {
    while (count > 0 && sums[count - 1] * static_cast<double>(weight) > sum * static_cast<double>(weights[count - 1])) {
      --count;
      sum += sums[count];
      weight += weights[count];
    }
    sums[count] = sum;
    weights[count] = weight;
    ++count;
  }
};

/// The nondecreasing z that minimizes Σ w (z − y)². Weights are positive, or none at all for ones.
std::vector<double> monotone_regression(std::span<const double> y, std::span<const double> weights = {});

}  // namespace fewdim
