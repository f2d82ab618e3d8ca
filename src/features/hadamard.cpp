#include <algorithm>
#include <array>
#include <bit>

#include "base/clones.hpp"
#include "features/random_map.hpp"

namespace fewdim {

namespace {

constexpr Index block = 32;

/// H of order 32, of which the first n rows and columns are the one of order n.
template <class T>
const std::array<T, block * block>& small_hadamard() {
  static const auto table = [] {
    std::array<T, block * block> out{};
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = (std::popcount((i / block) & (i % block)) & 1) != 0 ? T(-1) : T(1);
    return out;
  }();
  return table;
}

/// Two levels at a time, h and h/2: the row is walked half as often.
template <class T>
__attribute__((always_inline)) inline void butterflies(T* x, Index n) {
  Index h = n / 2;
  for (; h / 2 >= block; h /= 4)
    for (Index base = 0; base < n; base += 2 * h) {
      const Index half = h / 2;
      T* __restrict p = x + base, * __restrict q = p + half, * __restrict r = p + h, * __restrict s = r + half;
      for (Index i = 0; i < half; ++i) {
        const T a = p[i] + r[i], c = p[i] - r[i], b = q[i] + s[i], d = q[i] - s[i];
        p[i] = a + b, q[i] = a - b, r[i] = c + d, s[i] = c - d;
      }
    }
  for (; h >= block; h /= 2)
    for (Index base = 0; base < n; base += 2 * h) {
      T* __restrict p = x + base, * __restrict r = p + h;
      for (Index i = 0; i < h; ++i) {
        const T a = p[i], c = r[i];
        p[i] = a + c, r[i] = a - c;
      }
    }
}

/// Eight sums side by side, so that they are one vector in every clone: the same bits.
template <class T>
__attribute__((always_inline)) inline void sums(const T* x, Index n, const Index* rows, Index count, T* out) {
  const Index size = std::min(n, block);
  const T* table = small_hadamard<T>().data();
  for (Index c = 0; c < count; ++c) {
    const Index inside = rows[c] & (size - 1);
    const T *from = x + (rows[c] - inside), *signs = table + inside * block;
    if (size < block) {
      T sum = 0;
      for (Index i = 0; i < size; ++i) sum += signs[i] * from[i];
      out[c] = sum;
      continue;
    }
    T lanes[8] = {};
    for (Index i = 0; i < block; i += 8)
      for (Index l = 0; l < 8; ++l) lanes[l] += signs[i + l] * from[i + l];
    out[c] = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
  }
}

FEWDIM_CLONES void sample(double* x, Index n, const Index* rows, Index count, double* out) {
  butterflies(x, n);
  sums(x, n, rows, count, out);
}
FEWDIM_CLONES void sample(float* x, Index n, const Index* rows, Index count, float* out) {
  butterflies(x, n);
  sums(x, n, rows, count, out);
}

FEWDIM_CLONES void multiply(const double* a, const double* b, Index n, double* out) {
  for (Index i = 0; i < n; ++i) out[i] = a[i] * b[i];
}
FEWDIM_CLONES void multiply(const float* a, const float* b, Index n, float* out) {
  for (Index i = 0; i < n; ++i) out[i] = a[i] * b[i];
}

}  // namespace

template <class T>
void apply_signs(const std::vector<T>& signs, const T* x, T* out) {
  multiply(signs.data(), x, std::ssize(signs), out);
}

template <class T>
void hadamard_sample(T* x, Index n, const std::vector<Index>& rows, T* out) {
  sample(x, n, rows.data(), std::ssize(rows), out);
}

template void apply_signs(const std::vector<float>&, const float*, float*);
template void apply_signs(const std::vector<double>&, const double*, double*);
template void hadamard_sample(float*, Index, const std::vector<Index>&, float*);
template void hadamard_sample(double*, Index, const std::vector<Index>&, double*);

}  // namespace fewdim
