#include "methods/shared/local_geometry.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "graph/barycentric.hpp"

namespace fewdim {

namespace {

// Below this share of the largest, an eigenvalue of a few dozen inner products is rounding.
constexpr double kRounding = 1e-13;

/// Eigenpairs with the largest first; what is negative is rounding, or comes of distances that no space has.
void falling(const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>& solved, LocalGeometry::Axes& out) {
  out.values = solved.eigenvalues().reverse().cwiseMax(0.0);
  Index rank = 0;
  while (rank < out.values.size() && out.values[rank] > kRounding * out.values[0]) ++rank;
  out.vectors = solved.eigenvectors().rowwise().reverse().leftCols(rank);
}

}  // namespace

LocalGeometry::LocalGeometry(const NeighborObjects& objects, Metric metric, std::string_view who, const Execution& exec)
    : choices_(objects.graph.choices), distances_(objects.distances) {
  if (objects.points.size() == 0) return;
  const Dataset points(objects.points);
  rows_ = pack_rows<double>(points, metric, metric_center(points, metric, exec), who, exec);
}

void LocalGeometry::gram(Index i, double* out) const {
  if (rows_.rows > 0)
    local_gram(rows_.row(i), rows_, neighbors(i), out);
  else
    local_gram(choices_.distances.data() + choices_.offsets[static_cast<std::size_t>(i)], distances_, neighbors(i),
               out);
}

LocalGeometry::Axes LocalGeometry::axes(Index i, bool about_mean) const {
  return rows_.rows > 0 && rows_.cols < count(i) ? axes_of_rows(i, about_mean) : axes_of_gram(i, about_mean);
}

/// XᵀX is the smaller matrix: with XᵀX v = σ²v, u = Xv/σ.
LocalGeometry::Axes LocalGeometry::axes_of_rows(Index i, bool about_mean) const {
  const auto targets = neighbors(i);
  const Index cols = rows_.cols, count = std::ssize(targets);
  Eigen::MatrixXd x(count, cols);
  for (Index c = 0; c < cols; ++c) {
    double sum = 0.0;
    for (Index a = 0; a < count; ++a) {
      x(a, c) = rows_.row(targets[static_cast<std::size_t>(a)])[c] - rows_.row(i)[c];
      sum += x(a, c);
    }
    if (about_mean) x.col(c).array() -= sum / static_cast<double>(count);
  }
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solved(x.transpose() * x);
  Axes out;
  falling(solved, out);
  Eigen::MatrixXd u = x * out.vectors;
  for (Index c = 0; c < u.cols(); ++c) {  // in exact numbers they are orthogonal; the small ones need to be told
    for (Index before = 0; before < c; ++before) u.col(c) -= u.col(before).dot(u.col(c)) * u.col(before);
    u.col(c).normalize();
  }
  out.vectors = std::move(u);
  return out;
}

LocalGeometry::Axes LocalGeometry::axes_of_gram(Index i, bool about_mean) const {
  const Index k = count(i);
  Eigen::MatrixXd g(k, k);
  gram(i, g.data());
  if (about_mean) {
    const Eigen::VectorXd means = g.rowwise().mean();
    const double mean = means.mean();
    for (Index b = 0; b < k; ++b)
      for (Index a = 0; a < k; ++a) g(a, b) += mean - means[a] - means[b];
  }
  Axes out;
  falling(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(g), out);
  if (rows_.rows > 0 && rows_.cols < k) out.values.conservativeResize(rows_.cols);
  return out;
}

}  // namespace fewdim
