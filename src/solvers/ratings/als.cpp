#include "solvers/ratings/als.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "base/random.hpp"

namespace fewdim {

namespace {

/// Sums of one task, added up in the order of tasks.
struct Sums {
  double least = 0.0, rights = 0.0;
  Vector<double> squares{};
};

RowDesign design_of(const LaneTable& other, const Vector<double>& effects, double mean, const AlsProblem& p) {
  RowDesign design;
  design.table = other;
  design.constant = p.effects;
  design.implicit = p.implicit;
  design.by_count = p.by_count;
  design.confidence = p.confidence;
  design.ridge = Vector<double>::Constant(design.unknowns(), p.ridge);
  if (p.effects) {
    design.ridge[p.rank] = p.effect_ridge;
    design.shift = effects.array() + mean;
  }
  if (p.implicit) design.gram = gram_of(other);
  return design;
}

/// One half of a sweep: every row of `entries` by least squares. Where `before` is not null, it also takes the gradient
/// there.
Sums half_sweep(const Csr<double>& entries, const std::vector<Index>& starts, const RowDesign& design, LaneTable& out,
                Vector<double>& effects, const LaneTable* before, const Vector<double>* effects_before,
                const Execution& exec) {
  const Index tasks = std::ssize(starts) - 1, rank = out.cols();
  std::vector<Sums> sums(static_cast<std::size_t>(tasks));
  parallel_for(exec, tasks, [&](Index task) {
    Sums& own = sums[static_cast<std::size_t>(task)];
    own.squares = Vector<double>::Zero(design.unknowns());
    RowFitter fitter(design);
    Vector<double> old(design.unknowns());
    for (Index i = starts[static_cast<std::size_t>(task)]; i < starts[static_cast<std::size_t>(task) + 1]; ++i) {
      const std::int64_t first = entries.offsets[static_cast<std::size_t>(i)];
      const Index count = entries.offsets[static_cast<std::size_t>(i) + 1] - first;
      const double* y = fitter.fit(entries.columns.data() + first, entries.values.data() + first, count);
      std::copy_n(y, rank, out.row(i));
      if (design.constant) effects[i] = y[rank];
      own.least += fitter.least();
      if (!before || count == 0) continue;
      std::copy_n(before->row(i), rank, old.data());
      if (design.constant) old[rank] = (*effects_before)[i];
      own.rights += fitter.residual_at(old.data(), own.squares.data());
    }
  });
  Sums all{.squares = Vector<double>::Zero(design.unknowns())};
  for (const Sums& part : sums) {
    all.least += part.least;
    all.rights += part.rights;
    for (Index c = 0; c < all.squares.size(); ++c) all.squares[c] += part.squares[c];
  }
  return all;
}

/// Σ_j n_j (ridge ‖q_j‖² + effect_ridge c_j²), n_j = 1 unless by count.
double penalty_of(const Csr<double>& entries, const LaneTable& factors, const Vector<double>& effects,
                  const AlsProblem& p) {
  double sum = 0.0;
  for (Index i = 0; i < factors.rows(); ++i) {
    double own = 0.0;
    for (Index c = 0; c < factors.cols(); ++c) own += p.ridge * factors.row(i)[c] * factors.row(i)[c];
    if (p.effects) own += p.effect_ridge * effects[i] * effects[i];
    const auto at = static_cast<std::size_t>(i);
    sum += p.by_count ? own * static_cast<double>(entries.offsets[at + 1] - entries.offsets[at]) : own;
  }
  return sum;
}

/// Items as they start: their own means, shrunk, and small random factors.
void start(const RatingsTable& table, const AlsProblem& p, AlsFactors& f) {
  const Index items = table.columns.rows;
  f.items = LaneTable(items, p.rank);
  f.users = LaneTable(table.rows.rows, p.rank);
  if (p.effects) {
    f.mean = table.mean;
    f.item_effects = Vector<double>::Zero(items);
    f.user_effects = Vector<double>::Zero(table.rows.rows);
    for (Index j = 0; j < items; ++j) {
      const auto at = static_cast<std::size_t>(j);
      double sum = 0.0;
      for (std::int64_t e = table.columns.offsets[at]; e < table.columns.offsets[at + 1]; ++e)
        sum += table.columns.values[static_cast<std::size_t>(e)] - f.mean;
      f.item_effects[j] = sum / (static_cast<double>(table.columns.offsets[at + 1] - table.columns.offsets[at]) + 5.0);
    }
  }
  const double size =
      p.implicit ? 0.1 : std::sqrt(table.deviation / std::max<double>(1.0, static_cast<double>(p.rank)));
  for (Index j = 0; j < items; ++j) {
    const auto at = static_cast<std::size_t>(j);
    if (table.columns.offsets[at] == table.columns.offsets[at + 1]) continue;
    const Random random(p.seed, static_cast<std::uint32_t>(j));
    for (Index c = 0; c < p.rank; ++c) f.items.row(j)[c] = size * random.normal(static_cast<std::uint64_t>(c));
  }
}

}  // namespace

AlsFactors fit_als(const RatingsTable& table, const AlsProblem& p, const Execution& exec) {
  AlsFactors f;
  start(table, p, f);
  const std::vector<Index> by_user = cut_by_entries(table.rows), by_item = cut_by_entries(table.columns);
  LaneTable items = f.items;
  Vector<double> item_effects = f.item_effects;
  for (f.iterations = 0;; ++f.iterations) {
    report_progress(exec, "als", f.iterations, p.iterations, "sweeps");
    const Sums users = half_sweep(table.rows, by_user, design_of(f.items, f.item_effects, f.mean, p), f.users,
                                  f.user_effects, nullptr, nullptr, exec);
    f.objectives.push_back(users.least + penalty_of(table.columns, f.items, f.item_effects, p));
    // Users are at their best for these items: what is left of the gradient is the items'.
    const Sums sums = half_sweep(table.columns, by_item, design_of(f.users, f.user_effects, f.mean, p), items,
                                 item_effects, &f.items, &f.item_effects, exec);
    f.gradient = (sums.squares / (sums.rights > 0.0 ? sums.rights : 1.0)).cwiseSqrt();
    f.converged = f.gradient.norm() <= p.tolerance;
    if (f.converged || f.iterations >= p.iterations) return f;
    std::swap(f.items, items);
    std::swap(f.item_effects, item_effects);
  }
}

std::uint64_t als_bytes(Index rows, Index cols, Index rank) {
  // Users, items twice, and the copy that a half sweep multiplies by.
  return 8 * static_cast<std::uint64_t>(whole_lanes(rank + 1)) *
         static_cast<std::uint64_t>(rows + 2 * cols + std::max(rows, cols));
}

}  // namespace fewdim
