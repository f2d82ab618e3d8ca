// Truths that hold between methods, routes and views; each is a theorem, the tolerances are rounding.

#include "fewdim/pca.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include "fewdim/generate.hpp"
#include "fewdim/svd.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

using test::distance;

/// Largest principal angle between the spans of two orthonormal blocks, in radians.
double subspace_angle(const Matrix<double>& a, const Matrix<double>& b) {
  const Matrix<double> rest = b - a * (a.transpose() * b);
  return std::asin(std::min(1.0, Eigen::JacobiSVD<Matrix<double>>(rest).singularValues()[0]));
}

Matrix<double> centered(const Matrix<double>& x) { return x.rowwise() - x.colwise().mean(); }

TEST(Identities, AllRoutesGiveOneSpectrum) {
  for (const auto& [rows, cols] : {std::pair<Index, Index>{400, 30}, {30, 400}, {100, 100}}) {
    const Matrix<double> x = test::sample(rows, cols, 1, 0.5);
    for (const bool scale : {false, true}) {
      const Model truth = fit_pca(x, {.components = 6, .scale = scale, .route = PcaRoute::svd});
      for (const PcaRoute route : {PcaRoute::covariance, PcaRoute::gram, PcaRoute::krylov, PcaRoute::power}) {
        const Model model = fit_pca(x, {.components = 6, .scale = scale, .route = route});
        // Power stops at residual 1e-10; its eigenvalues are then right to about the square of that.
        EXPECT_LE(distance(model.linear().explained_variance, truth.linear().explained_variance),
                  1e-12 * truth.linear().explained_variance[0]);
        EXPECT_LE(subspace_angle(model.linear().map, truth.linear().map), route == PcaRoute::power ? 1e-7 : 1e-9);
        EXPECT_NEAR(model.linear().total_variance, truth.linear().total_variance,
                    1e-12 * truth.linear().total_variance);
      }
    }
  }
}

TEST(Identities, PcaIsTheSvdOfTheCenteredData) {
  const Matrix<double> x = test::sample(200, 9);
  const Matrix<double> xc = centered(x);
  const Model pca = fit_pca(x, {.components = 5});
  const Model svd = fit_svd(xc, {.components = 5});
  EXPECT_LE(distance(pca.linear().singular_values, svd.linear().singular_values),
            1e-12 * svd.linear().singular_values[0]);
  EXPECT_LE(distance(pca.linear().map, svd.linear().map), 1e-10);
  EXPECT_LE(distance(pca.transform(x), svd.transform(xc)), 1e-9);
}

// Three views of PCA, one answer.
TEST(Identities, VarianceErrorAndLikelihoodAgree) {
  const Matrix<double> x = test::sample(300, 8);
  const Index k = 3;
  const Model model = fit_pca(x, {.components = k, .ddof = 0});
  const Matrix<double> xc = centered(x), v = model.linear().map;
  const double n = 300;
  // 1. The variance of the scores is the sum of the eigenvalues, and no other orthonormal frame has more.
  const double kept = (xc * v).squaredNorm() / n;
  EXPECT_NEAR(kept, model.linear().explained_variance.sum(), 1e-12 * kept);
  // 2. What is kept and the projection error add up to the total, so the same frame has the least error.
  const double error = (xc - xc * v * v.transpose()).squaredNorm() / n;
  EXPECT_NEAR(kept + error, model.linear().total_variance, 1e-12 * model.linear().total_variance);
  // 3. The likelihood of the PPCA covariance C = V(Λ−σ²I)Vᵀ + σ²I, σ² the mean of the rest (Tipping & Bishop 1999),
  //    falls for every other frame.
  const Matrix<double> covariance = xc.transpose() * xc / n;
  const double noise = error / static_cast<double>(8 - k);
  const auto likelihood = [&](const Matrix<double>& frame) {
    const Matrix<double> inner = frame.transpose() * covariance * frame;
    const Matrix<double> c = frame * (inner - noise * Matrix<double>::Identity(k, k)) * frame.transpose() +
                             noise * Matrix<double>::Identity(8, 8);
    return -std::log(c.determinant()) - (c.inverse() * covariance).trace();
  };
  for (Seed seed = 0; seed < 20; ++seed) {
    const Matrix<double> mixed = v + 0.1 * test::sample(8, k, seed, 0.0);
    const Matrix<double> other =
        Eigen::HouseholderQR<Matrix<double>>(mixed).householderQ() * Matrix<double>::Identity(8, k);
    EXPECT_LT((xc * other).squaredNorm() / n, kept);
    EXPECT_GT((xc - xc * other * other.transpose()).squaredNorm() / n, error);
    EXPECT_LT(likelihood(other), likelihood(v));
  }
}

