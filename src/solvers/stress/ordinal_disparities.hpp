#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "solvers/stress/pair_order.hpp"

namespace fewdim {

/// Monotone regression of a map's distances on the order of the dissimilarities, over all pairs, and the Guttman
/// transform with its disparities. Everything runs through the pairs in their order: coordinates are few and stay in
/// the cache, numbers by pair are many and are read once after the other. Equal dissimilarities may get different
/// disparities (`tied` false: Kruskal's primary approach, weak monotonicity) or must get one (`tied`: his secondary
/// approach, strong).
class OrdinalDisparities {
 public:
  /// Sorts the pairs.
  template <class S>
  OrdinalDisparities(const PairDistances<S>& deltas, bool tied, const Execution& exec);

  struct Sums {
    double residual = 0.0;  ///< Σ (d̂ − d)²
    double fitted = 0.0;    ///< Σ d̂²
    double square = 0.0;    ///< Σ d²
    double cross = 0.0;     ///< Σ d̂ d
  };
  /// The disparities d̂ next to the distances d of the map X (N×k), and its Guttman transform under them.
  Sums evaluate(const Matrix<double>& x, Matrix<double>& image, const Execution& exec);

  /// Calls use(i, j, d̂, d) for each pair by rising dissimilarity, as evaluate() left them.
  void for_each(const std::function<void(Index i, Index j, double fitted, double distance)>& use) const;

  /// Ranks from 0 to 1 in the place of the dissimilarities, equal ones at their mean rank: all that the order tells.
  /// Good until evaluate() is called.
  PairDistances<double> ranks();

  /// The disparity as a function of the dissimilarity: the corners of its graph, `most` at most. Equal dissimilarities
  /// with different disparities give their mean.
  template <class S>
  void knots(const PairDistances<S>& deltas, Index most, Vector<double>& dissimilarity,
             Vector<double>& disparity) const;

 private:
  using Rank = std::uint32_t;
  void cut_chunks();
  void measure(const double* points, Index k, Rank from, Rank to);
  Index pool(Rank from, Rank to);
  void sort_ties(Rank from, Rank to);
  void pull(const double* points, Index k, Rank from, Rank to, Index block, std::uint64_t block_end, double* image,
            Sums& sums) const;

  Index objects_;
  bool tied_;
  PairOrder order_;
  Rank count_;
  std::shared_ptr<double[]> distances_;  ///< by rank
  std::shared_ptr<double[]> sums_;       ///< of blocks with one disparity
  std::shared_ptr<Rank[]> weights_;
  Index blocks_ = 0;
  std::vector<Rank> starts_;  ///< of the chunks, and the end of the last
};

}  // namespace fewdim
