#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cmath>

#include "fewdim/faces.hpp"
#include "fewdim/generate.hpp"
#include "support/data.hpp"
#include "support/images.hpp"

namespace fewdim {
namespace {

/// 25 images of 20x30: far more pixels than images.
ImageSet few_large_images() {
  ImageSet set{.rows = {}, .height = 20, .width = 30};
  RowMatrix<double> rows = test::sample(25, 600, 3) * 0.1;
  set.rows = Dataset(std::move(rows));
  return set;
}

FaceOptions without_trial(Index components, PcaRoute route = PcaRoute::automatic) {
  FaceOptions options;
  options.pca.components = components;
  options.pca.route = route;
  options.trial = TrialKind::none;
  return options;
}

TEST(Eigenfaces, FewLargeImagesTakeTheGramRouteAndEqualTheSvd) {
  const ImageSet images = few_large_images();
  const Model model = fit_faces(images, without_trial(10)).model;
  EXPECT_EQ(model.certificate().route, Route::gram);
  const Matrix<double> x = images.rows.matrix<double>();
  const Matrix<double> centered = x.rowwise() - x.colwise().mean();
  const Eigen::BDCSVD<Matrix<double>> svd(centered, Eigen::ComputeThinV);
  for (Index j = 0; j < 10; ++j) {
    // Squares of singular values are what the Gram matrix holds: relative errors of 600 ε κ², κ about 2 here.
    EXPECT_NEAR(model.linear().singular_values[j], svd.singularValues()[j], 1e-12 * svd.singularValues()[0]);
    EXPECT_NEAR(std::abs(model.linear().map.col(j).dot(svd.matrixV().col(j))), 1.0, 1e-10);
  }
  const Model other = fit_faces(images, without_trial(10, PcaRoute::svd)).model;
  EXPECT_LT(test::distance(model.linear().map, other.linear().map), 1e-9);  // signs are fixed alike
}

TEST(Eigenfaces, ReconstructionErrorIsTheTailEnergyAndFalls) {
  const ImageSet images = few_large_images();
  const Model model = fit_faces(images, without_trial(24)).model;  // all there is
  const Matrix<double> x = images.rows.matrix<double>();
  const Vector<double>& sigma = model.linear().singular_values;
  const std::vector<CompressionRow> table = compression_table(model, images);
  const std::vector<Index> ranks = growing_ranks(24);
  double last = INFINITY;
  for (std::size_t r = 0; r + 1 < ranks.size(); ++r) {
    double error = 0.0;
    for (Index i = 0; i < x.rows(); ++i)
      error += (reconstructions(model, x.row(i), {ranks[r]}).row(0) - x.row(i)).squaredNorm();
    const double tail = sigma.tail(24 - ranks[r]).squaredNorm();
    EXPECT_NEAR(error, tail, 1e-12 * sigma.squaredNorm()) << ranks[r];
    EXPECT_LT(error, last);
    last = error;
    // The table's PSNR is that of this error; its bytes are those of k components, the mean and the coordinates.
    EXPECT_NEAR(table[r].psnr, 10.0 * std::log10(double(x.size()) / error), 1e-9);
    EXPECT_EQ(table[r].bytes, static_cast<std::uint64_t>((ranks[r] + 1) * 600 + 25 * ranks[r]) * 4);
  }
  EXPECT_NEAR(table.back().ssim, 1.0, 1e-6);  // all components: the image itself, in float32
}

TEST(Eigenfaces, IndependentPartsSpanTheSameSpace) {
  ImageSet images{.rows = {}, .height = 8, .width = 8};
  images.rows = builtin_table("digits");
  images.white = 16.0;
  FaceOptions options = without_trial(12);
  const Model eigenfaces = fit_faces(images, options).model;
  options.parts = FaceParts::independent;
  const Model parts = fit_faces(images, options).model;
  EXPECT_EQ(parts.method(), "ica");
  const Matrix<double> x = images.rows.matrix<double>();
  for (Index i = 0; i < 20; ++i)
    EXPECT_LE((reconstructions(parts, x.row(i), {12}) - reconstructions(eigenfaces, x.row(i), {12})).norm(), 1e-6);
  const Recognition a = recognize(parts, images), b = recognize(eigenfaces, images);
  EXPECT_LE((a.face_distance - b.face_distance).cwiseAbs().maxCoeff(), 1e-6);
  // All components have the same error; fewer have more than as many eigenfaces. Half a decibel, as theirs is of all
  // images and this one of the 500 that are sampled.
  const auto table = compression_table(parts, images), best = compression_table(eigenfaces, images);
  EXPECT_NEAR(table.back().ssim, best.back().ssim, 1e-6);
  for (std::size_t r = 0; r + 1 < table.size(); ++r) EXPECT_LE(table[r].psnr, best[r].psnr + 0.5);
}

}  // namespace
}  // namespace fewdim