TEST(Identities, GramEigenvectorsGiveTheDirections) {
  // Kα = λα, ‖α‖ = 1 → β = X̃ᵀα/√λ has unit length and X̃ᵀX̃β = λβ. Versions without the N in Σ̂ are off by √N.
  const Matrix<double> x = test::sample(25, 100);
  const Matrix<double> xc = centered(x);
  const Eigen::SelfAdjointEigenSolver<Matrix<double>> gram(xc * xc.transpose());
  const double lambda = gram.eigenvalues()[24];
  const Vector<double> beta = xc.transpose() * gram.eigenvectors().col(24) / std::sqrt(lambda);
  EXPECT_NEAR(beta.norm(), 1.0, 1e-12);
  const Model model = fit_pca(x, {.components = 1, .ddof = 0});
  EXPECT_NEAR(std::abs(beta.dot(model.linear().map.col(0))), 1.0, 1e-12);
  EXPECT_NEAR(model.linear().explained_variance[0], lambda / 25,
              1e-12 * lambda);  // eigenvalues of K are N times those of Σ̂
}

TEST(Identities, BestApproximationOfItsRank) {  // Eckart & Young 1936: ‖X − X_r‖_F² = Σ_{i>r} σ_i², ‖·‖₂ = σ_{r+1}
  const Matrix<double> x = test::sample(60, 12);
  const Vector<double> sigma = Eigen::JacobiSVD<Matrix<double>>(x).singularValues();
  for (const Index r : {1, 4, 11}) {
    const Model model = fit_svd(x, {.components = r});
    const Matrix<double> rest = x - model.inverse_transform(model.transform(x));
    EXPECT_NEAR(rest.squaredNorm(), sigma.tail(12 - r).squaredNorm(), 1e-11 * sigma.squaredNorm());
    EXPECT_NEAR(Eigen::JacobiSVD<Matrix<double>>(rest).singularValues()[0], sigma[r], 1e-11 * sigma[0]);
  }
}

TEST(Identities, BalancedFactorsMultiplyBack) {
  const Matrix<double> x = test::sample(60, 12);
  const Model all = fit_svd(x, {.components = Components::all, .scores = SvdScores::balanced});
  const Matrix<double> a = all.transform(x);                                                          // U√Σ
  const Matrix<double> b = all.linear().map * all.linear().singular_values.cwiseSqrt().asDiagonal();  // V√Σ
  EXPECT_LE(distance(a * b.transpose(), x), 1e-11 * x.cwiseAbs().maxCoeff());
  EXPECT_LE(distance(a.transpose() * a, b.transpose() * b), 1e-9 * all.linear().singular_values[0]);
  const Model unit = fit_svd(x, {.components = 5, .scores = SvdScores::unit});
  const Matrix<double> u = unit.transform(x);
  EXPECT_LE(distance(u.transpose() * u, Matrix<double>::Identity(5, 5)), 1e-10);
}

TEST(Identities, WhitenedScoresHaveUnitCovariance) {
  const Matrix<double> x = test::sample(500, 7);
  const Model model = fit_pca(x, {.components = 5, .whiten = true});
  const Matrix<double> y = model.transform(x);
  EXPECT_LE(distance(y.transpose() * y / 499.0, Matrix<double>::Identity(5, 5)), 1e-10);
  EXPECT_LE(y.colwise().mean().cwiseAbs().maxCoeff(), 1e-12);
  const Model all = fit_pca(x, {.components = 7, .whiten = true});
  EXPECT_LE(distance(all.inverse_transform(all.transform(x)), x), 1e-11 * x.cwiseAbs().maxCoeff());
}

