// Walks the registry: what every method that takes texts must keep.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "fewdim/fewdim.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

/// Sixty sentences about five things: ten openings, two endings for each thing, and what the things have in common.
std::vector<std::string> sentences() {
  const std::vector<std::pair<const char*, std::vector<const char*>>> things{
      {"The ship left the harbor",
       {"under full sail in a strong wind", "with its crew and cargo before the storm",
        "and the captain set the sail against the wind", "while waves broke over the deck and crew",
        "as the storm drove waves into the harbor", "its captain watching the cargo on deck"}},
      {"The garden needs care",
       {"so water the roses and prune the apple tree", "when frost threatens seeds and young roses",
        "and the soil wants compost before seeds are sown", "because the apple tree suffers from frost",
        "with compost and water for the dry soil", "so prune the roses and turn the soil"}},
      {"The orchestra plays tonight",
       {"a symphony with a long violin solo", "and the conductor rehearsed the violin parts",
        "its conductor loves the slow symphony", "a concert of piano and violin",
        "the piano concerto after the symphony", "as the concert hall waits for the piano"}},
      {"The baker rose early",
       {"to knead dough for bread and rolls", "and the oven was hot for the bread",
        "with flour and yeast for the dough", "rolls of fine flour from the oven",
        "because yeast makes dough rise slowly", "so bread and rolls are warm"}},
      {"The telescope found a planet",
       {"in orbit around a distant star", "whose orbit bends the light of its star",
        "beyond the galaxy that astronomers map", "as astronomers measured light from the star",
        "a moon in orbit around that planet", "with a moon near the edge of the galaxy"}}};
  const std::vector<const char*> turns{"", " once more"};
  std::vector<std::string> out;
  for (const char* turn : turns)
    for (std::size_t i = 0; i < 6; ++i)
      for (const auto& [opening, endings] : things) out.push_back(std::string(opening) + turn + " " + endings[i] + ".");
  return out;
}

class TextContract : public ::testing::TestWithParam<std::string> {
 protected:
  const MethodCard& card() const { return method(GetParam()); }
  Model fit(const Dataset& data, OptionMap options = {}, const Execution& exec = {}) const {
    options.try_emplace("components", std::string("5"));
    return card().fit(data, options, exec);
  }
  Dataset texts_ = Dataset::of_texts(sentences());
};

std::vector<std::string> text_methods() {
  std::vector<std::string> out;
  for (const MethodCard& card : methods())
    if (card.takes.kinds.has(DataKind::documents)) out.push_back(card.name);
  return out;
}

