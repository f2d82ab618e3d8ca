#pragma once

#include <rapidcheck.h>

#include <cstring>

#include "fewdim/dataset.hpp"

/// Random matrices for round trips.
namespace fewdim::test {

/// Any bits at all: zeros of both signs, subnormal numbers, infinities and NaN come up as well as plain numbers.
template <class T>
rc::Gen<T> any_number() {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  const auto of_bits = [](Bits bits) {
    T value;
    std::memcpy(&value, &bits, sizeof(T));
    return value;
  };
  return rc::gen::oneOf(rc::gen::map(rc::gen::arbitrary<Bits>(), of_bits), rc::gen::arbitrary<T>(),
                        rc::gen::element<T>(T{0}, -T{0}, T{1}, std::numeric_limits<T>::infinity(),
                                            std::numeric_limits<T>::denorm_min(), std::numeric_limits<T>::max()));
}

template <class T>
Matrix<T> any_matrix() {
  const Index rows = *rc::gen::inRange<Index>(1, 9), cols = *rc::gen::inRange<Index>(1, 9);
  Matrix<T> m(rows, cols);
  for (Index i = 0; i < m.size(); ++i) m.data()[i] = *any_number<T>();
  return m;
}

/// Sparse rows, some empty; stored zeros occur.
template <class T>
Csr<T> any_csr() {
  Csr<T> csr;
  csr.rows = *rc::gen::inRange<Index>(1, 9);
  csr.cols = *rc::gen::inRange<Index>(1, 9);
  for (Index i = 0; i < csr.rows; ++i) {
    for (std::int32_t j = 0; j < csr.cols; ++j)
      if (*rc::gen::inRange(0, 3) == 0) csr.columns.push_back(j), csr.values.push_back(*any_number<T>());
    csr.offsets.push_back(static_cast<std::int64_t>(csr.columns.size()));
  }
  return csr;
}

template <class T>
bool same_entries(const CsrView<T>& a, const CsrView<T>& b) {
  if (a.rows != b.rows || a.cols != b.cols || !std::equal(a.offsets, a.offsets + a.rows + 1, b.offsets)) return false;
  for (std::int64_t e = 0; e < a.nonzeros(); ++e) {
    const bool both_nan = std::isnan(a.values[e]) && std::isnan(b.values[e]);
    if (a.columns[e] != b.columns[e] || (!both_nan && std::memcmp(a.values + e, b.values + e, sizeof(T)) != 0))
      return false;
  }
  return true;
}

}  // namespace fewdim::test
