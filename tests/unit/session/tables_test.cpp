// Tables of results, each against its definition.

#include <gtest/gtest.h>

#include "fewdim/fewdim.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

class ResultTables : public ::testing::Test {
 protected:
  ResultTables() {
    data_ = Dataset(x_);
    data_.column_names = {"a", "b", "c", "d", "e"};
    model_ = fit_pca(data_, {.components = 3});
    spread_ = x_.rowwise() - x_.colwise().mean();
  }
  static Vector<double> column(const Dataset& table, const std::string& name) {
    const auto at = std::ranges::find(table.column_names, name);
    if (at == table.column_names.end()) throw std::out_of_range(name);
    return table.matrix<double>().col(at - table.column_names.begin());
  }

  Matrix<double> x_ = test::sample(50, 5), spread_;
  Dataset data_;
  Model model_;
};

// Rounding of sums of 50 products of numbers near 1.
constexpr double rounding = 1e-11;

TEST_F(ResultTables, SpectrumHasSharesThatAddUp) {
  const Dataset table = spectrum_table(model_);
  EXPECT_EQ(table.row_names_header, "component");
  EXPECT_EQ(table.row_names.front(), "PC1");
  const Vector<double> variance = column(table, "explained_variance"),
                       share = column(table, "explained_variance_ratio");
  const Vector<double> together = column(table, "cumulative_ratio"), sigma = column(table, "singular_value");
  const double total = spread_.squaredNorm() / 49.0;
  for (Index c = 0; c < 3; ++c) {
    EXPECT_NEAR(share[c], variance[c] / total, rounding);
    EXPECT_NEAR(sigma[c] * sigma[c] / 49.0, variance[c], rounding);
    EXPECT_NEAR(together[c], share.head(c + 1).sum(), rounding);
  }
  EXPECT_EQ(column(table, "residual"), model_.certificate().residuals);
}

TEST_F(ResultTables, SpectrumGoesOnWithEigenvaluesThatWereNotKept) {
  const Model mds = fit_mds(data_, {.components = 2});
  const Dataset table = spectrum_table(mds);
  ASSERT_GT(table.rows(), 2) << "classical scaling knows more eigenvalues than it keeps";
  EXPECT_EQ(table.row_names[0], "MDS1");
  EXPECT_EQ(table.row_names[2], "MDS3");
  EXPECT_TRUE(std::isnan(column(table, "residual")[2]));
}

TEST_F(ResultTables, DirectionsAndLoadingsAreByFeature) {
  const Dataset directions = directions_table(model_), loadings = loadings_table(model_);
  EXPECT_EQ(directions.row_names, data_.column_names);
  EXPECT_EQ(directions.row_names_header, "feature");
  EXPECT_EQ(directions.matrix<double>(), model_.linear().map);
  const Vector<double> expected = model_.linear().map.col(1) * std::sqrt(model_.spectrum().explained_variance[1]);
  EXPECT_LT((loadings.matrix<double>().col(1) - expected).norm(), rounding);
}

TEST_F(ResultTables, FactorsHaveTheirUniquenessBesideTheLoadings) {
  const Model factors = fit_factor_analysis(data_, {.components = 2});
  const Dataset table = loadings_table(factors);
  EXPECT_EQ(table.column_names.back(), "uniqueness");
  EXPECT_EQ(column(table, "uniqueness"), factors.linear().noise);
}

TEST_F(ResultTables, LeftVectorsTimesSingularValuesAreTheScores) {
  const Dataset left = result_table(model_, ResultKind::left_vectors, data_);
  const Matrix<double> u = left.matrix<double>();
  EXPECT_LT(test::distance(u.transpose() * u, Matrix<double>::Identity(3, 3)), rounding);
  const Matrix<double> scores = u * model_.linear().singular_values.asDiagonal();
  EXPECT_LT(test::distance(scores, model_.transform(data_).matrix<double>()), rounding);
}

TEST_F(ResultTables, LeftVectorsAreRefusedWithoutSingularValues) {
  const Model nmf = fit_nmf(Dataset(Matrix<double>(x_.cwiseAbs())), {.components = 2});
  try {
    left_table(nmf, Dataset(Matrix<double>(0, 2)));
    FAIL();
  } catch (const Unsupported& error) {
    EXPECT_EQ(error.remedies(), (std::vector<Remedy>{{Remedy::Action::method, "svd", ""}}));
  }
}

