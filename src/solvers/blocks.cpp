#include "solvers/blocks.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"

namespace fewdim {

namespace {

constexpr Index kChunk = 1024;

Index chunks_of(Index rows) { return (rows + kChunk - 1) / kChunk; }

}  // namespace

Matrix<double> project(ConstBlock<double> q, ConstBlock<double> w, const Execution& exec) {
  const Index m = q.cols(), b = w.cols();
  Matrix<double> out = Matrix<double>::Zero(m, b);
  if (m == 0 || b == 0) return out;
  // At most 16 partial sums: chunks are grouped, each group summed in order, then the groups in order.
  const Index chunks = chunks_of(q.rows()), groups = std::min<Index>(chunks, 16);
  std::vector<Matrix<double>> parts(static_cast<std::size_t>(groups));
  parallel_for(exec, groups, [&](Index group) {
    const Index first = q.rows() * group / groups, last = q.rows() * (group + 1) / groups;
    auto& part = parts[static_cast<std::size_t>(group)];
    part.resize(m, b);
    blas::gemm(true, false, m, b, last - first, 1.0, q.data() + first, q.outerStride(), w.data() + first,
               w.outerStride(), 0.0, part.data(), m);
  });
  for (const auto& part : parts) out += part;
  return out;
}

void subtract(ConstBlock<double> q, ConstBlock<double> h, Block<double> w, const Execution& exec) {
  if (q.cols() == 0) return;
  parallel_for(exec, chunks_of(w.rows()), [&](Index chunk) {
    const Index first = chunk * kChunk, count = std::min(kChunk, w.rows() - first);
    blas::gemm(false, false, count, w.cols(), q.cols(), -1.0, q.data() + first, q.outerStride(), h.data(),
               h.outerStride(), 1.0, w.data() + first, w.outerStride());
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

Matrix<double> orthonormalize(ConstBlock<double> q, Matrix<double>& w, double negligible, Seed seed,
                              std::uint32_t stream, const Execution& exec) {
  const Index n = w.rows();
  Index width = std::min(w.cols(), n - q.cols());
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
    if (done >= width) break;
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
