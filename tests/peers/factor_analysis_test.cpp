// R 4.2.2: factanal(decathlon[, 1:10], 3), rotated by varimax(eps = 1e-14) and promax() after it. Runs where the data
// are.

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
  if (const Diagnostic* found = find_diagnostic(model.head().diagnostics, name)) return found->value;
  return NAN;
}

TEST(Factanal, DecathlonVarimax) {
  const std::string path = test::shared_data("tables_classic/decathlon.csv");
  if (path.empty()) GTEST_SKIP() << "skipped: no shared data here (set FEWDIM_DATA)";
  const Model model = fit_factor_analysis(decathlon(path), {.components = 3});
  const Vector<double> uniquenesses{{0.4106448125, 0.3959005146, 0.1056058908, 0.6972498587, 0.2637836425, 0.4911711491,
                                     0.5336640068, 0.9066313396, 0.7848196652, 0.005}};
  EXPECT_LE((model.linear().noise - uniquenesses).cwiseAbs().maxCoeff(), 1e-5);
  EXPECT_NEAR(diagnostic(model, "chi_squared"), 17.97463986, 1e-5);
  EXPECT_EQ(diagnostic(model, "degrees_of_freedom"), 18.0);
  EXPECT_NEAR(diagnostic(model, "p_value"), 0.4573244481, 1e-5);
  Matrix<double> loadings(10, 3);
  loadings << 0.698480691307, -0.26394723871, -0.17835853401,  //
      -0.763894160686, 0.09521901749, 0.10723121765,           //
      -0.127191703304, 0.93418338281, 0.07428180435,           //
      -0.232062437256, 0.49748787155, -0.03745653521,          //
      0.815215446735, -0.05173215323, 0.26260982288,           //
      0.684648429426, -0.18284523425, -0.0815659313,           //
      -0.151537307679, 0.61811825988, 0.24759294631,           //
      -0.124310221594, -0.02040975412, 0.27838655,             //
      -0.002492766532, 0.41155942085, -0.21399293607,          //
      0.190303347533, 0.07225081601, 0.97650897587;
  EXPECT_LE((model.linear().loadings - loadings).cwiseAbs().maxCoeff(), 1e-5);  // varimax(…, eps = 1e-14)
  ASSERT_EQ(model.certificate().warnings.size(), 1u);
  EXPECT_NE(model.certificate().warnings[0].find("1500m"), std::string::npos) << model.certificate().warnings[0];
}

TEST(Factanal, DecathlonPromax) {
  const std::string path = test::shared_data("tables_classic/decathlon.csv");
  if (path.empty()) GTEST_SKIP() << "skipped: no shared data here (set FEWDIM_DATA)";
  const Model model = fit_factor_analysis(decathlon(path), {.components = 3, .rotation = FactorRotation::promax});
  const Vector<double> first{{0.69604960448, -0.79944571588, 0.06897155937, -0.13408162631, 0.84266887444,
                              0.69387721669, -0.03760257127, -0.15309922059, 0.10164056078, 0.16303964553}};
  EXPECT_LE((model.linear().loadings.col(0) - first).cwiseAbs().maxCoeff(), 1e-5);
}

}  // namespace
}  // namespace fewdim
