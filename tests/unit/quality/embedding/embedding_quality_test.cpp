#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>

#include "fewdim/quality.hpp"
#include "support/data.hpp"
#include "unit/quality/quality_twins.hpp"

namespace fewdim {
namespace {

using test::sample;

std::string message_of(const std::function<void()>& work, ErrorKind kind) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.message(speak_command_line);
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

void expect_has(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

/// Every value of a report against the definitions. The two differ in the order of their sums: N² terms of rounding.
void expect_twins(const QualityReport& report, const Matrix<double>& d, const Matrix<double>& e) {
  constexpr double tolerance = 1e-12;
  const Index k = report.neighbors;
  EXPECT_NEAR(*report["trustworthiness"].value, test::trustworthiness_twin(d, e, k), tolerance);
  EXPECT_NEAR(*report["continuity"].value, test::trustworthiness_twin(e, d, k), tolerance);
  const Matrix<double> q = test::co_ranking(d, e);
  EXPECT_NEAR(*report["neighbors_kept"].value, test::kept_twin(q, k), tolerance);
  EXPECT_NEAR(*report["rnx_area"].value, test::area_twin(q), tolerance);
  for (const CurvePoint& point : report.curve) {
    EXPECT_NEAR(point.kept, test::kept_twin(q, point.neighbors), tolerance) << point.neighbors;
    EXPECT_NEAR(point.beyond_chance, test::beyond_chance_twin(q, point.neighbors), 1e-10) << point.neighbors;
  }
  const Vector<double> x = test::upper(d), y = test::upper(e);
  const double r = test::pearson_twin(x, y), scale = x.dot(y) / y.squaredNorm();
  EXPECT_NEAR(*report["pearson"].value, r, tolerance);
  EXPECT_NEAR(*report["residual_variance"].value, 1.0 - r * r, tolerance);
  EXPECT_NEAR(*report["spearman"].value, test::pearson_twin(test::mid_ranks_twin(x), test::mid_ranks_twin(y)),
              tolerance);
  EXPECT_NEAR(*report["distance_correlation"].value, test::distance_correlation_twin(d, e), tolerance);
  EXPECT_NEAR(*report["stress"].value, (x - y).norm() / y.norm(), tolerance);
  EXPECT_NEAR(*report["stress_scaled"].value, (x - scale * y).norm() / x.norm(), tolerance);
  EXPECT_NEAR(*report["best_scale"].value, scale, tolerance * std::abs(scale));
  for (const Measure& measure : report.measures) EXPECT_EQ(measure.standard_error, 0.0) << measure.name;
}

TEST(EmbeddingQuality, EqualsTheDefinitions) {
  for (const Index n : {3, 4, 7, 30, 67, 90}) {
    const Matrix<double> x = sample(n, 6), y = x.leftCols(2);
    const Index most = (n - 1) / 2;
    for (const Index k : {Index{1}, std::min<Index>(5, most), most}) {
      const QualityReport report = embedding_quality(x, y, {.neighbors = k});
      EXPECT_TRUE(report.exact());
      EXPECT_EQ(report.metric, Metric::euclidean);
      expect_twins(report, test::all_distances(x), test::all_distances(y));
    }
  }
}

TEST(EmbeddingQuality, EqualsTheDefinitionsWithTiesAndDuplicates) {
  // Small integers: their squared distances are exact, and many are equal.
  Matrix<double> x = sample(60, 3, 2, 0.0);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] = std::round(2.0 * x.data()[i]);
  const Matrix<double> y = x.leftCols(1);
  const QualityReport report = embedding_quality(x, y, {.neighbors = 8});
  expect_twins(report, test::all_distances(x), test::all_distances(y));
  ASSERT_EQ(report.notes.size(), 1u);
  expect_has(report.notes[0], "share their place");
}

TEST(EmbeddingQuality, TakesDistances) {
  const Matrix<double> x = sample(40, 5), y = sample(40, 2, 9), d = test::all_distances(x);
  const QualityReport given = embedding_quality(d, y), automatic = embedding_quality(x, y);
  EXPECT_EQ(given.metric, Metric::precomputed);
  EXPECT_EQ(given.metric_name, "precomputed");
  expect_twins(given, d, test::all_distances(y));
  EXPECT_EQ(automatic.metric_name, "euclidean");
  const Vector<double> condensed = test::upper(d);
  const QualityReport flat = embedding_quality(condensed, y, {.metric = Metric::precomputed});
  EXPECT_EQ(flat["stress"].value, given["stress"].value);
}

TEST(EmbeddingQuality, TakesFloatsSparseRowsAndOtherMetrics) {
  const Matrix<double> x = test::sparse_sample(40, 6, 0.6), y = x.leftCols(2);
  const QualityReport dense = embedding_quality(x, y);
  const QualityReport sparse = embedding_quality(Dataset(test::to_csr<double>(x)), y);
  EXPECT_EQ(dense["pearson"].value, sparse["pearson"].value);
  const Matrix<float> single = x.cast<float>();
  EXPECT_NEAR(*embedding_quality(single, y)["pearson"].value, *dense["pearson"].value, 1e-6);  // numbers of 24 bits
  Matrix<double> d(40, 40);
  for (Index i = 0; i < 40; ++i)
    for (Index j = 0; j < 40; ++j) d(i, j) = (x.row(i) - x.row(j)).cwiseAbs().sum();
  expect_twins(embedding_quality(x, y, {.metric = Metric::manhattan}), d, test::all_distances(y));
}

TEST(EmbeddingQuality, IsPerfectForAnIsometricCopy) {
  const Matrix<double> x = sample(200, 3);
  Matrix<double> turn(3, 3);
  turn << 0.6, -0.8, 0.0, 0.8, 0.6, 0.0, 0.0, 0.0, -1.0;
  Matrix<double> y = 2.5 * x * turn;
  y.rowwise() += Eigen::RowVector3d(1, 2, 3);
  const QualityReport report = embedding_quality(x, y);
  for (const auto* name :
       {"trustworthiness", "continuity", "neighbors_kept", "rnx_area", "pearson", "spearman", "distance_correlation"})
    EXPECT_NEAR(*report[name].value, 1.0, 1e-12) << name;
  for (const CurvePoint& point : report.curve) EXPECT_NEAR(point.beyond_chance, 1.0, 1e-12) << point.neighbors;
  EXPECT_NEAR(*report["residual_variance"].value, 0.0, 1e-12);
  EXPECT_NEAR(*report["stress"].value, 0.6, 1e-12);  // |δ − 2.5δ| / 2.5δ
  EXPECT_NEAR(*report["stress_scaled"].value, 0.0, 1e-12);
  EXPECT_NEAR(*report["best_scale"].value, 0.4, 1e-12);
  EXPECT_EQ(*embedding_quality(x, x)["stress"].value, 0.0);
}

TEST(EmbeddingQuality, IsNothingForARandomPlacement) {
  const QualityReport report = embedding_quality(sample(1000, 5), sample(1000, 2, 77));
  // Of 10 neighbors about 10·10/999 are kept; a row's share has a standard deviation of 0.03, their mean 0.001.
  EXPECT_NEAR(*report["neighbors_kept"].value, 0.01, 0.005);
  EXPECT_NEAR(*report["rnx_area"].value, 0.0, 0.05);  // far-out rows have the same far-out neighbors in any placement
  EXPECT_NEAR(*report["trustworthiness"].value, 0.5, 0.03);
  EXPECT_NEAR(*report["pearson"].value, 0.0, 0.05);
}

TEST(EmbeddingQuality, SampleIsWithinItsStandardError) {
  const Matrix<double> x = sample(900, 6), y = x.leftCols(2);
  const QualityReport exact = embedding_quality(x, y, {.sample = every_row});
  double square = 0.0, count = 0.0;
  for (const Seed seed : {0, 1, 2, 3, 4, 5}) {
    const QualityReport some = embedding_quality(x, y, {.sample = 120, .seed = seed});
    EXPECT_EQ(some.sampled, 120);
    EXPECT_FALSE(some.exact());
    for (const Measure& measure : some.measures) {
      EXPECT_GT(measure.standard_error, 0.0) << measure.name;
      const double off = (*measure.value - *exact[measure.name].value) / measure.standard_error;
      EXPECT_LT(std::abs(off), 5.0) << measure.name << " seed " << seed;
      square += off * off;
      count += 1.0;
    }
    for (std::size_t p = 0; p < some.curve.size(); ++p)
      EXPECT_LE(std::abs(some.curve[p].beyond_chance - exact.curve[p].beyond_chance), 5 * some.curve[p].standard_error)
          << some.curve[p].neighbors;
  }
  // Errors in units of their standard error have a mean square of 1; far less would be an error stated too large. The
  // measures of a sample go together, so that this is a mean over few independent numbers.
  EXPECT_GT(square / count, 0.2);
  EXPECT_LT(square / count, 4.0);
}

TEST(EmbeddingQuality, TakesASampleOfManyRowsByItself) {
  const Matrix<double> x = sample(12'000, 2);
  const QualityReport report = embedding_quality(x, Matrix<double>(x.leftCols(1)));
  EXPECT_EQ(report.sampled, 1000);
  EXPECT_GT(report["trustworthiness"].standard_error, 0.0);
  // All rows of a sample of a perfect copy say 1: what is left is what a sample can't see.
  const QualityReport copy = embedding_quality(x, x, {.sample = 100});
  EXPECT_EQ(copy["trustworthiness"].value, 1.0);
  EXPECT_NEAR(copy["trustworthiness"].standard_error, 0.01, 1e-4);
  EXPECT_EQ(embedding_quality(x.topRows(50), x.topRows(50), {.sample = 80}).sampled, 50);
}

TEST(EmbeddingQuality, TakesGeodesics) {
  // Points of a half circle, in order: along the chain they are as far apart as their numbers.
  Matrix<double> arc(60, 2), line(60, 1);
  for (Index i = 0; i < 60; ++i) {
    const double angle = std::numbers::pi * static_cast<double>(i) / 59.0;
    arc.row(i) << std::cos(angle), std::sin(angle);
    line(i, 0) = static_cast<double>(i);
  }
  EXPECT_GT(*embedding_quality(arc, line)["residual_variance"].value, 0.01);
  const QualityReport along = embedding_quality(arc, line, {.geodesics = 2});
  // Up to the ends, which have no two neighbors at one step and may take the chord over two.
  EXPECT_NEAR(*along["residual_variance"].value, 0.0, 1e-9);
  EXPECT_TRUE(along.notes.empty());
  const QualityReport given = embedding_quality(test::all_distances(arc), line, {.geodesics = 2});
  EXPECT_NEAR(*given["residual_variance"].value, 0.0, 1e-9);

  Matrix<double> apart = arc;
  apart.bottomRows(30).array() += 50.0;
  const QualityReport joined = embedding_quality(apart, line, {.geodesics = 2});
  ASSERT_EQ(joined.notes.size(), 1u);
  expect_has(joined.notes[0], "2 parts");
  expect_has(message_of([&] { embedding_quality(arc, line, {.geodesics = 60}); }, ErrorKind::usage), "geodesics=60");
}

TEST(EmbeddingQuality, SameBitsAtAnyNumberOfThreads) {
  const Matrix<double> x = sample(700, 5), y = x.leftCols(2);
  for (const Index rows : {Index{0}, Index{100}}) {
    const QualityReport one = embedding_quality(x, y, {.sample = rows}, {.threads = 1});
    for (const int threads : {2, 3, 8}) {
      const QualityReport more = embedding_quality(x, y, {.sample = rows}, {.threads = threads});
      for (const Measure& measure : one.measures) {
        EXPECT_EQ(measure.value, more[measure.name].value) << measure.name;
        EXPECT_EQ(measure.standard_error, more[measure.name].standard_error) << measure.name;
      }
      for (std::size_t p = 0; p < one.curve.size(); ++p)
        EXPECT_EQ(one.curve[p].beyond_chance, more.curve[p].beyond_chance);
    }
  }
}

TEST(EmbeddingQuality, SaysWhatIsNotDefined) {
  const Matrix<double> x = sample(20, 3), one_place = Matrix<double>::Constant(20, 2, 0.1);
  const QualityReport constant = embedding_quality(x, one_place, {.neighbors = 5});
  for (const auto* name :
       {"pearson", "residual_variance", "spearman", "stress", "stress_scaled", "best_scale", "distance_correlation"}) {
    EXPECT_FALSE(constant[name].value.has_value()) << name;
    expect_has(constant[name].note, "embedding");
  }
  EXPECT_TRUE(constant["trustworthiness"].value.has_value());

  // A simplex: every distance is √2.
  const QualityReport simplex = embedding_quality(Matrix<double>(Matrix<double>::Identity(20, 20)), x,
                                                  {.neighbors = 5, .metric = Metric::euclidean});
  EXPECT_FALSE(simplex["pearson"].value.has_value());
  expect_has(simplex["spearman"].note, "all distances of the original are equal");
  EXPECT_TRUE(simplex["stress"].value.has_value());

  const Matrix<double> huge = 1e200 * x;  // squares overflow
  expect_has(embedding_quality(huge, x, {.neighbors = 5})["pearson"].note, "too large");
}

TEST(EmbeddingQuality, RefusesBadInput) {
  const Matrix<double> x = sample(20, 3), y = x.leftCols(2);
  const auto data_error = [&](const Dataset& a, const Dataset& b, const std::string& part,
                              QualityOptions options = {}) {
    options.neighbors = 5;
    expect_has(message_of([&] { embedding_quality(a, b, options); }, ErrorKind::data), part);
  };
  data_error(x, Matrix<double>(y.topRows(19)), "20 rows in the data, and 19 in the embedding");
  data_error(Matrix<double>(x.topRows(2)), Matrix<double>(y.topRows(2)), "at least 3 rows");
  Matrix<double> hole = y;
  hole(4, 1) = std::nan("");
  data_error(x, hole, "the embedding");
  data_error(hole, y, "the data");
  data_error(Matrix<double>(20, 0), y, "quality");
  Matrix<double> skew = test::all_distances(x);
  skew(1, 2) += 1.0;
  data_error(skew, y, "not symmetric", {.metric = Metric::precomputed});
  Matrix<double> zeros = x;
  zeros.row(7).setZero();
  data_error(zeros, y, "row 8", {.metric = Metric::cosine});

  Dataset named(x), others(y);
  for (int i = 0; i < 20; ++i) {
    named.row_names.push_back(fmt::format("a{}", i));
    others.row_names.push_back(fmt::format("a{}", 19 - i));
  }
  data_error(named, others, "row 1 is 'a0' in the data, and 'a19' in the embedding");

  const auto usage = [&](QualityOptions options, const std::string& part) {
    expect_has(message_of([&] { embedding_quality(x, y, options); }, ErrorKind::usage), part);
  };
  usage({.neighbors = 10}, "use --neighbors 9");
  usage({.neighbors = 0}, "neighbors=0");
  usage({.neighbors = 3, .sample = 5}, "sample=5");
  const Dataset stream(std::make_shared<test::MatrixStream<double>>(x, true));
  expect_has(message_of([&] { embedding_quality(stream, y); }, ErrorKind::usage), "stream");
  expect_has(message_of([&] { embedding_quality(x, y, {.neighbors = 3})["fame"]; }, ErrorKind::usage), "fame");
}

TEST(EmbeddingQuality, StopsOnRequest) {
  const Matrix<double> x = sample(50, 3);
  EXPECT_THROW(embedding_quality(x, x, {}, {.progress = [](const Progress&) { return false; }}), Interrupted);
}

TEST(EmbeddingQuality, SingleMeasuresAreThoseOfTheReport) {
  const Matrix<double> x = sample(60, 4), y = x.leftCols(2);
  const QualityReport report = embedding_quality(x, y, {.neighbors = 6});
  EXPECT_EQ(trustworthiness(x, y, {.neighbors = 6}).value, report["trustworthiness"].value);
  EXPECT_EQ(continuity(x, y, {.neighbors = 6}).value, report["continuity"].value);
}

TEST(QualityOptions, ComeFromText) {
  const QualityOptions options = quality_options(
      {{"neighbors", std::string("7")}, {"metric", std::string("cosine")}, {"sample", std::string("all")}});
  EXPECT_EQ(options.neighbors, 7);
  EXPECT_EQ(options.metric, Metric::cosine);
  EXPECT_EQ(options.sample, every_row);
  EXPECT_THROW(quality_options({{"metric", std::string("taxi")}}), InvalidOption);
  EXPECT_THROW(quality_options({{"sample", std::string("some")}}), InvalidOption);
}

}  // namespace
}  // namespace fewdim
