#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "base/blas.hpp"

extern "C" void dsyevd_(const char* jobz, const char* uplo, const int* n, double* a, const int* lda, double* w,
                        double* work, const int* lwork, int* iwork, const int* liwork, int* info, std::size_t,
                        std::size_t);

namespace fewdim::test {

/// The true spectrum of a symmetric matrix.
struct Truth {
  Matrix<double> matrix;
  Vector<double> values;   ///< descending
  Matrix<double> vectors;  ///< empty where only the values were asked for

  double norm() const { return std::max(std::abs(values[0]), std::abs(values[values.size() - 1])); }
};

inline Truth truth_of(Matrix<double> a, bool with_vectors = true) {
  blas::prepare();
  const int n = static_cast<int>(a.rows());
  Truth out{.matrix = a, .values = Vector<double>(n), .vectors = {}};
  int info = 0, lwork = -1, liwork = -1, integers = 0;
  double doubles = 0.0;
  const char* job = with_vectors ? "V" : "N";
  dsyevd_(job, "L", &n, a.data(), &n, out.values.data(), &doubles, &lwork, &integers, &liwork, &info, 1, 1);
  lwork = static_cast<int>(doubles), liwork = integers;
  std::vector<double> work(static_cast<std::size_t>(lwork));
  std::vector<int> iwork(static_cast<std::size_t>(liwork));
  dsyevd_(job, "L", &n, a.data(), &n, out.values.data(), work.data(), &lwork, iwork.data(), &liwork, &info, 1, 1);
  if (info != 0) throw std::runtime_error("dsyevd failed");
  out.values.reverseInPlace();
  if (with_vectors) out.vectors = a.rowwise().reverse();
  return out;
}

}  // namespace fewdim::test