TEST(Identities, ScaledPcaIsPcaOfStandardizedData) {
  const Matrix<double> x = test::sample(200, 6);
  Matrix<double> z = centered(x);
  for (Index j = 0; j < 6; ++j) z.col(j) /= std::sqrt(z.col(j).squaredNorm() / 199.0);
  const Model scaled = fit_pca(x, {.components = 4, .scale = true}), plain = fit_pca(z, {.components = 4});
  EXPECT_LE(distance(scaled.linear().map, plain.linear().map), 1e-10);
  EXPECT_NEAR(scaled.linear().total_variance, 6.0, 1e-12);
  EXPECT_LE(distance(scaled.transform(x), plain.transform(z)), 1e-10);
}

TEST(Identities, DdofNeverChangesDirections) {
  const Matrix<double> x = test::sample(50, 6);
  const Model one = fit_pca(x, {.components = 3, .ddof = 1}), zero = fit_pca(x, {.components = 3, .ddof = 0});
  EXPECT_LE(distance(one.linear().map, zero.linear().map), 1e-12);
  EXPECT_LE(distance(one.linear().explained_variance * 49.0 / 50.0, zero.linear().explained_variance), 1e-13);
  EXPECT_LE(distance(one.linear().singular_values, zero.linear().singular_values), 1e-12);
}

TEST(Identities, WeightsActAsRepeatedRows) {
  const Matrix<double> x = test::sample(60, 5);
  Vector<double> w(60);
  std::vector<Index> rows;
  for (Index i = 0; i < 60; ++i) {
    w[i] = static_cast<double>(1 + i % 3);
    for (Index r = 0; r < 1 + i % 3; ++r) rows.push_back(i);
  }
  const Matrix<double> repeated = x(rows, Eigen::all);
  for (const PcaRoute route : {PcaRoute::covariance, PcaRoute::gram, PcaRoute::krylov, PcaRoute::svd}) {
    const Model weighted = fit_pca(x, {.components = 3, .ddof = 0, .route = route, .weights = w});
    const Model plain = fit_pca(repeated, {.components = 3, .ddof = 0});
    EXPECT_LE(distance(weighted.linear().map, plain.linear().map), 1e-9);
    EXPECT_LE(distance(weighted.linear().explained_variance, plain.linear().explained_variance), 1e-11);
  }
}

TEST(Identities, PartsMergeToTheWhole) {
  const Matrix<double> x = test::sample(1000, 10);
  PcaAccumulator first, second;
  first.partial_fit(Dataset(x.topRows(13)));
  first.partial_fit(Dataset(x.middleRows(13, 400)));
  second.partial_fit(Dataset(x.bottomRows(587)));
  first.merge(second);
  EXPECT_EQ(first.rows(), 1000);
  const Model merged = first.finish({.components = 4}), whole = fit_pca(x, {.components = 4});
  EXPECT_LE(distance(merged.linear().map, whole.linear().map), 1e-11);
  EXPECT_LE(distance(merged.linear().explained_variance, whole.linear().explained_variance), 1e-13);
  EXPECT_LE(distance(merged.transform(x), whole.transform(x)), 1e-11);
}

TEST(Identities, PartsMergeInAnyOrder) {
  const Matrix<double> x = test::sample(100, 5);
  const Matrix<float> xf = x.cast<float>();
  Dataset named(x);
  named.column_names = {"a", "b", "c", "d", "e"};
  PcaAccumulator forward, backward;
  forward.partial_fit(Dataset(xf));
  forward.partial_fit(named);
  backward.partial_fit(named);
  backward.partial_fit(Dataset(xf));
  const Model a = forward.finish(), b = backward.finish();
  EXPECT_EQ(a.head().precision, Precision::float64);  // one float64 part is enough
  EXPECT_EQ(b.head().precision, Precision::float64);
  EXPECT_EQ(a.head().feature_names, named.column_names);
  EXPECT_EQ(b.head().feature_names, named.column_names);
  EXPECT_LE(distance(a.linear().map, b.linear().map), 1e-12);
}

