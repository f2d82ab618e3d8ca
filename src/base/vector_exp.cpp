#include "base/vector_exp.hpp"

#include <bit>
#include <limits>

#include "base/clones.hpp"

namespace fewdim {

namespace {

/// x = n·ln 2 + r with |r| ≤ ln(2)/2: exp(x) = 2ⁿ exp(r), and exp(r) by its Taylor series, whose 14th term is 4e-18.
__attribute__((always_inline)) inline double exp_of(double x) {
  constexpr double kRound = 0x1.8p52;  // adding it rounds to an integer, which then stands in the low bits
  constexpr double kLn2High = 0x1.62e42fefa38p-1, kLn2Low = 0x1.ef35793c7673p-45;
  const double inside = x < -708.0 ? -708.0 : x > 709.0 ? 709.0 : x;
  const double shifted = inside * 0x1.71547652b82fep0 + kRound;
  const double n = shifted - kRound;
  const double r = (inside - n * kLn2High) - n * kLn2Low;
  double p = 1.0 / 6227020800.0;
  p = p * r + 1.0 / 479001600.0;
  p = p * r + 1.0 / 39916800.0;
  p = p * r + 1.0 / 3628800.0;
  p = p * r + 1.0 / 362880.0;
  p = p * r + 1.0 / 40320.0;
  p = p * r + 1.0 / 5040.0;
  p = p * r + 1.0 / 720.0;
  p = p * r + 1.0 / 120.0;
  p = p * r + 1.0 / 24.0;
  p = p * r + 1.0 / 6.0;
  p = p * r + 0.5;
  p = p * (r * r) + r;
  p = p + 1.0;
  const auto power = std::bit_cast<double>((std::bit_cast<std::int64_t>(shifted) + 1023) << 52);
  const double value = p * power;
  return x < -708.0 ? 0.0 : x > 709.0 ? std::numeric_limits<double>::infinity() : value;
}

}  // namespace

FEWDIM_CLONES void exp_in_place(double* x, Index count) {
  for (Index i = 0; i < count; ++i) x[i] = exp_of(x[i]);
}

FEWDIM_CLONES void exp_in_place(float* x, Index count) {
  for (Index i = 0; i < count; ++i) x[i] = static_cast<float>(exp_of(static_cast<double>(x[i])));
}

}  // namespace fewdim
