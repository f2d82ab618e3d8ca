#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "fewdim/error.hpp"
#include "fewdim/report.hpp"
#include "fewdim/version.hpp"
#include "unit/models/sample_model.hpp"

namespace fewdim {
namespace {

using nlohmann::json;

std::vector<double> numbers(const Vector<double>& v) { return {v.begin(), v.end()}; }

TEST(ModelJson, HoldsEverythingAndNumbersRoundTrip) {
  Model model = sample_model(5, 2);
  model.head().certificate.residuals << 0.1, 1.0 / 3.0;
  const json document = json::parse(json_report(model));
  const LinearModel& m = model.linear();
  EXPECT_EQ(document["fewdim"], FEWDIM_VERSION);
  EXPECT_EQ(document["format"], 2);
  EXPECT_EQ(document["method"], "pca");
  EXPECT_EQ(document["options"],
            json({{"components", "3"}, {"ddof", 1}, {"scale", true}, {"share", 1.0}, {"tolerance", 1e-9}}));
  EXPECT_EQ(document["shape"], json({{"kind", "linear"},
                                     {"rows", 100},
                                     {"features", 5},
                                     {"components", 2},
                                     {"centered", true},
                                     {"scaled", true},
                                     {"whitened", true},
                                     {"embedding", false}}));
  EXPECT_EQ(document["extension"], "exact");
  EXPECT_EQ(document["precision"], "float64");
  EXPECT_EQ(document["route"], "covariance");
  EXPECT_EQ(document["why"], "few features: the covariance is small");
  EXPECT_EQ(document["singular_values"].get<std::vector<double>>(), numbers(m.singular_values));
  EXPECT_EQ(document["eigenvalues"].get<std::vector<double>>(), numbers(m.explained_variance));
  EXPECT_TRUE(document["all_eigenvalues"].empty());
  EXPECT_EQ(document["explained_variance"].get<std::vector<double>>(), numbers(m.explained_variance));
  EXPECT_EQ(document["explained_variance_ratio"].get<std::vector<double>>(), numbers(m.explained_variance_ratio));
  EXPECT_EQ(document["total_variance"].get<double>(), m.total_variance);
  EXPECT_EQ(document["residuals"].get<std::vector<double>>(), numbers(model.certificate().residuals));
  EXPECT_EQ(document["certificate"]["angle_bounds"].get<std::vector<double>>(),
            numbers(model.certificate().angle_bounds));
  EXPECT_EQ(document["certificate"]["groups"], json({0, 1}));
  EXPECT_EQ(document["certificate"]["converged"], true);
  EXPECT_EQ(document["certificate"]["warnings"], json({"one warning"}));
  EXPECT_EQ(document["limits"][1], json({{"confidence", 0.99}, {"t2", 9.5}, {"spe", 1.0 / 3.0}}));
  EXPECT_EQ(document["seconds"], json({{"read", 0.25}, {"covariance", 0.5}}));
  EXPECT_EQ(document["seed"], 18446744073709551615u);
  EXPECT_EQ(document["version"], "0.1.0");
  EXPECT_EQ(document["input"], "iris.csv");
  EXPECT_EQ(document["input_hash"], "xxh3:0123456789abcdef");
  EXPECT_EQ(document["date"], "2026-01-02T03:04:05Z");
  EXPECT_EQ(document["feature_names"], json({"f1", "f2", "f3", "f4", "f5"}));
  EXPECT_EQ(document["component_names"], json({"PC1", "PC2"}));
}

TEST(ModelJson, WhatIsNotFiniteBecomesNull) {
  Model model = sample_model(5, 2);
  model.head().certificate.residuals << std::numeric_limits<double>::quiet_NaN(), 0.5;
  model.head().certificate.orthogonality = std::numeric_limits<double>::infinity();
  const json document = json::parse(json_report(model));
  EXPECT_EQ(document["residuals"], json({nullptr, 0.5}));
  EXPECT_EQ(document["certificate"]["orthogonality"], nullptr);
}

TEST(ModelJson, EmptyPartsKeepTheirType) {
  LinearModel shape;
  shape.map = Matrix<double>::Identity(2, 1);
  const json document = json::parse(json_report(bare_model(shape)));
  for (const char* key : {"singular_values", "residuals", "limits", "feature_names"})
    EXPECT_EQ(document[key], json::array()) << key;
  for (const char* key : {"options", "seconds"}) EXPECT_EQ(document[key], json::object()) << key;
  EXPECT_THROW(json_report(Model()), Unsupported);
}

TEST(ModelJson, StagesOfTheSameNameAddUp) {
  Model model = sample_model(5, 2);
  model.head().seconds = {{"read", 0.25}, {"fit", 1.0}, {"read", 0.5}};
  EXPECT_EQ(json::parse(json_report(model))["seconds"], json({{"read", 0.75}, {"fit", 1.0}}));
}

TEST(ModelJson, NamesThatAreNotUtf8DoNotBreakIt) {
  Model model = sample_model(2, 1);
  model.head().feature_names = {"l\xe4nge", "b"};
  EXPECT_EQ(json::parse(json_report(model))["feature_names"][0], "l\xef\xbf\xbdnge");
}

}  // namespace
}  // namespace fewdim
