#include "solvers/eigen/direct.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "base/blas.hpp"
#include "base/remedy.hpp"
#include "fewdim/error.hpp"

extern "C" {
void dsyevr_(const char* jobz, const char* range, const char* uplo, const int* n, double* a, const int* lda,
             const double* vl, const double* vu, const int* il, const int* iu, const double* abstol, int* m, double* w,
             double* z, const int* ldz, int* isuppz, double* work, const int* lwork, int* iwork, const int* liwork,
             int* info, std::size_t, std::size_t, std::size_t);
void dsyevd_(const char* jobz, const char* uplo, const int* n, double* a, const int* lda, double* w, double* work,
             const int* lwork, int* iwork, const int* liwork, int* info, std::size_t, std::size_t);
void dsytrf_(const char* uplo, const int* n, double* a, const int* lda, int* pivots, double* work, const int* lwork,
             int* info, std::size_t);
void dgeev_(const char* jobvl, const char* jobvr, const int* n, double* a, const int* lda, double* wr, double* wi,
            double* vl, const int* ldvl, double* vr, const int* ldvr, double* work, const int* lwork, int* info,
            std::size_t, std::size_t);
void dgesdd_(const char* jobz, const int* m, const int* n, double* a, const int* lda, double* s, double* u,
             const int* ldu, double* vt, const int* ldvt, double* work, const int* lwork, int* iwork, int* info,
             std::size_t);
}

