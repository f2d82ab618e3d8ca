#pragma once

#include <fmt/format.h>

#include <cmath>

#include "fewdim/error.hpp"
#include "fewdim/types.hpp"

namespace fewdim {

/// Running sums of shares, kept from passing 1 by rounding.
inline Vector<double> running_sums(const Vector<double>& shares) {
  Vector<double> sums(shares.size());
  double sum = 0;
  for (Index i = 0; i < shares.size(); ++i) sums[i] = std::min(1.0, sum += shares[i]);
  return sums;
}

/// Shares of a whole: finite, not negative (rounding below 0 is set to 0), together at most 1.
inline Vector<double> checked_shares(std::string_view caller, const Vector<double>& ratios) {
  constexpr double rounding = 1e-6;  // of float32 ratios summed over thousands of components
  if (ratios.size() == 0)
    throw InvalidOption(caller, "ratios", "none", "must be one or more", "fit with at least one component");
  Vector<double> shares = ratios;
  double sum = 0;
  for (Index i = 0; i < shares.size(); ++i) {
    if (!std::isfinite(shares[i]) || shares[i] < -rounding)
      throw InvalidOption(caller, fmt::format("ratios[{}]", i), fmt::format("{:.6g}", shares[i]),
                          "must be a finite number, 0 or more", "give shares of the total variance");
    shares[i] = std::max(shares[i], 0.0);
    sum += shares[i];
  }
  if (sum > 1 + 1e3 * rounding)
    throw InvalidOption(caller, "ratios", fmt::format("{:.6g} together", sum), "must be at most 1",
                        "divide by the total variance");
  return shares;
}

}  // namespace fewdim
