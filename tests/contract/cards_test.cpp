// Walks the registry: what a card says is whole, and true of the method.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "fewdim/fewdim.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

const std::filesystem::path kSource = FEWDIM_SOURCE_DIR;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> all_names() {
  std::vector<std::string> out;
  for (const MethodCard& card : methods()) out.push_back(card.name);
  return out;
}

std::vector<std::string> names_of_tables() {
  std::vector<std::string> out;
  for (const MethodCard& card : methods())
    if (card.takes.kinds.has(DataKind::rows)) out.push_back(card.name);
  return out;
}

class Card : public ::testing::TestWithParam<std::string> {
 protected:
  const MethodCard& card() const { return method(GetParam()); }
  bool gives(ResultKind kind) const { return card().gives.results.has(kind); }
  bool draws(PictureKind kind) const { return card().gives.pictures.has(kind); }
  const OptionField* field(std::string_view name) const {
    const auto found = std::ranges::find(card().fields, name, &OptionField::name);
    return found == card().fields.end() ? nullptr : &*found;
  }
  bool has_choice(std::string_view name, std::string_view choice) const {
    const OptionField* found = field(name);
    return found && std::ranges::find(found->choices, choice) != found->choices.end();
  }
};

/// A fit of 80 rows with 6 columns, by the card alone.
class CardOfTables : public Card {
 protected:
  CardOfTables() {
    if (card().takes.nonnegative) x_ = x_.cwiseAbs().eval();
  }
  Model fit(OptionMap options = {}) const {
    options.try_emplace("components", std::string("2"));
    if (field("neighbors")) options.try_emplace("neighbors", std::int64_t{12});
    if (card().takes.kinds.has(DataKind::ratings)) options.try_emplace("ridge", 0.1);  // not by trials, which take long
    return card().fit(Dataset(x_), options, {});
  }
  Matrix<double> x_ = test::sample(80, 6);
};

INSTANTIATE_TEST_SUITE_P(Methods, Card, ::testing::ValuesIn(all_names()));
INSTANTIATE_TEST_SUITE_P(Methods, CardOfTables, ::testing::ValuesIn(names_of_tables()));

TEST_P(Card, SaysAllThereIsToSay) {
  EXPECT_FALSE(card().title.empty());
  EXPECT_FALSE(card().citation.empty());
  EXPECT_TRUE(card().use_when.starts_with("Use it when ")) << card().use_when;
  EXPECT_TRUE(card().use_when.ends_with('.')) << card().use_when;
  EXPECT_EQ(std::ranges::count(card().use_when, '.'), 1) << "one sentence: " << card().use_when;
  for (const OptionField& each : card().fields) EXPECT_FALSE(each.help.empty()) << each.name;
  EXPECT_FALSE(card().takes.kinds.empty());
  EXPECT_TRUE(gives(ResultKind::scores));
  EXPECT_TRUE(draws(PictureKind::scatter));
  EXPECT_NE(card().fit, nullptr);
  EXPECT_NE(card().plan, nullptr);
}

TEST_P(Card, HasAPageAndAClass) {
  const std::string page = text_of(kSource / card().page);
  EXPECT_NE(page.find("<!-- generated: fewdim methods " + card().name + " --markdown -->"), std::string::npos)
      << card().page << " lacks the table of options";
  bool found = false;
  const std::regex declared("^class " + card().python_class + "\\b", std::regex::multiline);
  for (const auto& file : std::filesystem::directory_iterator(kSource / "python/fewdim"))
    found = found || (file.path().extension() == ".py" && std::regex_search(text_of(file.path()), declared));
  EXPECT_TRUE(found) << card().python_class;
}

