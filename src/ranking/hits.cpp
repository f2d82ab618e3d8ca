#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "fewdim/ranking.hpp"
#include "ranking/adjacency.hpp"
#include "solvers/eigen/blocks.hpp"
#include "solvers/eigen/direct.hpp"

namespace fewdim {

namespace {

constexpr Index lanczos_steps = 20;
/// Singular values count as equal when their squares agree to this.
constexpr double same_value = 1e-9;

double norm_of(const Vector<double>& x) {
  double sum = 0.0;
  for (Index i = 0; i < x.size(); ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}

double sum_of(const Vector<double>& x) {
  double sum = 0.0;
  for (Index i = 0; i < x.size(); ++i) sum += x[i];
  return sum;
}

/// The leading eigenvector of AᵀA that power iteration from (1, …, 1) would find, by Lanczos' method from there: that
/// Krylov space holds one vector of each eigenspace, the projection of the start on it. Where the largest eigenvalue is
/// multiple, it is so between parts of the graph (in a part AᵀA is irreducible, Perron and Frobenius), so parts tell.
class LeadingVector {
 public:
  LeadingVector(const Adjacency& a, const HitsOptions& options, const Execution& exec)
      : a_(a), options_(options), exec_(exec), part_(a.parts()), hub_(a.size()), image_(a.size()) {}

  void find(HitsResult& result) {
    const double tolerance = std::max(options_.tolerance, 1e-14);
    Vector<double> x = Vector<double>::Constant(a_.size(), 1.0);
    double estimate = lanczos(x, tolerance);
    while (true) {
      // What is not negative stays so, and is exactly 0 where nothing points to.
      for (Index v = 0; v < x.size(); ++v) x[v] = std::max(x[v], 0.0);
      multiply(x);
      x = image_ / norm_of(image_);
      multiply(x);
      result.multiplicity = keep_leading_parts(x);
      x /= norm_of(x);
      multiply(x);
      value_ = dot(x, image_);
      const Vector<double> rest = image_ - value_ * x;
      result.residual = norm_of(rest) / value_;
      if (result.residual <= tolerance) break;
      if (products_ >= options_.most_products)
        throw NotConverged(
            fmt::format("hits: the residual is still {:.1e} after {} products (tolerance {:.1e}): the next singular "
                        "value is too close; {}",
                        result.residual, products_, options_.tolerance, raise_option("tolerance")));
      estimate = lanczos(x, std::min(estimate, result.residual) / 8.0);
    }
    result.authorities = std::move(x);
    result.hubs = hub_ / norm_of(hub_);
    result.singular_value = std::sqrt(value_);
    result.gap = gap_;
    result.products = products_;
    result.converged = result.residual <= options_.tolerance;
  }

 private:
  double dot(const Vector<double>& x, const Vector<double>& y) const {
    double sum = 0.0;
    for (Index i = 0; i < x.size(); ++i) sum += x[i] * y[i];
    return sum;
  }

  /// image = AᵀA x, and hub = A x.
  void multiply(ConstBlock<double> x) {
    a_.apply(x.data(), hub_.data());
    a_.apply_adjoint(hub_.data(), image_.data());
    products_ += 2;
    report_progress(exec_, "hits", products_, 0, "products");
  }

  /// Sharpens x by runs of Lanczos' method, each from the best vector of the last; returns the relative residual.
  double lanczos(Vector<double>& x, double tolerance) {
    const Index n = a_.size(), steps = std::min(lanczos_steps, n);
    Matrix<double> basis(n, steps);
    double residual = 1.0;
    while (residual > tolerance && products_ < options_.most_products) {
      Matrix<double> t = Matrix<double>::Zero(steps, steps);
      basis.col(0) = x / norm_of(x);
      Index k = 0;
      double beta = 0.0;
      while (true) {
        multiply(basis.col(k));
        const double size = norm_of(image_);
        Matrix<double> w = image_;
        const auto known = basis.leftCols(k + 1);
        const Matrix<double> once = project(known, w, exec_);
        subtract(known, once, w, exec_);
        subtract(known, project(known, w, exec_), w, exec_);  // twice is enough
        t(k, k) = once(k, 0);
        beta = column_norms(w)[0];
        ++k;
        if (k == steps || beta <= 1e-15 * size) break;
        t(k, k - 1) = t(k - 1, k) = beta;
        basis.col(k) = w / beta;
      }
      Matrix<double> small = t.topLeftCorner(k, k);
      const SymmetricEigen pairs = eigen_symmetric(small, k);
      const double top = pairs.values[0];
      x = basis.leftCols(k) * pairs.vectors.col(0);
      if (sum_of(x) < 0.0) x = -x;
      gap_ = k > 1 ? std::clamp(1.0 - pairs.values[1] / top, 0.0, 1.0) : 1.0;
      const double before = residual;
      residual = beta * std::abs(pairs.vectors(k - 1, 0)) / top;
      if (residual < 1e-13 && residual >= before / 2.0) break;  // rounding
    }
    return residual;
  }

  /// Rayleigh quotients by parts: those below the largest have no share in the leading space. Returns how many parts
  /// have. Needs image = AᵀA x.
  Index keep_leading_parts(Vector<double>& x) const {
    std::vector<double> over(part_.size(), 0.0), under(part_.size(), 0.0);
    for (Index v = 0; v < x.size(); ++v) {
      const std::int32_t part = part_[static_cast<std::size_t>(v)];
      if (part < 0) continue;
      over[static_cast<std::size_t>(part)] += x[v] * image_[v];
      under[static_cast<std::size_t>(part)] += x[v] * x[v];
    }
    double largest = 0.0;
    for (std::size_t p = 0; p < over.size(); ++p)
      if (under[p] > 1e-24) largest = std::max(largest, over[p] / under[p]);
    const auto leads = [&](std::size_t p) {
      return under[p] > 1e-24 && over[p] / under[p] >= largest * (1.0 - same_value);
    };
    Index count = 0;
    for (std::size_t p = 0; p < over.size(); ++p) count += leads(p);
    for (Index v = 0; v < x.size(); ++v) {
      const std::int32_t part = part_[static_cast<std::size_t>(v)];
      if (part < 0 || !leads(static_cast<std::size_t>(part))) x[v] = 0.0;
    }
    return count;
  }

  const Adjacency& a_;
  const HitsOptions& options_;
  const Execution& exec_;
  std::vector<std::int32_t> part_;
  Vector<double> hub_, image_;
  double value_ = 0.0, gap_ = 1.0;
  Index products_ = 0;
};

}  // namespace

HitsResult hits(const LinkGraph& graph, const HitsOptions& options, const Execution& exec) {
  if (graph.links() == 0) throw DataError("hits: the graph has no links; there are no hubs and no authorities");
  if (!(options.tolerance > 0.0))
    throw InvalidOption("hits", "tolerance", fmt::format("{}", options.tolerance), "must be above 0", "1e-10 is usual");
  require_memory(exec, static_cast<std::uint64_t>(graph.vertices()) * 8 * (lanczos_steps + 10), "hits: the basis",
                 raise_option("memory_limit"));
  const Adjacency adjacency(graph, exec);
  HitsResult result;
  LeadingVector(adjacency, options, exec).find(result);
  if (options.normalization == ScoreNorm::sum) {
    result.authorities /= sum_of(result.authorities);
    result.hubs /= sum_of(result.hubs);
  }
  return result;
}

}  // namespace fewdim
