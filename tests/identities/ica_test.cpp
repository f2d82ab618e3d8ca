// What independent components must keep, whatever the algorithm.

#include "fewdim/ica.hpp"

#include <gtest/gtest.h>

#include "fewdim/fewdim.hpp"
#include "support/data.hpp"
#include "support/sources.hpp"

namespace fewdim {
namespace {

constexpr IcaAlgorithm every_algorithm[] = {IcaAlgorithm::automatic, IcaAlgorithm::fastica,  IcaAlgorithm::deflation,
                                            IcaAlgorithm::picard,    IcaAlgorithm::picard_o, IcaAlgorithm::jade};

double measure(const Model& model, const std::string& name) {
  if (const Diagnostic* found = find_diagnostic(model.head().diagnostics, name)) return found->value;
  return NAN;
}

TEST(IcaIdentity, RecoversKnownSources) {
  const Matrix<double> s = test::sources(10'000, 5), x = s * test::mixing(5, 5);
  for (const IcaAlgorithm algorithm : every_algorithm) {
    const Model model = fit_ica(x, {.algorithm = algorithm});
    const double index = minimum_distance_index(source_gain(model.transform(x), s));
    EXPECT_LE(index, algorithm == IcaAlgorithm::jade ? 0.15 : 0.05)
        << int(algorithm);  // as in unit/solvers/ica/ica_test.cpp
  }
}

// The white rows of X and XA are rotations of each other, and so have the same stationary points. Sources of the same
// order of size have another order after another mixing, so that they are compared by the index; deflation may find
// them in another order, which changes its errors.
TEST(IcaIdentity, DoesNotDependOnTheMixing) {
  const Matrix<double> s = test::sources(8000, 4), x = s * test::mixing(4, 4), other = x * test::mixing(4, 4, 9);
  for (const IcaAlgorithm algorithm : every_algorithm) {
    const Matrix<double> a = fit_ica(x, {.algorithm = algorithm}).transform(x);
    const Matrix<double> b = fit_ica(other, {.algorithm = algorithm, .seed = 4}).transform(other);
    const double tolerance = algorithm == IcaAlgorithm::deflation ? 0.05 : 1e-5;  // 1e-7 over a curvature of 0.01
    EXPECT_LE(minimum_distance_index(source_gain(a, b)), tolerance) << int(algorithm);
  }
}

TEST(IcaIdentity, FixedPointsAndDescentAgree) {
  const Matrix<double> x = test::sources(6000, 4) * test::mixing(4, 4);
  for (const IcaContrast contrast : {IcaContrast::logcosh, IcaContrast::exp, IcaContrast::cube}) {
    const Matrix<double> a = fit_ica(x, {.algorithm = IcaAlgorithm::fastica, .contrast = contrast}).transform(x);
    const Matrix<double> b = fit_ica(x, {.algorithm = IcaAlgorithm::picard_o, .contrast = contrast}).transform(x);
    EXPECT_LE(test::distance(a, b), 1e-4 * a.cwiseAbs().maxCoeff());  // order and signs, too
  }
}

TEST(IcaIdentity, SourcesAreWhiteAndShareTheVariance) {
  const Matrix<double> x = test::sources(3000, 4) * test::mixing(4, 7);  // seven mixtures of four sources
  const Model model = fit_ica(x, {.components = 4});
  const Matrix<double> y = model.transform(x);
  const Matrix<double> covariance = y.transpose() * y / 2999.0;
  EXPECT_LE(test::distance(covariance, Matrix<double>(Matrix<double>::Identity(4, 4))), 1e-12);
  EXPECT_LE(y.colwise().mean().cwiseAbs().maxCoeff(), 1e-13);
  const LinearModel& shape = model.linear();
  for (Index i = 0; i < 4; ++i) {
    EXPECT_NEAR(shape.explained_variance[i], shape.inverse_map.col(i).squaredNorm(), 1e-12 * shape.total_variance);
    if (i > 0) {
      EXPECT_GE(shape.explained_variance[i - 1], shape.explained_variance[i]);
    }
    Index most = 0;
    shape.inverse_map.col(i).cwiseAbs().maxCoeff(&most);
    EXPECT_GT(shape.inverse_map(most, i), 0.0);
  }
  EXPECT_NEAR(shape.explained_variance_ratio.sum(), 1.0, 1e-12);  // nothing else is in x
  EXPECT_LE(test::distance(model.inverse_transform(y), x), 1e-11 * x.cwiseAbs().maxCoeff());
}

TEST(IcaIdentity, ScalingColumnsChangesNothingWhereAllAreKept) {
  const Matrix<double> x = test::sources(4000, 4) * test::mixing(4, 4);
  const Matrix<double> a = fit_ica(x).transform(x), b = fit_ica(x, {.scale = true}).transform(x);
  EXPECT_LE(minimum_distance_index(source_gain(a, b)), 1e-5);
}

TEST(IcaIdentity, SparseRowsGiveTheSame) {
  const Matrix<double> x = test::sparse_sample(2000, 6, 0.3);
  const Model dense = fit_ica(x, {.components = 4}), sparse = fit_ica(Dataset(test::to_csr(x)), {.components = 4});
  EXPECT_LE(test::distance(sparse.linear().map, dense.linear().map), 1e-6);
}

TEST(IcaIdentity, SingleStaysSingle) {
  const Matrix<double> x = test::sources(5000, 4) * test::mixing(4, 4);
  const Matrix<float> single = x.cast<float>();
  const Model model = fit_ica(single);
  EXPECT_EQ(model.head().precision, Precision::float32);
  EXPECT_LE(minimum_distance_index(source_gain(model.transform(single).cast<double>(), fit_ica(x).transform(x))), 1e-3);
}

TEST(IcaIdentity, SameBitsAtAnyThreads) {
  const Matrix<double> x = test::sources(5000, 4) * test::mixing(4, 4);
  const Model first = fit_ica(x, {}, {.threads = 1});
  for (const int threads : {2, 3}) {
    const Model again = fit_ica(x, {}, {.threads = threads});
    EXPECT_EQ(again.linear().map, first.linear().map);
    EXPECT_EQ(again.linear().inverse_map, first.linear().inverse_map);
    EXPECT_EQ(again.head().diagnostics, first.head().diagnostics);
  }
}

bool warns(const Model& model, const std::string& words) {
  for (const std::string& text : model.certificate().warnings)
    if (text.find(words) != std::string::npos) return true;
  return false;
}

TEST(IcaWarnings, TellOfGaussianSources) {
  const Index rows = 5000;
  for (const Index gaussians : {0, 1, 2, 3}) {
    const Matrix<double> x = test::sources(rows, 5, gaussians) * test::mixing(5, 5);
    const Model model = fit_ica(x, {.iterations = 5000});
    EXPECT_EQ(measure(model, "gaussian_sources"), static_cast<double>(gaussians));
    EXPECT_EQ(warns(model, "look Gaussian"), gaussians > 1) << gaussians;  // one can be told from the rest
  }
}

TEST(IcaWarnings, TellOfColumnsAndRank) {
  Matrix<double> x(2000, 6);
  x.leftCols(4) = test::sources(2000, 4) * test::mixing(4, 4);
  x.col(4).setConstant(7.0);
  x.col(5) = x.col(0) + x.col(1);
  Dataset data(x);
  data.column_names = {"a", "b", "c", "d", "level", "sum"};
  const Model model = fit_ica(data);
  EXPECT_EQ(model.components(), 4);
  EXPECT_TRUE(warns(model, "column level is as good as constant"));
  EXPECT_TRUE(warns(model, "span 4 directions"));
  EXPECT_FALSE(warns(fit_ica(x.leftCols(4).eval()), "constant"));
  try {
    fit_ica(x, {.components = 5});
    FAIL();
  } catch (const InvalidOption& e) {
    EXPECT_EQ(e.kind(), ErrorKind::data);
    EXPECT_NE(e.message(speak_command_line).find("use -k 4"), std::string::npos) << e.what();
  }
}

TEST(IcaRefusals, NameTheRemedy) {
  const Matrix<double> x = test::sources(500, 4) * test::mixing(4, 4);
  EXPECT_THROW(fit_ica(x.topRows(1).eval()), DataError);
  EXPECT_THROW(fit_ica(x, {.components = 5}), InvalidOption);
  EXPECT_THROW(fit_ica(x, {.algorithm = IcaAlgorithm::picard, .contrast = IcaContrast::cube}), InvalidOption);
  EXPECT_THROW(fit_ica(x, {.algorithm = IcaAlgorithm::jade, .contrast = IcaContrast::exp}), InvalidOption);
  EXPECT_THROW(fit_ica(test::sample(200, 60), {.algorithm = IcaAlgorithm::jade}), InvalidOption);
  EXPECT_THROW(fit_ica(Dataset(std::make_shared<test::MatrixStream<double>>(x, true))), Unsupported);
  for (const IcaAlgorithm algorithm : every_algorithm) {
    try {
      fit_ica(x, {.algorithm = algorithm, .iterations = 1});
      FAIL() << int(algorithm);
    } catch (const NotConverged& e) {
      EXPECT_NE(e.message(speak_command_line).find("--iterations"), std::string::npos) << e.what();
    }
  }
  const Model model = fit_ica(x);
  EXPECT_THROW(verify(model, x), Unsupported);
  EXPECT_THROW(row_statistics(model, x), Unsupported);
}

TEST(IcaRefusals, OneColumnIsItsOwnSource) {
  const Matrix<double> x = test::sources(100, 1) * 3.0;
  const Model model = fit_ica(x);
  EXPECT_LE(test::distance(model.transform(x), Matrix<double>(x / 3.0 * std::sqrt(99.0 / 100.0))), 1e-13);
}

// Those of `fewdim generate mixed-signals`, without noise: 16,000 rows are 2 s of sound. Waves of known pitch are
// uncorrelated over long times only, to about 1/(2 s · pitch difference).
TEST(IcaSignals, AreUnmixed) {
  const GenerateOptions options{.rows = 16'000, .cols = 4, .noise = 0.0};
  const Matrix<double> s = generate("signals", options).matrix<double>();
  const Matrix<double> x = generate("mixed-signals", options).matrix<double>();
  EXPECT_LE(minimum_distance_index(source_gain(fit_ica(x).transform(x), s)), 0.05);
}

/// How often a source leaves 3.5 standard deviations, 160 ms apart at least.
Index beats(const Vector<double>& y) {
  Index count = 0, last = -1000;
  for (Index i = 0; i < y.size(); ++i)
    if (std::abs(y[i]) > 3.5 && i - last > 80) ++count, last = i;
  return count;
}

// Eight leads, 5 s at 500 Hz: 14 beats of the mother and 22 of the child, as counted in a picture of the sources.
TEST(IcaRealData, FindsTheHeartOfAnUnbornChild) {
  const std::string path = test::shared_data("ica_foetal_ecg/foetal_ecg_2500x9.txt");
  if (path.empty()) GTEST_SKIP() << "ica_foetal_ecg is not there; set FEWDIM_DATA";
  const Dataset data = read(path, {.drop = {"1"}});  // the time
  const Model fixed_points = fit_ica(data, {.algorithm = IcaAlgorithm::fastica}), model = fit_ica(data);
  EXPECT_GT(fixed_points.certificate().iterations, 2 * model.certificate().iterations);  // 123 and 47
  EXPECT_EQ(model.certificate().route, Route::picard_o);
  const Matrix<double> y = model.transform(data).matrix<double>();
  EXPECT_EQ(beats(y.col(0)), 14);
  EXPECT_EQ(beats(y.col(5)), 22);
  EXPECT_LT(model.spectrum().explained_variance_ratio[5], 0.001);
}

}  // namespace
}  // namespace fewdim
