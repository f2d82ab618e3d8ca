#include "methods/shared/gram_embedding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/memory.hpp"
#include "models/file/provenance.hpp"
#include "solvers/routes/plan_builder.hpp"

namespace fewdim {

Plan plan_tiles(const DataShape& shape, const Components& components, bool given, std::string_view who,
                const Execution& exec) {
  constexpr double kBlocks = 15.0;  // of 16 columns, that block Krylov commonly takes
  const Index objects = shape.rows;
  const Index count =
      components.kind == Components::Kind::count && components.count > 0 ? std::min(components.count, objects) : 24;
  const std::uint64_t work = symmetric_pairs_bytes(objects, count);
  const std::uint64_t tiles = given                                   ? 0
                              : shape.precision == Precision::float32 ? SymmetricTiles<float>::kept_bytes(objects)
                                                                      : SymmetricTiles<double>::kept_bytes(objects);
  const auto n = static_cast<double>(shape.rows), columns = static_cast<double>(shape.cols);
  const double fill = 0.5 * n * n * (2.0 * columns + 40.0), products = kBlocks * n * n * 32.0;
  const auto cost = [&](Route route, std::uint64_t bytes, double fills) {
    return RouteCost{
        .route = route,
        .bytes = bytes,
        .passes = 1,
        .flops = fills * fill + products,
        .seconds = seconds_for(Work::tile_fill, fills * fill) + seconds_for(Work::tile_products, products)};
  };
  const std::string what = fmt::format("{}: {} objects", who, objects);
  PlanBuilder plan(shape, exec);
  if (given)
    return plan.consider(cost(Route::given, work, 0.0))
        .because(Reason(ReasonKind::matrix_given))
        .take(Route::given, what, "take fewer objects");
  plan.consider(cost(Route::kept, tiles + work, 1.0)).consider(cost(Route::anew, work, kBlocks));
  if (tiles + work <= plan.limit()) return plan.because(Reason(ReasonKind::tiles_kept, tiles)).take(Route::kept);
  return plan.because(Reason(ReasonKind::tiles_anew, tiles, work, plan.limit()))
      .take(Route::anew, what, "take fewer objects");
}

void explain(Certificate& certificate, const std::vector<Reason>& why) {
  certificate.why.insert(certificate.why.end(), why.begin(), why.end());
}

template <class S>
GramEmbedding embed_gram(const SymmetricTiles<S>& k, double factor, const Vector<double>& diagonal, bool center,
                         const Vector<double>& weights, SymmetricProblem problem, const Execution& exec) {
  const Index n = k.size();
  GramEmbedding out;
  out.weights = weights;
  // Entries are good to ε of the largest: a matrix of such errors has eigenvalues of up to 2ε√N times that (Wigner).
  double largest = 0.0;
  const auto mass = [&](Index i) { return weights.size() > 0 ? static_cast<double>(n) * weights[i] : 1.0; };
  double size = 0.0;
  for (Index i = 0; i < n; ++i) {
    out.total += factor * diagonal[i] * mass(i);
    size += std::abs(factor * diagonal[i]) * mass(i);
    largest = std::max(largest, std::abs(factor * diagonal[i]) * mass(i));
  }
  const auto rounding = [&] {
    return 4.0 * static_cast<double>(std::numeric_limits<S>::epsilon()) * std::sqrt(static_cast<double>(n)) * largest;
  };
  if (!center) {
    problem.total = out.total;
    problem.limit = n;
    problem.nothing = rounding();
    const SymmetricOperator op(n, [&](ConstBlock<double> x, Block<double> y) {
      k.apply(x, y);
      if (factor != 1.0) y *= factor;
    });
    out.pairs = symmetric_pairs(op, problem, exec);
    return out;
  }
  Matrix<double> w(n, 1), means(n, 1);
  for (Index i = 0; i < n; ++i) w(i, 0) = mass(i) / static_cast<double>(n);
  k.apply(w, means);
  out.means = factor * means.col(0);
  for (Index i = 0; i < n; ++i) out.mean += w(i, 0) * out.means[i];
  // tr(W^½ J K Jᵀ W^½) = N Σ w_i (K_ii − 2 means_i + mean) = N Σ w_i K_ii − N mean
  out.total -= static_cast<double>(n) * out.mean;
  size += static_cast<double>(n) * std::abs(out.mean);
  if (!(std::abs(out.total) > 1e-12 * size))
    throw DataError(
        fmt::format("{}: all objects are alike: their similarities differ by no more than rounding", problem.who));
  problem.total = out.total;
  problem.limit = n - 1;
  for (Index i = 0; i < n; ++i) largest = std::max(largest, 2.0 * std::abs(out.means[i]) * mass(i));  // distances
  problem.nothing = rounding();
  out.pairs = symmetric_pairs(double_centered(k, weights, factor), problem, exec);
  return out;
}

Matrix<double> coordinates_of(const GramEmbedding& embedding) {
  return embedding.pairs.vectors * embedding.pairs.values.cwiseSqrt().asDiagonal();
}

void fill_shape(KernelModel& shape, GramEmbedding& embedding, double divisor) {
  shape.coefficients = embedding.pairs.vectors * embedding.pairs.values.cwiseSqrt().cwiseInverse().asDiagonal();
  if (embedding.weights.size() > 0)
    for (Index i = 0; i < shape.coefficients.rows(); ++i)
      shape.coefficients.row(i) *= std::sqrt(static_cast<double>(shape.coefficients.rows()) * embedding.weights[i]);
  shape.means = embedding.means;
  shape.mean = embedding.mean;
  shape.weights = embedding.weights;
  // Where negative eigenvalues outweigh those that are not kept, the trace is less than what is kept.
  embedding.total = std::max(embedding.total, embedding.pairs.values.sum());
  shape.explained_variance = embedding.pairs.values / divisor;
  shape.explained_variance_ratio = embedding.pairs.values / embedding.total;
  shape.total_variance = embedding.total / divisor;
  shape.all_eigenvalues = embedding.pairs.spectrum;
}

Model::Head gram_head(std::string method, const Dataset& data, GramEmbedding& embedding, OptionMap options, Seed seed,
                      const std::string& component_prefix) {
  Model::Head head;
  head.method = std::move(method);
  head.precision = data.precision();
  head.options = std::move(options);
  head.provenance = provenance_of(data, data.rows(), seed);
  head.certificate = std::move(embedding.pairs.certificate);
  head.feature_names = data.column_names;
  for (Index i = 1; i <= embedding.pairs.vectors.cols(); ++i)
    head.component_names.push_back(fmt::format("{}{}", component_prefix, i));
  return head;
}

template GramEmbedding embed_gram(const SymmetricTiles<float>&, double, const Vector<double>&, bool,
                                  const Vector<double>&, SymmetricProblem, const Execution&);
template GramEmbedding embed_gram(const SymmetricTiles<double>&, double, const Vector<double>&, bool,
                                  const Vector<double>&, SymmetricProblem, const Execution&);

}  // namespace fewdim
