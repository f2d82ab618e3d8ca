#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "fewdim/contrast.hpp"
#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"

/// Rotations of white rows whose columns are as independent as can be.
namespace fewdim {

/// N rows of k white columns, ZᵀZ/N = I, by tiles: each tile column-major, filled up with rows of zeros.
template <class T>
class WhiteTiles {
 public:
  WhiteTiles(const DenseView<T>& rows, const Execution& exec);

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Index tiles() const { return tiles_; }
  Index tile_rows() const { return tile_rows_; }
  const T* tile(Index t) const { return numbers_.get() + t * tile_rows_ * cols_; }
  Index padding(Index t) const { return t + 1 == tiles_ ? tiles_ * tile_rows_ - rows_ : 0; }
  static std::uint64_t bytes(Index rows, Index cols);

  /// Z ← Z R^-½ with R = ZᵀZ/N; returns R^-½. Twice it is the identity.
  Matrix<double> whiten(const Execution& exec);

 private:
  Index rows_, cols_, tile_rows_, tiles_;
  std::shared_ptr<T[]> numbers_;
};

/// Tiles are dealt out to parts whose number depends on the tiles alone; sums are kept by part and added in order.
Index ica_parts(Index tiles);
void for_each_part(const Execution& exec, Index tiles,
                   const std::function<void(Index part, Index first, Index end)>& task);

/// One pass over the rows: of y = Wz, m sources of k white columns.
struct ContrastMoments {
  Matrix<double> cross;  ///< m×k: E[g(y) zᵀ]
  Vector<double> slope;  ///< E[g'(y)]
  Vector<double> value;  ///< E[G(y)]
};
/// Over one tile in `every`.
template <class T>
ContrastMoments contrast_moments(const WhiteTiles<T>& z, const Matrix<double>& w, IcaContrast contrast,
                                 const Execution& exec, Index every = 1);

/// Moments of a rotation of all k, seen from its sources.
struct RotationState {
  Matrix<double> w;      ///< k×k
  Matrix<double> cross;  ///< E[g(y) yᵀ]
  ContrastMoments moments;
  Vector<double> signs;      ///< of E[g'(y_i)] E[y_i²] − E[g(y_i) y_i]: which way from Gaussian a source is
  Vector<double> residuals;  ///< max_j |s_i C_ij − s_j C_ji|/2: the relative gradient among rotations
};
RotationState rotation_state(Matrix<double> w, ContrastMoments moments);

struct IcaResult {
  Matrix<double> w;          ///< k×k: y = Wz
  Vector<double> residuals;  ///< per source, anew from the result
  Index iterations = 0;
  Index passes = 0;     ///< over the rows
  bool picard = false;  ///< Picard-O had to go on
};

struct IcaRequest {
  IcaAlgorithm algorithm = IcaAlgorithm::automatic;
  IcaContrast contrast = IcaContrast::logcosh;
  Index iterations = 500;
  double tolerance = 1e-7;
  Seed seed = 0;
};

/// The result may have missed the tolerance: its residuals tell.
template <class T>
IcaResult separate(const WhiteTiles<T>& z, const IcaRequest& request, const Execution& exec);

/// Parts of it.
Matrix<double> random_rotation(Index k, Seed seed);
/// The nearest matrix with orthonormal rows: (M Mᵀ)^-½ M.
Matrix<double> nearest_rotation(const Matrix<double>& m);
template <class T>
IcaResult fast_ica(const WhiteTiles<T>& z, const IcaRequest& request, const Execution& exec);
template <class T>
IcaResult deflation_ica(const WhiteTiles<T>& z, const IcaRequest& request, const Execution& exec);
template <class T>
IcaResult picard_ica(const WhiteTiles<T>& z, const IcaRequest& request, const Matrix<double>& start,
                     const Execution& exec);
template <class T>
IcaResult jade_ica(const WhiteTiles<T>& z, const IcaRequest& request, const Execution& exec);
/// JADE keeps k²/2 cumulant matrices.
constexpr Index most_jade_sources = 50;
std::uint64_t jade_bytes(Index k);

}  // namespace fewdim
