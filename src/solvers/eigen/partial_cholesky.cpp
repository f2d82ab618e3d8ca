#include "solvers/eigen/partial_cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"

namespace fewdim {

namespace {

constexpr Index kBlock = 96;                                                // proposals at a time
constexpr Index kFactorRows = 512;                                          // rows of F that are made at a time
constexpr double kRoundingLeft = 1e-12;                                     // of the trace: what is left is rounding
constexpr std::uint32_t kProposals = 0x6e797374, kRejections = 0x72656a65;  // streams of random numbers

/// Rows that may become pivots, in blocks.
class Proposals {
 public:
  Proposals(Index rows, Pivots how, Seed seed) : how_(how), random_(seed, kProposals) {
    if (how == Pivots::uniform) order_ = draw_without_replacement(rows, rows, seed, kProposals);
  }

  std::vector<std::int32_t> next(const Vector<double>& left) {
    std::vector<std::int32_t> out;
    if (how_ == Pivots::uniform) {
      while (std::ssize(out) < kBlock && at_ < order_.size()) out.push_back(static_cast<std::int32_t>(order_[at_++]));
      return out;
    }
    std::vector<double> sums(static_cast<std::size_t>(left.size()));
    std::partial_sum(left.begin(), left.end(), sums.begin());
    for (Index i = 0; i < kBlock; ++i) {
      const double place = random_.uniform(drawn_++) * sums.back();
      const auto row = std::upper_bound(sums.begin(), sums.end(), place) - sums.begin();
      out.push_back(static_cast<std::int32_t>(std::min<Index>(row, left.size() - 1)));
    }
    return out;
  }

