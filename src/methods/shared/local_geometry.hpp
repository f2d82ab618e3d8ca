#pragma once

#include <span>
#include <string_view>

#include "features/metric.hpp"
#include "fewdim/execution.hpp"
#include "methods/shared/neighbor_objects.hpp"

namespace fewdim {

/// The neighborhoods that objects chose, from their rows or from their distances. Refers to the objects.
class LocalGeometry {
 public:
  LocalGeometry(const NeighborObjects& objects, Metric metric, std::string_view who, const Execution& exec);

  Index objects() const { return choices_.rows(); }
  std::span<const std::int32_t> neighbors(Index i) const {
    return {choices_.indices.data() + choices_.offsets[static_cast<std::size_t>(i)],
            choices_.indices.data() + choices_.offsets[static_cast<std::size_t>(i) + 1]};
  }
  Index count(Index i) const { return std::ssize(neighbors(i)); }
  const NeighborLists& choices() const { return choices_; }

  /// G_ab = (x_a − x_i)·(x_b − x_i) of the neighbors of object i, by rows.
  void gram(Index i, double* out) const;

  /// The directions a neighborhood is spread along: the eigenvectors of its inner products.
  struct Axes {
    Vector<double> values;   ///< falling; as many as neighbors or columns, whichever is less
    Matrix<double> vectors;  ///< a row for each neighbor, orthonormal; as many as values stand out of rounding
  };
  /// About object i itself, or about the mean of its neighbors.
  Axes axes(Index i, bool about_mean) const;

 private:
  Axes axes_of_rows(Index i, bool about_mean) const;
  Axes axes_of_gram(Index i, bool about_mean) const;

  const NeighborLists& choices_;
  const Matrix<double>& distances_;
  MetricRows<double> rows_{};
};

}  // namespace fewdim