INSTANTIATE_TEST_SUITE_P(Methods, TextContract, ::testing::ValuesIn(text_methods()));

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A file name that is gone afterwards.
class Scratch {
 public:
  Scratch() : path_(std::filesystem::temp_directory_path() / ("fewdim-texts-" + std::to_string(::getpid()))) {}
  ~Scratch() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

TEST_P(TextContract, SixtySentences) { EXPECT_EQ(texts_.rows(), 60); }

TEST_P(TextContract, TextsComeToFinitePlacesOneByOneOrTogether) {
  const Model model = fit(texts_);
  const Matrix<double> all = model.transform(texts_).matrix<double>();
  EXPECT_EQ(all.rows(), 60);
  EXPECT_EQ(all.cols(), model.components());
  EXPECT_TRUE(all.allFinite());
  for (const Index i : {0, 31, 59}) {
    const Matrix<double> one =
        model.transform(Dataset::of_texts({texts_.texts[static_cast<std::size_t>(i)]})).matrix<double>();
    EXPECT_EQ(one.row(0), all.row(i));
  }
  EXPECT_TRUE(model.transform(Dataset::of_texts({"", "???", "Xylophones zigzag"})).matrix<double>().isZero(0.0));
}

TEST_P(TextContract, EveryRouteOfTheSolverMeetsItsTolerance) {
  const Certificate c = fit(texts_).certificate();
  EXPECT_TRUE(c.converged);
  ASSERT_GT(c.residuals.size(), 0);
  EXPECT_LE(c.residuals.maxCoeff(), c.tolerance);
  EXPECT_LE(c.orthogonality, 1e-12);
  EXPECT_FALSE(c.why.empty());
}

TEST_P(TextContract, GoesBackAsDeclared) {
  const Model model = fit(texts_);
  const Matrix<double> y = model.transform(texts_).matrix<double>();
  if (card().gives.inverse != Support::yes) {
    EXPECT_THROW(model.inverse_transform(Dataset(y)), Unsupported);
    return;
  }
  // Weighted terms are what it goes back to, and the directions are orthonormal to float32.
  const Matrix<double> terms = model.inverse_transform(Dataset(y)).matrix<double>();
  EXPECT_EQ(terms.cols(), model.features());
  EXPECT_LE(test::distance(terms * model.linear().map, y), 1e-6 * y.cwiseAbs().maxCoeff());
}

TEST_P(TextContract, SavedAndLoadedIsTheSameToTheBit) {
  const Scratch file, again;
  const Model model = fit(texts_);
  model.save(file.path(), true);
  const std::string bytes = bytes_of(file.path());
  const Model loaded = Model::load(file.path());
  EXPECT_EQ(model.transform(texts_).matrix<double>(), loaded.transform(texts_).matrix<double>());
  EXPECT_EQ(model.head().options, loaded.head().options);
  EXPECT_EQ(summary(model).substr(0, 40), summary(loaded).substr(0, 40));
  loaded.save(again.path(), true);
  EXPECT_EQ(bytes_of(again.path()), bytes);
}

TEST_P(TextContract, SameBitsAtAnyThreadCount) {
  const Model first = fit(texts_, {}, {.threads = 1});
  for (const int threads : {2, 3, 8}) {
    const Model again = fit(texts_, {}, {.threads = threads});
    EXPECT_EQ(first.spectrum().explained_variance, again.spectrum().explained_variance);
    EXPECT_EQ(first.transform(texts_, {.threads = 1}).matrix<double>(),
              again.transform(texts_, {.threads = threads}).matrix<double>());
  }
}

TEST_P(TextContract, RefusesWhatIsNoText) {
  EXPECT_THROW(fit(Dataset(test::sample(30, 4))), DataError);
  EXPECT_THROW(fit(Dataset(test::to_csr(test::sparse_sample(30, 4, 0.5)))), DataError);
  EXPECT_THROW(fit(Dataset()), DataError);
  EXPECT_THROW(fit(Dataset::of_texts({"", "", ""})), DataError);
  const Model model = fit(texts_);
  EXPECT_THROW(model.transform(Dataset(Matrix<double>(Matrix<double>::Zero(2, model.features())))), DataError);
}

TEST_P(TextContract, RefusesOptionsOutOfBounds) {
  for (const char* bad : {"0", "-3", "1.5", "abc", "auto:nonsense", ""})
    EXPECT_THROW(fit(texts_, {{"components", std::string(bad)}}), InvalidOption) << bad;
  EXPECT_THROW(fit(texts_, {{"no_such_option", true}}), InvalidOption);
  for (const OptionField& field : card().fields) {
    if (field.minimum) {
      EXPECT_THROW(fit(texts_, {{field.name, *field.minimum - 1.0}}), InvalidOption) << field.name;
    }
    if (field.maximum) {
      EXPECT_THROW(fit(texts_, {{field.name, *field.maximum + 1.0}}), InvalidOption) << field.name;
    }
    if (field.type == OptionField::Type::text) continue;  // any text is one
    EXPECT_THROW(fit(texts_, {{field.name, std::string("teleport")}}), InvalidOption) << field.name;
  }
}

TEST_P(TextContract, ModelSaysWhatTheCardDeclares) {
  const Model model = fit(texts_);
  EXPECT_EQ(model.method(), card().name);
  EXPECT_EQ(model.head().extension, card().gives.extension);
  EXPECT_EQ(model.head().provenance.rows, 60);
  EXPECT_TRUE(model.takes_text());
  EXPECT_EQ(std::ssize(model.head().component_names), model.components());
  for (const OptionField& field : card().fields) EXPECT_TRUE(model.head().options.contains(field.name)) << field.name;
}

TEST_P(TextContract, SurvivesDegenerateTexts) {
  const std::vector<std::string> same(20, "the same sentence about roses"), one{"roses roses apples"};
  std::vector<std::string> gaps = sentences();
  gaps.insert(gaps.begin(), "");
  gaps.emplace_back("the and of");
  for (const std::vector<std::string>& texts : {same, one, gaps}) {
    const Dataset data = Dataset::of_texts(texts);
    try {
      const Model model = fit(data, {{"min_documents", 1.0}, {"weighting", std::string("counts")}});
      EXPECT_TRUE(model.transform(data).matrix<double>().allFinite());
      EXPECT_LE(model.spectrum().explained_variance_ratio.sum(), 1.0 + 1e-12);
      EXPECT_LE(model.components(), std::ssize(texts));
    } catch (const DataError& e) {
      ADD_FAILURE() << e.what();
    }
  }
}

TEST_P(TextContract, PlansBeforeItWorks) {
  const OptionMap options{{"components", std::string("50")}};
  const Plan plan = card().plan({.rows = 100'000, .cols = 512}, options, {});
  EXPECT_NE(plan.route, Route::none);
  EXPECT_NE(plan.route, Route::automatic);
  EXPECT_FALSE(words_of(plan.why).empty());
  EXPECT_GT(plan.bytes, 512u * 50u * 8u);
  EXPECT_THROW(card().plan({.rows = 100'000, .cols = 512}, options, {.memory_limit = 1 << 10}), OverMemory);
  EXPECT_THROW(fit(texts_, {}, {.memory_limit = 1000}), OverMemory);
}

TEST_P(TextContract, StopsWhenToldTo) {
  Index calls = 0;
  const Execution exec{.progress = [&](const Progress&) { return ++calls < 1; }};
  EXPECT_THROW(fit(texts_, {}, exec), Interrupted);
}

}  // namespace
}  // namespace fewdim
