#include <cmath>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "solvers/ica/ica.hpp"

namespace fewdim {

namespace {

/// p(p+1)/2 + q for q ≤ p.
Index pair_of(Index a, Index b) { return a > b ? a * (a + 1) / 2 + b : b * (b + 1) / 2 + a; }

/// E[z_a z_b z_p z_q] for all pairs of pairs: products of columns, then one symmetric product a tile.
template <class T>
Matrix<double> fourth_moments(const WhiteTiles<T>& z, const Execution& exec) {
  constexpr Index parts = 8;  // each holds all moments
  const Index k = z.cols(), pairs = k * (k + 1) / 2, height = z.tile_rows(), tiles = z.tiles();
  std::vector<Matrix<double>> sums(parts, Matrix<double>::Zero(pairs, pairs));
  parallel_for(exec, parts, [&](Index part) {
    Matrix<double> products(height, pairs);
    for (Index t = part * tiles / parts; t < (part + 1) * tiles / parts; ++t) {
      const T* tile = z.tile(t);
      for (Index a = 0; a < k; ++a)
        for (Index b = 0; b <= a; ++b) {
          double* out = products.data() + pair_of(a, b) * height;
          for (Index i = 0; i < height; ++i)
            out[i] = static_cast<double>(tile[a * height + i]) * static_cast<double>(tile[b * height + i]);
        }
      blas::syrk(true, pairs, height, 1.0, products.data(), height, 1.0, sums[static_cast<std::size_t>(part)].data(),
                 pairs);
    }
  });
  for (Index part = 1; part < parts; ++part) sums[0] += sums[static_cast<std::size_t>(part)];
  sums[0] /= static_cast<double>(z.rows());
  return sums[0].selfadjointView<Eigen::Lower>();
}

/// Q^{pq}_ab = cum(z_a, z_b, z_p, z_q) for white z; √2 of it where p ≠ q, so that the set is an orthonormal basis's.
std::vector<Matrix<double>> cumulant_matrices(const Matrix<double>& moments, Index k) {
  std::vector<Matrix<double>> out;
  for (Index p = 0; p < k; ++p)
    for (Index q = 0; q <= p; ++q) {
      Matrix<double> m(k, k);
      for (Index a = 0; a < k; ++a)
        for (Index b = 0; b < k; ++b)
          m(a, b) = moments(pair_of(a, b), pair_of(p, q)) - (a == b && p == q ? 1.0 : 0.0) -
                    (a == p && b == q ? 1.0 : 0.0) - (a == q && b == p ? 1.0 : 0.0);
      if (p != q) m *= std::sqrt(2.0);
      out.push_back(std::move(m));
    }
  return out;
}

/// The angle of the rotation in the plane (i, j) that lowers Σ off(Q)² most (Cardoso & Souloumiac 1996).
double best_angle(const std::vector<Matrix<double>>& set, Index i, Index j) {
  double uu = 0.0, uv = 0.0, vv = 0.0;
  for (const Matrix<double>& m : set) {
    const double u = m(i, i) - m(j, j), v = m(i, j) + m(j, i);
    uu += u * u, uv += u * v, vv += v * v;
  }
  const double on = uu - vv, off = 2.0 * uv;
  return 0.5 * std::atan2(off, on + std::sqrt(on * on + off * off));
}

void rotate(Matrix<double>& m, Index i, Index j, double c, double s) {
  for (Index a = 0; a < m.rows(); ++a) {
    const double x = m(a, i), y = m(a, j);
    m(a, i) = c * x + s * y, m(a, j) = c * y - s * x;
  }
  for (Index a = 0; a < m.cols(); ++a) {
    const double x = m(i, a), y = m(j, a);
    m(i, a) = c * x + s * y, m(j, a) = c * y - s * x;
  }
}

}  // namespace

std::uint64_t jade_bytes(Index k) {
  const auto pairs = static_cast<std::uint64_t>(k) * static_cast<std::uint64_t>(k + 1) / 2;
  return 10 * pairs * pairs * sizeof(double) + pairs * static_cast<std::uint64_t>(k * k) * sizeof(double);
}

/// The rotation that makes all matrices of fourth cumulants as diagonal as can be, by sweeps of Jacobi's rotations
/// (Cardoso & Souloumiac 1993). No start and no contrast to choose.
template <class T>
IcaResult jade_ica(const WhiteTiles<T>& z, const IcaRequest& request, const Execution& exec) {
  const Index k = z.cols();
  const Matrix<double> moments = fourth_moments(z, exec);
  const std::vector<Matrix<double>> given = cumulant_matrices(moments, k);
  std::vector<Matrix<double>> set = given;
  IcaResult out;
  out.passes = 1;
  Matrix<double> v = Matrix<double>::Identity(k, k);  // its columns are the sources' directions
  for (bool turned = true; turned && out.iterations < request.iterations;) {
    turned = false;
    for (Index i = 0; i < k; ++i)
      for (Index j = i + 1; j < k; ++j) {
        const double angle = best_angle(set, i, j);
        if (!(std::abs(angle) > 0.1 * request.tolerance)) continue;
        turned = true;
        const double c = std::cos(angle), s = std::sin(angle);
        for (Matrix<double>& m : set) rotate(m, i, j, c, s);
        for (Index a = 0; a < k; ++a) {
          const double x = v(a, i), y = v(a, j);
          v(a, i) = c * x + s * y, v(a, j) = c * y - s * x;
        }
      }
    report_progress(exec, "ica", ++out.iterations, request.iterations, "sweeps");
  }
  out.w = nearest_rotation(v.transpose());
  for (std::size_t t = 0; t < set.size(); ++t) set[t] = out.w * given[t] * out.w.transpose();  // anew, from the result
  out.residuals = Vector<double>::Zero(k);
  for (Index i = 0; i < k; ++i)
    for (Index j = i + 1; j < k; ++j) {
      const double angle = std::abs(best_angle(set, i, j));
      out.residuals[i] = std::max(out.residuals[i], angle);
      out.residuals[j] = std::max(out.residuals[j], angle);
    }
  return out;
}

template IcaResult jade_ica(const WhiteTiles<float>&, const IcaRequest&, const Execution&);
template IcaResult jade_ica(const WhiteTiles<double>&, const IcaRequest&, const Execution&);

}  // namespace fewdim