 private:
  Pivots how_;
  Random random_;
  std::vector<Index> order_{};
  std::size_t at_ = 0;
  std::uint64_t drawn_ = 0;
};

/// K(rows, rows) − F(rows) F(rows)ᵀ: what is not known yet, among a few rows.
Matrix<double> left_among(const std::vector<std::int32_t>& rows, const KernelColumns& columns,
                          const RowMatrix<double>& factor, Index rank) {
  const auto n = std::ssize(rows);
  RowMatrix<double> out(n, n), known(n, rank);
  for (Index i = 0; i < n; ++i) {
    columns(rows[static_cast<std::size_t>(i)], 1, out.data() + i * n);
    known.row(i) = factor.row(rows[static_cast<std::size_t>(i)]).head(rank);
  }
  if (rank > 0) blas::gemm(true, false, n, n, rank, -1.0, known.data(), rank, known.data(), rank, 1.0, out.data(), n);
  return out;
}

/// The proposals that are taken, and the lower triangle L of their part of what was left.
struct Accepted {
  std::vector<std::int32_t> rows{};
  Matrix<double> triangle{};
};

/// Takes a proposal with probability (what is left of it)/(what was left when it was proposed): then they are as if
/// drawn one after the other.
Accepted accept(const std::vector<std::int32_t>& proposals, Matrix<double> left, Pivots how, double least, Index most,
                const Random& random, std::uint64_t& drawn) {
  const auto n = std::ssize(proposals);
  const Vector<double> at_first = left.diagonal();
  Matrix<double> columns(n, n);
  std::vector<Index> taken;
  for (Index j = 0; j < n && std::ssize(taken) < most; ++j) {
    const bool lucky = how == Pivots::uniform || random.uniform(drawn++) * at_first[j] < left(j, j);
    if (!lucky || !(left(j, j) > least)) continue;
    const Vector<double> column = left.col(j) / std::sqrt(left(j, j));
    for (Index c = 0; c < n; ++c)
      for (Index r = 0; r < n; ++r) left(r, c) -= column[r] * column[c];
    columns.col(std::ssize(taken)) = column;
    taken.push_back(j);
  }
  Accepted out;
  out.triangle = Matrix<double>::Zero(std::ssize(taken), std::ssize(taken));
  for (std::size_t i = 0; i < taken.size(); ++i) {
    out.rows.push_back(proposals[static_cast<std::size_t>(taken[i])]);
    for (std::size_t c = 0; c <= i; ++c)
      out.triangle(static_cast<Index>(i), static_cast<Index>(c)) = columns(taken[i], static_cast<Index>(c));
  }
  return out;
}

/// Columns rank .. rank+b of F are (K(:,S) − F F(S)ᵀ) L^−ᵀ; takes their squares off what is left.
void extend_factor(RowMatrix<double>& factor, Index rank, const Accepted& accepted, const KernelColumns& columns,
                   Vector<double>& left, const Execution& exec) {
  const Index n = factor.rows(), stride = factor.cols(), count = std::ssize(accepted.rows);
  RowMatrix<double> known(count, std::max<Index>(rank, 1));
  for (Index i = 0; i < count && rank > 0; ++i)
    known.row(i) = factor.row(accepted.rows[static_cast<std::size_t>(i)]).head(rank);
  const Matrix<double> inverse =
      accepted.triangle.triangularView<Eigen::Lower>().solve(Matrix<double>::Identity(count, count));
  parallel_for(exec, (n + kFactorRows - 1) / kFactorRows, [&](Index task) {
    const Index first = task * kFactorRows, rows = std::min(kFactorRows, n - first);
    std::vector<double> tile(static_cast<std::size_t>(rows * count));
    columns(first, rows, tile.data());
    double* out = factor.data() + first * stride;
    if (rank > 0)
      blas::gemm(true, false, count, rows, rank, -1.0, known.data(), rank, out, stride, 1.0, tile.data(), count);
    blas::gemm(false, false, count, rows, count, 1.0, inverse.data(), count, tile.data(), count, 0.0, out + rank,
               stride);
    for (Index i = 0; i < rows; ++i) {
      double square = 0.0;
      for (Index c = 0; c < count; ++c) square += out[i * stride + rank + c] * out[i * stride + rank + c];
      left[first + i] = std::max(0.0, left[first + i] - square);
    }
  });
  for (const std::int32_t row : accepted.rows) left[row] = 0.0;
}

double sum_of(const Vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum;
}

}  // namespace

PartialCholesky partial_cholesky(const Vector<double>& diagonal, const ColumnsOf& columns_of, Index rank, Pivots pivots,
                                 Seed seed, const Execution& exec) {
  const Index n = diagonal.size();
  PartialCholesky out;
  out.factor.resize(n, rank);
  out.trace = sum_of(diagonal);
  Vector<double> left = diagonal;
  out.left = out.trace;
  Proposals proposals(n, pivots, seed);
  const Random random(seed, kRejections);
  std::uint64_t drawn = 0;
  // A column that adds less than this would be rounding, blown up: its error is ε over the root of its share.
  const double least = 1e-11 * diagonal.maxCoeff();
  while (std::ssize(out.pivots) < rank && out.left > kRoundingLeft * out.trace) {
    const std::vector<std::int32_t> some = proposals.next(left);
    if (some.empty()) break;
    const Index so_far = std::ssize(out.pivots);
    const Accepted accepted = accept(some, left_among(some, columns_of(some), out.factor, so_far), pivots, least,
                                     rank - so_far, random, drawn);
    if (accepted.rows.empty()) {
      if (pivots == Pivots::uniform) continue;
      break;
    }
    extend_factor(out.factor, so_far, accepted, columns_of(accepted.rows), left, exec);
    out.pivots.insert(out.pivots.end(), accepted.rows.begin(), accepted.rows.end());
    out.left = sum_of(left);
    report_progress(exec, "landmarks", std::ssize(out.pivots), rank, "columns");
  }
  if (std::ssize(out.pivots) < rank) out.factor = out.factor.leftCols(std::ssize(out.pivots)).eval();
  return out;
}

}  // namespace fewdim
