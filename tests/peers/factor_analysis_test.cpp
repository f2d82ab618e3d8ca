// R 4.2.2: factanal(decathlon[, 1:10], 3, control = list(opt = list(factr = 1e2))). Runs where the data are.

#include <gtest/gtest.h>

#include "fewdim/fewdim.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

Dataset decathlon(const std::string& path) {
  ReadOptions options;
  options.label = "Competition";
  const Dataset head = read(path, options);
  for (Index j = 0; j < 10; ++j) options.columns.push_back(head.column_names[static_cast<std::size_t>(j)]);
  return read(path, options);
}

double diagnostic(const Model& model, std::string_view name) {
  for (const auto& [key, value] : model.head().diagnostics)
    if (key == name) return value;
  return NAN;
}

TEST(Factanal, DecathlonVarimax) {
  const std::string path = test::shared_data("tables_classic/decathlon.csv");
  if (path.empty()) GTEST_SKIP() << "skipped: no shared data here (set FEWDIM_DATA)";
  const Model model = fit_factor_analysis(decathlon(path), {.components = 3});
  const Vector<double> uniquenesses{{0.4106448125, 0.3959005146, 0.1056058908, 0.6972498587, 0.2637836425, 0.4911711491,
                                     0.5336640068, 0.9066313396, 0.7848196652, 0.005}};
  EXPECT_LE((model.linear().noise - uniquenesses).cwiseAbs().maxCoeff(), 2e-4);
  EXPECT_NEAR(diagnostic(model, "chi_squared"), 17.97463986, 1e-5);
  EXPECT_EQ(diagnostic(model, "degrees_of_freedom"), 18.0);
  EXPECT_NEAR(diagnostic(model, "p_value"), 0.4573244481, 1e-5);
  Matrix<double> loadings(10, 3);
  loadings << 0.698600443177, -0.26361715153, -0.17837770550,  //
      -0.763935616709, 0.09485528265, 0.10725825347,           //
      -0.127637693783, 0.93412448419, 0.07425749619,           //
      -0.232302950617, 0.49737512031, -0.03746302158,          //
      0.815250529296, -0.05133215137, 0.26257940525,           //
      0.684733011937, -0.18251876518, -0.08158710358,          //
      -0.151824600631, 0.61805313897, 0.24757951032,           //
      -0.124289462033, -0.02046075036, 0.27839207568,          //
      -0.002698949203, 0.41155145783, -0.21400574921,          //
      0.190306969924, 0.07237291137, 0.97649922854;
  EXPECT_LE((model.linear().loadings - loadings).cwiseAbs().maxCoeff(), 2e-4);  // R's varimax stops at 1e-5
  ASSERT_EQ(model.certificate().warnings.size(), 1u);
  EXPECT_NE(model.certificate().warnings[0].find("1500m"), std::string::npos) << model.certificate().warnings[0];
}

TEST(Factanal, DecathlonPromax) {
  const std::string path = test::shared_data("tables_classic/decathlon.csv");
  if (path.empty()) GTEST_SKIP() << "skipped: no shared data here (set FEWDIM_DATA)";
  const Model model = fit_factor_analysis(decathlon(path), {.components = 3, .rotation = FactorRotation::promax});
  const Vector<double> first{{0.69606970251, -0.79945479120, 0.06892952524, -0.13409937467, 0.84265484507,
                              0.69388847198, -0.03764171475, -0.15311425033, 0.10163616769, 0.16298030038}};
  EXPECT_LE((model.linear().loadings.col(0) - first).cwiseAbs().maxCoeff(), 5e-4);
}

}  // namespace
}  // namespace fewdim
