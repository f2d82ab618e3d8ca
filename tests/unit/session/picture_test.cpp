// Pictures of models and tables: which there can be, what is in them, and why others can't be.

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "fewdim/fewdim.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

using Json = nlohmann::json;

const std::vector<PictureKind> all_kinds{PictureKind::scatter, PictureKind::density,    PictureKind::pairs,
                                         PictureKind::scree,   PictureKind::cumulative, PictureKind::biplot,
                                         PictureKind::circle,  PictureKind::shepard,    PictureKind::residual};

std::string drawn_svg(const Picture& picture) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  std::string name = std::string(test->test_suite_name()) + "." + test->name() + ".svg";
  std::ranges::replace(name, '/', '-');
  const std::string path = testing::TempDir() + name;
  plot(picture, path, true);
  std::string text(std::filesystem::file_size(path), ' ');
  std::FILE* file = std::fopen(path.c_str(), "rb");
  const std::size_t got = std::fread(text.data(), 1, text.size(), file);
  std::fclose(file);
  std::remove(path.c_str());
  return got == text.size() ? text : "";
}

std::vector<std::string> names_of_table_methods() {
  std::vector<std::string> out;
  for (const MethodCard& card : methods())
    if (card.takes.kinds.has(DataKind::rows)) out.push_back(card.name);
  return out;
}

class PicturesOfMethod : public ::testing::TestWithParam<std::string> {
 protected:
  const MethodCard& card() const { return method(GetParam()); }
  Model fit(const std::string& components) {
    if (card().takes.nonnegative) x_ = x_.cwiseAbs().eval();
    OptionMap options{{"components", components}};
    for (const OptionField& field : card().fields)
      if (field.name == "neighbors") options["neighbors"] = std::int64_t{12};
    if (card().takes.kinds.has(DataKind::ratings)) options["ridge"] = 0.1;  // not by trials, which take long
    return card().fit(Dataset(x_), options, {});
  }
  Matrix<double> x_ = test::sample(80, 6);
};

INSTANTIATE_TEST_SUITE_P(Methods, PicturesOfMethod, ::testing::ValuesIn(names_of_table_methods()));

/// Each that is possible can be made and drawn, each other is refused with its reason; the card's are among them.
TEST_P(PicturesOfMethod, AreMadeOrRefusedWithTheReason) {
  const Model model = fit("2");
  for (const bool with_data : {true, false}) {
    const std::vector<PictureKind> possible = possible_pictures(&model, with_data);
    const PictureSource source{.model = &model, .data = with_data ? Dataset(x_) : Dataset()};
    for (const PictureKind kind : all_kinds) {
      SCOPED_TRACE(word_of(kind) + (with_data ? " with data" : " without data"));
      const PictureNeed need = missing_for(kind, &model, with_data);
      EXPECT_EQ(need == PictureNeed::nothing, std::ranges::find(possible, kind) != possible.end());
      if (need == PictureNeed::nothing) {
        const Picture picture = make_picture(source, {.kind = kind});
        EXPECT_NE(drawn_svg(picture).find("</svg>"), std::string::npos);
        EXPECT_FALSE(Json::parse(picture_json(picture))["axes"].empty());
        continue;
      }
      if (with_data) {
        EXPECT_FALSE(card().gives.pictures.has(kind)) << reason_of(need);
      }
      try {
        make_picture(source, {.kind = kind});
        FAIL() << "needs " << reason_of(need);
      } catch (const Unsupported& error) {
        EXPECT_NE(std::string(error.what()).find(reason_of(need)), std::string::npos) << error.what();
      }
    }
  }
}

TEST_P(PicturesOfMethod, OfOneComponentAreDrawnInTheOrderOfRows) {
  Model model;
  try {
    model = fit("1");
  } catch (const InvalidOption&) {
    GTEST_SKIP() << card().name << " keeps more than one";
  }
  if (model.components() > 1) GTEST_SKIP() << card().name << " keeps effects beside its components";
  EXPECT_EQ(missing_for(PictureKind::pairs, &model, true), PictureNeed::two_components);
  EXPECT_NE(missing_for(PictureKind::biplot, &model, true), PictureNeed::nothing);
  const Picture picture = make_picture({.model = &model, .data = Dataset(x_)}, {});
  EXPECT_EQ(std::get<ScatterPlot>(picture).x_label, "row");
  EXPECT_EQ(std::get<ScatterPlot>(picture).x[79], 80.0);
}

