#pragma once

#include "fewdim/execution.hpp"
#include "operators/operator.hpp"
#include "solvers/eigen/krylov.hpp"

/// The basis of block Krylov and its steps; krylov.cpp drives them.
namespace fewdim {

/// Two steps in so many go over the whole basis where the tolerance allows it.
constexpr Index kTurns = 6;

/// The basis Q, the projection T = QᵀAQ of its multiplied part, and the block W waiting to be multiplied.
struct KrylovSpace {
  Matrix<double> basis;
  Matrix<double> projected;
  Index size = 0;           ///< multiplied columns of the basis
  Index pending = 0;        ///< columns behind them, orthonormal, not multiplied yet
  Matrix<double> coupling;  ///< B: A·(last block) = Q(…) + W B
  Index last_block = 0;     ///< width of the last multiplied block
  Matrix<double> first;     ///< A times the first block
  Index steps = 0;          ///< since the start, or the last restart
  Index turns = 2;          ///< two steps in so many go over the whole basis
  bool skipped = false;     ///< a step has not
  /// The last state whose blocks have all gone over the whole basis: the columns behind it can be forgotten.
  struct Sound {
    Index size = 0, pending = 0, last_block = 0;
    Matrix<double> coupling{};
  } sound;
};

struct Ritz {
  Vector<double> values;
  Matrix<double> coordinates;
  Vector<double> residuals;  ///< ‖B s_last‖
};

/// One step: multiply the pending block, extend T, and leave the orthonormalized remainder pending. False where it took
/// steps back instead.
bool extend(KrylovSpace& s, const SymmetricOperator& a, const KrylovOptions& options, std::uint32_t stream,
            const Execution& exec);

/// The largest Ritz pairs and their residuals.
Ritz rayleigh_ritz(const KrylovSpace& s, Index count);

/// Keeps the leading Ritz vectors and the pending block; forgets the rest.
void restart(KrylovSpace& s, const Ritz& ritz, const Execution& exec);

/// Makes the basis large enough for so many columns, or for the whole space.
void make_room(KrylovSpace& s, Index columns);

/// What the probe has found joins the block that is multiplied next.
void take_in(KrylovSpace& s, Matrix<double> found, const KrylovOptions& options, std::uint32_t stream,
             const Execution& exec);

}  // namespace fewdim
