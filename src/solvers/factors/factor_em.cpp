#include "solvers/factors/factor_em.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "fewdim/error.hpp"

namespace fewdim {

namespace {

constexpr Index kBlockPieces = 128;
constexpr Index kBlockRows = 1024;

constexpr Index triangle(Index n) { return n * (n + 1) / 2; }

/// The lower triangle of a symmetric matrix, column by column.
template <class M>
void pack(const M& a, double* out) {
  for (Index c = 0; c < a.cols(); ++c)
    for (Index r = c; r < a.rows(); ++r) *out++ = a(r, c);
}

Matrix<double> unpack(const double* packed, Index n) {
  Matrix<double> a(n, n);
  for (Index c = 0; c < n; ++c)
    for (Index r = c; r < n; ++r) a(r, c) = a(c, r) = *packed++;
  return a;
}

/// What the M-step needs of the rows: for each feature j sums over the rows that have it. With z̃ = (z, 1):
struct Sums {
  Matrix<double> zz;  ///< Σ E[z̃z̃ᵀ], packed: triangle(k+1)×D
  Matrix<double> xz;  ///< Σ x E[z̃]: (k+1)×D
  double log_likelihood = 0.0;

  Sums(Index k, Index d) : zz(Matrix<double>::Zero(triangle(k + 1), d)), xz(Matrix<double>::Zero(k + 1, d)) {}
};

std::uint64_t sums_bytes(Index cols, Index k) {
  return static_cast<std::uint64_t>(cols) * static_cast<std::uint64_t>(triangle(k + 1) + k + 1) * sizeof(double);
}

/// Chunks of rows have sums of their own: as many as fit a quarter of a gigabyte, by the shape alone.
Index chunk_count(Index rows, Index cols, Index k) {
  const auto fit = static_cast<Index>((std::uint64_t{1} << 28) / std::max<std::uint64_t>(sums_bytes(cols, k), 1));
  return std::clamp<Index>(std::min(rows / 256, fit), 1, 16);
}

/// The E-step: posterior means and covariances of z for each row, given its observed values.
///
///   M = I + Σ_j w_j w_jᵀ/ψ_j,  b = Σ_j w_j (x_j − μ_j)/ψ_j over the observed j;  z = M⁻¹ b, Cov z = M⁻¹.
class Expectation {
 public:
  Expectation(const ObservedTable& table, const GaussianFactors& f)
      : table_(table),
        mean_(f.mean),
        k_(f.loadings.cols()),
        d_(f.loadings.rows()),
        inverse_noise_(f.noise.cwiseInverse()) {
    weighted_ = (inverse_noise_.asDiagonal() * f.loadings).transpose();
    squares_.resize(triangle(k_), d_);
    for (Index j = 0; j < d_; ++j)
      pack(Matrix<double>(inverse_noise_[j] * f.loadings.row(j).transpose() * f.loadings.row(j)),
           squares_.col(j).data());
    log_noise_ = f.noise.array().log();
  }

  /// Adds pieces first .. last-1 to the sums.
  void add(Index first, Index last, Sums& sums) const {
    for (Index p = first; p < last;) {
      Index end = p, rows = 0;
      while (end < last && end - p < kBlockPieces && (end == p || rows + piece(end).rows <= kBlockRows))
        rows += piece(end++).rows;
      add_block(p, end, rows, sums);
      p = end;
    }
  }

 private:
  const ObservedTable::Piece& piece(Index p) const { return table_.pieces[static_cast<std::size_t>(p)]; }

