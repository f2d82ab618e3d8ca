#include "solvers/certify.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "solvers/blocks.hpp"

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

void complete_certificate(Certificate& certificate, const Vector<double>& values, ConstBlock<double> vectors,
                          const Execution& exec) {
  const Index count = vectors.cols();
  const double largest = count > 0 && values[0] > 0.0 ? values[0] : 1.0;
  certificate.orthogonality = orthogonality_defect(vectors, exec);
  certificate.value_bounds = certificate.residuals;
  certificate.angle_bounds.resize(count);
  certificate.groups.assign(static_cast<std::size_t>(count), 0);

  const auto uncertainty = [&](Index i) {
    const double residual = i < count ? certificate.residuals[i] : certificate.residuals[count - 1];
    return residual + certificate.forming_error + 0x1.0p-50;
  };
  const auto separated = [&](Index i) {  // from its successor
    return (values[i] - values[i + 1]) / largest > 10.0 * (uncertainty(i) + uncertainty(i + 1));
  };
  for (Index i = 1; i < count; ++i)
    certificate.groups[static_cast<std::size_t>(i)] =
        certificate.groups[static_cast<std::size_t>(i - 1)] + (separated(i - 1) ? 1 : 0);

  for (Index first = 0; first < count;) {
    Index last = first;
    while (last + 1 < count && certificate.groups[static_cast<std::size_t>(last + 1)] ==
                                   certificate.groups[static_cast<std::size_t>(first)])
      ++last;
    double gap = INFINITY;
    if (first > 0) gap = std::min(gap, (values[first - 1] - values[first]) / largest);
    if (last + 1 < values.size())
      gap = std::min(gap, separated(last) ? (values[last] - values[last + 1]) / largest : 0.0);
    for (Index i = first; i <= last; ++i) {
      const double sine = std::isinf(gap) ? 0.0 : gap > 0.0 ? uncertainty(i) / gap : 1.0;
      certificate.angle_bounds[i] = sine >= 1.0 ? std::numbers::pi / 2 : std::asin(sine);
    }
    first = last + 1;
  }
}

}  // namespace fewdim
