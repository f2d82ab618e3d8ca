#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <memory>

#include "models/preimage/ways.hpp"

namespace fewdim {

namespace {

constexpr Index kNeighbors = 10;         // as Kwok & Tsang take them
constexpr double kLeastSimilar = 1e-12;  // of the gaussian kernel: farther than this the logarithm is cut off
constexpr double kFlat = 1e-10;          // a share of the largest singular value: neighbors have no extent there

/// Squared distances in the input space that a kernel has for those in feature space.
class InputSquares {
 public:
  InputSquares(const KernelModel& model, const FeatureDistances& features, const double* y)
      : model_(model), features_(features), y_(y), own_(inner(features.square(y))) {}

  double operator()(const FeatureNeighbor& neighbor) const {
    if (model_.kernel == KernelKind::linear) return neighbor.square;
    if (model_.kernel == KernelKind::gaussian)  // ‖φ(x) − φ(z)‖² = 2 − 2 exp(−γ‖x − z‖²)
      return -std::log(std::max(kLeastSimilar, 1.0 - 0.5 * neighbor.square)) / model_.gamma;
    const double product = inner(features_.product(y_, neighbor.object));
    return std::max(0.0, std::max(0.0, own_) + features_.objects().squares[neighbor.object] - 2.0 * product);
  }

 private:
  /// x·z of a polynomial kernel (γ x·z + c)^p of odd degree, by its root.
  double inner(double value) const {
    const double root = std::copysign(std::pow(std::abs(value), 1.0 / static_cast<double>(model_.degree)), value);
    return (root - model_.offset) / model_.gamma;
  }

  const KernelModel& model_;
  const FeatureDistances& features_;
  const double* y_;
  double own_;  ///< z·z, polynomial only
};

/// The point at given squared distances from the rows of `x`, in the least squares sense and inside their affine span.
/// With x − x̄ = U S Vᵀ it is x̄ + ½ V S⁻¹ Uᵀ (‖x_i − x̄‖² − d_i²), where directions without extent are left out.
/// A point at these distances is no farther than the root of their mean square from x̄: nor is what we return.
Vector<double> laterate(Matrix<double> x, const Vector<double>& squares) {
  const Vector<double> center = x.colwise().mean();
  x.rowwise() -= center.transpose();
  const Vector<double> right = 0.5 * (x.rowwise().squaredNorm() - squares);
  const Eigen::JacobiSVD<Matrix<double>> svd(x, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const auto& values = svd.singularValues();
  Vector<double> inside = svd.matrixU().transpose() * right;
  for (Index i = 0; i < inside.size(); ++i) inside[i] = values[i] > kFlat * values[0] ? inside[i] / values[i] : 0.0;
  const double far = std::sqrt(squares.mean()), length = inside.norm();
  if (length > far) inside *= far / length;
  return center + svd.matrixV() * inside;
}

}  // namespace

WayBack back_by_distances(const KernelModel& model, const RowMatrix<double>& coordinates, const Execution& exec) {
  const auto features = std::make_shared<FeatureDistances>(model, coordinates, exec);
  return [&model, &coordinates, features](Index row, double* out) {
    const auto nearest = features->nearest(row, kNeighbors);
    const Index cols = model.objects.cols();
    for (Index i = 0; i < kBackRows; ++i) {
      const auto& neighbors = nearest[static_cast<std::size_t>(i)];
      const InputSquares square_of(model, *features, coordinates.data() + (row + i) * coordinates.cols());
      Matrix<double> x(std::ssize(neighbors), cols);
      Vector<double> squares(std::ssize(neighbors));
      for (Index j = 0; j < squares.size(); ++j) {
        const FeatureNeighbor& neighbor = neighbors[static_cast<std::size_t>(j)];
        x.row(j) = model.objects.row(neighbor.object);
        squares[j] = square_of(neighbor);
      }
      Eigen::Map<Vector<double>>(out + i * cols, cols) = laterate(std::move(x), squares);
    }
  };
}

}  // namespace fewdim