  void add_block(Index first, Index last, Index rows, Sums& sums) const {
    const Index pieces = last - first, start = piece(first).first, k1 = k_ + 1;
    Matrix<double> mask(d_, pieces), residuals(d_, rows);
    for (Index p = 0; p < pieces; ++p)
      mask.col(p) = table_.masks.row(piece(first + p).pattern).transpose().cast<double>();
    for (Index p = 0; p < pieces; ++p)
      for (Index i = 0; i < piece(first + p).rows; ++i) {
        const Index row = piece(first + p).first + i;
        residuals.col(row - start) =
            table_.values.row(row).transpose() - (mask.col(p).array() * mean_.array()).matrix();
      }
    Matrix<double> precisions(triangle(k_), pieces), b(k_, rows);
    blas::gemm(false, false, triangle(k_), pieces, d_, 1.0, squares_.data(), triangle(k_), mask.data(), d_, 0.0,
               precisions.data(), triangle(k_));
    blas::gemm(false, false, k_, rows, d_, 1.0, weighted_.data(), k_, residuals.data(), d_, 0.0, b.data(), k_);

    Matrix<double> moments = Matrix<double>::Zero(triangle(k1), pieces), z(k1, rows);
    z.row(k_).setOnes();
    for (Index p = 0; p < pieces; ++p) {
      const Index from = piece(first + p).first - start, count = piece(first + p).rows;
      Matrix<double> m = unpack(precisions.col(p).data(), k_);
      m.diagonal().array() += 1.0;
      const Eigen::LLT<Matrix<double>> factor(m);
      const Matrix<double> covariance = factor.solve(Matrix<double>::Identity(k_, k_));
      z.block(0, from, k_, count) = covariance * b.middleCols(from, count);
      Matrix<double> second = z.middleCols(from, count) * z.middleCols(from, count).transpose();
      second.topLeftCorner(k_, k_) += static_cast<double>(count) * covariance;
      pack(second, moments.col(p).data());
      const double log_determinant = 2.0 * factor.matrixLLT().diagonal().array().log().sum();
      const double log_scale = (mask.col(p).array() * (log_noise_ + std::log(2.0 * std::numbers::pi))).sum();
      for (Index i = from; i < from + count; ++i) {
        const double quadratic =
            (residuals.col(i).array().square() * inverse_noise_.array()).sum() - b.col(i).dot(z.col(i).head(k_));
        sums.log_likelihood -= 0.5 * (log_scale + log_determinant + quadratic);
      }
    }
    blas::gemm(false, true, triangle(k1), d_, pieces, 1.0, moments.data(), triangle(k1), mask.data(), d_, 1.0,
               sums.zz.data(), triangle(k1));
    blas::gemm(false, true, k1, d_, rows, 1.0, z.data(), k1, table_.values.row(start).data(), d_, 1.0, sums.xz.data(),
               k1);
  }

