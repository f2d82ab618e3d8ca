#include "solvers/stress/monotone_regression.hpp"

#include "fewdim/error.hpp"

namespace fewdim {

std::vector<double> monotone_regression(std::span<const double> y, std::span<const double> weights) {
  if (!weights.empty() && weights.size() != y.size())
    throw Error(ErrorKind::internal, "monotone_regression: one weight per number");
  std::vector<double> sums(y.size()), shares(y.size());
  std::vector<Index> lengths(y.size());
  // Lengths are pooled beside the weights: a block's weight does not tell how many numbers it covers.
  Blocks<double> blocks{sums.data(), shares.data()};
  for (std::size_t i = 0; i < y.size(); ++i) {
    const Index before = blocks.count;
    const double weight = weights.empty() ? 1.0 : weights[i];
    blocks.push(weight * y[i], weight);
    Index length = 1;
    for (Index b = blocks.count - 1; b < before; ++b) length += lengths[static_cast<std::size_t>(b)];
    lengths[static_cast<std::size_t>(blocks.count - 1)] = length;
  }
  std::vector<double> out;
  out.reserve(y.size());
  for (Index b = 0; b < blocks.count; ++b)
    out.insert(out.end(), static_cast<std::size_t>(lengths[static_cast<std::size_t>(b)]), blocks.mean(b));
  return out;
}

}  // namespace fewdim