TEST_P(Card, HasExamplesOfItsOwn) {
  EXPECT_GE(card().examples.size(), 2u);
  for (const auto& [command, what] : card().examples) {
    EXPECT_NE(command.find("fewdim "), std::string::npos) << command;
    EXPECT_FALSE(what.empty()) << command;
  }
  EXPECT_NE(card().examples.front().command.find("fewdim " + card().name + " "), std::string::npos);
  if (card().task != Task::distances && card().task != Task::neighborhoods) return;
  const std::regex count("-k ([0-9]+)");
  for (const auto& [command, what] : card().examples)  // a map is for eyes
    if (std::smatch found; std::regex_search(command, found, count)) {
      EXPECT_LE(std::stoi(found[1]), 3) << command;
    }
}

TEST_P(Card, IsVerifiedOrSaysWhyNot) {
  EXPECT_EQ(card().verified_by == VerifiedBy::nothing, card().verify == nullptr);
  EXPECT_EQ(card().verified_by == VerifiedBy::nothing, !card().unverified.empty());
}

TEST_P(Card, TakesWhatItsOptionsAreFor) {
  const EnumSet<DataKind>& kinds = card().takes.kinds;
  EXPECT_EQ(kinds.has(DataKind::distances), has_choice("metric", "precomputed"));
  EXPECT_EQ(kinds.has(DataKind::kernel), has_choice("kernel", "precomputed"));
  EXPECT_EQ(kinds.has(DataKind::graph), field("graph") != nullptr);
  EXPECT_EQ(kinds.has(DataKind::lines) || kinds.has(DataKind::documents), card().takes_text != nullptr);
  EXPECT_EQ(kinds.has(DataKind::documents), card().fit_documents != nullptr);
  EXPECT_EQ(kinds.has(DataKind::documents), card().shape_of_documents != nullptr);
  EXPECT_EQ(card().takes.missing == Support::on_request, field("missing") != nullptr);
  EXPECT_EQ(card().gives.inverse == Support::on_request, field("inverse") != nullptr);
}

TEST(Cards, HaveNamesAndClassesThatAreFound) {
  std::set<std::string> names;
  for (const MethodCard& card : methods()) {
    EXPECT_TRUE(names.insert(card.name).second) << card.name << " is there twice";
    EXPECT_EQ(find_method(card.name), &card);
  }
  EXPECT_EQ(find_method("no-such-method"), nullptr);
  EXPECT_EQ(find_method(""), nullptr);
  EXPECT_THROW(method("no-such-method"), InvalidOption);
}

TEST(Cards, OfModelsFromElsewhereAreMissedWithAReason) {
  Model model = fit_pca(Dataset(test::sample(30, 4)));
  model.head().method = "pca-of-tomorrow";
  try {
    verify(model, Dataset(test::sample(30, 4)));
    FAIL();
  } catch (const Unsupported& e) {
    EXPECT_NE(std::string(e.what()).find("pca-of-tomorrow"), std::string::npos) << e.what();
  }
  EXPECT_FALSE(summary(model).empty());
  EXPECT_FALSE(keeps_distances(model));
}

TEST_P(CardOfTables, GivesTheResultsItNames) {
  const Model model = fit();
  if (gives(ResultKind::spectrum)) {
    EXPECT_EQ(model.spectrum().explained_variance.size(), model.components());
  }
  if (gives(ResultKind::directions)) {
    EXPECT_EQ(model.linear().map.cols() + model.linear().random.components, model.components());
  } else {
    EXPECT_THROW(model.linear(), Unsupported);
  }
  if (gives(ResultKind::left_vectors)) {
    EXPECT_EQ(model.linear().singular_values.size(), model.components());
  } else {
    EXPECT_TRUE(!model.as<LinearModel>() || model.linear().singular_values.size() == 0);
  }
  if (gives(ResultKind::uniquenesses)) {
    EXPECT_EQ(model.linear().loadings.cols(), model.components());
    EXPECT_EQ(model.linear().noise.size(), model.features());
  } else {
    EXPECT_EQ(gives(ResultKind::loadings), gives(ResultKind::column_statistics));
  }
  if (gives(ResultKind::row_statistics)) {
    EXPECT_EQ(row_statistics(model, Dataset(x_)).t2.size(), x_.rows());
  } else {
    EXPECT_THROW(row_statistics(model, Dataset(x_)), Unsupported);
  }
  if (gives(ResultKind::column_statistics)) {
    EXPECT_EQ(column_statistics(model).loadings.rows(), x_.cols());
  } else {
    EXPECT_THROW(column_statistics(model), Unsupported);
  }
  EXPECT_EQ(gives(ResultKind::approximation), card().gives.inverse != Support::no);
}

