#include "fewdim/lle.hpp"
#include "methods/shared/local_embedding.hpp"
#include "methods/verify/verify.hpp"

namespace fewdim {

namespace {

constexpr const char* kLtsa = "ltsa";

/// M = Σ_i S_i (I − 11ᵀ/k − UUᵀ) S_iᵀ with U the coordinates of the neighbors in their tangent space: what no affine
/// map of those explains (Zhang & Zha 2004).
FillPiece residuals_of(const LocalGeometry& local, const LleOptions& o, LocalNotes& notes, const Execution&) {
  return [&local, d = o.components, &notes](Index i, double* out) {
    const Index k = local.count(i);
    const LocalGeometry::Axes axes = local.axes(i, true);
    notes.missing[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(std::max<Index>(0, d - axes.vectors.cols()));
    if (notes.missing[static_cast<std::size_t>(i)] > 0) return;
    Eigen::Map<Matrix<double>> piece(out, k, k);
    piece.noalias() = -axes.vectors.leftCols(d) * axes.vectors.leftCols(d).transpose();
    piece.array() -= 1.0 / static_cast<double>(k);
    piece.diagonal().array() += 1.0;
  };
}

}  // namespace

const LocalMethod& ltsa_method() {
  static const LocalMethod method{.who = kLtsa,
                                  .prefix = "LTSA",
                                  .fewest = [](Index d) { return d + 1; },
                                  .rule = "more neighbors than components",
                                  .pieces = residuals_of};
  return method;
}

Model fit_ltsa(const Dataset& data, const LleOptions& options, const Execution& exec) {
  return fit_local(data, options, ltsa_method(), exec);
}

const MethodCard& ltsa_card() {
  static const MethodCard card = local_card(
      ltsa_method(),
      {.title = "Glues the tangent coordinates of neighborhoods together",
       .citation = "Zhang & Zha 2004",
       .use_when = "Use it when the rows sample a smooth sheet well and the map should be faithful to it everywhere.",
       .examples = {{"fewdim ltsa roll.csv --label position -k 2 -m roll.fewdim -o map.csv", "a map of two dimensions"},
                    {"fewdim ltsa roll.csv --label position -k 2 --coordinates isometric -o scaled.csv",
                     "true to the scale of the rows"}},
       .fit = [](const Dataset& data, const OptionMap& map,
                 const Execution& exec) { return fit_ltsa(data, lle_options(map, kLtsa), exec); },
       .plan = [](const DataShape& shape, const OptionMap& map,
                  const Execution& exec) { return plan_local(shape, lle_options(map, kLtsa), kLtsa, exec); },
       .verify = [](const Model& model, const Dataset& data,
                    const Execution& exec) { return verify_local(model, data, ltsa_method(), exec); }});
  return card;
}

}  // namespace fewdim
