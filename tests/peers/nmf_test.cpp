// NMF against scikit-learn 1.9.1:
//
//   m = NMF(k, init="nndsvd", tol=1e-13, max_iter=1000000); W = m.fit_transform(X); H = m.components_
//   n = np.linalg.norm(H, axis=1); W = W*n; H = H/n[:, None]; o = np.argsort(-(W**2).sum(0))
//   m.reconstruction_err_**2, (W**2).sum(0)[o], H[o], W[[0, 50, -1]][:, o]
//
// Both start from the same singular vectors and go down by coordinates; where the way forks they part.

#include <gtest/gtest.h>

#include "fewdim/fewdim.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

double loss_of(const Model& model) { return model.head().diagnostics.at(0).value; }

TEST(NmfAgainstScikitLearn, IrisInTwoParts) {
  const Dataset iris = builtin_table("iris");
  const Model model = fit_nmf(iris, {.components = 2, .iterations = 200000, .tolerance = 1e-11});
  EXPECT_NEAR(loss_of(model), 15.530613108389904, 1e-9);
  Matrix<double> parts(4, 2);
  parts << 0.6834225584145013, 0.7996154471820209, 0.26926629368327665, 0.5815159349031962, 0.6383247486714386,
      0.14984776969163896, 0.2301538289270759, 0.0;
  // The loss is flat: a part may be off by the root of what its own tolerance (1e-13 of the first step) leaves.
  EXPECT_LE(test::distance(model.linear().map, parts), 1e-5);
  EXPECT_EQ(model.linear().map(3, 1), 0.0);
  EXPECT_NEAR(model.linear().explained_variance[0], 5604.360741839586, 1e-2);
  EXPECT_NEAR(model.linear().explained_variance[1], 1758.1648202596994, 1e-2);
  const Matrix<double> y = model.transform(iris).matrix<double>();
  EXPECT_NEAR(y(0, 0), 0.8761669837426914, 1e-4);
  EXPECT_NEAR(y(50, 1), 2.7609985393455463, 1e-4);
  EXPECT_NEAR(y(149, 0), 7.561798368882418, 1e-4);
}

TEST(NmfAgainstScikitLearn, IrisInThreePartsHasTheSameLoss) {  // by other parts: those of the least are not unique
  const Model model = fit_nmf(builtin_table("iris"), {.components = 3, .iterations = 200000, .tolerance = 1e-11});
  EXPECT_NEAR(loss_of(model), 3.5525702034806614, 1e-8);
}

TEST(NmfAgainstScikitLearn, DigitsInFourPartsAreNoWorse) {  // another stationary point, and a lower one
  const Model model = fit_nmf(builtin_table("digits"), {.components = 4, .iterations = 200000, .tolerance = 1e-10});
  EXPECT_LE(loss_of(model), 1303788.8730564204);
}

}  // namespace
}  // namespace fewdim
