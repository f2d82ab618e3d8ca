// What a non-negative factorization must keep, and what it has in common with the SVD.

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>

#include "fewdim/fewdim.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

double measure(const Model& model, const std::string& name) {
  if (const Diagnostic* found = find_diagnostic(model.head().diagnostics, name)) return found->value;
  return std::nan("");
}

Matrix<double> table(Index rows, Index cols, Seed seed = 1) {
  return test::sparse_sample(rows, cols, 0.4, seed).cwiseAbs();
}

TEST(NmfIdentities, OnePartIsTheFirstSingularTriplet) {  // Perron & Frobenius: it has no negative entry
  const Matrix<double> x = table(60, 15);
  const Model nmf = fit_nmf(x, {.components = 1, .tolerance = 1e-9});
  const Model svd = fit_svd(x, {.components = 1});
  // The measure is 2 σ² sin θ / ‖X‖² to first order: 1e-9 of it leaves less than 1e-7 of an angle.
  EXPECT_LE(test::distance(nmf.linear().map, svd.linear().map), 1e-7);
  EXPECT_NEAR(nmf.linear().explained_variance[0], svd.linear().explained_variance[0],
              1e-10 * svd.linear().explained_variance[0]);
  EXPECT_LE(test::distance(nmf.transform(x), svd.transform(x)), 1e-6);
}

TEST(NmfIdentities, NoBetterThanTheSvdAndThePiecesFit) {
  const Matrix<double> x = table(120, 20);
  const Model nmf = fit_nmf(x, {.components = 4, .embedding = true});
  const Model svd = fit_svd(x, {.components = 4});
  const Matrix<double> w = nmf.embedding(), h = nmf.linear().map;
  const double loss = (x - w * h.transpose()).squaredNorm();
  EXPECT_GE(loss, x.squaredNorm() - svd.linear().explained_variance.sum());  // Eckart & Young
  EXPECT_NEAR(measure(nmf, "loss"), loss, 1e-10 * x.squaredNorm());
  EXPECT_NEAR(measure(nmf, "explained"), 1.0 - loss / x.squaredNorm(), 1e-10);
  EXPECT_NEAR(nmf.linear().total_variance, x.squaredNorm(), 1e-10 * x.squaredNorm());
  EXPECT_GE(w.minCoeff(), 0.0);
  EXPECT_GE(h.minCoeff(), 0.0);
  for (Index c = 0; c < 4; ++c) {
    EXPECT_NEAR(h.col(c).norm(), 1.0, 1e-14);
    EXPECT_NEAR(nmf.linear().explained_variance[c], w.col(c).squaredNorm(), 1e-9 * x.squaredNorm());
    if (c > 0) {
      EXPECT_LE(nmf.linear().explained_variance[c], nmf.linear().explained_variance[c - 1]);
    }
  }
  const Matrix<double> back = nmf.inverse_transform(w);
  EXPECT_LE(test::distance(back, w * h.transpose()), 1e-12 * back.maxCoeff());
}

/// The least of ‖x − Hy‖² + penalty over all sets of coefficients that may be other than zero.
double least_of_all_sets(const Matrix<double>& h, const Vector<double>& x, double ridge, double lasso) {
  const Index k = h.cols();
  double best = x.squaredNorm();
  for (Index set = 1; set < Index{1} << k; ++set) {
    std::vector<Index> in;
    for (Index c = 0; c < k; ++c)
      if ((set >> c & 1) != 0) in.push_back(c);
    const Matrix<double> part = h(Eigen::all, in);
    Matrix<double> gram = part.transpose() * part;
    gram.diagonal().array() += ridge;
    const Vector<double> y = gram.colPivHouseholderQr().solve(Vector<double>((part.transpose() * x).array() - lasso));
    if (y.minCoeff() < 0.0) continue;
    best = std::min(best, (x - part * y).squaredNorm() + ridge * y.squaredNorm() + 2.0 * lasso * y.sum());
  }
  return best;
}

TEST(NmfIdentities, NewRowsAreTheBestOfAllActiveSets) {
  const Matrix<double> x = table(100, 10), fresh = test::sample(40, 10, 9, 0.2);  // negative numbers are fine there
  for (const double penalty : {0.0, 0.5}) {
    const Model model = fit_nmf(x, {.components = 4, .ridge = penalty, .lasso = penalty});
    const Matrix<double> y = model.transform(fresh), h = model.linear().map;
    for (Index i = 0; i < fresh.rows(); ++i) {
      const Vector<double> row = fresh.row(i);
      const double found = (row - h * y.row(i).transpose()).squaredNorm() + penalty * y.row(i).squaredNorm() +
                           2.0 * penalty * y.row(i).sum();
      EXPECT_NEAR(found, least_of_all_sets(h, row, penalty, penalty), 1e-12 * row.squaredNorm()) << i;
    }
  }
}

TEST(NmfIdentities, FindsExactPartsAgain) {
  const Matrix<double> x = table(90, 3, 4) * table(40, 3, 5).transpose();
  for (const NmfStart start : {NmfStart::nndsvd, NmfStart::nndsvda}) {
    const Model model = fit_nmf(x, {.components = 3, .start = start, .iterations = 20000, .tolerance = 1e-9});
    EXPECT_LE(measure(model, "loss"), 1e-6 * x.squaredNorm());
  }
}

