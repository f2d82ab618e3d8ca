#include "methods/verify/verify.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/remedy.hpp"
#include "data/table/reshape.hpp"
#include "fewdim/pca.hpp"
#include "fewdim/text_index.hpp"
#include "models/shapes/linear.hpp"
#include "models/shapes/sparse_check.hpp"
#include "models/text/term_postings.hpp"
#include "solvers/eigen/certify.hpp"
#include "solvers/routes/decompose.hpp"

namespace fewdim {

namespace {

/// The question the model answers, from what it keeps.
SpectralProblem problem_of(const Model& model, const Dataset& data, bool likelihood) {
  const LinearModel& shape = model.linear();
  SpectralProblem problem;
  problem.who = "verify";
  problem.center = shape.mean.size() > 0;
  problem.scale = shape.scale.size() > 0;
  const auto ddof = model.head().options.find("ddof");
  problem.normalize = likelihood || ddof != model.head().options.end();  // the SVD has none
  const auto* value = problem.normalize && !likelihood ? std::get_if<std::int64_t>(&ddof->second) : nullptr;
  problem.ddof = likelihood || (value && *value == 0) ? 0 : 1;
  problem.weights = data.weights;
  problem.components = Components(model.components());
  return problem;
}

void require_shape(const Model& model, const Dataset& data) {
  if (model.linear().explained_variance.size() != model.components())
    throw Unsupported("verify: the model holds no eigenvalues to check; fit it anew");
  const Index rows = model.head().provenance.rows;
  if (data.cols() != model.features())
    throw DataError(fmt::format("verify: the model has {} features, the data {}; give what it was fitted on",
                                model.features(), data.cols()));
  if (data.rows() >= 0 && data.rows() != rows)
    throw DataError(fmt::format("verify: the model was fitted on {} rows, the data have {}; give what it was fitted on",
                                rows, data.rows()));
  const bool weighted = !model.head().provenance.weights_hash.empty();
  if (weighted && data.weights.size() == 0)
    throw DataError("verify: this model was fitted with weights; give the same ones with " + set_option("weights") +
                    " or " + set_option("weights_column"));
  if (!weighted && data.weights.size() > 0)
    throw DataError("verify: this model was fitted without weights; leave them out");
  if (data.weights.size() > 0 && data.weights.size() != rows)
    throw DataError(fmt::format("verify: {} weights for {} rows; give one per row", data.weights.size(), rows));
  if (data.is_stream() && !data.stream()->rewindable())
    throw Unsupported("verify: it takes two passes over the rows, and a pipe has one; save it to a file first");
}

/// What residuals the fit has promised, and whether it missed a direction. Before there were bounds of what lies
/// outside, residuals were relative to the largest eigenvalue.
void judge_residuals(Verification& out, const Model& model, double outside) {
  const Certificate& claimed = model.certificate();
  const Vector<double>& values = model.linear().explained_variance;
  const Index count = values.size();
  const double rounding = model.head().precision == Precision::float32 ? 1e-6 : 1e-12;
  out.allowed = claimed.outside_probability < 1.0 ? allowed_residuals(values, count, claimed.tolerance, rounding)
                                                  : Vector<double>::Constant(count, claimed.tolerance);
  for (Index i = 0; i < count; ++i)
    out.allowed[i] = std::max(out.allowed[i], claimed.residuals.size() == count ? 2.0 * claimed.residuals[i] : 0.0) +
                     rounding + claimed.forming_error;
  const double last = count > 0 ? values[count - 1] : 0.0, largest = count > 0 ? values[0] : 1.0;
  const double slack = out.allowed.size() > 0 ? 2.0 * out.allowed[count - 1] * largest : 0.0;
  out.missed = outside > last + slack ? (outside - last) / std::max(last, 1e-300) : 0.0;
}

}  // namespace

/// An index holds the counts it was made from; documents that were folded in have no part in its decomposition.
Verification verify_counts(const Model& model, const Dataset& data, const Execution& exec) {
  if (!data.empty()) throw Unsupported("verify: an index is judged by the counts it holds; give the model alone");
  const TextIndex& index = model.index();
  Csr<float> rows = rows_of(index);
  rows.rows = index.documents() - index.folded;
  rows.offsets.resize(static_cast<std::size_t>(rows.rows) + 1);
  rows.columns.resize(static_cast<std::size_t>(rows.offsets.back()));
  rows.values.resize(rows.columns.size());
  apply_weights(index.weights, rows, exec);
  SpectralProblem problem;
  problem.who = "verify";
  problem.center = problem.normalize = false;
  problem.components = Components(model.components());
  Decomposition claimed;
  claimed.values = model.linear().explained_variance;
  claimed.vectors = model.linear().map;
  Verification out;
  Decomposition found = recertify(Dataset(std::move(rows)), problem, claimed, exec);
  judge_residuals(out, model, found.found_outside);
  out.variance_error = std::abs(model.linear().total_variance - found.total) / found.total;
  out.certificate = std::move(found.certificate);
  return out;
}

namespace {

/// Throws where the directions are no eigenvectors of the data.
void require_eigenvectors(const Model& model) {
  if (!is_orthonormal(model.linear()))
    throw Unsupported(
        fmt::format("verify: is for eigenvectors, and the directions of {} are none; what is known of them is in {}",
                    model.method(), use_command("inspect")));
  if (model.certificate().route == Route::em)
    throw Unsupported(
        fmt::format("verify: {} was fitted by EM to rows with missing values; what is known of it is in {}",
                    model.method(), use_command("inspect")));
}

Verification verify_directions(const Model& model, const Dataset& data, bool likelihood, const Execution& exec) {
  require_eigenvectors(model);
  const LinearModel& shape = model.linear();
  require_shape(model, data);
  require_valid_sparse(data, "verify");
  Decomposition claimed;
  claimed.values = shape.explained_variance;
  claimed.vectors = shape.map;
  Decomposition found = recertify(data, problem_of(model, data, likelihood), claimed, exec);
  if (found.rows != model.head().provenance.rows)
    throw DataError(fmt::format("verify: the model was fitted on {} rows, the data have {}; give what it was fitted on",
                                model.head().provenance.rows, found.rows));
  Verification out;
  judge_residuals(out, model, found.found_outside);
  for (Index j = 0; j < found.mean.size(); ++j) {
    const double size = std::abs(found.mean[j]) + std::sqrt(found.column_variance[j]);
    if (size > 0.0) out.mean_error = std::max(out.mean_error, std::abs(shape.mean[j] - found.mean[j]) / size);
  }
  for (Index j = 0; j < found.scale.size(); ++j)
    out.scale_error = std::max(out.scale_error, std::abs(shape.scale[j] - found.scale[j]) / found.scale[j]);
  out.variance_error = std::abs(shape.total_variance - found.total) / found.total;
  out.certificate = std::move(found.certificate);
  return out;
}

}  // namespace

Verification verify_decomposition(const Model& model, const Dataset& data, const Execution& exec) {
  return verify_directions(model, data, false, exec);
}

Verification verify_likelihood(const Model& model, const Dataset& data, const Execution& exec) {
  return verify_directions(model, data, true, exec);
}

Verification verify(const Model& model, const Dataset& data, const Execution& exec) {
  const MethodCard* card = find_method(model.method());
  if (!card)
    throw Unsupported(
        fmt::format("verify: there is no method {} here to check the model by; use the version of fewdim "
                    "that made it",
                    model.method()));
  if (!card->verify) throw Unsupported(fmt::format("verify: {}", card->unverified));
  if (card->takes.kinds.has(DataKind::rows))
    if (const auto own = own_columns(data, model.head().feature_names, "verify", exec))
      return card->verify(model, *own, exec);
  return card->verify(model, data, exec);
}

}  // namespace fewdim