TEST_P(CardOfTables, DrawsThePicturesItNames) {
  const Model model = fit();
  const Dataset data(x_), scores = model.transform(data);
  const Vector<double>& shares = model.spectrum().explained_variance_ratio;
  EXPECT_EQ(draws(PictureKind::scree), draws(PictureKind::cumulative));
  if (draws(PictureKind::scree)) {
    EXPECT_EQ(shares.size(), model.components());
  }
  if (draws(PictureKind::biplot)) {
    EXPECT_EQ(biplot(model, scores, 0, 1).arrows.rows(), x_.cols());
  } else {
    EXPECT_THROW(biplot(model, scores, 0, 1), Unsupported);
  }
  if (draws(PictureKind::circle)) {
    EXPECT_EQ(correlation_circle(model, 0, 1).names.size(), static_cast<std::size_t>(x_.cols()));
  } else {
    EXPECT_THROW(correlation_circle(model, 0, 1), Unsupported);
  }
  if (draws(PictureKind::shepard)) {
    EXPECT_GT(shepard_diagram(model, data).distances.size(), 0);
  } else {
    EXPECT_THROW(shepard_diagram(model, data), Unsupported);
  }
  if (draws(PictureKind::residual)) {
    EXPECT_GT(residual_curve(model, data).y.size(), 0);
  }
  EXPECT_EQ(keeps_distances(model), card().gives.keeps_distances);
}

TEST_P(CardOfTables, IsVerifiedAsItSays) {
  const Model model = fit();
  if (card().verified_by == VerifiedBy::nothing) {
    try {
      verify(model, Dataset(x_));
      FAIL();
    } catch (const Unsupported& e) {
      EXPECT_EQ(e.marked(), "verify: " + card().unverified);
    }
    return;
  }
  const Verification found = verify(model, Dataset(x_));
  ASSERT_EQ(found.certificate.residuals.size(), model.components());
  EXPECT_LE(found.certificate.residuals.maxCoeff(), 1e-10);  // all are solved to rounding, some 1e-15
  ASSERT_EQ(found.allowed.size(), model.components());
  EXPECT_LE(found.allowed.maxCoeff(), 1e-6);  // relative to the largest: tolerances are 1e-8 or less
}

TEST_P(CardOfTables, RefusesNegativeNumbersWhereItSaysSo) {
  Matrix<double> negative = x_;
  negative(3, 2) = -1.0;
  OptionMap options{{"components", std::string("2")}};
  if (card().takes.kinds.has(DataKind::ratings)) options["ridge"] = 0.1;
  if (card().takes.nonnegative) {
    EXPECT_THROW(card().fit(Dataset(negative), options, {}), DataError);
  } else {
    EXPECT_NO_THROW(card().fit(Dataset(negative), options, {}));
  }
}

TEST_P(CardOfTables, TakesDistancesWhereItSaysSo) {
  if (!card().takes.kinds.has(DataKind::distances)) GTEST_SKIP() << card().name << " takes no distances";
  Matrix<double> distances(x_.rows(), x_.rows());
  for (Index i = 0; i < x_.rows(); ++i)
    for (Index j = 0; j < x_.rows(); ++j) distances(i, j) = (x_.row(i) - x_.row(j)).norm();
  OptionMap options{{"components", std::string("2")}, {"metric", std::string("precomputed")}};
  if (field("neighbors")) options["neighbors"] = std::int64_t{12};
  EXPECT_EQ(card().fit(Dataset(distances), options, {}).components(), 2);
}

}  // namespace
}  // namespace fewdim
