// The quality of a model's map, in words, tables, pictures and documents.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fewdim/fewdim.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

TEST(ModelQuality, TakesTheMetricOfTheModel) {
  const Matrix<double> x = test::sample(60, 5);
  MdsOptions options;
  options.metric = Metric::manhattan;
  const Model model = fit_mds(Dataset(x), options);
  EXPECT_EQ(quality_options_for(model).metric, Metric::manhattan);
  EXPECT_EQ(model_quality(model, Dataset(x)).metric_name, "manhattan");
  EXPECT_EQ(model_quality(model, Dataset(x), {.metric = Metric::euclidean}).metric_name, "euclidean");
  EXPECT_EQ(model_quality(fit_pca(Dataset(x)), Dataset(x)).metric_name, "euclidean");
}

TEST(ModelQuality, IsThatOfTheEmbedding) {
  const Matrix<double> x = test::sample(60, 5);
  const Model model = fit_pca(Dataset(x));
  const QualityReport report = model_quality(model, Dataset(x));
  const QualityReport expected = embedding_quality(Dataset(x), model.transform(Dataset(x)));
  ASSERT_EQ(report.measures.size(), expected.measures.size());
  for (std::size_t i = 0; i < report.measures.size(); ++i) {
    EXPECT_EQ(report.measures[i].value, expected.measures[i].value) << report.measures[i].name;
    EXPECT_FALSE(meaning_of_measure(report.measures[i].name, report.neighbors).empty()) << report.measures[i].name;
  }
}

TEST(ModelQuality, HasACurveAsTableAndPicture) {
  const Matrix<double> x = test::sample(60, 5);
  const QualityReport report = model_quality(fit_pca(Dataset(x)), Dataset(x));
  const Dataset table = quality_curve_table(report);
  EXPECT_EQ(table.column_names, (std::vector<std::string>{"k", "kept", "rnx", "rnx_error"}));
  EXPECT_EQ(table.matrix<double>()(0, 0), 1.0);
  EXPECT_EQ(table.matrix<double>()(3, 2), report.curve[3].beyond_chance);
  const CurvePlot picture = quality_picture(report, "folder/map.csv");
  EXPECT_TRUE(picture.title.starts_with("Neighbors kept by map.csv: area 0.")) << picture.title;
  EXPECT_EQ(picture.y[3], report.curve[3].beyond_chance);
  EXPECT_TRUE(picture.log_x);
}

TEST(ModelQuality, HasDocuments) {
  const Matrix<double> x = test::sample(60, 5);
  const QualityReport report = model_quality(fit_pca(Dataset(x)), Dataset(x));
  const auto document = nlohmann::json::parse(quality_json(report));
  EXPECT_EQ(document["measures"]["stress"]["value"].get<double>(), *report["stress"].value);
  EXPECT_EQ(document["curve"].size(), report.curve.size());
  const auto laid = nlohmann::json::parse(procrustes_json(procrustes(Dataset(x), Dataset(Matrix<double>(3.0 * x)))));
  EXPECT_NEAR(laid["scale"].get<double>(), 1.0 / 3.0, 1e-12);  // rounding of sums of 300 products
  EXPECT_EQ(laid["rotation"].size(), 5u);
}

}  // namespace
}  // namespace fewdim