TEST(Identities, WeightedPartsMergeToTheWeightedWhole) {
  const Matrix<double> x = test::sample(90, 5);
  Dataset whole(x), first(x.topRows(31)), second(x.bottomRows(59));
  whole.weights = Vector<double>::LinSpaced(90, 0.5, 3.0);
  first.weights = whole.weights.head(31);
  second.weights = whole.weights.tail(59);
  PcaAccumulator parts;
  parts.partial_fit(first);
  parts.partial_fit(second);
  const Model merged = parts.finish({.components = 3}), at_once = fit_pca(whole, {.components = 3});
  EXPECT_LE(distance(merged.linear().map, at_once.linear().map), 1e-11);
  EXPECT_LE(distance(merged.linear().explained_variance, at_once.linear().explained_variance), 1e-13);
}

TEST(Identities, PartsRefuseWhatTheyCantDo) {
  const Matrix<double> x = test::sample(30, 4);
  Dataset named(x), renamed(x), negative(x);
  named.column_names = {"a", "b", "c", "d"};
  renamed.column_names = {"b", "a", "c", "d"};
  negative.weights = Vector<double>::Constant(30, -1.0);
  PcaAccumulator parts;
  EXPECT_THROW(parts.finish(), DataError);
  parts.partial_fit(named);
  EXPECT_THROW(parts.partial_fit(renamed), DataError);
  EXPECT_THROW(parts.partial_fit(negative), DataError);
  EXPECT_THROW(parts.partial_fit(Dataset(test::sample(30, 5))), DataError);
  EXPECT_THROW(parts.partial_fit(Dataset(x), {.memory_limit = 1000}), OverMemory);
  EXPECT_EQ(parts.rows(), 30);  // a refused part leaves nothing behind
  EXPECT_THROW(parts.finish({.components = "minka"}), InvalidOption);
  EXPECT_THROW(parts.finish({.embedding = true}), InvalidOption);
  EXPECT_THROW(parts.finish({.weights = Vector<double>::Ones(30)}), InvalidOption);
  EXPECT_THROW(parts.finish({.missing = Missing::em}), InvalidOption);
  for (const PcaRoute route : {PcaRoute::gram, PcaRoute::svd, PcaRoute::krylov, PcaRoute::power})
    EXPECT_THROW(parts.finish({.route = route}), InvalidOption);
  EXPECT_NO_THROW(parts.finish({.route = PcaRoute::covariance}));
  EXPECT_THROW(PcaAccumulator::options_of({{"route", std::string("krylov")}}), InvalidOption);
  EXPECT_THROW(PcaAccumulator::options_of({{"accuracy", std::string("foo")}}), InvalidOption);
  EXPECT_THROW(PcaAccumulator::options_of({{"components", std::int64_t{-1}}}), InvalidOption);
}

TEST(Identities, PartsGoOnFromTheirMoments) {
  const Matrix<double> x = test::sample(200, 6);
  PcaAccumulator first;
  first.partial_fit(Dataset(x.topRows(120)));
  PcaAccumulator second(first.moments());
  second.partial_fit(Dataset(x.bottomRows(80)));
  EXPECT_EQ(first.rows(), 120);
  EXPECT_EQ(second.rows(), 200);
  first.partial_fit(Dataset(x.bottomRows(80)));
  const Model a = first.finish({.components = 4}), b = second.finish({.components = 4});
  EXPECT_TRUE((a.linear().map.array() == b.linear().map.array()).all());  // the same sums in the same order
  PcaMoments broken = first.moments();
  broken.scatter(3, 2) = std::nan("");
  EXPECT_THROW(PcaAccumulator{broken}, DataError);
  broken = first.moments();
  broken.mean.conservativeResize(5);
  EXPECT_THROW(PcaAccumulator{broken}, DataError);
}

