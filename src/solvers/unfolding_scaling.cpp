#include "solvers/unfolding_scaling.hpp"

#include <Eigen/SparseCholesky>

#include "fewdim/error.hpp"

namespace fewdim {

StiffnessScaling::StiffnessScaling(const LinkNetwork& network, const Vector<double>& kappa) {
  const Index n = network.vertices();
  std::vector<Eigen::Triplet<double, std::int32_t>> entries;
  entries.reserve(static_cast<std::size_t>(n + network.links()));
  Vector<double> diagonal = network.weights;
  for (Index e = 0; e < network.links(); ++e) {
    const auto at = static_cast<std::size_t>(e);
    const auto [low, high] = std::minmax(network.first[at], network.second[at]);
    diagonal[low] += kappa[e];
    diagonal[high] += kappa[e];
    entries.emplace_back(high, low, -kappa[e]);
  }
  for (Index i = 0; i < n; ++i)
    entries.emplace_back(static_cast<std::int32_t>(i), static_cast<std::int32_t>(i), diagonal[i]);
  Eigen::SparseMatrix<double, Eigen::ColMajor, std::int32_t> matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SimplicialLLT<decltype(matrix), Eigen::Lower> factor(matrix);
  if (factor.info() != Eigen::Success)
    throw Error(ErrorKind::internal, "unfolding: a matrix that is positive definite by its form would not factor");
  const auto& f = factor.matrixL().nestedExpression();
  offsets_.assign(f.outerIndexPtr(), f.outerIndexPtr() + n + 1);
  rows_.assign(f.innerIndexPtr(), f.innerIndexPtr() + f.nonZeros());
  values_.assign(f.valuePtr(), f.valuePtr() + f.nonZeros());
  const auto& place = factor.permutationP().indices();  // of each vertex
  order_.resize(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) order_[static_cast<std::size_t>(place[i])] = static_cast<std::int32_t>(i);
}

void StiffnessScaling::gradient(const UnfoldingMap& g, UnfoldingMap& out) const {
  const Index r = g.cols();
  out.resize(g.rows(), r);
  for (std::size_t j = 0; j < order_.size(); ++j) {
    const double* from = g.data() + order_[j] * r;
    std::copy(from, from + r, out.data() + static_cast<Index>(j) * r);
  }
  for (std::size_t j = 0; j < order_.size(); ++j) {
    auto at = static_cast<std::size_t>(offsets_[j]);
    double* x = out.data() + static_cast<Index>(j) * r;
    const double inverse = 1.0 / values_[at];
    for (Index c = 0; c < r; ++c) x[c] *= inverse;
    for (++at; at < static_cast<std::size_t>(offsets_[j + 1]); ++at) {
      double* y = out.data() + rows_[at] * r;
      const double v = values_[at];
      for (Index c = 0; c < r; c += 4)
        for (Index k = 0; k < 4; ++k) y[c + k] -= v * x[c + k];
    }
  }
}

void StiffnessScaling::direction(const UnfoldingMap& z, UnfoldingMap& out) const {
  const Index r = z.cols();
  UnfoldingMap work = z;
  out.resize(z.rows(), r);
  for (std::size_t j = order_.size(); j-- > 0;) {
    const auto first = static_cast<std::size_t>(offsets_[j]);
    double* x = work.data() + static_cast<Index>(j) * r;
    for (auto at = first + 1; at < static_cast<std::size_t>(offsets_[j + 1]); ++at) {
      const double* y = work.data() + rows_[at] * r;
      const double v = values_[at];
      for (Index c = 0; c < r; c += 4)
        for (Index k = 0; k < 4; ++k) x[c + k] -= v * y[c + k];
    }
    const double inverse = 1.0 / values_[first];
    double* to = out.data() + order_[j] * r;
    for (Index c = 0; c < r; ++c) to[c] = x[c] *= inverse;
  }
}

}  // namespace fewdim
