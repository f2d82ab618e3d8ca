#include "solvers/eigen/blocks.hpp"

#include <oneapi/tbb/cache_aligned_allocator.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <optional>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "solvers/eigen/thin_kernels.hpp"

namespace fewdim {

namespace {

constexpr Index kChunk = 1024;

using ThinSums = std::vector<double, tbb::cache_aligned_allocator<double>>;

Index chunks_of(Index rows) { return (rows + kChunk - 1) / kChunk; }

/// Is the product of Q with so many columns one for the thin kernels?
bool thin(ConstBlock<double> q, Index cols) { return cols > 1 && cols <= kThinMost && q.cols() >= kThin; }

Index padded(Index cols) { return cols <= kThin ? kThin : kThinMost; }

/// Some rows of a thin block, row-major and padded with zeros, small enough for the first cache.
struct ThinRows {
  static constexpr Index kNumbers = 4096;
  alignas(64) double numbers[kNumbers];

  static Index count(Index width) { return kNumbers / width; }

  void take(ConstBlock<double> w, Index first, Index rows, Index width) {
    for (Index c = 0; c < width; ++c)
      for (Index i = 0; i < rows; ++i) numbers[i * width + c] = c < w.cols() ? w(first + i, c) : 0.0;
  }

  void give(Block<double> w, Index first, Index rows, Index width) const {
    for (Index c = 0; c < w.cols(); ++c)
      for (Index i = 0; i < rows; ++i) w(first + i, c) = numbers[i * width + c];
  }
};

/// H for the thin kernels.
ThinSums thin_factors(ConstBlock<double> h, Index width) {
  ThinSums factors(static_cast<std::size_t>(h.rows() * width), 0.0);
  for (Index c = 0; c < h.cols(); ++c)
    for (Index j = 0; j < h.rows(); ++j) factors[static_cast<std::size_t>(j * width + c)] = h(j, c);
  return factors;
}

/// QᵀW of rows first .. last, where before(i, count, rows) may change the rows of W that it is given.
template <class Before>
void project_thin(ConstBlock<double> q, ConstBlock<double> w, Index first, Index last, Matrix<double>& out,
                  const Before& before) {
  const Index width = padded(w.cols()), step = ThinRows::count(width);
  ThinRows rows;
  ThinSums sums(static_cast<std::size_t>(q.cols() * width), 0.0);
  for (Index i = first; i < last; i += step) {
    const Index count = std::min(step, last - i);
    rows.take(w, i, count, width);
    before(i, count, rows);
    thin_project(q.data() + i, q.outerStride(), count, q.cols(), width, rows.numbers, sums.data());
  }
  for (Index c = 0; c < w.cols(); ++c)
    for (Index j = 0; j < q.cols(); ++j) out(j, c) = sums[static_cast<std::size_t>(j * width + c)];
}

void subtract_thin(ConstBlock<double> q, ConstBlock<double> h, Block<double> w, const Execution& exec) {
  const Index width = padded(w.cols()), step = ThinRows::count(width);
  const ThinSums factors = thin_factors(h, width);
  parallel_for(exec, chunks_of(w.rows()), [&](Index chunk) {
    ThinRows rows;
    const Index last = std::min((chunk + 1) * kChunk, w.rows());
    for (Index i = chunk * kChunk; i < last; i += step) {
      const Index count = std::min(step, last - i);
      rows.take(w, i, count, width);
      thin_subtract(q.data() + i, q.outerStride(), count, q.cols(), width, factors.data(), rows.numbers);
      rows.give(w, i, count, width);
    }
  });
}

/// Σ over groups of rows of what group(first, last, part) finds, m×b: at most 16 partial sums, added in order.
template <class Group>
Matrix<double> sum_of_groups(Index rows, Index m, Index b, const Execution& exec, const Group& group) {
  const Index groups = std::min<Index>(chunks_of(rows), 16);
  std::vector<Matrix<double>> parts(static_cast<std::size_t>(groups));
  parallel_for(exec, groups, [&](Index g) {
    auto& part = parts[static_cast<std::size_t>(g)];
    part.resize(m, b);
    group(rows * g / groups, rows * (g + 1) / groups, part);
  });
  Matrix<double> out = Matrix<double>::Zero(m, b);
  for (const auto& part : parts) out += part;
  return out;
}

}  // namespace

Matrix<double> project(ConstBlock<double> q, ConstBlock<double> w, const Execution& exec) {
  const Index m = q.cols(), b = w.cols();
  if (m == 0 || b == 0) return Matrix<double>::Zero(m, b);
  return sum_of_groups(q.rows(), m, b, exec, [&](Index first, Index last, Matrix<double>& part) {
    if (thin(q, b)) return project_thin(q, w, first, last, part, [](Index, Index, ThinRows&) {});
    blas::gemm(true, false, m, b, last - first, 1.0, q.data() + first, q.outerStride(), w.data() + first,
               w.outerStride(), 0.0, part.data(), m);
  });
}

void subtract(ConstBlock<double> q, ConstBlock<double> h, Block<double> w, const Execution& exec) {
  if (q.cols() == 0) return;
  if (thin(q, w.cols())) return subtract_thin(q, h, w, exec);
  parallel_for(exec, chunks_of(w.rows()), [&](Index chunk) {
    const Index first = chunk * kChunk, count = std::min(kChunk, w.rows() - first);
    blas::gemm(false, false, count, w.cols(), q.cols(), -1.0, q.data() + first, q.outerStride(), h.data(),
               h.outerStride(), 1.0, w.data() + first, w.outerStride());
  });
}

Matrix<double> subtract_and_project(ConstBlock<double> q, ConstBlock<double> h, Block<double> w, ConstBlock<double> p,
                                    const Execution& exec) {
  if (w.cols() > kThinMost || q.cols() == 0 || p.cols() == 0) {
    subtract(q, h, w, exec);
    return project(p, w, exec);
  }
  const Index width = padded(w.cols());
  const ThinSums factors = thin_factors(h, width);
  const auto take_off = [&](Index i, Index count, ThinRows& rows) {
    thin_subtract(q.data() + i, q.outerStride(), count, q.cols(), width, factors.data(), rows.numbers);
    rows.give(w, i, count, width);
  };
  return sum_of_groups(w.rows(), p.cols(), w.cols(), exec, [&](Index first, Index last, Matrix<double>& part) {
    project_thin(p, w, first, last, part, take_off);
  });
}

void combine(ConstBlock<double> q, ConstBlock<double> s, Block<double> out, const Execution& exec) {
  parallel_for(exec, chunks_of(out.rows()), [&](Index chunk) {
    const Index first = chunk * kChunk, count = std::min(kChunk, out.rows() - first);
    blas::gemm(false, false, count, out.cols(), q.cols(), 1.0, q.data() + first, q.outerStride(), s.data(),
               s.outerStride(), 0.0, out.data() + first, out.outerStride());
  });
}

Vector<double> column_norms(ConstBlock<double> w) {
  Vector<double> norms(w.cols());
  for (Index c = 0; c < w.cols(); ++c) norms[c] = blas::nrm2(w.rows(), w.data() + c * w.outerStride());
  return norms;
}

namespace {

/// The factor R of W = Q R by Cholesky's decomposition of WᵀW, and how much W R⁻¹ enlarges errors of W's columns.
struct BlockFactor {
  Matrix<double> r, inverse;
  double growth = 0.0;
};

std::optional<BlockFactor> factor_of(ConstBlock<double> w, double negligible, const Execution& exec) {
  Matrix<double> g = project(w, w, exec);
  const Vector<double> norms = g.diagonal().cwiseSqrt();
  if (!(norms.minCoeff() > negligible)) return std::nullopt;
  const Vector<double> inverse_norms = norms.cwiseInverse();
  g = (inverse_norms.asDiagonal() * g * inverse_norms.asDiagonal()).eval();
  const Eigen::LLT<Matrix<double>, Eigen::Upper> cholesky(g);
  if (cholesky.info() != Eigen::Success) return std::nullopt;
  BlockFactor out;
  out.r = cholesky.matrixU();
  out.inverse = out.r.triangularView<Eigen::Upper>().solve(Matrix<double>::Identity(w.cols(), w.cols()));
  out.growth = out.inverse.norm();
  out.r = (out.r * norms.asDiagonal()).eval();
  out.inverse = (inverse_norms.asDiagonal() * out.inverse).eval();
  if (!(out.r.diagonal().minCoeff() > negligible)) return std::nullopt;
  return out;
}

/// orthonormalize() for a W that has full rank beyond doubt (Cholesky QR, twice: Yamamoto et al. 2015); W is as it was
/// where it has not.
std::optional<Matrix<double>> orthonormalize_whole(ConstBlock<double> q, Matrix<double>& w, double negligible,
                                                   const Execution& exec) {
  constexpr double kSound = 1e6;    // WᵀW is of full rank: ε·1e12 is small beside 1
  constexpr double kHarmless = 30;  // what W has left of Q may grow by so much
  const auto first = factor_of(w, negligible, exec);
  if (!first || first->growth > kSound) return std::nullopt;
  Matrix<double> turned(w.rows(), w.cols());
  combine(w, first->inverse, turned, exec);
  if (first->growth > kHarmless) subtract(q, project(q, turned, exec), turned, exec);
  const auto second = factor_of(turned, 0.5, exec);
  if (!second) return std::nullopt;
  combine(turned, second->inverse, w, exec);
  return second->r * first->r;
}

}  // namespace

Matrix<double> orthonormalize(ConstBlock<double> q, Matrix<double>& w, double negligible, Seed seed,
                              std::uint32_t stream, const Execution& exec) {
  const Index n = w.rows(), width = std::min(w.cols(), n - q.cols());
  if (width == w.cols() && width > 1)
    if (auto b = orthonormalize_whole(q, w, negligible, exec)) return *b;
  Matrix<double> b = Matrix<double>::Zero(width, w.cols());
  const auto clean = [&](Index c) {  // column c against Q and the finished columns, twice
    for (int pass = 0; pass < 2; ++pass) {
      subtract(q, project(q, w.col(c), exec), w.col(c), exec);
      const Matrix<double> h = project(w.leftCols(c), w.col(c), exec);
      subtract(w.leftCols(c), h, w.col(c), exec);
    }
  };
  Index done = 0;
  for (Index c = 0; c < w.cols(); ++c) {
    if (done != c && done < width) w.col(done) = w.col(c);
    // Within the block: modified Gram–Schmidt, twice.
    const double before = done < width ? column_norms(w.col(done))[0] : 0.0;
    if (done >= width) {  // the space is used up: what is left lies in the block
      b.col(c) = project(w.leftCols(done), w.col(c), exec);
      continue;
    }
    for (int pass = 0; pass < 2 && done > 0; ++pass) {
      const Matrix<double> h = project(w.leftCols(done), w.col(done), exec);
      subtract(w.leftCols(done), h, w.col(done), exec);
      b.block(0, c, done, 1) += h;
    }
    double norm = column_norms(w.col(done))[0];
    if (norm > negligible && norm < 1e-3 * before) {  // what is left has lost its orthogonality to Q
      clean(done);
      norm = column_norms(w.col(done))[0];
    }
    if (norm > negligible) {
      b(done, c) = norm;
    } else {
      fill_normal<double>(seed, stream + static_cast<std::uint32_t>(c), w.col(done));
      clean(done);
      norm = column_norms(w.col(done))[0];
      clean(done);
      norm = column_norms(w.col(done))[0];
    }
    w.col(done) /= norm;
    ++done;
  }
  w.conservativeResize(n, width);
  return b;
}

void polish_orthonormal(Matrix<double>& v, const Execution& exec) {
  const Eigen::LLT<Matrix<double>, Eigen::Upper> cholesky(project(v, v, exec));
  const Matrix<double> inverse = cholesky.matrixU().solve(Matrix<double>::Identity(v.cols(), v.cols()));
  Matrix<double> polished(v.rows(), v.cols());
  combine(v, inverse, polished, exec);
  v = std::move(polished);
}

double orthogonality_defect(ConstBlock<double> v, const Execution& exec) {
  Matrix<double> g = project(v, v, exec);
  g.diagonal().array() -= 1.0;
  return g.size() > 0 ? g.cwiseAbs().maxCoeff() : 0.0;
}

}  // namespace fewdim