namespace fewdim {

namespace {

void require_success(int info, const char* routine) {
  if (info != 0)
    throw NotConverged(
        fmt::format("LAPACK's {} failed (info = {}); try {}", routine, info, set_option("route", "krylov")));
}

/// Empty where it finds another number of eigenvalues than it was asked for, as it may where many are equal.
std::optional<SymmetricEigen> by_dsyevr(Matrix<double>& a, Index count) {
  const int n = static_cast<int>(a.rows()), first = n - static_cast<int>(count) + 1;
  const double zero = 0.0;
  int found = 0, info = 0, lwork = -1, liwork = -1, iwork_size = 0;
  double work_size = 0.0;
  Vector<double> ascending(n);
  SymmetricEigen out;
  Matrix<double> z(n, count);
  std::vector<int> support(static_cast<std::size_t>(2 * n));
  const auto call = [&](double* work, int* iwork) {
    dsyevr_("V", "I", "L", &n, a.data(), &n, &zero, &zero, &first, &n, &zero, &found, ascending.data(), z.data(), &n,
            support.data(), work, &lwork, iwork, &liwork, &info, 1, 1, 1);
  };
  call(&work_size, &iwork_size);
  require_success(info, "dsyevr");
  lwork = static_cast<int>(work_size);
  liwork = iwork_size;
  std::vector<double> work(static_cast<std::size_t>(lwork));
  std::vector<int> iwork(static_cast<std::size_t>(liwork));
  call(work.data(), iwork.data());
  require_success(info, "dsyevr");
  if (found != count) return std::nullopt;
  out.values = ascending.head(count).reverse();
  out.vectors = z.rowwise().reverse();
  return out;
}

void by_dsyevd(const char* job, Matrix<double>& a, Vector<double>& ascending) {
  const int n = static_cast<int>(a.rows());
  int info = 0, lwork = -1, liwork = -1, iwork_size = 0;
  double work_size = 0.0;
  ascending.resize(n);
  dsyevd_(job, "L", &n, a.data(), &n, ascending.data(), &work_size, &lwork, &iwork_size, &liwork, &info, 1, 1);
  require_success(info, "dsyevd");
  lwork = static_cast<int>(work_size);
  liwork = iwork_size;
  std::vector<double> work(static_cast<std::size_t>(lwork));
  std::vector<int> iwork(static_cast<std::size_t>(liwork));
  dsyevd_(job, "L", &n, a.data(), &n, ascending.data(), work.data(), &lwork, iwork.data(), &liwork, &info, 1, 1);
  require_success(info, "dsyevd");
}

}  // namespace

SymmetricEigen eigen_symmetric(Matrix<double>& a, Index count) {
  count = std::min(count, a.rows());
  if (count <= 0) return {};
  blas::prepare();
  constexpr Index kKept = 4096;  // rows of a matrix that is copied for the case that dsyevr fails
  if (count < a.rows() / 3) {
    Matrix<double> copy;
    if (a.rows() <= kKept) copy = a;
    if (auto found = by_dsyevr(a, count)) return *std::move(found);
    if (copy.size() == 0) throw NotConverged("LAPACK's dsyevr failed; use " + set_option("route", "krylov"));
    a = std::move(copy);
  }
  Vector<double> ascending;
  by_dsyevd("V", a, ascending);
  SymmetricEigen out;
  out.values = ascending.tail(count).reverse();
  out.vectors = a.rightCols(count).rowwise().reverse();
  return out;
}

Vector<double> eigenvalues_symmetric(Matrix<double>& a) {
  if (a.rows() == 0) return {};
  blas::prepare();
  Vector<double> ascending;
  by_dsyevd("N", a, ascending);
  return ascending.reverse();
}

Index eigenvalues_above(Matrix<double>& a, double x) {
  const Index size = a.rows();
  if (size == 0) return 0;
  blas::prepare();
  a.diagonal().array() -= x;
  const int n = static_cast<int>(size), lwork = n * 64;
  int info = 0;
  std::vector<int> pivots(static_cast<std::size_t>(size));
  std::vector<double> work(static_cast<std::size_t>(lwork));
  dsytrf_("L", &n, a.data(), &n, pivots.data(), work.data(), &lwork, &info, 1);
  Index above = 0;
  for (Index k = 0; k < size; ++k) {
    if (pivots[static_cast<std::size_t>(k)] < 0) {  // a 2×2 block is indefinite: one above, one below
      ++above, ++k;
      continue;
    }
    if (a(k, k) >= 0.0) ++above;
  }
  return above;
}

double largest_real_eigenvalue(Matrix<double>& a) {
  blas::prepare();
  const int n = static_cast<int>(a.rows()), one = 1;
  int info = 0, lwork = -1;
  double work_size = 0.0, unused = 0.0;
  Vector<double> real(n), imaginary(n);
  dgeev_("N", "N", &n, a.data(), &n, real.data(), imaginary.data(), &unused, &one, &unused, &one, &work_size, &lwork,
         &info, 1, 1);
  require_success(info, "dgeev");
  lwork = static_cast<int>(work_size);
  std::vector<double> work(static_cast<std::size_t>(lwork));
  dgeev_("N", "N", &n, a.data(), &n, real.data(), imaginary.data(), &unused, &one, &unused, &one, work.data(), &lwork,
         &info, 1, 1);
  require_success(info, "dgeev");
  double largest = -std::numeric_limits<double>::infinity();
  for (Index i = 0; i < n; ++i)
    if (std::abs(imaginary[i]) <= 1e-10 * std::abs(real[i])) largest = std::max(largest, real[i]);
  return largest;
}

ThinSvd svd_dense(Matrix<double>& a, bool with_u) {
  const int m = static_cast<int>(a.rows()), n = static_cast<int>(a.cols()), r = std::min(m, n);
  ThinSvd out;
  out.values.resize(r);
  if (r == 0) return out;
  blas::prepare();
  out.u.resize(m, r);
  Matrix<double> vt(r, n);
  int info = 0, lwork = -1;
  double work_size = 0.0;
  std::vector<int> iwork(static_cast<std::size_t>(8 * r));
  dgesdd_("S", &m, &n, a.data(), &m, out.values.data(), out.u.data(), &m, vt.data(), &r, &work_size, &lwork,
          iwork.data(), &info, 1);
  require_success(info, "dgesdd");
  lwork = static_cast<int>(work_size);
  std::vector<double> work(static_cast<std::size_t>(lwork));
  dgesdd_("S", &m, &n, a.data(), &m, out.values.data(), out.u.data(), &m, vt.data(), &r, work.data(), &lwork,
          iwork.data(), &info, 1);
  require_success(info, "dgesdd");
  if (!with_u) out.u.resize(0, 0);
  out.v = vt.transpose();
  return out;
}

}  // namespace fewdim
