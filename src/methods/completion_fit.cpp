#include "methods/completion_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/conventions.hpp"
#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "solvers/eigen/direct.hpp"
#include "solvers/ratings/als.hpp"

namespace fewdim {

namespace {

constexpr const char* kCompletionFit = "complete";

/// Factors turned so that Σ_j n_j q_j q_jᵀ is diagonal and falls: the objective and its penalties stay as they are.
Matrix<double> turn_of(const AlsFactors& f, const RatingsTable& table, bool by_count) {
  const Index k = f.items.cols();
  Matrix<double> moment = Matrix<double>::Zero(k, k);
  for (Index j = 0; j < f.items.rows(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    const double weight =
        by_count ? static_cast<double>(table.columns.offsets[at + 1] - table.columns.offsets[at]) : 1.0;
    const double* q = f.items.row(j);
    for (Index c = 0; c < k; ++c)
      for (Index r = c; r < k; ++r) moment(r, c) += weight * q[r] * q[c];
  }
  return eigen_symmetric(moment, k).vectors;
}

CompletionFactors from_als(AlsFactors f, const RatingsTable& table, const AlsProblem& p) {
  const Index k = p.rank, effect = p.effects ? 1 : 0, users = f.users.rows(), items = f.items.rows();
  CompletionFactors out;
  out.row_fit = p.implicit ? RowFit::implicit : RowFit::observed;
  out.map = Matrix<double>::Ones(items, k + effect);
  out.places = Matrix<double>::Zero(k + effect, users);
  if (p.effects) {
    out.mean = f.item_effects.array() + f.mean;
    out.places.row(0) = f.user_effects.transpose();
  }
  const Matrix<double> turn = k > 0 ? turn_of(f, table, p.by_count) : Matrix<double>(0, 0);
  const auto turned = [&](const double* factors, Index c) {
    double sum = 0.0;
    for (Index r = 0; r < k; ++r) sum += factors[r] * turn(r, c);
    return sum;
  };
  for (Index j = 0; j < items; ++j)
    for (Index c = 0; c < k; ++c) out.map(j, effect + c) = turned(f.items.row(j), c);
  for (Index u = 0; u < users; ++u)
    for (Index c = 0; c < k; ++c) out.places(effect + c, u) = turned(f.users.row(u), c);
  for (Index c = effect; c < k + effect; ++c)
    if (sign_of(out.map.col(c)) < 0) {
      out.map.col(c) = -out.map.col(c);
      out.places.row(c) = -out.places.row(c);
    }
  out.regression.ridge = Vector<double>::Constant(k + effect, p.ridge);
  if (p.effects) out.regression.ridge[0] = p.effect_ridge;
  out.regression.ridge_by_count = p.by_count;
  out.regression.confidence = p.implicit ? p.confidence : 0.0;
  out.objectives = std::move(f.objectives);
  out.lambda = p.ridge;
  out.gradient = f.gradient.norm();
  out.iterations = f.iterations;
  out.converged = f.converged;
  return out;
}

/// Column means of the entries that are there, and the entries without them.
Vector<double> center_columns(RatingsTable& table, bool center) {
  Vector<double> mean = Vector<double>::Zero(table.rows.cols);
  if (!center) return {};
  for (Index j = 0; j < mean.size(); ++j) {
    const std::int64_t first = table.columns.offsets[static_cast<std::size_t>(j)],
                       last = table.columns.offsets[static_cast<std::size_t>(j) + 1];
    double sum = 0.0;
    for (std::int64_t e = first; e < last; ++e) sum += table.columns.values[static_cast<std::size_t>(e)] - table.mean;
    mean[j] = table.mean + (last > first ? sum / static_cast<double>(last - first) : 0.0);
    for (std::int64_t e = first; e < last; ++e) table.columns.values[static_cast<std::size_t>(e)] -= mean[j];
  }
  for (std::size_t e = 0; e < table.rows.columns.size(); ++e) table.rows.values[e] -= mean[table.rows.columns[e]];
  return mean;
}

/// x ≈ mean + U D Vᵀ with the map V: rows are placed by a ridge λ/d_c, whose answer for the rows of the fit is U D.
CompletionFactors from_soft_impute(SoftImputeFactors f, const Vector<double>& mean) {
  Index kept = 0;
  while (kept < f.values.size() && f.values[kept] > 1e-9 * std::max(f.values[0], f.lambda)) ++kept;
  CompletionFactors out;
  out.lambda = f.lambda;
  out.objectives = std::move(f.objectives);
  out.gradient = f.gradient.norm();
  out.iterations = f.iterations;
  out.converged = f.converged;
  out.mean = mean;
  out.map = f.v.leftCols(kept);
  out.places = (f.u.leftCols(kept) * f.values.head(kept).asDiagonal()).transpose();
  for (Index c = 0; c < kept; ++c)
    if (sign_of(out.map.col(c)) < 0) {
      out.map.col(c) = -out.map.col(c);
      out.places.row(c) = -out.places.row(c);
    }
  out.singular_values = f.values.head(kept);
  out.regression.ridge = f.lambda * out.singular_values.cwiseInverse();
  return out;
}

CompletionFactors fit_soft_impute(const RatingsTable& table, const CompletionOptions& o, Index rank, double ridge,
                                  const Execution& exec) {
  std::vector<double> ridges;
  for (double at = 0.5; at > 1.2 * ridge; at *= 0.5) ridges.push_back(at);
  ridges.push_back(ridge);
  CompletionFactors out;
  soft_impute_path(table, o, rank, ridges, exec, [&](const CompletionFactors& factors) {
    out = factors;
    return true;
  });
  if (out.map.cols() == 0)
    throw InvalidOption(kCompletionFit, "ridge", fmt::format("{:g}", ridge),
                        "leaves nothing: 1 is where all factors vanish", lower_option("ridge"), ErrorKind::data);
  return out;
}

}  // namespace

void soft_impute_path(const RatingsTable& table, const CompletionOptions& o, Index rank,
                      const std::vector<double>& ridges, const Execution& exec,
                      const std::function<bool(const CompletionFactors&)>& use) {
  RatingsTable centered = table;
  const Vector<double> mean = center_columns(centered, o.center);
  SoftImputeFactors f = soft_impute_start(centered, rank, o.seed, exec);
  const double largest = f.values[0];
  if (!(largest > 0.0))
    throw DataError(
        fmt::format("{}: the values of each column are all equal: there is nothing to learn", kCompletionFit));
  for (std::size_t i = 0; i < ridges.size(); ++i) {
    const bool last = i + 1 == ridges.size();
    f = soft_impute(centered, std::move(f),
                    {.lambda = ridges[i] * largest,
                     .tolerance = last ? o.tolerance : std::max(o.tolerance, 1e-2),
                     .iterations = o.iterations},
                    exec);
    if (!use(from_soft_impute(f, mean))) return;
  }
}

CompletionFactors fit_factors(const RatingsTable& table, const CompletionOptions& o, Index rank, double ridge,
                              const Execution& exec) {
  if (o.kind == CompletionKind::soft_impute) return fit_soft_impute(table, o, rank, ridge, exec);
  const bool implicit = o.kind == CompletionKind::implicit;
  const AlsProblem problem{.who = kCompletionFit,
                           .rank = rank,
                           .effects = !implicit,
                           .implicit = implicit,
                           .ridge = implicit ? ridge : ridge * table.deviation,
                           .effect_ridge = o.effect_ridge,
                           .by_count = o.ridge_by_count,
                           .confidence = o.confidence,
                           .tolerance = o.tolerance,
                           .iterations = o.iterations,
                           .seed = o.seed};
  return from_als(fit_als(table, problem, exec), table, problem);
}

double predicted(const CompletionFactors& factors, Index user, Index item, double lowest, double highest) {
  double sum = factors.mean.size() > 0 ? factors.mean[item] : 0.0;
  for (Index c = 0; c < factors.map.cols(); ++c) sum += factors.map(item, c) * factors.places(c, user);
  return std::clamp(sum, lowest, highest);
}

}  // namespace fewdim
