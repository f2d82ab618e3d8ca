#include "solvers/nmf/nonnegative.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/clones.hpp"

namespace fewdim {

namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr int kMostSweeps = 100, kQuietSweeps = 3;

/// Coordinate descent from y = 0 until the zeros have been the same for a few sweeps. g ends as a − Gy.
FEWDIM_CLONES
void descend(const double* gram, const double* inverse_diagonal, Index k, const double* a, double* y, double* g) {
  for (Index c = 0; c < k; ++c) y[c] = 0.0, g[c] = a[c];
  int quiet = 0;
  for (int sweep = 0; sweep < kMostSweeps && quiet < kQuietSweeps; ++sweep) {
    bool same = true;
    for (Index c = 0; c < k; ++c) {
      const double next = std::max(0.0, y[c] + g[c] * inverse_diagonal[c]);
      const double step = next - y[c];
      if (step == 0.0) continue;
      same = same && (next > 0.0) == (y[c] > 0.0);
      y[c] = next;
      const double* column = gram + c * k;
      for (Index l = 0; l < k; ++l) g[l] -= step * column[l];
    }
    quiet = same ? quiet + 1 : 0;
  }
}

}  // namespace

NonnegativeSolver::Scratch::Scratch(Index size)
    : factor(size, size),
      gradient(size),
      trial(size),
      scale(size),
      is_passive(static_cast<std::size_t>(size)),
      blocked(static_cast<std::size_t>(size)) {
  passive.reserve(static_cast<std::size_t>(size));
}

NonnegativeSolver::NonnegativeSolver(Matrix<double> gram)
    : gram_(std::move(gram)), inverse_diagonal_(Vector<double>::Zero(gram_.rows())) {
  for (Index c = 0; c < size(); ++c)
    if (gram_(c, c) > 0.0) inverse_diagonal_[c] = 1.0 / gram_(c, c);
}

/// One more row of the factor; false where column c depends on those there are.
bool NonnegativeSolver::append(Index c, Scratch& s) const {
  const Index p = std::ssize(s.passive);
  double rest = gram_(c, c);
  for (Index i = 0; i < p; ++i) {
    double value = gram_(s.passive[static_cast<std::size_t>(i)], c);
    for (Index j = 0; j < i; ++j) value -= s.factor(j, i) * s.factor(j, p);  // kept transposed: columns are rows of L
    s.factor(i, p) = value / s.factor(i, i);
    rest -= s.factor(i, p) * s.factor(i, p);
  }
  if (!(rest > 8.0 * kEps * static_cast<double>(p + 1) * gram_(c, c))) return false;
  s.factor(p, p) = std::sqrt(rest);
  s.passive.push_back(c);
  s.is_passive[static_cast<std::size_t>(c)] = 1;
  return true;
}

/// The factor of all c with y_c > 0; one that depends on others is set to zero.
void NonnegativeSolver::factor_anew(double* y, Scratch& s) const {
  s.passive.clear();
  std::ranges::fill(s.is_passive, 0);
  for (Index c = 0; c < size(); ++c)
    if (y[c] > 0.0 && !append(c, s)) y[c] = 0.0;
}

/// trial = G_PP⁻¹ a_P.
void NonnegativeSolver::solve_passive(const double* a, Scratch& s) const {
  const Index p = std::ssize(s.passive);
  for (Index i = 0; i < p; ++i) {
    double value = a[s.passive[static_cast<std::size_t>(i)]];
    for (Index j = 0; j < i; ++j) value -= s.factor(j, i) * s.trial[j];
    s.trial[i] = value / s.factor(i, i);
  }
  for (Index i = p - 1; i >= 0; --i) {
    double value = s.trial[i];
    for (Index j = i + 1; j < p; ++j) value -= s.factor(i, j) * s.trial[j];
    s.trial[i] = value / s.factor(i, i);
  }
}

/// The least of the passive part, going towards it only as far as no coefficient falls below zero; those that reach it
/// leave, and it starts over.
void NonnegativeSolver::descend_to_passive(const double* a, double* y, Scratch& s) const {
  while (!s.passive.empty()) {
    solve_passive(a, s);
    const Index p = std::ssize(s.passive);
    double step = 1.0;
    Index leaves = -1;
    for (Index i = 0; i < p; ++i) {
      const double from = y[s.passive[static_cast<std::size_t>(i)]];
      if (s.trial[i] > 0.0) continue;
      const double reach = from > 0.0 ? from / (from - s.trial[i]) : 0.0;
      if (leaves < 0 || reach < step) step = reach, leaves = i;
    }
    for (Index i = 0; i < p; ++i) {
      double& value = y[s.passive[static_cast<std::size_t>(i)]];
      value = leaves < 0 ? s.trial[i] : std::max(0.0, value + step * (s.trial[i] - value));
    }
    if (leaves < 0) return;
    y[s.passive[static_cast<std::size_t>(leaves)]] = 0.0;
    factor_anew(y, s);
  }
}

/// The zero whose growth lowers the sum the most for its length; -1 where none does, beyond rounding.
Index NonnegativeSolver::steepest(const double* a, const double* y, Scratch& s) const {
  for (Index c = 0; c < size(); ++c) s.gradient[c] = a[c], s.scale[c] = std::abs(a[c]);
  for (const Index p : s.passive)
    for (Index c = 0; c < size(); ++c) {
      const double part = gram_(c, p) * y[p];
      s.gradient[c] -= part;
      s.scale[c] += std::abs(part);
    }
  Index best = -1;
  double most = 0.0;
  for (Index c = 0; c < size(); ++c) {
    const auto at = static_cast<std::size_t>(c);
    if (s.is_passive[at] || s.blocked[at] || inverse_diagonal_[c] == 0.0) continue;
    if (s.gradient[c] <= 4.0 * kEps * static_cast<double>(size()) * s.scale[c]) continue;
    const double slope = s.gradient[c] * std::sqrt(inverse_diagonal_[c]);
    if (slope > most) most = slope, best = c;
  }
  return best;
}

void NonnegativeSolver::solve(const double* a, double* y, Scratch& s) const {
  const Index k = size();
  if (!std::all_of(a, a + k, [](double value) { return std::isfinite(value); })) {
    std::fill(y, y + k, std::numeric_limits<double>::quiet_NaN());
    return;
  }
  descend(gram_.data(), inverse_diagonal_.data(), k, a, y, s.gradient.data());
  factor_anew(y, s);
  descend_to_passive(a, y, s);
  std::ranges::fill(s.blocked, 0);
  const Index most = 10 * k + 10;  // each round lowers the sum; rounding alone could make more
  for (Index round = 0; round < most; ++round) {
    const Index c = steepest(a, y, s);
    if (c < 0) return;
    const bool independent = append(c, s);
    if (independent) descend_to_passive(a, y, s);
    if (y[c] > 0.0)
      std::ranges::fill(s.blocked, 0);
    else
      s.blocked[static_cast<std::size_t>(c)] = 1;  // its growth was rounding
  }
}

}  // namespace fewdim