TEST(Identities, PartsOfFloat32TakeFloat64Products) {
  const Matrix<float> x = (test::sample(300, 4).array() * 1e-3 + 1.0).matrix().cast<float>();
  const Matrix<double> wide = x.cast<double>();
  PcaAccumulator high, standard;
  high.partial_fit(Dataset(x), {}, Accuracy::high);
  standard.partial_fit(Dataset(x));
  const Model model = high.finish({.components = 4, .accuracy = Accuracy::high}),
              exact = fit_pca(wide, {.components = 4});
  EXPECT_LE(distance(model.linear().explained_variance, exact.linear().explained_variance),
            1e-6);  // as float32 is kept
  EXPECT_THROW(standard.finish({.accuracy = Accuracy::high}), InvalidOption);
}

TEST(Identities, StreamingEqualsMemory) {
  const Matrix<double> x = test::sample(5000, 40);
  for (const PcaRoute route : {PcaRoute::covariance, PcaRoute::krylov}) {
    const Model memory = fit_pca(x, {.components = 5, .route = route});
    const Dataset stream(std::make_shared<test::MatrixStream<double>>(x, true));
    const Model streamed = fit_pca(stream, {.components = 5, .route = route});
    EXPECT_TRUE(memory.linear().map == streamed.linear().map);  // the same bits, not merely 1e-10
  }
}

TEST(Identities, ShareOfVarianceIsReachedOnEveryRoute) {
  const Matrix<double> x = test::sample(400, 40, 1, 0.5);
  const Vector<double> ratios = fit_pca(x, {.components = Components::all}).linear().explained_variance_ratio;
  for (const double share : {0.3, 0.8, 0.95, 1.0}) {
    Index needed = 0;
    double sum = 0;
    while (needed < 40 && sum < share * (1 - 1e-12)) sum += ratios[needed++];
    for (const PcaRoute route : {PcaRoute::covariance, PcaRoute::gram, PcaRoute::svd, PcaRoute::krylov})
      EXPECT_EQ(fit_pca(x, {.components = share, .route = route}).components(), needed) << share;
  }
}

TEST(Identities, SignRuleHolds) {
  const Matrix<double> x = test::sample(80, 10);
  for (const PcaRoute route :
       {PcaRoute::covariance, PcaRoute::gram, PcaRoute::svd, PcaRoute::krylov, PcaRoute::power}) {
    const Matrix<double> v = fit_pca(x, {.components = 6, .route = route}).linear().map;
    for (Index c = 0; c < 6; ++c) {
      Index at = 0;
      v.col(c).cwiseAbs().maxCoeff(&at);
      EXPECT_GT(v(at, c), 0.0);
    }
  }
}

TEST(Identities, TextbookExample) {
  // Lindsay Smith, "A tutorial on principal components analysis" (2002): covariance .616556 .615444 .716556,
  // eigenvalues 1.28402771 and .0490833989 (one version prints .49), direction (.677873, .735179).
  const Model model = fit_pca(builtin_table("ten-points"), {.components = 2});
  EXPECT_NEAR(model.linear().explained_variance[0], 1.28402771, 5e-9);
  EXPECT_NEAR(model.linear().explained_variance[1], 0.0490833989, 5e-11);
  EXPECT_NEAR(model.linear().map(0, 0), 0.677873, 5e-7);
  EXPECT_NEAR(model.linear().map(1, 0), 0.735179, 5e-7);
  EXPECT_NEAR(model.linear().column_variance[0], 0.616556, 5e-7);
}

// A column of 0.1: its computed mean is off in the last digits, and its spread must still count as none.
TEST(Identities, ConstantColumnsAreRefusedWhenScaling) {
  Matrix<double> x = test::sample(2000, 4);
  x.col(2).setConstant(0.1);
  for (const PcaRoute route : {PcaRoute::covariance, PcaRoute::krylov, PcaRoute::svd})
    EXPECT_THROW(fit_pca(x, {.components = 2, .scale = true, .route = route}), DataError);
  EXPECT_NO_THROW(fit_pca(x, {.components = 2}));
}

TEST(Identities, EqualEigenvaluesAreFlagged) {
  // Four points of a square: both directions have the same variance.
  Matrix<double> x(4, 2);
  x << 1, 0, -1, 0, 0, 1, 0, -1;
  const Model model = fit_pca(x, {.components = 2});
  EXPECT_EQ(model.certificate().groups[0], model.certificate().groups[1]);
}

}  // namespace
}  // namespace fewdim
