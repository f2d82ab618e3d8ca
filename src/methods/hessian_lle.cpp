#include "fewdim/lle.hpp"
#include "methods/shared/local_embedding.hpp"
#include "methods/verify/verify.hpp"

namespace fewdim {

namespace {

constexpr const char* kHessianLle = "hessian-lle";
constexpr double kDependent = 1e-8;  // what is left of a column that depends on those before it, as a share

/// The parts of the products of tangent coordinates u_a u_b, a ≤ b, that no affine function of them has: an orthonormal
/// basis by Gram–Schmidt, done twice; columns that depend on those before are dropped.
Matrix<double> quadratic_basis(const Eigen::Ref<const Matrix<double>>& u, std::int32_t& dropped) {
  const Index k = u.rows(), d = u.cols();
  Matrix<double> basis(k, 1 + d + d * (d + 1) / 2);
  basis.col(0).setConstant(1.0 / std::sqrt(static_cast<double>(k)));
  basis.middleCols(1, d) = u;
  Index count = 1 + d;
  for (Index a = 0; a < d; ++a)
    for (Index b = a; b < d; ++b) {
      auto column = basis.col(count);
      column = u.col(a).cwiseProduct(u.col(b));
      const double before = column.norm();
      for (int pass = 0; pass < 2; ++pass)
        for (Index c = 0; c < count; ++c) column -= basis.col(c).dot(column) * basis.col(c);
      const double left = column.norm();
      if (!(left > kDependent * before)) {
        ++dropped;
        continue;
      }
      column /= left;
      ++count;
    }
  return basis.middleCols(1 + d, count - 1 - d);
}

/// M = Σ_i S_i H_i H_iᵀ S_iᵀ: yᵀMy estimates the squared second derivatives of y along the manifold (Donoho & Grimes
/// 2003).
FillPiece hessians_of(const LocalGeometry& local, const LleOptions& o, LocalNotes& notes, const Execution&) {
  return [&local, d = o.components, &notes](Index i, double* out) {
    const Index k = local.count(i);
    const auto at = static_cast<std::size_t>(i);
    const LocalGeometry::Axes axes = local.axes(i, true);
    notes.missing[at] = static_cast<std::int32_t>(std::max<Index>(0, d - axes.vectors.cols()));
    if (notes.missing[at] > 0) return;
    const Matrix<double> h = quadratic_basis(axes.vectors.leftCols(d), notes.dropped[at]);
    Eigen::Map<Matrix<double>>(out, k, k).noalias() = h * h.transpose();
  };
}

}  // namespace

const LocalMethod& hessian_lle_method() {
  static const LocalMethod method{.who = kHessianLle,
                                  .prefix = "HLLE",
                                  .fewest = [](Index d) { return d * (d + 3) / 2 + 1; },
                                  .rule = "more than d(d+3)/2 neighbors for d components",
                                  .pieces = hessians_of};
  return method;
}

Model fit_hessian_lle(const Dataset& data, const LleOptions& options, const Execution& exec) {
  return fit_local(data, options, hessian_lle_method(), exec);
}

const MethodCard& hessian_lle_card() {
  static const MethodCard card = local_card(
      hessian_lle_method(),
      {.title = "Finds coordinates that bend nowhere along the manifold",
       .citation = "Donoho & Grimes 2003",
       .use_when = "Use it when the sheet has holes or an outline that is not convex, and there are many rows.",
       .examples = {{"fewdim hessian-lle roll.csv --label position -k 2 -m roll.fewdim -o map.csv",
                     "a map of two dimensions"},
                    {"fewdim hessian-lle roll.csv --label position -k 2 --coordinates isometric -o scaled.csv",
                     "true to the scale of the rows"}},
       .fit = [](const Dataset& data, const OptionMap& map,
                 const Execution& exec) { return fit_hessian_lle(data, lle_options(map, kHessianLle), exec); },
       .plan =
           [](const DataShape& shape, const OptionMap& map, const Execution& exec) {
             return plan_local(shape, lle_options(map, kHessianLle), kHessianLle, exec);
           },
       .verify = [](const Model& model, const Dataset& data,
                    const Execution& exec) { return verify_local(model, data, hessian_lle_method(), exec); }});
  return card;
}

}  // namespace fewdim
