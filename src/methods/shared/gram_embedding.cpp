#include "methods/shared/gram_embedding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/memory.hpp"
#include "models/file/provenance.hpp"

namespace fewdim {

TilePlan plan_tiles(Index objects, std::size_t scalar_bytes, const Components& components, bool given,
                    std::string_view who, const Execution& exec) {
  const Index count =
      components.kind == Components::Kind::count && components.count > 0 ? std::min(components.count, objects) : 24;
  const std::uint64_t work = symmetric_pairs_bytes(objects, count);
  const std::uint64_t tiles = given                           ? 0
                              : scalar_bytes == sizeof(float) ? SymmetricTiles<float>::kept_bytes(objects)
                                                              : SymmetricTiles<double>::kept_bytes(objects);
  const std::uint64_t limit = memory_limit(exec);
  if (!given && tiles + work <= limit)
    return {true, tiles + work, fmt::format("{} of tiles kept", format_bytes(tiles)), tiles, work};
  require_memory(exec, work, fmt::format("{}: {} objects", who, objects), "take fewer objects");
  return {
      false, work,
      given ? "the matrix as it is given"
            : fmt::format("tiles computed anew for every product, as {} of them would be above the memory limit of {}",
                          format_bytes(tiles), format_bytes(limit)),
      tiles, work};
}

Plan plan_of(const TilePlan& tiles, const DataShape& shape, const Execution& exec) {
  // Rates of two cores, and the number of blocks of 16 columns that block Krylov commonly takes.
  constexpr double kFillRate = 3.5e10, kProductRate = 4.3e10, kBlocks = 15.0;
  const auto n = static_cast<double>(shape.rows), columns = static_cast<double>(shape.cols);
  const double fill = 0.5 * n * n * (2.0 * columns + 40.0), products = kBlocks * n * n * 32.0;
  const auto cost = [&](std::string route, std::uint64_t bytes, double fills, std::string verdict) {
    return RouteCost{.route = std::move(route),
                     .bytes = bytes,
                     .passes = 1,
                     .flops = fills * fill + products,
                     .seconds = fills * fill / kFillRate + products / kProductRate,
                     .verdict = std::move(verdict)};
  };
  Plan plan;
  plan.route = tiles.keep ? "kept" : "anew";
  plan.why = tiles.why;
  plan.bytes = tiles.bytes;
  plan.memory_limit = memory_limit(exec);
  plan.input_bytes = static_cast<std::uint64_t>(n * columns) *
                     (shape.precision == Precision::float32 ? sizeof(float) : sizeof(double));
  plan.passes = 1;
  if (tiles.tile_bytes > 0)
    plan.considered.push_back(
        cost("kept", tiles.tile_bytes + tiles.work_bytes, 1.0, tiles.keep ? "chosen" : "above the memory limit"));
  plan.considered.push_back(
      cost("anew", tiles.work_bytes, tiles.tile_bytes > 0 ? kBlocks : 0.0, tiles.keep ? "slower" : "chosen"));
  plan.seconds = (tiles.keep ? plan.considered.front() : plan.considered.back()).seconds;
  return plan;
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
