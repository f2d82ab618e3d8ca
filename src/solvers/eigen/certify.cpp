#include "solvers/eigen/certify.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "solvers/eigen/blocks.hpp"

namespace fewdim {

Vector<double> relative_residuals(const SymmetricOperator& a, const Vector<double>& values,
                                  ConstBlock<double> vectors) {
  const Index count = vectors.cols();
  Matrix<double> r(vectors.rows(), count);
  a.apply(vectors, r);
  for (Index c = 0; c < count; ++c) r.col(c) -= values[c] * vectors.col(c);
  const double largest = count > 0 && values[0] > 0.0 ? values[0] : 1.0;
  return column_norms(r) / largest;
}

OutsideBound known_outside(const Vector<double>& values, Index count) {
  if (count < values.size()) return {values[count], 0.0};
  return {-std::numeric_limits<double>::infinity(), 0.0};
}

Vector<double> allowed_residuals(const Vector<double>& values, Index count, double tolerance, double floor) {
  const double largest = count > 0 && values[0] > 0.0 ? values[0] : 1.0;
  Vector<double> out(count);
  for (Index i = 0; i < count; ++i) out[i] = std::max(tolerance * std::max(values[i], 0.0) / largest, floor);
  return out;
}

void complete_certificate(Certificate& certificate, const Vector<double>& values, ConstBlock<double> vectors,
                          const OutsideBound& outside, const Execution& exec, double scale) {
  const Index count = vectors.cols();
  const double largest = scale > 0.0 ? scale : count > 0 && values[0] > 0.0 ? values[0] : 1.0;
  constexpr double kRounding = 0x1.0p-50;
  certificate.orthogonality = orthogonality_defect(vectors, exec);
  // Vectors that are not orthonormal have residuals and angles that are off by as much; far off, nothing is known.
  const double defect = certificate.orthogonality * static_cast<double>(std::max<Index>(count, 1));
  const double stretch = defect < 0.5 ? 1.0 / (1.0 - defect) : INFINITY;
  certificate.value_bounds.resize(count);
  certificate.angle_bounds.resize(count);
  certificate.groups.assign(static_cast<std::size_t>(count), 0);
  const double beyond = outside.upper / largest;
  certificate.outside_bound = beyond;
  certificate.outside_probability = outside.probability;

  const auto value = [&](Index i) { return values[i] / largest; };
  const auto uncertainty = [&](Index i) { return certificate.residuals[i] + certificate.forming_error + kRounding; };
  struct Group {
    Index first, last;
    double squares;  ///< of the residuals
    double norm() const { return std::sqrt(squares) + kRounding; }
  };
  const auto apart = [&](const Group& a, const Group& b) {
    const double gap = value(a.last) - value(b.first);
    return gap > 10.0 * (uncertainty(a.last) + uncertainty(b.first)) && gap > 2.0 * (a.norm() + b.norm());
  };
  std::vector<Group> groups;
  for (Index i = 0; i < count; ++i) {
    groups.push_back({i, i, certificate.residuals[i] * certificate.residuals[i]});
    while (groups.size() > 1 && !apart(groups[groups.size() - 2], groups.back())) {
      const Group merged = groups.back();
      groups.pop_back();
      groups.back().last = merged.last;
      groups.back().squares += merged.squares;
    }
  }
  Vector<double> together(count);  // what the eigenvalues of a group are within
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (Index i = groups[g].first; i <= groups[g].last; ++i) {
      certificate.groups[static_cast<std::size_t>(i)] = static_cast<Index>(g);
      together[i] = groups[g].norm() * stretch + defect * std::abs(value(groups[g].first));
    }
  for (Index i = 0; i < count; ++i) certificate.value_bounds[i] = together[i] + std::max(0.0, beyond - value(i));
  for (const auto& [first, last, squares] : groups) {
    // Other groups' eigenvalues may be off by their residuals, and all of them by the error of forming the matrix.
    double gap = INFINITY;
    if (first > 0) gap = value(first - 1) - together[first - 1] - value(first);
    if (last + 1 < count) gap = std::min(gap, value(last) - value(last + 1) - together[last + 1]);
    gap = std::min(gap, value(last) - beyond);
    if (outside.probability >= 1.0) gap = 0.0;
    gap -= certificate.forming_error;
    for (Index i = first; i <= last; ++i) {
      const double sine = std::isinf(gap) && gap > 0.0                 ? 0.0
                          : gap > 2.0 * (together[i] + uncertainty(i)) ? stretch * uncertainty(i) / gap
                                                                       : 1.0;
      certificate.angle_bounds[i] = sine >= 1.0 ? std::numbers::pi / 2 : std::asin(sine);
    }
  }
}

}  // namespace fewdim
