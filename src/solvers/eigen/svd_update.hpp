#pragma once

#include <vector>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"

/// A decomposition A ≈ U Σ Vᵀ that rows are added to and taken from, without A (Zha & Simon 1999). Rows are objects: U
/// is N×k and stays with the caller, V is D×k.
namespace fewdim {

struct SvdUpdate {
  Vector<double> values{};    ///< the new Σ, falling; r of them
  Matrix<double> v{};         ///< D×r, orthonormal, signs fixed
  Matrix<double> rotation{};  ///< k×r: rows that were there before have U·rotation
  Matrix<double> rows{};      ///< m×r: the new rows' part of U
  /// ‖[UΣVᵀ; B] − U'Σ'V'ᵀ‖²: the squares of the singular values that were cut off, over all steps. They add up without
  /// a bound's slack, as what a step cuts off has columns orthogonal to all that follows; so they add up over updates,
  /// and to ‖A − UΣVᵀ‖² where that was cut from a decomposition, too.
  double discarded = 0.0;
};

/// [UΣVᵀ; B] of rank `rank` at most, B in chunks of about k rows: what B has outside of the span of V is given a basis
/// Q, and [[Σ, 0], [BV, BQ]] is decomposed. Where nothing is cut off it is the decomposition of the whole, to rounding.
/// V has orthonormal columns, none is fine: then it is a decomposition of B. Throws OverMemory.
template <class T>
SvdUpdate append_rows(const Vector<double>& values, const Matrix<double>& v, const CsrView<T>& b, Index rank,
                      const Execution& exec);

/// How much rows have that V can't show, as squares: 0 inside of its span, 1 orthogonal to it. Rows without entries
/// count for nothing.
struct FoldInDrift {
  double share = 0.0;    ///< of all rows together: ‖B − BVVᵀ‖²/‖B‖²
  double mean = 0.0;     ///< over rows
  double largest = 0.0;  ///< of one row
  Index row = -1;        ///< which; -1: there is none with an entry
};

template <class T>
FoldInDrift fold_in_drift(const Matrix<double>& v, const CsrView<T>& b, const Execution& exec);

struct SvdRemoval {
  Vector<double> values{};  ///< as many as stand out of rounding
  Matrix<double> v{};       ///< D×r, signs fixed
  Matrix<double> u{};       ///< of the rows that remain, in their order
};

/// The decomposition of those rows of UΣVᵀ that are not in `removed`, to rounding. U need not be orthonormal. Throws
/// DataError for a row that is not there, and where none would remain; OverMemory.
SvdRemoval remove_rows(const Matrix<double>& u, const Vector<double>& values, const Matrix<double>& v,
                       const std::vector<Index>& removed, const Execution& exec);

}  // namespace fewdim
