#pragma once

#include <functional>
#include <vector>

#include "features/kernel.hpp"
#include "fewdim/model.hpp"

/// The ways back, each made ready once for the coordinates of many rows: whole blocks of kBackRows.
namespace fewdim {

constexpr Index kBackRows = 64;      // coordinates in a block
constexpr Index kBackObjects = 512;  // training objects in a tile

/// Writes the inputs of coordinates row .. row+kBackRows, row-major. From many threads.
using WayBack = std::function<void(Index row, double* out)>;

WayBack back_by_ridge(const KernelModel& model, const RowMatrix<double>& coordinates, const Execution& exec);
WayBack back_by_fixed_point(const KernelModel& model, const RowMatrix<double>& coordinates, const Execution& exec);
WayBack back_by_distances(const KernelModel& model, const RowMatrix<double>& coordinates, const Execution& exec);

/// A training object and its squared distance, in feature space, from the point that coordinates stand for.
struct FeatureNeighbor {
  double square;
  Index object;
};

/// Distances in feature space. Coordinates y stand for P = m + Σ_c y_c v_c, with m the mean of the features (0 without
/// centering) and v_c orthonormal; object i has the place y_i and lies off that plane by r_i² = ‖φ_i − m‖² − ‖y_i‖², so
///
///   ‖P − φ_i‖² = r_i² + ‖y − y_i‖².
class FeatureDistances {
 public:
  FeatureDistances(const KernelModel& model, const RowMatrix<double>& coordinates, const Execution& exec);

  /// The `count` nearest objects of coordinates row .. row+kBackRows, nearest first; the lower index wins ties.
  std::vector<std::vector<FeatureNeighbor>> nearest(Index row, Index count) const;

  const MetricRows<double>& objects() const { return objects_; }  ///< packed for the kernel
  const Vector<double>& center() const { return center_; }        ///< what they are packed about; may be empty
  /// P·φ_i and ‖P‖² for one row of coordinates.
  double product(const double* y, Index object) const;
  double square(const double* y) const;

 private:
  const KernelModel& model_;
  Vector<double> center_{};
  MetricRows<double> objects_{};
  RowMatrix<double> places_{};
  MetricRows<double> packed_places_{}, packed_coordinates_{};
  Vector<double> off_{};    ///< r_i²
  Vector<double> drift_{};  ///< m·v_c
};

}  // namespace fewdim
