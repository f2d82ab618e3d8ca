#include "methods/smacof_start.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "methods/shared/gram_embedding.hpp"

namespace fewdim {

namespace {

constexpr std::uint32_t kStartStream = 0x534d4143;  // of the random starts

}  // namespace

template <class S>
Matrix<double> classical_start(const PairDistances<S>& pairs, const Components& components, Seed seed,
                               const Execution& exec) {
  const Index n = pairs.objects();
  const auto fill = [&](Index row, Index m, Index col, Index width, S* out) {
    std::vector<S> scratch;
    const auto piece = pairs.piece(row, m, col, width, scratch);
    for (Index i = 0; i < m; ++i)
      for (Index j = 0; j < width && col + j < row + i; ++j) {
        const S d = piece.row(row + i)[j];
        out[i * width + j] = d * d;
        if (row == col) out[j * width + i] = d * d;
      }
    if (row == col)
      for (Index i = 0; i < m; ++i) out[i * width + i] = S(0);
  };
  const SymmetricTiles<S> squares(n, fill, false, "distances", exec);
  SymmetricProblem problem{.who = "smacof", .components = components, .seed = seed};
  problem.tolerance = std::is_same_v<S, float> ? gram_tolerance(Precision::float32) : 1e-6;
  return coordinates_of(embed_gram(squares, -0.5, Vector<double>::Zero(n), true, {}, problem, exec));
}

template <class S>
void separate(Matrix<double>& x, const PairDistances<S>& deltas, Seed seed) {
  const auto row = [&](Index i) { return Vector<double>(x.row(i).transpose()); };
  std::vector<Index> order(static_cast<std::size_t>(x.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order,
                           [&](Index a, Index b) { return std::ranges::lexicographical_compare(row(a), row(b)); });
  const double step = 1e-3 * x.norm() / std::sqrt(static_cast<double>(x.rows()));
  std::vector<Index> moved;
  for (std::size_t i = 1; i < order.size(); ++i)
    if (row(order[i]) == row(order[i - 1]) && deltas.entry(order[i], order[i - 1]) > 0.0) moved.push_back(order[i]);
  for (const Index i : moved)
    for (Index c = 0; c < x.cols(); ++c)
      x(i, c) +=
          step * Random(seed, kStartStream - 1 - static_cast<std::uint32_t>(c)).normal(static_cast<std::uint64_t>(i));
}

Matrix<double> random_start(Index objects, Index components, Seed seed, Index number) {
  Matrix<double> x(objects, components);
  fill_normal<double>(seed, kStartStream + static_cast<std::uint32_t>(number * components), x);
  return x;
}

#define FEWDIM_INSTANTIATE(S)                                                                                  \
  template Matrix<double> classical_start(const PairDistances<S>&, const Components&, Seed, const Execution&); \
  template void separate(Matrix<double>&, const PairDistances<S>&, Seed);
FEWDIM_INSTANTIATE(float)
FEWDIM_INSTANTIATE(double)
#undef FEWDIM_INSTANTIATE

}  // namespace fewdim
