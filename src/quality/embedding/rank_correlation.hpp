#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fewdim/quality.hpp"

namespace fewdim {

/// Which pairs of rows a rank correlation of distances is taken over: all of the rows looked at while they are few
/// enough to be kept and sorted, else as many random partners for each of those rows as that allows.
class PairSample {
 public:
  struct Limits {
    Index all = Index{1} << 21;    ///< where all pairs there are can be kept
    Index drawn = Index{1} << 18;  ///< where they can't: sorted once, ranked anew 40 times
  };

  /// `looked_at` rows of n.
  PairSample(Index n, Index looked_at, Seed seed, const Limits& limits);
  PairSample(Index n, Index looked_at, Seed seed) : PairSample(n, looked_at, seed, Limits{}) {}

  bool every_pair() const { return partners_ == 0; }
  std::uint64_t bytes() const;

  /// Keeps the pairs of row i, the p-th that is looked at, by its distances to all rows. From any thread.
  void keep(Index p, Index i, const double* original, const double* embedding);

  /// Spearman's correlation of the kept distances, ranks of ties averaged. The standard error comes from a jackknife
  /// that leaves out one of 20 groups of rows at a time, and one of 20 groups of partners.
  Measure spearman() const;

 private:
  std::size_t offset(Index p, Index i) const;

  Index n_, looked_at_;
  Index partners_;  ///< per row; 0: all
  Seed seed_;
  std::vector<double> original_, embedding_;
};

}  // namespace fewdim