TEST(NmfIdentities, SeparatePartsAreFoundAsTheyAre) {
  // Blocks that share no row and no column: each part is the first singular triplet of its own block.
  Matrix<double> x = Matrix<double>::Zero(30, 12);
  x.block(0, 0, 10, 4) = 3.0 * test::sample(10, 4, 1).cwiseAbs();
  x.block(10, 4, 12, 5) = 2.0 * test::sample(12, 5, 2).cwiseAbs();
  x.block(22, 9, 8, 3) = test::sample(8, 3, 3).cwiseAbs();
  const Model model = fit_nmf(x, {.components = 3, .tolerance = 1e-10});
  Matrix<double> expected = Matrix<double>::Zero(12, 3);
  std::vector<std::pair<double, Vector<double>>> parts;
  for (const auto& [r, c, rows, cols] : {std::array<Index, 4>{0, 0, 10, 4}, {10, 4, 12, 5}, {22, 9, 8, 3}}) {
    const Matrix<double> block = x.block(r, c, rows, cols);
    const Model svd = fit_svd(block, {.components = 1});
    Vector<double> direction = Vector<double>::Zero(12);
    direction.segment(c, cols) = svd.linear().map.col(0);
    parts.emplace_back(-svd.linear().explained_variance[0], direction);
  }
  std::ranges::sort(parts, {}, &std::pair<double, Vector<double>>::first);
  for (Index c = 0; c < 3; ++c) expected.col(c) = parts[static_cast<std::size_t>(c)].second;
  EXPECT_LE(test::distance(model.linear().map, expected), 1e-6);
}

TEST(NmfIdentities, AFactorTimesTheDataIsAFactorTimesTheWeights) {
  const Matrix<double> x = table(80, 12), larger = 64.0 * x;  // a power of two: no rounding
  const Model one = fit_nmf(x, {.components = 3}), two = fit_nmf(larger, {.components = 3});
  EXPECT_LE(test::distance(one.linear().map, two.linear().map), 1e-12);
  EXPECT_LE(test::distance(64.0 * one.transform(x), two.transform(larger)), 1e-10 * larger.maxCoeff());
}

TEST(NmfIdentities, PenaltiesMakeZerosAndShrink) {
  const Matrix<double> x = table(150, 20);
  const Model plain = fit_nmf(x, {.components = 5});
  const Model sparse = fit_nmf(x, {.components = 5, .lasso = 3.0});
  const Model ridge = fit_nmf(x, {.components = 5, .ridge = 3.0});
  EXPECT_GT(measure(sparse, "zeros_in_parts"), measure(plain, "zeros_in_parts"));
  EXPECT_GT(measure(ridge, "loss"), measure(plain, "loss"));
  EXPECT_EQ(ridge.linear().regression.ridge.size(), 5);
  EXPECT_EQ(sparse.linear().regression.lasso, 3.0);
  // Where both factors pay the same price, both come out the same size: ridge‖w‖² + lasso Σw is that of h.
  const Matrix<double> w = ridge.transform(x), h = ridge.linear().map;
  for (Index c = 0; c < 5; ++c) EXPECT_NEAR(w.col(c).norm() / h.col(c).norm(), 1.0, 0.02);
}

TEST(NmfIdentities, RowsAndColumnsOfZerosAreFine) {
  Matrix<double> x = table(50, 9);
  x.row(7).setZero();
  x.col(3).setZero();
  const Model model = fit_nmf(x, {.components = 3, .embedding = true});
  EXPECT_EQ(model.embedding().row(7).maxCoeff(), 0.0);
  EXPECT_EQ(model.linear().map.row(3).maxCoeff(), 0.0);
}

TEST(NmfIdentities, MorePartsThanThereAreAreReported) {
  const Matrix<double> x = table(40, 1, 2) * table(12, 1, 3).transpose();
  const Model model = fit_nmf(x, {.components = 3});
  EXPECT_EQ(measure(model, "unused_parts"), 2.0);
  EXPECT_EQ(model.linear().explained_variance[1], 0.0);
  EXPECT_TRUE(model.transform(x).allFinite());
  ASSERT_EQ(model.certificate().warnings.size(), 1u);
  EXPECT_NE(spoken(model.certificate().warnings[0]).find("lower components"), std::string::npos);
}

TEST(NmfIdentities, SayWhatIsWrong) {
  Matrix<double> x = table(20, 5);
  x(3, 2) = -1.5;
  Dataset named(x);
  named.column_names = {"a", "b", "c", "d", "e"};
  const Csr<double> csr = test::to_csr(x);
  for (const Dataset& data : {named, Dataset(csr.view())}) {
    try {
      fit_nmf(data);
      FAIL();
    } catch (const DataError& e) {
      const std::string text = e.what();
      EXPECT_NE(text.find("-1.5 at row 4, column 3"), std::string::npos) << text;
    }
  }
  x(3, 2) = 1.5;
  EXPECT_THROW(fit_nmf(x, {.components = 0.9}), InvalidOption);
  EXPECT_THROW(fit_nmf(x, {.components = 6}), InvalidOption);
  EXPECT_THROW(fit_nmf(x, {.iterations = 1, .tolerance = 1e-12}), NotConverged);
  EXPECT_NO_THROW(fit_nmf(x, {.components = "auto"}));
  const Matrix<double> huge = 1e200 * x;
  EXPECT_THROW(fit_nmf(huge), DataError);
}

}  // namespace
}  // namespace fewdim
