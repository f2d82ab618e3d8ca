#include "quality/embedding/residual_variance.hpp"

#include <algorithm>
#include <cmath>

#include "base/clones.hpp"

namespace fewdim {

namespace {

constexpr Index kLanes = 8, kChunk = 64;

/// Eight partial sums, so that the order of adding is the same at every vector width.
struct Lanes {
  double sum[kLanes] = {};
  double total() const {
    double out = 0.0;
    for (const double x : sum) out += x;
    return out;
  }
};

/// distance ← the given one, for a chunk that is filled up with zeros.
template <class S>
__attribute__((always_inline)) inline void take_given(const S* given, Index n, bool squared, double* distance,
                                                      Lanes& sums, Lanes& squares) {
  for (Index j = 0; j < n; ++j) distance[j] = static_cast<double>(given[j]);
  for (Index j = n; j < kChunk; ++j) distance[j] = 0.0;
  if (squared)
    for (Index j = 0; j < kChunk; ++j) distance[j] = std::sqrt(distance[j]);
  for (Index j = 0; j < kChunk; j += kLanes)
    for (Index l = 0; l < kLanes; ++l) {
      sums.sum[l] += distance[j + l];
      squares.sum[l] += distance[j + l] * distance[j + l];
    }
}

/// square += (place − other)², and the sums over a chunk; what is behind n adds nothing.
__attribute__((always_inline)) inline void take_mapped(const double* other, double place, Index n, const double* given,
                                                       double* square, Lanes& mapped, Lanes& squares, Lanes& products) {
  if (n == kChunk) {
    for (Index j = 0; j < kChunk; ++j) square[j] += (place - other[j]) * (place - other[j]);
  } else {
    for (Index j = 0; j < n; ++j) square[j] += (place - other[j]) * (place - other[j]);
  }
  for (Index j = 0; j < kChunk; j += kLanes)
    for (Index l = 0; l < kLanes; ++l) {
      const double distance = std::sqrt(square[j + l]);
      mapped.sum[l] += distance;
      squares.sum[l] += square[j + l];
      products.sum[l] += distance * given[j + l];
    }
}

template <class S>
__attribute__((always_inline)) inline void add_row(const S* given, bool squared, const double* place,
                                                   const double* others, Index stride, Index dimensions, Index n,
                                                   CurveSums& sums) {
  Lanes all_given, given_squares;
  for (Index first = 0; first < n; first += kChunk) {
    const Index count = std::min(kChunk, n - first);
    double distance[kChunk], square[kChunk] = {};
    take_given(given + first, count, squared, distance, all_given, given_squares);
    for (Index d = 0; d < dimensions; ++d) {
      Lanes mapped, squares, products;
      take_mapped(others + d * stride + first, place[d], count, distance, square, mapped, squares, products);
      const auto at = static_cast<std::size_t>(d);
      sums.mapped[at] += mapped.total();
      sums.mapped_squares[at] += squares.total();
      sums.products[at] += products.total();
    }
  }
  sums.given += all_given.total();
  sums.given_squares += given_squares.total();
}

#define FEWDIM_ADD_ROW(S)                                                                                              \
  FEWDIM_CLONES void add_row_of(const S* given, bool squared, const double* place, const double* others, Index stride, \
                                Index dimensions, Index n, CurveSums& sums) {                                          \
    add_row(given, squared, place, others, stride, dimensions, n, sums);                                               \
  }
FEWDIM_ADD_ROW(float)
FEWDIM_ADD_ROW(double)
#undef FEWDIM_ADD_ROW

}  // namespace

CurveSums& CurveSums::operator+=(const CurveSums& other) {
  count += other.count;
  given += other.given;
  given_squares += other.given_squares;
  for (std::size_t d = 0; d < mapped.size(); ++d) {
    mapped[d] += other.mapped[d];
    mapped_squares[d] += other.mapped_squares[d];
    products[d] += other.products[d];
  }
  return *this;
}

Vector<double> CurveSums::residual_variance() const {
  Vector<double> out(std::ssize(mapped));
  const double spread = given_squares - given * given / count;
  for (std::size_t d = 0; d < mapped.size(); ++d) {
    const double mapped_spread = mapped_squares[d] - mapped[d] * mapped[d] / count;
    const double common = products[d] - given * mapped[d] / count;
    const bool varied = spread > 1e-14 * given_squares && mapped_spread > 1e-14 * mapped_squares[d];
    out[static_cast<Index>(d)] = varied ? std::max(0.0, 1.0 - common / spread * (common / mapped_spread)) : 1.0;
  }
  return out;
}

template <class S>
void add_pairs(const S* given, bool squared, const double* place, const Matrix<double>& others, Index first, Index n,
               CurveSums& sums) {
  sums.count += static_cast<double>(n);
  add_row_of(given, squared, place, others.data() + first, others.rows(), others.cols(), n, sums);
}

template void add_pairs(const float*, bool, const double*, const Matrix<double>&, Index, Index, CurveSums&);
template void add_pairs(const double*, bool, const double*, const Matrix<double>&, Index, Index, CurveSums&);

Index elbow_of_curve(const Vector<double>& residual_variance) {
  const Index n = residual_variance.size();
  if (n < 3) return std::max<Index>(1, n);
  Index best = 0;
  double farthest = -1.0;
  const double drop = residual_variance[n - 1] - residual_variance[0];
  for (Index i = 0; i < n; ++i) {
    const double line = residual_variance[0] + drop * static_cast<double>(i) / static_cast<double>(n - 1);
    if (line - residual_variance[i] > farthest) farthest = line - residual_variance[i], best = i;
  }
  return best + 1;
}

}  // namespace fewdim
