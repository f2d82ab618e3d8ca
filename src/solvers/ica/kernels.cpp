#include "solvers/ica/kernels.hpp"

#include <cmath>
#include <numbers>
#include <type_traits>

#include "base/clones.hpp"

namespace fewdim {

namespace {

template <class T>
struct VectorType {
  using Whole = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  using Numbers __attribute__((vector_size(64))) = T;
  using Bits __attribute__((vector_size(64))) = Whole;
};
template <class T>
using Numbers = typename VectorType<T>::Numbers;
template <class T>
using Bits = typename VectorType<T>::Bits;
template <class T>
constexpr Index lane_count = 64 / static_cast<Index>(sizeof(T));

template <class T>
__attribute__((always_inline)) inline void load(const T* from, Numbers<T>& to) {
  __builtin_memcpy(&to, from, sizeof to);
}
template <class T>
__attribute__((always_inline)) inline void store(const Numbers<T>& from, T* to) {
  __builtin_memcpy(to, &from, sizeof from);
}

/// exp(x) for x ≤ 0: x = n ln 2 + r with |r| ≤ ln(2)/2, and exp(r) by its Taylor series, whose first term left out is
/// 2e-16 (float64) or 5e-9 (float32). Below the least normal number it is that, not 0.
__attribute__((always_inline)) inline void exp_of(Numbers<double>& x) {
  constexpr double kRound = 0x1.8p52;  // adding it rounds to an integer, which then stands in the low bits
  constexpr double kLn2High = 0x1.62e42fefa38p-1, kLn2Low = 0x1.ef35793c7673p-45;
  const Numbers<double> least = Numbers<double>{} - 708.0;
  x = x < least ? least : x;
  const Numbers<double> shifted = x * 0x1.71547652b82fep0 + kRound;
  const Numbers<double> n = shifted - kRound;
  const Numbers<double> r = (x - n * kLn2High) - n * kLn2Low;
  Numbers<double> p = r * (1.0 / 479001600.0) + 1.0 / 39916800.0;
  p = p * r + 1.0 / 3628800.0;
  p = p * r + 1.0 / 362880.0;
  p = p * r + 1.0 / 40320.0;
  p = p * r + 1.0 / 5040.0;
  p = p * r + 1.0 / 720.0;
  p = p * r + 1.0 / 120.0;
  p = p * r + 1.0 / 24.0;
  p = p * r + 1.0 / 6.0;
  p = p * r + 0.5;
  p = p * r + 1.0;
  p = p * r + 1.0;
  Bits<double> bits;
  __builtin_memcpy(&bits, &shifted, sizeof bits);
  bits = (bits + 1023) << 52;
  Numbers<double> power;
  __builtin_memcpy(&power, &bits, sizeof power);
  x = p * power;
}

__attribute__((always_inline)) inline void exp_of(Numbers<float>& x) {
  constexpr float kRound = 0x1.8p23F;
  constexpr float kLn2High = 0x1.62ep-1F, kLn2Low = 0x1.0bfbe8p-15F;
  const Numbers<float> least = Numbers<float>{} - 87.0F;
  x = x < least ? least : x;
  const Numbers<float> shifted = x * 0x1.715476p0F + kRound;
  const Numbers<float> n = shifted - kRound;
  const Numbers<float> r = (x - n * kLn2High) - n * kLn2Low;
  Numbers<float> p = r * (1.0F / 5040.0F) + 1.0F / 720.0F;
  p = p * r + 1.0F / 120.0F;
  p = p * r + 1.0F / 24.0F;
  p = p * r + 1.0F / 6.0F;
  p = p * r + 0.5F;
  p = p * r + 1.0F;
  p = p * r + 1.0F;
  Bits<float> bits;
  __builtin_memcpy(&bits, &shifted, sizeof bits);
  bits = (bits + 127) << 23;
  Numbers<float> power;
  __builtin_memcpy(&power, &bits, sizeof power);
  x = p * power;
}

template <class T>
double lane_sum(const Numbers<T>& lanes) {
  double sum = 0.0;
  for (Index l = 0; l < lane_count<T>; ++l) sum += static_cast<double>(lanes[l]);
  return sum;
}

/// With e = exp(−2|y|): tanh|y| = (1 − e)/(1 + e), and log cosh y = |y| + log(1 + e) − log 2, where the logarithms of
/// a lane are one of its product: at most 2^128 (float64) or 2^64 (float32).
template <class T>
__attribute__((always_inline)) inline ContrastSums logcosh_of(T* y, Index count) {
  Numbers<T> slope = {}, size = {}, product = Numbers<T>{} + T(1);
  for (Index i = 0; i < count; i += lane_count<T>) {
    Numbers<T> x;
    load(y + i, x);
    const Numbers<T> absolute = x < T(0) ? -x : x;
    Numbers<T> e = absolute * T(-2);
    exp_of(e);
    const Numbers<T> sum = e + T(1);
    const Numbers<T> t = (T(1) - e) / sum;
    slope += T(1) - t * t;
    size += absolute;
    product *= sum;
    store(x < T(0) ? -t : t, y + i);
  }
  double value = lane_sum<T>(size) - static_cast<double>(count) * std::numbers::ln2;
  for (Index l = 0; l < lane_count<T>; ++l) value += std::log(static_cast<double>(product[l]));
  return {lane_sum<T>(slope), value};
}

template <class T>
__attribute__((always_inline)) inline ContrastSums exp_contrast_of(T* y, Index count) {
  Numbers<T> slope = {}, value = {};
  for (Index i = 0; i < count; i += lane_count<T>) {
    Numbers<T> x;
    load(y + i, x);
    const Numbers<T> square = x * x;
    Numbers<T> e = square * T(-0.5);
    exp_of(e);
    slope += (T(1) - square) * e;
    value -= e;
    store<T>(x * e, y + i);
  }
  return {lane_sum<T>(slope), lane_sum<T>(value)};
}

template <class T>
__attribute__((always_inline)) inline ContrastSums cube_of(T* y, Index count) {
  Numbers<T> slope = {}, value = {};
  for (Index i = 0; i < count; i += lane_count<T>) {
    Numbers<T> x;
    load(y + i, x);
    const Numbers<T> square = x * x;
    slope += square;
    value += square * square;
    store<T>(x * square, y + i);
  }
  return {3.0 * lane_sum<T>(slope), 0.25 * lane_sum<T>(value)};
}

FEWDIM_CLONES void apply(IcaContrast contrast, double* y, Index count, ContrastSums* out) {
  *out = contrast == IcaContrast::logcosh ? logcosh_of(y, count)
         : contrast == IcaContrast::exp   ? exp_contrast_of(y, count)
                                          : cube_of(y, count);
}
FEWDIM_CLONES void apply(IcaContrast contrast, float* y, Index count, ContrastSums* out) {
  *out = contrast == IcaContrast::logcosh ? logcosh_of(y, count)
         : contrast == IcaContrast::exp   ? exp_contrast_of(y, count)
                                          : cube_of(y, count);
}

}  // namespace

ContrastSums contrast_in_place(IcaContrast contrast, double* y, Index count) {
  ContrastSums sums;
  apply(contrast, y, count, &sums);
  return sums;
}

ContrastSums contrast_in_place(IcaContrast contrast, float* y, Index count) {
  ContrastSums sums;
  apply(contrast, y, count, &sums);
  return sums;
}

ContrastSums contrast_at_zero(IcaContrast contrast) {
  if (contrast == IcaContrast::logcosh) return {1.0, 0.0};
  return contrast == IcaContrast::exp ? ContrastSums{1.0, -1.0} : ContrastSums{};
}

}  // namespace fewdim
