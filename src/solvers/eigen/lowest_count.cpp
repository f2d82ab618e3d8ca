#include "solvers/eigen/lowest_count.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/memory.hpp"
#include "solvers/sparse/sparse_cholesky.hpp"

namespace fewdim {

namespace {

constexpr double kGrowth = 1e8;  // of the factor; beyond, a count may be off

/// Counts eigenvalues below bounds. A bound that hits one breaks the elimination: it moves on a little then.
class Counter {
 public:
  Counter(const SparseSymmetric& a, const Elimination& elimination, const Execution& exec)
      : a_(a), elimination_(elimination), exec_(exec) {}

  std::uint64_t bytes() const { return elimination_.peak_bytes; }
  /// −1 where no count could be trusted.
  Index below(double bound, double step) const {
    for (int attempt = 0; attempt < 4; ++attempt) {
      const Inertia found = count_below(a_, elimination_, bound + attempt * step, exec_);
      if (found.growth <= kGrowth) return found.negative;
    }
    return -1;
  }

 private:
  const SparseSymmetric& a_;
  const Elimination& elimination_;
  const Execution& exec_;
};

}  // namespace

OutsideBound LowestCount::outside(double norm) const {
  return counted && missing == 0 ? OutsideBound{next / -norm, 0.0} : OutsideBound{};
}

LowestCount count_missing(const SparseSymmetric& a, const Elimination& elimination, const Vector<double>& values,
                          Index null, double margin, double claimed, std::vector<std::string>& warnings,
                          const Execution& exec) {
  const double top = values.maxCoeff();
  const Index kept = values.size() + null;
  const Counter counter(a, elimination, exec);
  if (counter.bytes() > memory_limit(exec)) {
    warnings.push_back(
        fmt::format("that no lower eigenvector was missed is not proven: the count takes {}, the limit is {}",
                    format_bytes(counter.bytes()), format_bytes(memory_limit(exec))));
    return {-1, top, top};
  }
  const auto doubtful = [&] {
    warnings.emplace_back(
        "that no lower eigenvector was missed is not proven: the factor for the count grows beyond bounds");
    return LowestCount{-1, top, top};
  };
  // Most of the way to the next: the vectors are the lowest, and the gap above them is real.
  for (const double part : {0.9, 0.5}) {
    const double gap = claimed - top;
    if (!(gap > 4.0 * margin)) break;
    const Index found = counter.below(top + part * gap, -0.1 * part * gap);
    if (found == kept) return {0, top + 0.7 * part * gap, claimed, true};
    if (found > kept && part == 0.5)
      warnings.push_back(fmt::format("an eigenvalue is below {:.6g}, where the next one was found to be {:.6g}",
                                     top + part * gap, claimed));
  }
  const Index above = counter.below(top + margin, 0.1 * margin);
  if (above < 0) return doubtful();
  if (above <= kept) return {0, top + margin, top + margin, true};
  // More than were kept: lower ones, or more of the last value.
  Index missing = 0;
  if (top > margin) {
    const Index below = counter.below(top - margin, -0.1 * margin);
    if (below < 0) return doubtful();
    Index kept_below = null;
    for (const double value : values) kept_below += value < top - margin ? 1 : 0;
    missing = std::max<Index>(0, below - kept_below);
  }
  if (const Index tied = above - kept - missing; tied > 0)
    warnings.push_back(
        fmt::format("{} more eigenvalue{} the last one kept, as far as can be told: which vectors of that space the "
                    "map shows is arbitrary",
                    tied, tied == 1 ? " is" : "s are"));
  for (const double far : {8.0, 2.5, 1.0})
    if (counter.below(top + far * top, 0.1 * far * top) == above) return {missing, top - margin, top + far * top, true};
  return {missing, top - margin, top, true};
}

}  // namespace fewdim
