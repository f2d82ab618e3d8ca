#include "operators/guttman.hpp"

#include <algorithm>
#include <cmath>

#include "base/clones.hpp"
#include "base/parallel.hpp"

namespace fewdim {

namespace {

constexpr Index kGuttmanLanes = 8;
constexpr Index kSide = 256;  // the largest tile
constexpr Index kSums = 8;    // running sums, so that every vector width adds in the same order

struct Sums {
  double of[kSums] = {};
  double total() const {
    double all = of[0];
    for (Index s = 1; s < kSums; ++s) all += of[s];
    return all;
  }
};

struct TileSums {
  Sums residual, square, cross, plain;
};

__attribute__((always_inline)) inline void add_lanes(const double* v, Index n, Sums& sums) {
  Index j = 0;
  for (; j + kSums <= n; j += kSums)
    for (Index s = 0; s < kSums; ++s) sums.of[s] += v[j + s];
  for (Index s = 0; j < n; ++j, ++s) sums.of[s] += v[j];
}

__attribute__((always_inline)) inline void sum_products(const double* v, const double* w, Index n, Sums& sums) {
  Index j = 0;
  for (; j + kSums <= n; j += kSums)
    for (Index s = 0; s < kSums; ++s) sums.of[s] += v[j + s] * w[j + s];
  for (Index s = 0; j < n; ++j, ++s) sums.of[s] += v[j] * w[j];
}

/// d_j = ‖x_i − x_j‖ for the n columns from `x` on; one coordinate after the other, `ld` apart.
__attribute__((always_inline)) inline void distances_to(const double* xi, const double* x, Index ld, Index k, Index n,
                                                        double* d) {
  for (Index j = 0; j < n; ++j) {
    const double u = xi[0] - x[j];
    d[j] = u * u;
  }
  for (Index c = 1; c < k; ++c) {
    const double own = xi[c * ld];
    const double* other = x + c * ld;
    for (Index j = 0; j < n; ++j) {
      const double u = own - other[j];
      d[j] += u * u;
    }
  }
  for (Index j = 0; j < n; ++j) d[j] = std::sqrt(d[j]);
}

/// One row of a tile: adds its part to rows i and j of the image.
template <class S>
__attribute__((always_inline)) inline void guttman_row(const S* delta, Affine t, const double* xi, const double* x,
                                                       Index ld, Index k, Index n, double* image_i, double* image_j,
                                                       TileSums& sums) {
  double d[kSide], target[kSide], ratio[kSide];
  distances_to(xi, x, ld, k, n, d);
  for (Index j = 0; j < n; ++j) {
    target[j] = t.shift + t.factor * static_cast<double>(delta[j]);
    const double safe = d[j] > 0.0 ? d[j] : 1.0;  // divides in every lane
    const double quotient = target[j] / safe;
    ratio[j] = d[j] > 0.0 ? quotient : 0.0;
  }
  sum_products(d, d, n, sums.square);
  sum_products(target, d, n, sums.cross);
  for (Index j = 0; j < n; ++j) target[j] -= d[j];
  sum_products(target, target, n, sums.residual);
  for (Index c = 0; c < k; ++c) {
    const double own = xi[c * ld];
    const double* other = x + c * ld;
    double* to = image_j + c * ld;
    for (Index j = 0; j < n; ++j) {
      d[j] = ratio[j] * (own - other[j]);
      to[j] -= d[j];
    }
    Sums row;
    add_lanes(d, n, row);
    image_i[c * ld] += row.total();
  }
}

template <class S>
__attribute__((always_inline)) inline void measure_row(const S* delta, Affine t, const double* xi, const double* x,
                                                       Index ld, Index k, Index n, TileSums& sums) {
  double d[kSide], target[kSide];
  distances_to(xi, x, ld, k, n, d);
  for (Index j = 0; j < n; ++j) target[j] = t.shift + t.factor * static_cast<double>(delta[j]);
  add_lanes(d, n, sums.plain);
  sum_products(d, d, n, sums.square);
  sum_products(target, d, n, sums.cross);
  for (Index j = 0; j < n; ++j) target[j] -= d[j];
  sum_products(target, target, n, sums.residual);
}

using Tile = PairTiles::Tile;

#define FEWDIM_PAIR_LOOPS(S)                                                                                        \
  FEWDIM_CLONES void guttman_tile(const PairDistances<S>::Piece& piece, const Tile& at, Affine t, const double* x,  \
                                  Index ld, Index k, double* image, TileSums& sums) {                               \
    for (Index i = at.row; i < at.row + at.m; ++i)                                                                  \
      guttman_row(piece.row(i), t, x + i, x + at.col, ld, k, std::min(at.n, i - at.col), image + i, image + at.col, \
                  sums);                                                                                            \
  }                                                                                                                 \
  FEWDIM_CLONES void measure_tile(const PairDistances<S>::Piece& piece, const Tile& at, Affine t, const double* x,  \
                                  Index ld, Index k, TileSums& sums) {                                              \
    for (Index i = at.row; i < at.row + at.m; ++i)                                                                  \
      measure_row(piece.row(i), t, x + i, x + at.col, ld, k, std::min(at.n, i - at.col), sums);                     \
  }
FEWDIM_PAIR_LOOPS(float)
FEWDIM_PAIR_LOOPS(double)
#undef FEWDIM_PAIR_LOOPS

FEWDIM_CLONES void pull(const double* x, Index rows, Index k, const double* targets, const double* y, double* out) {
  double d[kSide], ratio[kSide];
  for (Index c = 0; c < k; ++c) out[c] = 0.0;
  for (Index first = 0; first < rows; first += kSide) {
    const Index n = std::min(kSide, rows - first);
    for (Index j = 0; j < n; ++j) d[j] = 0.0;
    for (Index c = 0; c < k; ++c)
      for (Index j = 0; j < n; ++j) {
        const double u = y[c] - x[c * rows + first + j];
        d[j] += u * u;
      }
    for (Index j = 0; j < n; ++j) {
      const double length = std::sqrt(d[j]);
      const double safe = length > 0.0 ? length : 1.0;
      const double quotient = targets[first + j] / safe;
      ratio[j] = length > 0.0 ? quotient : 0.0;
    }
    for (Index c = 0; c < k; ++c) {
      for (Index j = 0; j < n; ++j) d[j] = ratio[j] * (y[c] - x[c * rows + first + j]);
      Sums sums;
      add_lanes(d, n, sums);
      out[c] += sums.total();
    }
  }
}

/// Runs use(lane, piece, tile, sums) over all tiles and adds the sums up.
template <class S, class Use>
PairSums over_tiles(const PairDistances<S>& deltas, const Execution& exec, const Use& use) {
  const PairTiles tiles(deltas.objects());
  std::vector<PairSums> lanes(kGuttmanLanes);
  parallel_for(exec, kGuttmanLanes, [&](Index lane) {
    std::vector<S> scratch;
    PairSums& sum = lanes[static_cast<std::size_t>(lane)];
    for (Index number = lane; number < tiles.count(); number += kGuttmanLanes) {
      const Tile at = tiles.tile(number);
      TileSums part;
      use(lane, deltas.piece(at.row, at.m, at.col, at.n, scratch), at, part);
      sum.residual += part.residual.total();
      sum.square += part.square.total();
      sum.cross += part.cross.total();
      sum.plain += part.plain.total();
    }
  });
  PairSums all;
  for (const PairSums& lane : lanes) {
    all.residual += lane.residual;
    all.square += lane.square;
    all.cross += lane.cross;
    all.plain += lane.plain;
  }
  return all;
}

}  // namespace

template <class S>
PairSums guttman_transform(const PairDistances<S>& deltas, const Affine& t, const Matrix<double>& x,
                           Matrix<double>& image, const Execution& exec) {
  std::vector<Matrix<double>> lanes(kGuttmanLanes, Matrix<double>());
  const PairSums sums = over_tiles(deltas, exec, [&](Index lane, const auto& piece, const Tile& at, TileSums& part) {
    Matrix<double>& out = lanes[static_cast<std::size_t>(lane)];
    if (out.size() == 0) out = Matrix<double>::Zero(x.rows(), x.cols());
    guttman_tile(piece, at, t, x.data(), x.rows(), x.cols(), out.data(), part);
  });
  image = lanes[0];
  for (std::size_t lane = 1; lane < lanes.size(); ++lane)
    if (lanes[lane].size() > 0) image += lanes[lane];
  image /= static_cast<double>(x.rows());
  return sums;
}

template <class S>
PairSums measure_pairs(const PairDistances<S>& deltas, const Affine& t, const Matrix<double>& x,
                       const Execution& exec) {
  return over_tiles(deltas, exec, [&](Index, const auto& piece, const Tile& at, TileSums& part) {
    measure_tile(piece, at, t, x.data(), x.rows(), x.cols(), part);
  });
}

template <class S>
Vector<double> stress_by_object(const PairDistances<S>& deltas, const Affine& t, const Matrix<double>& x,
                                const Execution& exec) {
  std::vector<Vector<double>> lanes(kGuttmanLanes, Vector<double>::Zero(x.rows()));
  over_tiles(deltas, exec, [&](Index lane, const auto& piece, const Tile& at, TileSums&) {
    Vector<double>& out = lanes[static_cast<std::size_t>(lane)];
    for (Index i = at.row; i < at.row + at.m; ++i)
      for (Index j = 0; j < std::min(at.n, i - at.col); ++j) {
        double square = 0.0;
        for (Index c = 0; c < x.cols(); ++c) square += (x(i, c) - x(at.col + j, c)) * (x(i, c) - x(at.col + j, c));
        const double miss = t.shift + t.factor * static_cast<double>(piece.row(i)[j]) - std::sqrt(square);
        out[i] += miss * miss;
        out[at.col + j] += miss * miss;
      }
  });
  for (std::size_t lane = 1; lane < lanes.size(); ++lane) lanes[0] += lanes[lane];
  return lanes[0];
}

void guttman_pull(const Matrix<double>& x, const double* targets, const double* y, double* out) {
  pull(x.data(), x.rows(), x.cols(), targets, y, out);
}

std::uint64_t guttman_bytes(Index objects, Index components) {
  return static_cast<std::uint64_t>(objects) * static_cast<std::uint64_t>(components) * (kGuttmanLanes + 2) *
         sizeof(double);
}

#define FEWDIM_INSTANTIATE(S)                                                                                         \
  template PairSums guttman_transform(const PairDistances<S>&, const Affine&, const Matrix<double>&, Matrix<double>&, \
                                      const Execution&);                                                              \
  template PairSums measure_pairs(const PairDistances<S>&, const Affine&, const Matrix<double>&, const Execution&);   \
  template Vector<double> stress_by_object(const PairDistances<S>&, const Affine&, const Matrix<double>&,             \
                                           const Execution&);
FEWDIM_INSTANTIATE(float)
FEWDIM_INSTANTIATE(double)
#undef FEWDIM_INSTANTIATE

}  // namespace fewdim
