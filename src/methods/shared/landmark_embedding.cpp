#include "methods/shared/landmark_embedding.hpp"

#include <algorithm>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "quality/embedding/residual_variance.hpp"

namespace fewdim {

namespace {

/// The coordinates of one object, one after the other.
std::vector<double> place_of(const Matrix<double>& coordinates, Index i) {
  std::vector<double> out;
  for (Index d = 0; d < coordinates.cols(); ++d) out.push_back(coordinates(i, d));
  return out;
}

/// The objects whose pairs count: all, or as many as make up four million.
std::vector<bool> sample_of(Index n, Seed seed) {
  constexpr double kPairs = 4e6;
  constexpr std::uint32_t kStream = 0x72766172;
  const double pairs = 0.5 * static_cast<double>(n) * static_cast<double>(n - 1);
  const auto count = static_cast<Index>(std::min(1.0, kPairs / std::max(pairs, 1.0)) * static_cast<double>(n));
  if (pairs <= kPairs) return std::vector<bool>(static_cast<std::size_t>(n), true);
  std::vector<bool> chosen(static_cast<std::size_t>(n), false);
  for (const Index i : draw_without_replacement(n, count, seed, kStream)) chosen[static_cast<std::size_t>(i)] = true;
  return chosen;
}

Vector<double> in_order(const std::vector<CurveSums>& sums) {
  CurveSums all = sums.front();
  for (std::size_t i = 1; i < sums.size(); ++i) all += sums[i];
  return all.residual_variance();
}

}  // namespace

template <class S>
GramEmbedding embed_landmarks(const LandmarkDistances<S>& distances, const SymmetricProblem& problem,
                              const Execution& exec) {
  const Index count = distances.count();
  const auto fill = [&](Index row, Index m, Index col, Index n, S* out) {
    for (Index i = 0; i < m; ++i)
      for (Index j = 0; j < n; ++j) {  // one half of a symmetric matrix is the whole of it
        const Index a = std::max(row + i, col + j), b = std::min(row + i, col + j);
        const S d = distances.row(a)[distances.landmarks[static_cast<std::size_t>(b)]];
        out[i * n + j] = d * d;
      }
  };
  const SymmetricTiles<S> squares(count, fill, true, "landmarks", exec);
  return embed_gram(squares, -0.5, Vector<double>::Zero(count), true, {}, problem, exec);
}

template <class S>
Matrix<double> place_by_landmarks(const LandmarkDistances<S>& distances, const GramEmbedding& embedding,
                                  const Execution& exec) {
  constexpr Index kObjects = 512;
  const Index count = distances.count(), n = distances.objects, k = embedding.pairs.values.size();
  // y_c = Σ_l (s_l − Σ_m s_m / count − means_l + mean) coefficient_lc with s = −½d², as a kernel model does.
  const Matrix<double> coefficients =
      embedding.pairs.vectors * embedding.pairs.values.cwiseSqrt().cwiseInverse().asDiagonal();
  Vector<double> shift = Vector<double>::Zero(k), sums = Vector<double>::Zero(k);
  for (Index c = 0; c < k; ++c)
    for (Index l = 0; l < count; ++l) {
      shift[c] += (embedding.mean - embedding.means[l]) * coefficients(l, c);
      sums[c] += coefficients(l, c);
    }
  Matrix<double> out(n, k);
  parallel_for(exec, (n + kObjects - 1) / kObjects, [&](Index task) {
    const Index first = task * kObjects, width = std::min(kObjects, n - first);
    std::vector<double> tile(static_cast<std::size_t>(count * kObjects)), level(kObjects, 0.0);
    for (Index l = 0; l < count; ++l) {
      const S* row = distances.row(l) + first;
      double* similar = tile.data() + l * kObjects;
      for (Index i = 0; i < width; ++i) {
        similar[i] = -0.5 * (static_cast<double>(row[i]) * static_cast<double>(row[i]));
        level[static_cast<std::size_t>(i)] += similar[i];
      }
    }
    Matrix<double> places(k, kObjects);
    blas::gemm(true, true, k, kObjects, count, 1.0, coefficients.data(), count, tile.data(), kObjects, 0.0,
               places.data(), k);
    for (Index i = 0; i < width; ++i)
      for (Index c = 0; c < k; ++c)
        out(first + i, c) =
            places(c, i) + shift[c] - level[static_cast<std::size_t>(i)] / static_cast<double>(count) * sums[c];
  });
  return out;
}

template <class S>
Vector<double> residual_variance(const LandmarkDistances<S>& distances, const Matrix<double>& coordinates,
                                 const Execution& exec) {
  std::vector<CurveSums> sums(static_cast<std::size_t>(distances.count()), CurveSums(coordinates.cols()));
  parallel_for(exec, distances.count(), [&](Index l) {
    const auto at = static_cast<std::size_t>(l);
    const std::vector<double> place = place_of(coordinates, distances.landmarks[at]);
    add_pairs(distances.row(l), false, place.data(), coordinates, 0, distances.objects, sums[at]);
    sums[at].count -= 1.0;  // the landmark itself, which has added nothing else
  });
  return in_order(sums);
}

template <class S>
Vector<double> residual_variance(const SymmetricTiles<S>& squares, const Matrix<double>& coordinates, Seed seed,
                                 const Execution& exec) {
  constexpr Index kTile = SymmetricTiles<S>::kTile;
  const std::vector<bool> chosen = sample_of(squares.size(), seed);
  report_progress(exec, "residual variance", 0, 1, "passes");
  const Index blocks = (squares.size() + kTile - 1) / kTile;
  std::vector<CurveSums> sums(static_cast<std::size_t>(blocks * (blocks + 1) / 2), CurveSums(coordinates.cols()));
  squares.for_each([&](Index row, Index m, Index col, Index n, const S* tile) {
    const Index block = row / kTile;
    CurveSums& sum = sums[static_cast<std::size_t>(block * (block + 1) / 2 + col / kTile)];
    for (Index i = 0; i < m; ++i)
      if (chosen[static_cast<std::size_t>(row + i)])
        add_pairs(tile + i * n, true, place_of(coordinates, row + i).data(), coordinates, col, row == col ? i : n, sum);
  });
  return in_order(sums);
}

#define FEWDIM_INSTANTIATE(S)                                                                                      \
  template GramEmbedding embed_landmarks(const LandmarkDistances<S>&, const SymmetricProblem&, const Execution&);  \
  template Matrix<double> place_by_landmarks(const LandmarkDistances<S>&, const GramEmbedding&, const Execution&); \
  template Vector<double> residual_variance(const LandmarkDistances<S>&, const Matrix<double>&, const Execution&); \
  template Vector<double> residual_variance(const SymmetricTiles<S>&, const Matrix<double>&, Seed, const Execution&);
FEWDIM_INSTANTIATE(float)
FEWDIM_INSTANTIATE(double)
#undef FEWDIM_INSTANTIATE

}  // namespace fewdim
