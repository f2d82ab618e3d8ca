#pragma once

#include <span>

#include "methods/shared/gram_embedding.hpp"

/// Classical scaling of a few landmarks, and all objects placed by their distances to them (de Silva & Tenenbaum 2004).
namespace fewdim {

template <class S>
struct LandmarkDistances {
  std::span<const std::int32_t> landmarks;  ///< among the objects
  Index objects = 0;
  const S* values = nullptr;  ///< one row a landmark, one column an object

  Index count() const { return std::ssize(landmarks); }
  const S* row(Index landmark) const { return values + landmark * objects; }
};

/// B = −½JΔ²J of the landmarks alone.
template <class S>
GramEmbedding embed_landmarks(const LandmarkDistances<S>& distances, const SymmetricProblem& problem,
                              const Execution& exec);

/// Where Gower's formula puts every object, N×k; a landmark comes to its own place.
template <class S>
Matrix<double> place_by_landmarks(const LandmarkDistances<S>& distances, const GramEmbedding& embedding,
                                  const Execution& exec);

/// 1 − r² for 1 .. k coordinates, over the pairs of a landmark and another object.
template <class S>
Vector<double> residual_variance(const LandmarkDistances<S>& distances, const Matrix<double>& coordinates,
                                 const Execution& exec);

/// The same over all pairs, from the squares of their distances; of more than four million pairs over a sample:
/// the pairs of some objects, drawn by seed, with those before them, so that each pair is as likely as any other.
template <class S>
Vector<double> residual_variance(const SymmetricTiles<S>& squares, const Matrix<double>& coordinates, Seed seed,
                                 const Execution& exec);

}  // namespace fewdim
