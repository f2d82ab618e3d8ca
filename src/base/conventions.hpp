#pragma once

#include <cmath>

#include "fewdim/types.hpp"

namespace fewdim {

/// The sign rule of every method: the entry of largest magnitude is positive, the lowest index wins ties.
/// Returns -1 when the vector must be turned, else 1.
template <class Vec>
int sign_of(const Vec& v) {
  Index best = 0;
  for (Index i = 1; i < v.size(); ++i)
    if (std::abs(v[i]) > std::abs(v[best])) best = i;
  return v.size() > 0 && v[best] < 0 ? -1 : 1;
}

/// Applies the sign rule to every column.
template <class Mat>
void fix_signs(Mat& vectors) {
  for (Index c = 0; c < vectors.cols(); ++c)
    if (sign_of(vectors.col(c)) < 0) vectors.col(c) = -vectors.col(c);
}

}  // namespace fewdim
