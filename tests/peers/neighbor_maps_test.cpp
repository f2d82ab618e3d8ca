// LLE and its relatives against scikit-learn 1.9.1 and NumPy, on a table that `fewdim generate swiss-roll -n 1000
// --noise 0` makes again to the bit:
//
//   x = np.loadtxt("roll.csv", delimiter=",", skiprows=1)[:, :3]
//   m = LocallyLinearEmbedding(n_neighbors=12, n_components=2, method=..., eigen_solver="dense").fit(x)
//   m.reconstruction_error_, abs(m.embedding_) * np.sqrt(1000), abs(m.transform([[1, 10, 8], [-9, 3, 2]])) *
//   np.sqrt(1000)
//
// scikit-learn's method="hessian" takes the full QR of the quadratic design, so that it has all directions outside of
// the tangent space and returns LTSA's map (its figures are those of ltsa to ten digits). Hessian LLE is compared with
// ten lines of NumPy that take the economic QR, as Donoho & Grimes have it.

#include <gtest/gtest.h>

#include "fewdim/fewdim.hpp"

namespace fewdim {
namespace {

using MapRow = std::array<double, 2>;

const Matrix<double>& roll() {
  static const Matrix<double> x = generate("swiss-roll", {.rows = 1000, .noise = 0.0}).matrix<double>();
  return x;
}

void expect_rows(const Matrix<double>& y, const std::vector<std::pair<Index, MapRow>>& truth, double tolerance) {
  for (const auto& [row, values] : truth)
    for (Index c = 0; c < 2; ++c)
      EXPECT_NEAR(std::abs(y(row, c)), values[static_cast<std::size_t>(c)], tolerance) << row << ' ' << c;
}

Matrix<double> placed(const Model& model) {
  Matrix<double> fresh(2, 3);
  fresh << 1.0, 10.0, 8.0, -9.0, 3.0, 2.0;
  return model.transform(fresh);
}

// New points are placed by weights with another ridge than scikit-learn's, which has a jump at training points.
constexpr double other_ridge = 5e-3;

// The dense solver of the peer has eigenvectors to about 1e-15·‖M‖/gap: the gap of LLE is 1.5e-7, of the others 1e-5.

TEST(ScikitLearn, Lle) {
  const Model model = fit_lle(roll());
  EXPECT_NEAR(model.spectrum().explained_variance.sum(), 1.598847195055278e-07, 1e-14);
  expect_rows(model.embedding(),
              {{0, {0.31657888580227483, 0.055701757452465105}},
               {1, {0.6650408929249638, 0.030165237874529016}},
               {500, {0.7668536932682082, 0.051832550269967706}},
               {999, {0.3580937710872814, 0.17198266984766888}}},
              1e-6);
  expect_rows(placed(model),
              {{0, {0.5923262310653907, 0.6019405287299018}}, {1, {0.12057645837049803, 1.4216850678669557}}},
              other_ridge);
}

TEST(ScikitLearn, ModifiedLle) {
  const Model model = fit_modified_lle(roll());
  EXPECT_NEAR(model.spectrum().explained_variance.sum(), 2.7250540656253272e-05, 1e-13);
  expect_rows(model.embedding(),
              {{0, {0.22364699638752614, 0.7029164964259068}},
               {1, {0.1325614188921253, 0.4163701424592714}},
               {500, {0.09464831525768645, 0.5998789687544968}},
               {999, {0.04163416825895354, 0.7510256945539981}}},
              1e-7);
  expect_rows(placed(model),
              {{0, {0.6211308780345232, 0.26564576005918583}}, {1, {1.443839724253935, 0.519549254802661}}},
              other_ridge);
}

TEST(ScikitLearn, Ltsa) {
  const Model model = fit_ltsa(roll());
  EXPECT_NEAR(model.spectrum().explained_variance.sum(), 0.00010330435592302391, 1e-13);
  expect_rows(model.embedding(),
              {{0, {0.5507550581991555, 0.4810493394778503}},
               {1, {0.44553055495123756, 0.3185930046144119}},
               {500, {0.5004556174741916, 0.4808574338388929}},
               {999, {0.3822885075650318, 0.6730212229861905}}},
              1e-8);
  expect_rows(placed(model),
              {{0, {0.7962204180236911, 0.12552864457904794}}, {1, {1.0200325858237524, 1.2014416639642684}}},
              other_ridge);
}

TEST(NumPy, HessianLle) {
  const Model model = fit_hessian_lle(roll());
  EXPECT_NEAR(model.spectrum().explained_variance[0], 2.29669672e-05, 1e-13);
  EXPECT_NEAR(model.spectrum().explained_variance[1], 5.59107638e-05, 1e-13);
  expect_rows(model.embedding(),
              {{0, {0.5450593173335928, 0.4984001746822296}},
               {1, {0.4444125659702918, 0.3026489995495736}},
               {500, {0.4987907606521167, 0.46966638629820756}},
               {999, {0.37400857751566585, 0.6871117490493314}}},
              1e-8);
}

// a = ((kneighbors_graph(x, 12) + its transpose) > 0); scipy's laplacian(a, normed=True), eigh, divided by √d and
// scaled to Σ d y² = Σ d; sklearn.manifold.spectral_embedding(a) is the same times 0.008526168602149.
TEST(ScikitLearn, Laplacian) {
  const Model model = fit_laplacian(roll(), {.weights = LinkWeights::binary});
  EXPECT_NEAR(model.spectrum().explained_variance[0], 2.49379367e-03, 1e-11);
  EXPECT_NEAR(model.spectrum().explained_variance[1], 7.27524670e-03, 1e-11);
  expect_rows(model.embedding(),
              {{0, {0.23772820245722343, 1.4719320068311426}},
               {1, {0.8234137085514893, 0.09819574435794076}},
               {500, {0.9184479678469999, 0.04930436984793087}},
               {999, {0.3674071166920692, 1.4451450035825577}}},
              1e-8);
}

}  // namespace
}  // namespace fewdim
