#pragma once

#include <fmt/format.h>

#include <memory>
#include <numeric>

#include "solvers/routes/decompose.hpp"
#include "support/claims.hpp"
#include "support/data.hpp"
#include "support/spectra.hpp"

namespace fewdim::test {

/// A table with a drawn spectrum and a question about it.
struct SpectralCase {
  std::string what;  ///< in words, for a failure
  Matrix<double> table;
  Dataset data;
  SpectralProblem problem;
  bool refusable = false;  ///< columns may be constant, which scaling refuses

  Index size() const { return table.size(); }
};

/// N×D with A = W^½(X − 1μᵀ) of the spectrum drawn; A is turned by reflections, or (`axes`) has its right singular
/// vectors along the axes and pairs of rows ±x, so that equal eigenvalues are equal to the last bit.
inline Matrix<double> table_with(Draw& draw, Index rows, Index cols, const Vector<double>& values, bool axes,
                                 bool center, const Vector<double>& weights) {
  Matrix<double> x = Matrix<double>::Zero(rows, cols);
  if (axes) {
    std::vector<Index> order(static_cast<std::size_t>(cols));
    std::iota(order.begin(), order.end(), Index{0});
    for (Index j = cols - 1; j > 0; --j)
      std::swap(order[static_cast<std::size_t>(j)], order[static_cast<std::size_t>(draw.between(0, j))]);
    for (Index j = 0; j < std::min({cols, values.size(), center ? rows / 2 : rows}); ++j) {
      const Index column = order[static_cast<std::size_t>(j)];
      x(center ? 2 * j : j, column) = std::sqrt(values[j]);
      if (center) x(2 * j + 1, column) = -x(2 * j, column);
    }
    return x;
  }
  const Index free = center ? rows - 1 : rows;
  for (Index j = 0; j < std::min({free, cols, values.size()}); ++j) x(j, j) = std::sqrt(values[j]);
  turn_rows(draw, x, free);
  Matrix<double> turned = x.transpose();
  turn_rows(draw, turned, cols);
  x = turned.transpose();
  if (!center) return x;
  // A reflection that takes the last axis to the root of the weights: the columns of A are orthogonal to it then.
  Vector<double> u =
      weights.size() > 0 ? Vector<double>(weights.cwiseSqrt()) : Vector<double>(Vector<double>::Ones(rows));
  const Vector<double> roots = u;
  u /= u.norm();
  u[rows - 1] += 1.0;
  const Vector<double> products = x.transpose() * u * (2.0 / u.squaredNorm());
  x -= u * products.transpose();
  for (Index i = 0; i < rows; ++i) x.row(i) /= roots[i];
  return x;
}

/// AᵀA/divisor of the very numbers of the table, in long double; in double by columns of 800 and more.
inline Matrix<double> exact_covariance(const Matrix<double>& x, const SpectralProblem& p) {
  using Wide = long double;
  const Index rows = x.rows(), cols = x.cols();
  Vector<Wide> weights(rows);
  Wide sum = 0;
  for (Index i = 0; i < rows; ++i) sum += weights[i] = p.weights.size() > 0 ? p.weights[i] : 1.0;
  for (Index i = 0; i < rows; ++i) weights[i] *= static_cast<Wide>(rows) / sum;
  const Wide divisor = p.normalize ? static_cast<Wide>(rows - p.ddof) : Wide(1);
  Matrix<Wide> a(rows, cols);
  for (Index j = 0; j < cols; ++j) {
    Wide mean = 0, squares = 0;
    for (Index i = 0; i < rows && p.center; ++i) mean += weights[i] * x(i, j) / static_cast<Wide>(rows);
    for (Index i = 0; i < rows; ++i) {
      a(i, j) = std::sqrt(weights[i] / divisor) * (x(i, j) - mean);
      squares += a(i, j) * a(i, j);
    }
    if (p.scale) a.col(j) /= std::sqrt(squares);
  }
  if (rows * cols * cols > 100'000'000) {
    const Matrix<double> rounded = a.cast<double>();
    return rounded.transpose() * rounded;
  }
  Matrix<double> out(cols, cols);
  for (Index j = 0; j < cols; ++j)
    for (Index i = j; i < cols; ++i) {
      Wide product = 0;
      for (Index r = 0; r < rows; ++r) product += a(r, i) * a(r, j);
      out(i, j) = out(j, i) = static_cast<double>(product);
    }
  return out;
}

/// What rounding of the mean adds to the covariance about it: N/(N − ddof)·δδᵀ, with δ two units in the last place.
inline double rounding_of_mean(const Matrix<double>& x, const SpectralProblem& p, const Matrix<double>& covariance) {
  if (!p.center) return 0.0;
  double sum = 0.0;
  for (Index j = 0; j < x.cols(); ++j) {
    const double ulp = 2.0 * std::numeric_limits<double>::epsilon() * x.col(j).cwiseAbs().maxCoeff();
    const double variance = (x.col(j).array() - x.col(j).mean()).square().mean();
    sum += ulp * ulp * (p.scale ? covariance(j, j) / variance : 1.0);
  }
  const auto rows = static_cast<double>(x.rows());
  return sum * (p.scale ? 1.0 : p.normalize ? rows / (rows - p.ddof) : rows);
}

/// Rows and columns of a small case: tiny, wide, about square, tall.
inline std::pair<Index, Index> drawn_shape(Draw& draw) {
  const double form = draw.uniform();
  if (form < 0.15) return {draw.between(2, 12), draw.between(1, 3)};
  if (form < 0.4) return {draw.between(3, 40), draw.between(20, 130)};
  if (form < 0.65) return {draw.between(8, 60), draw.between(8, 60)};
  if (form < 0.9) return {draw.between(60, 300), draw.between(2, 40)};
  if (form < 0.99) return {draw.between(60, 200), draw.between(60, 150)};
  return {draw.between(100, 300), draw.between(200, 400)};
}

inline Components drawn_components(Draw& draw, Index edge, Index limit) {
  const double way = draw.uniform();
  if (way < 0.1) return draw.pick({0.3, 0.8, 0.95, 0.999999, 1.0});
  if (way < 0.15) return Components(Components::all);
  if (way < 0.55) return std::min(edge, limit);
  if (way < 0.85) return draw.between(1, std::min<Index>(limit, 6));
  return draw.between(1, limit);
}

inline SpectralCase drawn_case(Draw& draw, Spread spread, PcaRoute route, Index rows, Index cols) {
  SpectralCase out;
  SpectralProblem& p = out.problem;
  p.route = route;
  p.center = draw.chance(0.7);
  p.normalize = draw.chance(0.8);
  p.ddof = draw.pick({0, 1});
  p.scale = draw.chance(0.15);
  p.seed = static_cast<Seed>(draw.between(0, 1000));
  const bool single = draw.chance(0.35), sparse = draw.chance(0.3), axes = draw.chance(0.35);
  p.float64_products = !single || draw.chance(0.5);
  p.tolerance = draw.pick({0.0, 0.0, 1e-1, 1e-3, 1e-5, 1e-8, 1e-10, 1e-14});
  if (p.tolerance == 0.0) p.tolerance = p.float64_products ? 1e-10 : 1e-5;
  if (draw.chance(0.15)) {
    p.weights.resize(rows);
    for (Index i = 0; i < rows; ++i) p.weights[i] = draw.uniform(0.5, 2.0);
  }
  const DrawnSpectrum spectrum = drawn_spectrum(draw, spread, std::min(p.center ? rows - 1 : rows, cols));
  p.components = drawn_components(draw, spectrum.edge, component_limit(p, rows, cols));

  Matrix<double>& x = out.table;
  x = table_with(draw, rows, cols, spectrum.values, axes, p.center, p.weights) * draw.decades(-3, 3);
  const double offset = draw.pick({0.0, 0.0, 0.0, 1e4, single ? 1e4 : 1e8}), largest = x.cwiseAbs().maxCoeff();
  for (Index j = 0; j < cols && offset > 0.0; ++j) {
    const double level = offset * largest * static_cast<double>(1 + j % 3);
    for (Index i = 0; i < rows; ++i)
      if (!sparse || x(i, j) != 0.0) x(i, j) += level;
  }
  const Index zeros = draw.chance(0.1) ? draw.between(1, std::max<Index>(1, cols / 3)) : 0;
  for (Index z = 0; z < zeros; ++z) x.col(draw.between(0, cols - 1)).setZero();
  if (single) x = x.cast<float>().cast<double>();
  out.refusable = p.scale || zeros >= cols || spread == Spread::low_rank || axes;
  if (sparse && single)
    out.data = Dataset(to_csr<float>(x.cast<float>()));
  else if (sparse)
    out.data = Dataset(to_csr<double>(x));
  else if (single)
    out.data = Dataset(Matrix<float>(x.cast<float>()));
  else
    out.data = Dataset(Matrix<double>(x));
  out.what =
      fmt::format("{}{} {}x{} {}{}{}{}{}{}, offset {:.0e}, {} zero columns, route {}, k {} (edge {}), tolerance {:.0e}",
                  name_of(spread), axes ? " (axes)" : "", rows, cols, sparse ? "sparse " : "dense ",
                  single ? (p.float64_products ? "float32 high" : "float32") : "float64", p.center ? " centered" : "",
                  p.scale ? " scaled" : "", p.weights.size() > 0 ? " weighted" : "", p.normalize ? "" : " sums", offset,
                  zeros, word_of(route_of(route)), p.components.text(), spectrum.edge, p.tolerance);
  return out;
}

}  // namespace fewdim::test