  const ObservedTable& table_;
  const Vector<double>& mean_;
  Index k_, d_;
  Vector<double> inverse_noise_;
  Eigen::ArrayXd log_noise_;
  Matrix<double> weighted_;  ///< k×D: Wᵀ Ψ⁻¹
  Matrix<double> squares_;   ///< triangle(k)×D: w_j w_jᵀ/ψ_j
};

Sums expect(const ObservedTable& table, const GaussianFactors& f, const Execution& exec) {
  const Index d = f.loadings.rows(), k = f.loadings.cols(), pieces = std::ssize(table.pieces);
  const Index chunks = std::min(chunk_count(table.rows(), d, k), pieces);
  std::vector<Index> bounds{0};
  for (Index c = 1; c < chunks; ++c) {
    Index p = bounds.back();
    while (p < pieces && table.pieces[static_cast<std::size_t>(p)].first < table.rows() * c / chunks) ++p;
    bounds.push_back(p);
  }
  bounds.push_back(pieces);
  const Expectation expectation(table, f);
  std::vector<Sums> parts(static_cast<std::size_t>(chunks), Sums(k, d));
  parallel_for(exec, chunks, [&](Index c) {
    const auto at = static_cast<std::size_t>(c);
    expectation.add(bounds[at], bounds[at + 1], parts[at]);
  });
  Sums& sums = parts[0];
  for (std::size_t c = 1; c < parts.size(); ++c) {
    sums.zz += parts[c].zz;
    sums.xz += parts[c].xz;
    sums.log_likelihood += parts[c].log_likelihood;
  }
  return std::move(sums);
}

/// The M-step: for each feature a regression of its observed values on z̃. `penalties`: of the columns' squares, or
/// empty.
GaussianFactors maximize(const ObservedTable& table, const Sums& sums, const GaussianFactors& before,
                         const FactorEmOptions& o, const Execution& exec) {
  const Index d = before.loadings.rows(), k = before.loadings.cols();
  Vector<double> penalties;
  if (o.relevance)
    penalties =
        (static_cast<double>(d) / before.loadings.colwise().squaredNorm().transpose().array().max(1e-300)).matrix();
  GaussianFactors f{Vector<double>(d), Matrix<double>(d, k), Vector<double>(d)};
  Vector<double> left(d);  // Σ of what the regression leaves of each feature
  constexpr Index kFeatures = 64;
  parallel_for(exec, (d + kFeatures - 1) / kFeatures, [&](Index task) {
    for (Index j = task * kFeatures; j < std::min(d, (task + 1) * kFeatures); ++j) {
      const Matrix<double> a = unpack(sums.zz.col(j).data(), k + 1);
      Matrix<double> ridged = a;
      if (penalties.size() > 0) ridged.diagonal().head(k) += before.noise[j] * penalties;
      const Vector<double> w = ridged.ldlt().solve(sums.xz.col(j));
      f.loadings.row(j) = w.head(k).transpose();
      f.mean[j] = w[k];
      left[j] = std::max(0.0, table.squares[j] - 2.0 * w.dot(sums.xz.col(j)) + w.dot(a * w));
    }
  });
  if (o.one_noise)
    f.noise.setConstant(std::max(left.sum() / table.observed, o.least_noise));
  else if (o.least_noises.size() == 0)
    f.noise = (left.array() / table.counts.array()).max(o.least_noise).matrix();
  else
    f.noise = (left.array() / table.counts.array()).max(o.least_noises.array()).matrix();
  return f;
}

/// All parameters in a row, the noise by its logarithm.
Vector<double> flat(const GaussianFactors& f) {
  Vector<double> out(f.loadings.size() + 2 * f.mean.size());
  out << f.loadings.reshaped(), f.mean, f.noise.array().log().matrix();
  return out;
}

GaussianFactors unflat(const Vector<double>& x, Index d, Index k) {
  return {x.segment(d * k, d), x.head(d * k).reshaped(d, k), x.tail(d).array().exp().matrix()};
}

/// One step ahead of three: x₀ − 2αr + α²v with r = x₁ − x₀, v = x₂ − 2x₁ + x₀, α = −‖r‖/‖v‖.
Vector<double> extrapolate(const Vector<double>& x0, const Vector<double>& x1, const Vector<double>& x2) {
  const Vector<double> r = x1 - x0, v = x2 - x1 - r;
  const double size = v.norm();
  if (!(size > 0.0)) return x2;
  const double alpha = std::clamp(-r.norm() / size, -1e3, -1.0);
  return x0 - 2.0 * alpha * r + alpha * alpha * v;
}

}  // namespace

std::uint64_t factor_em_bytes(Index rows, Index cols, Index k) {
  const auto blocks =
      static_cast<std::uint64_t>(cols) * static_cast<std::uint64_t>(kBlockRows + kBlockPieces) * sizeof(double);
  return static_cast<std::uint64_t>(chunk_count(rows, cols, k)) * (sums_bytes(cols, k) + blocks) +
         8 * sums_bytes(cols, 1);
}

double log_likelihood(const ObservedTable& table, const GaussianFactors& factors, const Execution& exec) {
  return expect(table, factors, exec).log_likelihood;
}

FactorEmResult fit_factors(const ObservedTable& table, GaussianFactors start, const FactorEmOptions& o,
                           const Execution& exec) {
  const Index d = start.loadings.rows(), k = start.loadings.cols();
  FactorEmResult out;
  out.factors = std::move(start);
  Sums sums = expect(table, out.factors, exec);
  out.iterations = 1;
  out.log_likelihood = sums.log_likelihood;
  out.history.push_back(out.log_likelihood);
  while (out.iterations < o.iterations) {
    report_progress(exec, "em", out.iterations, 0, "steps");
    const GaussianFactors first = maximize(table, sums, out.factors, o, exec);
    const Sums at_first = expect(table, first, exec);
    ++out.iterations;
    out.gain = (at_first.log_likelihood - out.log_likelihood) / table.observed;
    if (!std::isfinite(out.gain))
      throw NotConverged(fmt::format("{}: the likelihood is not a number after {} steps; {}, or scale the data", o.who,
                                     out.iterations, lower_option("components")));
    const Vector<double> before = flat(out.factors), x1 = flat(first);
    const double moved = (x1 - before).norm() / std::max(x1.norm(), 1e-300);
    out.factors = first;
    out.log_likelihood = at_first.log_likelihood;
    out.history.push_back(out.log_likelihood);
    if (o.relevance ? moved <= std::sqrt(o.tolerance) : out.gain <= o.tolerance) {
      out.converged = true;
      break;
    }
    sums = at_first;
    if (o.relevance) continue;  // the prior's columns vanish: no line to follow
    const GaussianFactors second = maximize(table, sums, first, o, exec);
    const GaussianFactors ahead = unflat(extrapolate(before, x1, flat(second)), d, k);
    Sums at_ahead = expect(table, ahead, exec);
    ++out.iterations;
    if (at_ahead.log_likelihood >= out.log_likelihood) {  // false where it is not a number
      out.factors = ahead;
      sums = std::move(at_ahead);
    } else {
      out.factors = second;
      sums = expect(table, second, exec);
      ++out.iterations;
    }
    out.log_likelihood = sums.log_likelihood;
    out.history.push_back(out.log_likelihood);
  }
  return out;
}

}  // namespace fewdim
