#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "graph/geodesics.hpp"
#include "graph/landmarks.hpp"
#include "solvers/eigen/direct.hpp"
#include "solvers/eigen/smallest.hpp"
#include "solvers/unfolding/routes.hpp"

namespace fewdim {

namespace {

constexpr Index kLandmarks = 100, kSmooth = 20;
constexpr double kNoise = 1e-2;  // of the columns that a start leaves, in shares of the last one it fills

void add_noise(UnfoldingMap& y, Index from, double size, Seed seed) {
  for (Index c = from; c < y.cols(); ++c) {
    const Random random(seed, 77'000 + static_cast<std::uint32_t>(c));
    for (Index i = 0; i < y.rows(); ++i) y(i, c) = size * random.normal(static_cast<std::uint64_t>(i));
  }
}

double column_size(const UnfoldingMap& y, Index c) {
  double sum = 0.0;
  for (Index i = 0; i < y.rows(); ++i) sum += y(i, c) * y(i, c);
  return std::sqrt(sum / static_cast<double>(y.rows()));
}

}  // namespace

UnfoldingMap start_by_paths(const NeighborGraph& graph, Index columns, Seed seed, const Execution& exec) {
  const Index n = graph.vertices(), count = std::min(n, kLandmarks);
  const auto landmarks = random_landmarks(n, count, seed, "mvu");
  Matrix<double> squares(n, count);
  geodesics_into(graph, landmarks, squares.data(), n, exec);
  for (Index k = 0; k < squares.size(); ++k) squares.data()[k] *= squares.data()[k];
  // B = −½JΔ²J of the landmarks; the others by their distances to them (de Silva & Tenenbaum 2004).
  Matrix<double> b(count, count);
  for (Index c = 0; c < count; ++c)
    for (Index r = 0; r < count; ++r) {
      const auto at = [&](Index p) { return landmarks[static_cast<std::size_t>(p)]; };
      b(r, c) = 0.5 * (squares(at(r), c) + squares(at(c), r));
    }
  const Vector<double> mean = b.colwise().mean();
  const double all = mean.mean();
  Matrix<double> centered = -0.5 * ((b.colwise() - mean).rowwise() - mean.transpose());
  centered.array() -= 0.5 * all;
  const Index wanted = std::min(columns - columns / 4, count - 1);  // room for directions nobody thought of
  const SymmetricEigen eigen = eigen_symmetric(centered, std::max<Index>(wanted, 1));
  UnfoldingMap y = UnfoldingMap::Zero(n, columns);
  Index filled = 0;
  while (filled < wanted && eigen.values[filled] > 1e-3 * eigen.values[0]) {
    const Vector<double> axis = eigen.vectors.col(filled) / std::sqrt(eigen.values[filled]);
    for (Index i = 0; i < n; ++i) {
      double sum = 0.0;
      for (Index k = 0; k < count; ++k) sum += (mean[k] - squares(i, k)) * axis[k];
      y(i, filled) = 0.5 * sum;
    }
    ++filled;
  }
  add_noise(y, filled, filled > 0 ? kNoise * column_size(y, filled - 1) : std::sqrt(squares.maxCoeff()), seed);
  return y;
}

UnfoldingMap start_by_laplacian(const LinkNetwork& network, Index columns, Seed seed, const Execution& exec) {
  const Index n = network.vertices(), smooth = std::min(kSmooth, n - 1), unknowns = smooth * (smooth + 1) / 2;
  SparseSymmetric laplacian;
  std::vector<std::pair<std::int32_t, double>> row;
  for (Index i = 0; i < n; ++i) {
    row.clear();
    for (auto at = static_cast<std::size_t>(network.offsets[static_cast<std::size_t>(i)]);
         at < static_cast<std::size_t>(network.offsets[static_cast<std::size_t>(i) + 1]); ++at)
      row.emplace_back(network.targets[at], -1.0);
    row.emplace_back(static_cast<std::int32_t>(i), static_cast<double>(row.size()));
    std::ranges::sort(row);
    for (const auto& [column, value] : row) {
      laplacian.columns.push_back(column);
      laplacian.values.push_back(value);
    }
    laplacian.offsets.push_back(std::ssize(laplacian.columns));
  }
  SmallestProblem smallest{.who = "mvu", .count = smooth, .tolerance = 1e-3, .seed = seed};
  smallest.null_space = Matrix<double>::Constant(n, 1, 1.0 / std::sqrt(static_cast<double>(n)));
  const Matrix<double> q = smallest_pairs(laplacian, smallest, exec).vectors;
  // min over symmetric B: Σ((q_i − q_j)ᵀB(q_i − q_j) − d²)²/d⁴.
  Matrix<double> normal = Matrix<double>::Zero(unknowns, unknowns);
  Vector<double> right = Vector<double>::Zero(unknowns), equation(unknowns);
  for (Index e = 0; e < network.links(); ++e) {
    const Index i = network.first[static_cast<std::size_t>(e)], j = network.second[static_cast<std::size_t>(e)];
    for (Index a = 0, at = 0; a < smooth; ++a)
      for (Index b = a; b < smooth; ++b, ++at)
        equation[at] = (q(i, a) - q(j, a)) * (q(i, b) - q(j, b)) * (a == b ? 1.0 : 2.0) / network.squares[e];
    normal.selfadjointView<Eigen::Lower>().rankUpdate(equation);
    right += equation;
  }
  normal.diagonal().array() += 1e-9 * normal.trace() / static_cast<double>(unknowns);
  const Vector<double> fit = normal.selfadjointView<Eigen::Lower>().ldlt().solve(right);
  Matrix<double> b(smooth, smooth);
  for (Index a = 0, at = 0; a < smooth; ++a)
    for (Index c = a; c < smooth; ++c, ++at) b(a, c) = b(c, a) = fit[at];
  const SymmetricEigen eigen = eigen_symmetric(b, smooth);
  UnfoldingMap y = UnfoldingMap::Zero(n, columns);
  Index filled = 0;
  while (filled < std::min(columns, smooth) && eigen.values[filled] > 1e-4 * eigen.values[0]) {
    y.col(filled) = q * (std::sqrt(eigen.values[filled]) * eigen.vectors.col(filled));
    ++filled;
  }
  add_noise(y, filled, filled > 0 ? kNoise * column_size(y, filled - 1) : 1.0, seed);
  return y;
}

}  // namespace fewdim
