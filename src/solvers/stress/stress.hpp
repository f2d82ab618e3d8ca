#pragma once

#include <optional>

#include "features/pair_distances.hpp"
#include "fewdim/disparity.hpp"
#include "operators/guttman.hpp"
#include "solvers/stress/ordinal_disparities.hpp"

/// Stress majorization (de Leeuw 1977; Borg & Groenen 2005, ch. 8 and 9).
namespace fewdim {

/// The stress of a map X, with the disparities best for it: σ(X) = min Σ(t − d)² / Σd², the square of Kruskal's
/// stress-1. It does not change when X is turned, moved or scaled. Fitted disparities have the size Σt² = size(), so
/// that the Guttman transform has a scale to go to.
template <class S>
class StressFunction {
 public:
  /// `ordinal` for Disparity::ordinal alone; both must outlive this.
  StressFunction(const PairDistances<S>& deltas, Disparity kind, OrdinalDisparities* ordinal, const Execution& exec);

  /// σ(X); sets the image Γ(X) under the disparities best for X.
  double operator()(const Matrix<double>& x, Matrix<double>& image);

  /// Of the last X: t = shift + factor·δ; for ordinal ones factor·d̂.
  Affine disparities() const { return affine_; }
  /// Of the last X: the factor that brings its distances to the size of the disparities.
  double scale() const { return scale_; }
  double size() const { return size_; }
  double dissimilarity_squares() const { return squares_; }  ///< Σδ²
  /// Of the last X, which x must be up to scale: the squared correlation of disparities and distances, and
  /// Σ_j (t_ij − d_ij)² by object.
  double squared_correlation(const Matrix<double>& x) const;
  Vector<double> by_object(const Matrix<double>& x) const;

 private:
  double ordinal_stress(const Matrix<double>& x, Matrix<double>& image);
  Affine interval_fit(const PairSums& at) const;

  const PairDistances<S>& deltas_;
  Disparity kind_;
  OrdinalDisparities* ordinal_;
  Execution exec_;
  double lowest_ = 0.0, sum_ = 0.0, squares_ = 0.0;  ///< of the δ
  double size_ = 0.0;
  Affine affine_;
  double scale_ = 1.0;
};

struct MajorizeOptions {
  Index iterations = 1000;  ///< passes over all pairs, at most
  double tolerance = 1e-6;  ///< relative decrease of σ at which to stop
  double small = 1e-6;      ///< decreases are relative to this where σ is below: a degenerate map creeps to 0 for ever
  double nothing = 1e-16;   ///< a σ that counts as 0
};

struct Majorized {
  Matrix<double> x, image;  ///< the map and its Guttman transform
  double stress = 0.0;      ///< σ
  double change = 0.0;      ///< the last decrease of σ, relative to it or to what counts as small
  double residual = 0.0;    ///< ‖x − image‖ / ‖x‖, both at the best scale: 0 at a stationary point
  Index iterations = 0;
  bool converged = false;
};

/// X ← Γ(X), accelerated by Anderson's combination of the last steps wherever that lowers the stress; it never rises.
/// Converged: the stress fell by no more than the tolerance, and the residual is at most its square root (a step of
/// the Guttman transform lowers σ by ‖X − Γ(X)‖²/‖X‖² or more), or nothing is left of it. The last X evaluated by
/// `stress` is the one returned.
template <class S>
Majorized majorize(StressFunction<S>& stress, Matrix<double> start, const MajorizeOptions& options,
                   const Execution& exec);

/// Bytes of the iteration beside the distances.
std::uint64_t majorize_bytes(Index objects, Index components);

}  // namespace fewdim
