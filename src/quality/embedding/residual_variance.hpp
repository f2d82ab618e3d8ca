#pragma once

#include <vector>

#include "fewdim/types.hpp"

/// How well an embedding keeps given distances, by its number of coordinates: 1 − r², r the correlation of the
/// distances with those in the first d coordinates (Tenenbaum, de Silva & Langford 2000).
namespace fewdim {

/// Sums over pairs of objects, from which the correlations follow.
struct CurveSums {
  double count = 0.0, given = 0.0, given_squares = 0.0;
  std::vector<double> mapped{}, mapped_squares{}, products{};  ///< one per number of coordinates

  explicit CurveSums(Index dimensions = 0)
      : mapped(static_cast<std::size_t>(dimensions)),
        mapped_squares(static_cast<std::size_t>(dimensions)),
        products(static_cast<std::size_t>(dimensions)) {}
  CurveSums& operator+=(const CurveSums& other);

  /// 1 − r² for 1 .. d coordinates; 1 where all mapped or all given distances are equal.
  Vector<double> residual_variance() const;
};

/// Adds the pairs of one object, at coordinates `place`, with objects first .. first+n of `others`, N×d, whose given
/// distances are `given`. On this thread, in the order of the objects.
template <class S>
void add_pairs(const S* given, bool squared, const double* place, const Matrix<double>& others, Index first, Index n,
               CurveSums& sums);

/// Where the curve bends: the number of coordinates farthest below the line from its first to its last point; at least
/// 1.
Index elbow_of_curve(const Vector<double>& residual_variance);

}  // namespace fewdim