TEST_F(ResultTables, RowStatisticsMeasureDistancesInAndOffThePlane) {
  const Dataset table = row_statistics_table(model_, data_);
  const Matrix<double> scores = model_.transform(data_).matrix<double>();
  const Matrix<double> rest = spread_ - scores * model_.linear().map.transpose();
  const Vector<double> t2 = column(table, "T2"), spe = column(table, "SPE"), cos2 = column(table, "cos2_PC2");
  for (Index i = 0; i < x_.rows(); ++i) {
    double expected = 0.0;
    for (Index c = 0; c < 3; ++c) expected += scores(i, c) * scores(i, c) / model_.spectrum().explained_variance[c];
    EXPECT_NEAR(t2[i], expected, rounding);
    EXPECT_NEAR(spe[i], rest.row(i).squaredNorm(), rounding);
    EXPECT_NEAR(cos2[i], scores(i, 1) * scores(i, 1) / spread_.row(i).squaredNorm(), rounding);
  }
  EXPECT_NEAR(column(table, "contribution_PC1").sum(), 1.0, rounding);
}

TEST_F(ResultTables, DistancesAreHeldAgainstTheLimits) {
  const Dataset table = distance_table(model_, data_);
  const DistanceLimits limits = model_.linear().limits.front();
  const Vector<double> t2 = column(table, "T2");
  const std::string name = "T2_above_" + std::to_string(std::lround(100.0 * limits.confidence));
  const Vector<double> above = column(table, name);
  for (Index i = 0; i < t2.size(); ++i) EXPECT_EQ(above[i], t2[i] > limits.t2 ? 1.0 : 0.0);
}

TEST_F(ResultTables, ColumnStatisticsHaveCorrelations) {
  const Dataset table = column_statistics_table(model_);
  const Vector<double> y = model_.transform(data_).matrix<double>().col(0), column_b = spread_.col(1);
  EXPECT_NEAR(column(table, "correlation_PC1")[1], y.dot(column_b) / (y.norm() * column_b.norm()), rounding);
  EXPECT_NEAR(column(table, "contribution_PC3").sum(), 1.0, rounding);
  EXPECT_EQ(table.row_names, data_.column_names);
}

TEST_F(ResultTables, CanBeAskedForByKind) {
  EXPECT_EQ(result_table(model_, ResultKind::scores, data_).matrix<double>(), model_.transform(data_).matrix<double>());
  EXPECT_EQ(result_table(model_, ResultKind::directions).matrix<double>(), directions_table(model_).matrix<double>());
  EXPECT_EQ(result_table(model_, ResultKind::approximation, data_).cols(), 5);
  EXPECT_THROW(result_table(model_, ResultKind::scores), Unsupported) << "it keeps none, and no rows are given";
  EXPECT_THROW(result_table(model_, ResultKind::row_statistics), Unsupported);
  EXPECT_TRUE(is_by_row(ResultKind::approximation));
  EXPECT_FALSE(is_by_row(ResultKind::spectrum));
}

/// What a card promises is a table, and what it does not promise is refused.
TEST(ResultTablesOfMethods, AreWhatTheCardsName) {
  for (const MethodCard& card : methods()) {
    if (!card.takes.kinds.has(DataKind::rows)) continue;
    Matrix<double> x = test::sample(80, 6);
    if (card.takes.nonnegative) x = x.cwiseAbs().eval();
    OptionMap options{{"components", std::string("2")}};
    for (const OptionField& field : card.fields) {
      if (field.name == "neighbors") options["neighbors"] = std::int64_t{12};
      if (field.name == "store") options["store"] = true;
    }
    if (card.takes.kinds.has(DataKind::ratings)) options["ridge"] = 0.1;  // not by trials, which take long
    if (card.gives.inverse == Support::on_request) options["inverse"] = std::string("ridge");
    const Model model = card.fit(Dataset(x), options, {});
    for (const ResultKind kind : card.gives.results.members())
      EXPECT_GT(result_table(model, kind, Dataset(x)).rows(), 0) << card.name << ": " << word_of(kind);
    for (const ResultKind kind : {ResultKind::directions, ResultKind::row_statistics, ResultKind::column_statistics})
      if (!card.gives.results.has(kind)) {
        EXPECT_THROW(result_table(model, kind, Dataset(x)), Unsupported) << card.name << ": " << word_of(kind);
      }
  }
}

}  // namespace
}  // namespace fewdim