TEST(Pictures, AreRefusedForModelsWhoseColumnsHaveNoCorrelations) {  // they were called possible, and then failed
  const Matrix<double> x = test::sample(80, 6);
  const Model ica = fit_ica(Dataset(x), {.components = 2});
  EXPECT_EQ(missing_for(PictureKind::circle, &ica, true), PictureNeed::correlations);
  const Model svd = fit_svd(Dataset(x), {.components = 2});
  EXPECT_EQ(missing_for(PictureKind::circle, &svd, true), PictureNeed::centering);
}

TEST(Pictures, OfOneComponentWithoutCoordinatesNeedThem) {  // the reason was an unfinished sentence
  const Model model = fit_pca(Dataset(test::sample(30, 4)), {.components = 1});
  EXPECT_EQ(missing_for(PictureKind::scatter, &model, false), PictureNeed::coordinates);
}

TEST(Pictures, HaveAxesColorsAndTitlesAsAsked) {
  const Matrix<double> x = test::sample(40, 5);
  Dataset data(x);
  data.source = "folder/cells.csv";
  const Model model = fit_pca(data, {.components = 3});
  PictureRequest request{.axes = {0, 2}, .labels = std::vector<std::string>(40, "one"), .color_name = "kind"};
  const ScatterPlot found = std::get<ScatterPlot>(make_picture({.model = &model, .data = data}, request));
  const Matrix<double> scores = model.transform(data).matrix<double>();
  EXPECT_EQ(found.x, Vector<double>(scores.col(0)));
  EXPECT_EQ(found.y, Vector<double>(scores.col(2)));
  EXPECT_EQ(found.title, "pca of cells.csv");
  EXPECT_TRUE(found.y_label.starts_with("PC3 (")) << found.y_label;
  EXPECT_EQ(found.labels, request.labels);
  EXPECT_EQ(found.label_name, "kind");
  EXPECT_FALSE(found.equal);
  request.equal = true;
  request.title = "";
  request.size = {500, 400};
  const ScatterPlot other = std::get<ScatterPlot>(make_picture({.model = &model, .data = data}, request));
  EXPECT_TRUE(other.equal);
  EXPECT_EQ(other.title, "");
  EXPECT_EQ(other.size.width, 500);
  request.axes = {0, 3};
  EXPECT_THROW(make_picture({.model = &model, .data = data}, request), InvalidOption);
  request.axes = {0, 1, 2};
  EXPECT_THROW(make_picture({.model = &model, .data = data}, request), InvalidOption);
}

TEST(Pictures, OfATableNeedNoModel) {
  Matrix<double> x = test::sample(30, 7);
  x(4, 1) = NAN;
  Dataset table(x);
  table.column_names = {"a", "b", "c", "d", "e", "f", "g"};
  table.source = "map.csv";
  EXPECT_EQ(possible_pictures(nullptr, false),
            (std::vector{PictureKind::scatter, PictureKind::density, PictureKind::pairs}));
  const Picture picture = make_picture({.scores = table}, {.kind = PictureKind::pairs});
  EXPECT_EQ(std::get<PairsPlot>(picture).names, (std::vector<std::string>{"a", "b", "c", "d", "e"}));
  EXPECT_EQ(points_of(picture).rows, 30);
  EXPECT_EQ(points_of(picture).left_out, 1);
  const Json document = Json::parse(picture_json(picture));
  EXPECT_EQ(document["title"], "map.csv");
  EXPECT_EQ(document["left_out"], 1);
  EXPECT_TRUE(document["columns"][1][4].is_null());
  EXPECT_EQ(document["columns"][0][7].get<double>(), x(7, 0));
  EXPECT_THROW(make_picture({.scores = table}, {.kind = PictureKind::scree}), Unsupported);
  const Picture sparse = make_picture({.scores = Dataset(test::to_csr(Matrix<double>(x.topRows(3))))}, {});
  EXPECT_EQ(std::get<ScatterPlot>(sparse).x, Vector<double>(x.col(0).head(3)));
}

TEST(Pictures, AreFoundByName) {
  for (const PictureKind kind : all_kinds) EXPECT_EQ(picture_kind(word_of(kind)), kind);
  EXPECT_THROW(picture_kind("scater"), InvalidOption);
}

}  // namespace
}  // namespace fewdim
