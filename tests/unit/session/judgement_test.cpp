// The verdict on a certificate.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fewdim/fewdim.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

std::vector<std::string> check_names(const Judgement& judged) {
  std::vector<std::string> out;
  for (const Check& check : judged.checks) out.push_back(check.name);
  return out;
}

TEST(Judge, HoldsForARightModelAndFailsForAnAlteredOne) {
  const Matrix<double> x = test::sample(60, 5);
  const Model model = fit_pca(Dataset(x));
  const Judgement judged = judge(model, Dataset(x));
  EXPECT_TRUE(judged.holds());
  EXPECT_EQ(check_names(judged),
            (std::vector<std::string>{"residuals", "missed", "orthogonality", "mean", "scale", "variance"}));
  for (const Check& check : judged.checks) EXPECT_FALSE(check.meaning.empty()) << check.name;

  LinearModel bent = model.linear();
  bent.map(0, 0) += 1e-4;
  EXPECT_FALSE(judge(Model(model.head(), bent), Dataset(x)).holds());
  LinearModel shifted = model.linear();
  shifted.mean[2] += 1e-3;
  const Judgement off = judge(Model(model.head(), shifted), Dataset(x));
  EXPECT_FALSE(off.holds());
  EXPECT_FALSE(std::ranges::find(off.checks, "mean", &Check::name)->holds());
}

TEST(Judge, TakesATolerance) {
  const Matrix<double> x = test::sample(60, 5);
  const Judgement judged = judge(fit_pca(Dataset(x)), Dataset(x), 1e-30);
  EXPECT_FALSE(judged.holds());
  EXPECT_EQ(judged.checks.front().allowed, 1e-30);
}

TEST(Judge, DoesNotLetNanPass) { EXPECT_FALSE((Check{.name = "mean", .found = NAN, .allowed = 1.0}.holds())); }

TEST(Judge, CountsTheEigenvectorsOfMapsFromNeighborhoods) {
  const Matrix<double> x = test::sample(80, 3);
  const Model model = fit_lle(Dataset(x));
  const Judgement judged = judge(model, Dataset(x));
  EXPECT_TRUE(judged.holds());
  EXPECT_EQ(check_names(judged), (std::vector<std::string>{"residuals", "orthogonality", "placement", "missing"}));
  EXPECT_TRUE(judged.checks.back().whole);
  EXPECT_FALSE(judge(model, Dataset(test::sample(80, 3, 5))).holds());
}

TEST(Judge, SaysThatTheInputIsAnother) {
  const Matrix<double> x = test::sample(60, 5);
  Dataset data(x);
  data.source = "cells.csv";
  data.hash = "xxh3:0000000000000001";
  const Model model = fit_pca(data);
  EXPECT_TRUE(judge(model, data).same_input);
  EXPECT_TRUE(judge(model, data).warnings.empty());
  data.hash = "xxh3:0000000000000002";
  const Judgement judged = judge(model, data);
  EXPECT_FALSE(judged.same_input);
  ASSERT_EQ(judged.warnings.size(), 1u);
  EXPECT_TRUE(judged.warnings[0].starts_with("cells.csv is not the input the model names")) << judged.warnings[0];
  const nlohmann::json document = nlohmann::json::parse(judgement_json(model, data, judged));
  EXPECT_EQ(document["holds"], true);
  EXPECT_EQ(document["same_input"], false);
  EXPECT_EQ(document["checks"]["mean"]["holds"], true);
  EXPECT_EQ(document["residuals"].size(), 2u);
}

TEST(Judge, RefusesBeforeAnythingIsRead) {
  for (const MethodCard& card : methods()) {
    Model model = fit_pca(Dataset(test::sample(30, 4)));
    model.head().method = card.name;
    if (card.verify) {
      EXPECT_NO_THROW(require_verifiable(model)) << card.name;
      continue;
    }
    try {
      require_verifiable(model);
      FAIL() << card.name;
    } catch (const Unsupported& error) {
      EXPECT_EQ(error.marked(), "verify: " + card.unverified);
    }
  }
}

}  // namespace
}  // namespace fewdim
