#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "features/pair_distances.hpp"

namespace fewdim {

/// Monotone regression of the map's distances on the order of the dissimilarities, over all pairs. Equal
/// dissimilarities may get different disparities (`tied` false: Kruskal's primary approach, weak monotonicity) or must
/// get one (`tied`: his secondary approach, strong).
class OrdinalDisparities {
 public:
  /// Sorts the pairs. At most 2^32 − 1 of them.
  template <class S>
  OrdinalDisparities(const PairDistances<S>& deltas, bool tied, const Execution& exec);

  /// The numbers that fit() works on, packed; to be filled with the distances before.
  double* values() { return values_.get(); }
  const double* values() const { return values_.get(); }
  PairDistances<double> pairs() const { return PairDistances<double>::packed(objects_, values_); }

  struct Fit {
    double residual = 0.0;  ///< Σ (d̂ − d)²
    double square = 0.0;    ///< Σ d̂²
  };
  /// Replaces distances d by the disparities d̂ next to them.
  Fit fit(const Execution& exec);

  /// Replaces the values by ranks from 0 to 1, equal dissimilarities by their mean rank: all that the order tells.
  void set_ranks();

  /// The disparity as a function of the dissimilarity: the corners of its graph, `most` at most. Equal dissimilarities
  /// with different disparities give their mean.
  template <class S>
  void knots(const PairDistances<S>& deltas, Index most, Vector<double>& dissimilarity,
             Vector<double>& disparity) const;

  /// Bytes at the peak, while sorting.
  static std::uint64_t bytes(Index objects);

 private:
  using Rank = std::uint32_t;
  Rank group_end(Rank start) const;
  void cut_chunks();
  Index fit_chunk(Rank from, Rank to);

  Index objects_;
  bool tied_;
  Rank count_;
  std::shared_ptr<Rank[]> order_;     ///< places of the pairs, by rising dissimilarity
  std::vector<bool> equal_;           ///< the dissimilarity at this rank equals the one before
  std::shared_ptr<double[]> values_;  ///< by place
  std::shared_ptr<double[]> sums_;    ///< of blocks
  std::shared_ptr<Rank[]> weights_;
  std::vector<Rank> starts_;  ///< of the chunks, and the end of the last
};

}  // namespace fewdim
