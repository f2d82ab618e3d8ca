// Probabilistic PCA and factor analysis: what they have in common with PCA, with the full covariance, and with EM.

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "fewdim/fewdim.hpp"
#include "methods/shared/missing_values.hpp"
#include "support/embedding.hpp"
#include "support/gaps.hpp"

namespace fewdim {
namespace {

double diagnostic(const Model& model, std::string_view name) {
  if (const Diagnostic* found = find_diagnostic(model.head().diagnostics, name)) return found->value;
  ADD_FAILURE() << "no " << name;
  return 0.0;
}

Matrix<double> covariance_of(const Model& model) {
  const LinearModel& m = model.linear();
  Matrix<double> c = m.loadings * m.loadings.transpose();
  if (m.factor_correlation.size() > 0) c = m.loadings * m.factor_correlation * m.loadings.transpose();
  c.diagonal() += m.noise;
  if (m.scale.size() > 0) c = m.scale.asDiagonal() * c * m.scale.asDiagonal();
  return c;
}

TEST(Ppca, EmOnCompleteRowsIsTheClosedForm) {
  const Matrix<double> x = test::low_rank_rows(400, 9, 3, 0.6);
  for (const bool scale : {false, true}) {
    const Model closed = fit_ppca(x, {.components = 3, .scale = scale});
    const ObservedAxes em = observed_axes(x, {.who = "ppca", .components = 3, .scale = scale, .tolerance = 1e-14}, {});
    const double likelihood = diagnostic(closed, "log_likelihood");
    EXPECT_NEAR(em.em.log_likelihood, likelihood, 1e-8 * std::abs(likelihood));
    EXPECT_NEAR(em.noise, closed.linear().noise[0], 1e-6 * em.noise);
    for (Index c = 0; c < 3; ++c) {
      EXPECT_NEAR(em.values[c], closed.linear().explained_variance[c], 1e-6 * em.values[0]);
      EXPECT_NEAR(std::abs(em.vectors.col(c).dot(closed.linear().map.col(c))), 1.0, 1e-8);
    }
  }
}

TEST(Ppca, WithoutNoiseItIsPca) {
  const Matrix<double> x = test::low_rank_rows(200, 8, 2, 1e-6);
  const Model ppca = fit_ppca(x, {.components = 2}), pca = fit_pca(x, {.components = 2, .ddof = 0});
  const Matrix<double> z = ppca.transform(x), y = pca.transform(x);
  for (Index c = 0; c < 2; ++c) {
    const double deviation = std::sqrt(pca.linear().explained_variance[c]);
    EXPECT_LE((z.col(c) * deviation - y.col(c)).cwiseAbs().maxCoeff(), 1e-9 * y.cwiseAbs().maxCoeff());
  }
  EXPECT_LE((ppca.inverse_transform(z) - pca.inverse_transform(y)).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(Ppca, LikelihoodsAreThoseOfTheFullCovariance) {
  const Matrix<double> x = test::low_rank_rows(150, 6, 2, 0.5);
  for (const bool scale : {false, true}) {
    const Model model = fit_ppca(x, {.components = 2, .scale = scale});
    const Matrix<double> c = covariance_of(model);
    const Eigen::LLT<Matrix<double>> factor(c);
    const Vector<double> logs = log_likelihoods(model, x);
    for (Index i = 0; i < 150; i += 31) {
      const Vector<double> r = x.row(i).transpose() - model.linear().mean;
      const double direct = -0.5 * (6.0 * std::log(2.0 * M_PI) +
                                    2.0 * factor.matrixLLT().diagonal().array().log().sum() + r.dot(factor.solve(r)));
      EXPECT_NEAR(logs[i], direct, 1e-10 * std::abs(direct));
    }
    EXPECT_NEAR(logs.sum(), diagnostic(model, "log_likelihood"), 1e-9 * std::abs(logs.sum()));
  }
}

TEST(Ppca, FilledValuesAreConditionalExpectations) {
  const Matrix<double> whole = test::low_rank_rows(200, 6, 2, 0.5);
  const Model model = fit_ppca(whole, {.components = 2, .scale = true});
  Matrix<double> x = whole.topRows(3);
  x(0, 1) = x(0, 4) = x(2, 5) = std::nan("");
  x.row(1).setConstant(std::nan(""));
  const Filled filled = fill_missing(model, x);
  EXPECT_EQ(filled.missing, 9);
  EXPECT_EQ(filled.empty_rows, 1);
  const Matrix<double> y = filled.rows.matrix<double>(), c = covariance_of(model);
  const Vector<double>& mean = model.linear().mean;
  // Row 0: (1, 4) given (0, 2, 3, 5) by blocks of the covariance.
  const std::vector<Index> gone{1, 4}, seen{0, 2, 3, 5};
  Matrix<double> cs(4, 4), cg(2, 4), cgg(2, 2);
  Vector<double> r(4);
  for (Index a = 0; a < 4; ++a) {
    const Index i = seen[static_cast<std::size_t>(a)];
    r[a] = x(0, i) - mean[i];
    for (Index b = 0; b < 4; ++b) cs(a, b) = c(i, seen[static_cast<std::size_t>(b)]);
    for (Index g = 0; g < 2; ++g) cg(g, a) = c(gone[static_cast<std::size_t>(g)], i);
  }
  for (Index a = 0; a < 2; ++a)
    for (Index b = 0; b < 2; ++b) cgg(a, b) = c(gone[static_cast<std::size_t>(a)], gone[static_cast<std::size_t>(b)]);
  const Vector<double> expected = cg * cs.ldlt().solve(r);
  const Matrix<double> spread = cgg - cg * cs.ldlt().solve(cg.transpose());
  for (Index g = 0; g < 2; ++g) {
    const Index j = gone[static_cast<std::size_t>(g)];
    EXPECT_NEAR(y(0, j), mean[j] + expected[g], 1e-9);
    EXPECT_NEAR(filled.errors(0, j), std::sqrt(spread(g, g)), 1e-9);
  }
  EXPECT_EQ(y(0, 0), x(0, 0));
  EXPECT_EQ(filled.errors(0, 0), 0.0);
  EXPECT_LE((y.row(1).transpose() - mean).cwiseAbs().maxCoeff(), 1e-12);
  // A partial row's scores are the posterior mean of z given what is there.
  const Matrix<double> z = model.transform(x), complete = model.transform(y);
  EXPECT_LE((z - complete).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Ppca, ThirtyPercentMissingIsFilledBetterThanByMeans) {
  const Matrix<double> truth = test::low_rank_rows(500, 15, 3, 0.5), x = test::with_gaps(truth, 0.3);
  const Matrix<double> filled = fill_missing(fit_ppca(x, {.components = 3}), x).rows.matrix<double>();
  const Matrix<double> by_pca =
      fill_missing(fit_pca(x, {.components = 3, .missing = Missing::em}), x).rows.matrix<double>();
  double error = 0.0, pca_error = 0.0, mean_error = 0.0;
  for (Index j = 0; j < 15; ++j) {
    double sum = 0.0, count = 0.0;
    for (Index i = 0; i < 500; ++i)
      if (!std::isnan(x(i, j))) {
        sum += x(i, j);
        count += 1.0;
      }
    for (Index i = 0; i < 500; ++i)
      if (std::isnan(x(i, j))) {
        error += std::pow(filled(i, j) - truth(i, j), 2);
        pca_error += std::pow(by_pca(i, j) - truth(i, j), 2);
        mean_error += std::pow(sum / count - truth(i, j), 2);
      }
  }
  EXPECT_LE(error, 0.1 * mean_error);
  EXPECT_LE(pca_error, 0.1 * mean_error);
}

TEST(Pca, ExactLowRankRowsAreFilledExactly) {
  const Matrix<double> truth = test::low_rank_rows(300, 10, 2, 1e-4), x = test::with_gaps(truth, 0.2);
  const Model model = fit_pca(x, {.components = 2, .missing = Missing::em});
  EXPECT_EQ(model.certificate().route, Route::em);
  const Matrix<double> filled = fill_missing(model, x).rows.matrix<double>();
  EXPECT_LE((filled - truth).cwiseAbs().maxCoeff(), 5e-3);  // noise 1e-4, and rows of few values
  const Model complete = fit_pca(truth, {.components = 2});
  for (Index c = 0; c < 2; ++c)
    EXPECT_NEAR(std::abs(model.linear().map.col(c).dot(complete.linear().map.col(c))), 1.0, 1e-4);
  EXPECT_THROW(fit_pca(x, {.components = 2}), DataError);  // never in silence
  EXPECT_THROW(verify(model, x), Unsupported);
}

TEST(Ppca, RelevanceDropsWhatIsNotNeeded) {
  const Matrix<double> x = test::low_rank_rows(600, 12, 3, 0.5);
  const Model model = fit_ppca(x, {.components = 8, .relevance = true});
  EXPECT_EQ(model.components(), 3);
}

TEST(Ppca, DrawnRowsHaveTheModelsMoments) {
  const Model model = fit_ppca(test::low_rank_rows(300, 5, 2, 0.5), {.components = 2});
  const Matrix<double> drawn = sample(model, 40'000, 3).matrix<double>();
  const Vector<double> mean = drawn.colwise().mean();
  const Matrix<double> centered = drawn.rowwise() - mean.transpose();
  const Matrix<double> found = centered.transpose() * centered / 40'000.0, c = covariance_of(model);
  // Standard errors are about √(2/40,000) = 0.7 % of the variances: five of them.
  EXPECT_LE((found - c).cwiseAbs().maxCoeff(), 0.035 * c.diagonal().maxCoeff());
  EXPECT_LE((mean - model.linear().mean).cwiseAbs().maxCoeff(), 5.0 * std::sqrt(c.diagonal().maxCoeff() / 40'000.0));
  EXPECT_TRUE((sample(model, 100, 3, {.threads = 1}).matrix<double>().array() ==
               sample(model, 100, 3, {.threads = 3}).matrix<double>().array())
                  .all());
}

TEST(FactorAnalysis, EmAndNewtonAgree) {
  const Matrix<double> x = test::low_rank_rows(400, 8, 2, 0.8);
  const Model newton = fit_factor_analysis(x, {.components = 2, .rotation = FactorRotation::none});
  const ObservedTable table = observe(x, true, 0, "test", {});
  GaussianFactors start{Vector<double>::Zero(8), newton.linear().loadings + Matrix<double>::Constant(8, 2, 0.1),
                        Vector<double>::Constant(8, 0.5)};
  const FactorEmResult em = fit_factors(table, start, {.one_noise = false, .tolerance = 1e-14}, {});
  EXPECT_LE((em.factors.noise - newton.linear().noise).cwiseAbs().maxCoeff(), 1e-5);
  const double likelihood = em.log_likelihood - 400.0 * table.scale.array().log().sum();
  EXPECT_NEAR(diagnostic(newton, "log_likelihood"), likelihood, 1e-8 * std::abs(likelihood));
}

TEST(FactorAnalysis, RotationsChangeNoLikelihood) {
  const Matrix<double> x = test::low_rank_rows(300, 9, 3, 0.8);
  const Model plain = fit_factor_analysis(x, {.components = 3, .rotation = FactorRotation::none});
  for (const FactorRotation rotation : {FactorRotation::varimax, FactorRotation::promax}) {
    const Model turned = fit_factor_analysis(x, {.components = 3, .rotation = rotation});
    EXPECT_LE((covariance_of(turned) - covariance_of(plain)).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_LE((log_likelihoods(turned, x) - log_likelihoods(plain, x)).cwiseAbs().maxCoeff(), 1e-8);
    const Matrix<double> back = turned.inverse_transform(turned.transform(x)),
                         plain_back = plain.inverse_transform(plain.transform(x));
    EXPECT_LE((back - plain_back).cwiseAbs().maxCoeff(), 1e-8);
  }
}

TEST(FactorAnalysis, RefusesTooManyFactorsAndConstants) {
  Matrix<double> x = test::low_rank_rows(50, 5, 2, 0.8);
  EXPECT_THROW(fit_factor_analysis(x, {.components = 5}), InvalidOption);
  // (5−3)² < 5+3: more than the correlations determine; it says so.
  EXPECT_FALSE(fit_factor_analysis(x, {.components = 3}).certificate().warnings.empty());
  EXPECT_NO_THROW(fit_factor_analysis(x, {.components = 2}));
  x.col(1).setConstant(3.0);
  EXPECT_THROW(fit_factor_analysis(x, {.components = 2}), DataError);
}

TEST(Gaussian, OtherModelsSayWhatIsNeeded) {
  const Matrix<double> x = test::low_rank_rows(50, 5, 2, 0.8);
  const Model pca = fit_pca(x, {.components = 2});
  EXPECT_THROW(fill_missing(pca, x), Unsupported);
  EXPECT_THROW(log_likelihoods(pca, x), Unsupported);
  EXPECT_THROW(sample(pca, 3), Unsupported);
}

}  // namespace
}  // namespace fewdim
