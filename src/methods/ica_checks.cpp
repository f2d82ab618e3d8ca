#include "methods/ica_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/remedy.hpp"

namespace fewdim {

namespace {

/// Of a standard Gaussian: E[log cosh ν], and the standard deviation of log cosh ν less its part along ν² − 1, which a
/// sample of unit variance has not. By quadrature.
constexpr double gaussian_logcosh = 0.374567207491420, logcosh_spread = 0.079547891179839;
/// The same of ν⁴.
constexpr double kurtosis_spread = 4.898979485566356;  // √24
/// Standard errors: among Gaussians, the algorithm takes the rotation that looks least so.
constexpr double most_errors = 5.0;

std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 5;
  if (names.size() <= shown) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + shown, ", "), names.size() - shown);
}

}  // namespace

template <class T>
SourceShapes look_at_sources(const WhiteTiles<T>& z, const Matrix<double>& w, const std::vector<Index>& order,
                             const Execution& exec) {
  const Index k = w.rows();
  Matrix<double> unit(k, k);
  for (Index i = 0; i < k; ++i) unit.row(i) = w.row(order[static_cast<std::size_t>(i)]).normalized();
  const Vector<double> fourth = contrast_moments(z, unit, IcaContrast::cube, exec).value * 4.0;
  const Vector<double> logcosh = contrast_moments(z, unit, IcaContrast::logcosh, exec).value;
  SourceShapes out;
  out.excess_kurtosis = fourth.array() - 3.0;
  out.logcosh = logcosh.array() - gaussian_logcosh;
  const double error = most_errors / std::sqrt(static_cast<double>(z.rows()));
  for (Index i = 0; i < k; ++i)
    if (std::abs(out.excess_kurtosis[i]) <= kurtosis_spread * error &&
        std::abs(out.logcosh[i]) <= logcosh_spread * error)
      out.gaussian.push_back(i);
  return out;
}

void warn_of_gaussian_sources(const SourceShapes& shapes, Index rows, std::vector<std::string>& warnings) {
  if (shapes.gaussian.size() < 2) return;
  std::vector<std::string> names;
  for (const Index i : shapes.gaussian) names.push_back(fmt::format("IC{}", i + 1));
  warnings.push_back(
      fmt::format("{} look Gaussian (excess kurtosis within {:.2g}, {:g} standard errors): two Gaussian sources can't "
                  "be told apart, the axes among these are arbitrary; {}",
                  some_of(names), most_errors * kurtosis_spread / std::sqrt(static_cast<double>(rows)), most_errors,
                  lower_option("components")));
}

void warn_of_constant_columns(const Dataset& data, const Decomposition& d, std::vector<std::string>& warnings) {
  const double rounding = data.precision() == Precision::float32 ? 1e-6 : 1e-13;
  std::vector<std::string> names;
  for (Index j = 0; j < d.column_variance.size(); ++j) {
    const double spread = std::sqrt(d.column_variance[j]), size = d.mean.size() > 0 ? std::abs(d.mean[j]) : 0.0;
    if (spread > rounding * size && spread > 0.0) continue;
    names.push_back(data.column_names.empty() ? std::to_string(j + 1) : data.column_names[static_cast<std::size_t>(j)]);
  }
  if (!names.empty())
    warnings.push_back(fmt::format("column{} {} {} as good as constant: no source is told from {}",
                                   names.size() > 1 ? "s" : "", some_of(names), names.size() > 1 ? "are" : "is",
                                   names.size() > 1 ? "them" : "it"));
}

template SourceShapes look_at_sources(const WhiteTiles<float>&, const Matrix<double>&, const std::vector<Index>&,
                                      const Execution&);
template SourceShapes look_at_sources(const WhiteTiles<double>&, const Matrix<double>&, const std::vector<Index>&,
                                      const Execution&);

}  // namespace fewdim
