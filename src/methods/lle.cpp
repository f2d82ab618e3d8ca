#include "fewdim/lle.hpp"

#include "graph/barycentric.hpp"
#include "methods/shared/local_embedding.hpp"
#include "methods/verify/verify.hpp"

namespace fewdim {

namespace {

constexpr const char* kLle = "lle";

/// M = Σ_i a_i a_iᵀ with a_i = e_i − Σ_j w_ij e_j: yᵀMy is what the weights leave of the map (Roweis & Saul 2000).
FillPiece lle_weights(const LocalGeometry& local, const LleOptions& o, LocalNotes& notes, const Execution&) {
  return [&local, regularization = o.regularization, &notes](Index i, double* out) {
    const Index k = local.count(i), m = k + 1;
    const auto at = static_cast<std::size_t>(i);
    thread_local std::vector<double> gram, a;
    gram.resize(static_cast<std::size_t>(k * k));
    a.resize(static_cast<std::size_t>(m));
    local.gram(i, gram.data());
    double trace = 0.0;
    for (Index b = 0; b < k; ++b) trace += gram[static_cast<std::size_t>(b * (k + 1))];
    notes.sizes[at] = trace / static_cast<double>(k);
    notes.missing[at] = trace > 0.0 ? 0 : 1;
    notes.errors[at] = barycentric_weights(gram.data(), k, regularization, a.data() + 1);
    a[0] = -1.0;
    for (Index c = 0; c < m; ++c)
      for (Index r = 0; r < m; ++r) out[c * m + r] = a[static_cast<std::size_t>(c)] * a[static_cast<std::size_t>(r)];
  };
}

}  // namespace

const LocalMethod& lle_method() {
  static const LocalMethod method{.who = kLle,
                                  .prefix = "LLE",
                                  .with_object = true,
                                  .misses_all = true,
                                  .fewest = [](Index d) { return d + 1; },
                                  .rule = "more neighbors than components",
                                  .pieces = lle_weights};
  return method;
}

Model fit_lle(const Dataset& data, const LleOptions& options, const Execution& exec) {
  return fit_local(data, options, lle_method(), exec);
}

const MethodCard& lle_card() {
  static const MethodCard card = local_card(
      lle_method(),
      {.title = "Keeps the weights that rebuild each row from its neighbors",
       .citation = "Roweis & Saul 2000; Saul & Roweis 2003",
       .use_when =
           "Use it when the rows lie on a smooth sheet and each row is nearly a weighted mean of its neighbors.",
       .examples = {{"fewdim lle roll.csv --label position -k 2 -m roll.fewdim -o map.csv", "a map of two dimensions"},
                    {"fewdim lle @digits -k 2 --neighbors 20 --plot digits.svg", "a built-in table, drawn"}},
       .fit = [](const Dataset& data, const OptionMap& map,
                 const Execution& exec) { return fit_lle(data, lle_options(map, kLle), exec); },
       .plan = [](const DataShape& shape, const OptionMap& map,
                  const Execution& exec) { return plan_local(shape, lle_options(map, kLle), kLle, exec); },
       .verify = [](const Model& model, const Dataset& data,
                    const Execution& exec) { return verify_local(model, data, lle_method(), exec); }});
  return card;
}

}  // namespace fewdim
