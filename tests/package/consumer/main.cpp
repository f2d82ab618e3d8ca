// Fits, places, goes back, saves and loads, as the first program of a new user does. Prints "ok" when every
// number is right.
#include <cmath>
#include <cstdio>
#include <fewdim/fewdim.hpp>
#include <string>

namespace {

int failures = 0;

void expect(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "consumer: wrong: %s\n", what);
  ++failures;
}

bool near(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance; }

}  // namespace

int main() {
  // Lindsay Smith's ten points (A tutorial on principal components analysis, 2002). His eigenvalues and first
  // vector are printed with eight digits: 1.28402771, 0.0490833989; (0.677873399, 0.735178656).
  fewdim::Matrix<double> x(10, 2);
  x << 2.5, 2.4, 0.5, 0.7, 2.2, 2.9, 1.9, 2.2, 3.1, 3.0, 2.3, 2.7, 2.0, 1.6, 1.0, 1.1, 1.5, 1.6, 1.1, 0.9;

  const fewdim::Model model = fewdim::fit_pca(x, {.components = 2});
  const fewdim::LinearModel& linear = model.linear();
  expect(near(linear.explained_variance[0], 1.28402771, 5e-9), "the first eigenvalue");
  expect(near(linear.explained_variance[1], 0.0490833989, 5e-11), "the second eigenvalue");
  expect(near(linear.map(0, 0), 0.677873399, 5e-10) && near(linear.map(1, 0), 0.735178656, 5e-10), "the first vector");
  expect(!summary(model).empty(), "the summary");

  // Two components of two columns lose nothing; 1e-14 is about ten roundings of numbers near 3.
  const fewdim::Matrix<double> scores = model.transform(x);
  expect((model.inverse_transform(scores) - x).cwiseAbs().maxCoeff() < 1e-14, "the way back");

  const std::string path = "consumer.fewdim";
  model.save(path, true);
  expect(fewdim::Model::load(path).transform(x) == scores, "the bits of a model that was saved and loaded");

  // An exception thrown inside the library is caught by its type out here.
  bool caught = false;
  try {
    fewdim::fit_pca(x, {.components = 3});
  } catch (const fewdim::InvalidOption& error) {
    caught = error.kind() == fewdim::ErrorKind::usage && error.parameter() == "components";
  }
  expect(caught, "the error of asking for too many components");

  if (failures == 0) std::puts("ok");
  return failures == 0 ? 0 : 1;
}
