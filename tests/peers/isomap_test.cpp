// Isomap against scikit-learn 1.9.1, on a table that `fewdim generate swiss-roll -n 1000 --noise 0` makes again to the
// bit:
//
//   x = np.loadtxt("roll.csv", delimiter=",", skiprows=1)[:, :3]
//   m = Isomap(n_neighbors=8, n_components=3, eigen_solver="dense").fit(x)
//   m.kernel_pca_.eigenvalues_, abs(m.embedding_), abs(m.transform([[1, 10, 8], [-9, 3, 2]]))

#include <gtest/gtest.h>

#include "fewdim/fewdim.hpp"

namespace fewdim {
namespace {

void expect_row(const Matrix<double>& y, Index row, const std::array<double, 3>& truth) {
  for (Index c = 0; c < 3; ++c)  // the third eigenvalue is 0.8 % of the first: 1e-10 of that one is 1e-8 here
    EXPECT_NEAR(std::abs(y(row, c)), truth[static_cast<std::size_t>(c)], 1e-7) << row << ' ' << c;
}

TEST(ScikitLearn, Isomap) {
  const Matrix<double> x = generate("swiss-roll", {.rows = 1000, .noise = 0.0}).matrix<double>();
  IsomapOptions options{.components = 3};
  options.neighborhood.k = 8;
  const Model model = fit_isomap(x, options);
  const Vector<double>& values = model.spectrum().explained_variance;
  EXPECT_NEAR(values[0], 745206.7044958269, 1e-6);
  EXPECT_NEAR(values[1], 86000.81888441677, 1e-6);
  EXPECT_NEAR(values[2], 5872.630140405115, 1e-6);
  const Matrix<double>& y = model.embedding();
  expect_row(y, 0, {2.250071150294, 1.490355700501748, 2.32396182227415});
  expect_row(y, 1, {20.898494061842293, 1.101176441074667, 0.5855974170042277});
  expect_row(y, 500, {22.555717162248865, 0.7983507587006307, 1.2997681798284424});
  expect_row(y, 999, {4.47685185415611, 0.7866424359706292, 5.168782141628975});
  Matrix<double> fresh(2, 3);
  fresh << 1.0, 10.0, 8.0, -9.0, 3.0, 2.0;
  const Matrix<double> placed = model.transform(fresh);
  expect_row(placed, 0, {18.547229150349786, 5.909598833523102, 0.31180780708232425});
  expect_row(placed, 1, {5.975286820608168, 12.89402746464365, 0.930950830125161});
}

}  // namespace
}  // namespace fewdim
