#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/memory.hpp"
#include "base/remedy.hpp"
#include "fewdim/pca.hpp"
#include "methods/pca_model.hpp"
#include "methods/shared/spectral.hpp"
#include "methods/shared/spectral_options.hpp"
#include "models/shapes/sparse_check.hpp"
#include "operators/row_moments.hpp"
#include "solvers/routes/problem.hpp"

namespace fewdim {

namespace {

/// What needs the rows themselves.
void require_no_rows(const PcaOptions& o) {
  if (o.components.kind == Components::Kind::criterion)
    throw InvalidOption("pca", "components", o.components.text(), "needs the rows, which an accumulator does not keep",
                        "use a number or a share of variance");
  if (o.weights.size() > 0)
    throw InvalidOption("pca", "weights", fmt::format("{} numbers", o.weights.size()),
                        "belong to rows, which an accumulator does not keep", "give each part its own");
  if (o.embedding)
    throw InvalidOption("pca", "embedding", "true", "needs the rows, which an accumulator does not keep",
                        "use transform on the parts");
  if (o.missing == Missing::em)
    throw InvalidOption("pca", "missing", "em",
                        "goes over all rows again and again, which an accumulator does not keep",
                        "fit all rows at once, or fill the gaps first");
  if (o.route != PcaRoute::automatic && o.route != PcaRoute::covariance)
    throw InvalidOption("pca", "route", enum_text(o.route), "needs the rows, which an accumulator does not keep",
                        "use " + set_option("route", "auto") + " or " + set_option("route", "covariance"));
}

bool lower_is_finite(const Matrix<double>& a) {
  for (Index c = 0; c < a.cols(); ++c)
    if (!a.col(c).tail(a.rows() - c).allFinite()) return false;
  return true;
}

}  // namespace

struct PcaAccumulator::State {
  PcaMoments held;

  /// In any order: one float64 part makes a float64 model, and columns keep the names that one part gives them.
  void merge(const PcaMoments& part) {
    if (part.rows == 0) return;
    if (held.rows == 0) {
      held = part;
      return;
    }
    if (part.mean.size() != held.mean.size())
      throw DataError(
          fmt::format("pca: parts of {} and {} columns can't be merged", held.mean.size(), part.mean.size()));
    if (!held.column_names.empty() && !part.column_names.empty() && part.column_names != held.column_names)
      throw DataError("pca: parts whose columns have other names, or another order, can't be merged");
    if (held.column_names.empty()) held.column_names = part.column_names;
    if (part.precision == Precision::float64) held.precision = Precision::float64;
    if (part.accuracy == Accuracy::standard) held.accuracy = Accuracy::standard;
    Moments all{held.rows, held.weight, std::move(held.mean), std::move(held.scatter)};
    all.merge({part.rows, part.weight, part.mean, part.scatter}, true);
    held.rows = all.rows;
    held.weight = all.weight;
    held.mean = std::move(all.mean);
    held.scatter = std::move(all.scatter);
  }
};

PcaAccumulator::PcaAccumulator() : state_(std::make_unique<State>()) {}
PcaAccumulator::PcaAccumulator(PcaMoments moments) : PcaAccumulator() {
  const Index d = moments.mean.size();
  const auto names = static_cast<Index>(moments.column_names.size());
  const bool fits = moments.rows >= 0 && moments.scatter.rows() == d && moments.scatter.cols() == d &&
                    (names == 0 || names == d) && (moments.rows > 0) == (d > 0);
  if (!fits || !(moments.weight >= 0.0) || !moments.mean.allFinite() || !lower_is_finite(moments.scatter))
    throw DataError("pca: these are no moments of rows: sizes that do not fit, or numbers that are not finite");
  state_->held = std::move(moments);
}
PcaAccumulator::PcaAccumulator(PcaAccumulator&&) noexcept = default;
PcaAccumulator& PcaAccumulator::operator=(PcaAccumulator&&) noexcept = default;
PcaAccumulator::~PcaAccumulator() = default;

Index PcaAccumulator::rows() const { return state_->held.rows; }

const PcaMoments& PcaAccumulator::moments() const { return state_->held; }

void PcaAccumulator::partial_fit(const Dataset& rows, const Execution& exec, Accuracy accuracy) {
  require_valid_sparse(rows, "pca");
  require_weights({.who = "pca", .weights = rows.weights}, rows.rows());
  const bool single = rows.precision() == Precision::float32;
  const bool wide = !single || accuracy == Accuracy::high;
  require_memory(exec, row_moments_bytes(rows.cols(), rows.is_stream(), wide ? 8 : 4), "pca: the covariance",
                 "fit all rows at once on the gram or krylov route");
  Moments part = row_moments(rows, {.float64_products = wide, .weights = &rows.weights}, exec);
  state_->merge({.rows = part.rows,
                 .weight = part.weight,
                 .mean = std::move(part.mean),
                 .scatter = std::move(part.scatter),
                 .precision = rows.precision(),
                 .accuracy = wide ? Accuracy::high : Accuracy::standard,
                 .column_names = rows.column_names});
}

void PcaAccumulator::merge(const PcaAccumulator& other) { state_->merge(other.state_->held); }

PcaOptions PcaAccumulator::options_of(const OptionMap& map) {
  PcaOptions options = pca_options_of(map);
  require_no_rows(options);
  return options;
}

Model PcaAccumulator::finish(const PcaOptions& options, const Execution& exec) const {
  const PcaMoments& held = state_->held;
  if (held.rows == 0) throw DataError("pca: no rows yet; call partial_fit first");
  require_no_rows(options);
  if (options.accuracy == Accuracy::high && held.accuracy == Accuracy::standard)
    throw InvalidOption("pca", "accuracy", "high", "comes too late: float32 parts were added with float32 products",
                        "add all parts with high accuracy, or finish with standard");
  // Stands for the rows that are gone: precision and names only.
  const Index d = held.mean.size();
  Dataset head = held.precision == Precision::float32 ? Dataset(Matrix<float>(0, d)) : Dataset(Matrix<double>(0, d));
  head.column_names = held.column_names;
  Moments moments{held.rows, held.weight, held.mean, held.scatter};
  return pca_model(head, decompose_moments(std::move(moments), pca_problem(options, held.precision), exec), options);
}

}  // namespace fewdim
