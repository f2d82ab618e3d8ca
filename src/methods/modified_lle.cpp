#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "fewdim/lle.hpp"
#include "graph/barycentric.hpp"
#include "methods/shared/local_embedding.hpp"
#include "methods/verify/verify.hpp"

namespace fewdim {

namespace {

constexpr const char* kModifiedLle = "modified-lle";
constexpr Index kObjects = 64;  // in a task
// Neighborhoods flat to rounding have nothing that could be told from it.
constexpr double kFlat = 1e-12;

double share_beyond(const Vector<double>& values, Index kept) {
  const double inside = values.head(std::min(kept, values.size())).sum();
  return inside > 0.0 ? (values.sum() - inside) / inside : 0.0;
}

/// η: the median over objects of the share that a neighborhood has off its d leading directions.
double median_share(const LocalGeometry& local, Index d, const Execution& exec) {
  const Index n = local.objects();
  std::vector<double> shares(static_cast<std::size_t>(n));
  parallel_for(exec, (n + kObjects - 1) / kObjects, [&](Index task) {
    for (Index i = task * kObjects; i < std::min(n, (task + 1) * kObjects); ++i)
      shares[static_cast<std::size_t>(i)] = share_beyond(local.axes(i, false).values, d);
  });
  const auto middle = shares.begin() + n / 2;
  std::ranges::nth_element(shares, middle);
  const double upper = *middle;
  if (n % 2 == 1) return upper;
  return 0.5 * (upper + *std::max_element(shares.begin(), middle));
}

/// As many leading directions as leave no more than η of the rest; the others span the space that is nearly null.
Index spread_directions(const Vector<double>& values, double eta) {
  Index r = 1;
  while (r < values.size() && share_beyond(values, r) >= eta) ++r;
  return r;
}

/// W_i = V_i H_i + (1 − α) w 1ᵀ, with V_i the s directions of the nearly null space, H_i the reflection that makes
/// every column of V_i H_i sum to α, and w the weights of LLE (Zhang & Wang 2006). M = Σ_i (e_i1ᵀ − S_iW_i)(…)ᵀ. As
/// H_i² = I and H_i V_iᵀ1 = α1, only P = V_iV_iᵀ = I − UUᵀ counts:
///   W_iW_iᵀ = P + (1−α)/α (w pᵀ + p wᵀ) + s(1−α)² wwᵀ and W_i1 = p/α + s(1−α)w, with p = P1 and α² = 1ᵀp/s.
FillPiece modified_weights(const LocalGeometry& local, const LleOptions& o, LocalNotes& notes, const Execution& exec) {
  const double eta = std::max(kFlat, median_share(local, o.components, exec));
  return [&local, eta, regularization = o.regularization, d = o.components, &notes](Index i, double* out) {
    const Index k = local.count(i);
    const auto at = static_cast<std::size_t>(i);
    const LocalGeometry::Axes axes = local.axes(i, false);
    notes.missing[at] = static_cast<std::int32_t>(std::max<Index>(0, d - axes.vectors.cols()));
    if (notes.missing[at] > 0) return;
    Matrix<double> gram(k, k);
    Vector<double> w(k);
    local.gram(i, gram.data());
    notes.sizes[at] = gram.trace() / static_cast<double>(k);
    notes.errors[at] = barycentric_weights(gram.data(), k, regularization, w.data());

    const Index r = std::min(spread_directions(axes.values, eta), axes.vectors.cols());
    const auto u = axes.vectors.leftCols(r);
    const auto s = static_cast<double>(k - r);
    const Vector<double> p = Vector<double>::Ones(k) - u * u.colwise().sum().transpose();
    const double alpha = std::sqrt(std::max(0.0, p.sum()) / s);
    const double beside = alpha > kFlat ? 1.0 / alpha : 0.0;
    Eigen::Map<Matrix<double>> piece(out, k + 1, k + 1);
    auto inner = piece.bottomRightCorner(k, k);
    inner.noalias() = -u * u.transpose();
    inner.diagonal().array() += 1.0;
    inner += (1.0 - alpha) * beside * (w * p.transpose() + p * w.transpose());
    inner += s * (1.0 - alpha) * (1.0 - alpha) * w * w.transpose();
    const Vector<double> sums = beside * p + s * (1.0 - alpha) * w;
    piece(0, 0) = s;
    piece.col(0).tail(k) = -sums;
    piece.row(0).tail(k) = -sums.transpose();
  };
}

}  // namespace

const LocalMethod& modified_lle_method() {
  static const LocalMethod method{.who = kModifiedLle,
                                  .prefix = "MLLE",
                                  .with_object = true,
                                  .fewest = [](Index d) { return d + 1; },
                                  .rule = "more neighbors than components",
                                  .pieces = modified_weights};
  return method;
}

Model fit_modified_lle(const Dataset& data, const LleOptions& options, const Execution& exec) {
  return fit_local(data, options, modified_lle_method(), exec);
}

const MethodCard& modified_lle_card() {
  static const MethodCard card = local_card(
      modified_lle_method(),
      {.title = "LLE with several weight vectors a row, which bends less",
       .citation = "Zhang & Wang 2006",
       .use_when = "Use it when the map of lle is folded or stretched and you can use more neighbors than components.",
       .examples = {{"fewdim modified-lle roll.csv --label position -k 2 -m roll.fewdim -o map.csv",
                     "a map of two dimensions"},
                    {"fewdim modified-lle roll.csv --label position -k 2 --coordinates isometric -o scaled.csv",
                     "true to the scale of the rows"}},
       .fit = [](const Dataset& data, const OptionMap& map,
                 const Execution& exec) { return fit_modified_lle(data, lle_options(map, kModifiedLle), exec); },
       .plan =
           [](const DataShape& shape, const OptionMap& map, const Execution& exec) {
             return plan_local(shape, lle_options(map, kModifiedLle), kModifiedLle, exec);
           },
       .verify = [](const Model& model, const Dataset& data,
                    const Execution& exec) { return verify_local(model, data, modified_lle_method(), exec); }});
  return card;
}

}  // namespace fewdim
