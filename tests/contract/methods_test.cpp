// Walks the registry: what every method must keep.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "fewdim/fewdim.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

class Contract : public ::testing::TestWithParam<std::string> {
 protected:
  const MethodCard& card() const { return method(GetParam()); }
  bool has(std::string_view option) const {
    return std::ranges::find(card().fields, option, &OptionField::name) != card().fields.end();
  }
  Model fit(const Dataset& data, OptionMap options = {}, const Execution& exec = {}) const {
    if (has("components")) options.try_emplace("components", std::string(correlations() ? "1" : "3"));
    if (has("neighbors") && data.rows() > 1)  // few rows have few neighbors
      options.try_emplace("neighbors", std::min<std::int64_t>(12, data.rows() - 1));
    if (completes()) options.try_emplace("ridge", 0.1);  // trials of others take their time
    if (has("disconnected")) options.try_emplace("disconnected", std::string("bridge"));
    return card().fit(data, options, exec);
  }
  /// Works on correlations: few features have few factors, and few rows have singular ones.
  bool correlations() const { return card().gives.results.has(ResultKind::uniquenesses); }
  Matrix<double> sample(Index rows, Index cols, Seed seed = 1, double level = 1.0) const {
    const Matrix<double> x = test::sample(rows, cols, seed, level);
    return card().takes.nonnegative ? Matrix<double>(x.cwiseAbs()) : x;
  }
  Matrix<double> sparse_sample(Index rows, Index cols, double share) const {
    const Matrix<double> x = test::sparse_sample(rows, cols, share);
    return card().takes.nonnegative ? Matrix<double>(x.cwiseAbs()) : x;
  }
  /// Takes what sparse rows do not store as missing, and places rows by a ridge.
  bool completes() const { return card().takes.kinds.has(DataKind::ratings); }
  /// So large, unless the method plans to take long for it, as unfoldings do.
  Matrix<double> large_table(Index rows, Index cols) const {
    const Plan plan = card().plan({.rows = rows, .cols = cols}, {{"components", std::string("3")}}, {});
    const bool slow = plan.seconds > long_time * static_cast<double>(rows);
    return slow ? sample(300, 3, 1, 0.5) : sample(rows, cols, 1, 0.5);
  }
  static constexpr double long_time = 0.5e-3;  // a row; unfoldings plan 1.2 ms, all others 0.25 ms at most
  /// Every route, or the one way of a method that has no such option: "".
  std::vector<std::string> routes() const {
    for (const OptionField& field : card().fields)
      if (field.name == "route") return field.choices;
    return {""};
  }
  OptionMap by(const std::string& route, OptionMap options = {}) const {
    if (!route.empty()) options["route"] = route;
    return options;
  }
};

/// Tests of methods that take documents are in texts_test.cpp.
std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const MethodCard& card : methods())
    if (card.takes.kinds.has(DataKind::rows)) out.push_back(card.name);
  return out;
}

INSTANTIATE_TEST_SUITE_P(Methods, Contract, ::testing::ValuesIn(names()));

/// A scratch folder that is gone afterwards.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("fewdim-contract-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

bool same_bits(const Matrix<double>& a, const Matrix<double>& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  return a.size() == 0 || std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)) == 0;
}

/// What a model multiplies by: the directions of a linear one, the coefficients of one that compares objects, or the
/// map that new objects are placed in.
const Matrix<double>& directions(const Model& model) {
  if (model.as<StressModel>()) return model.stress().configuration;
  if (model.as<NeighborModel>()) return model.neighbor().configuration;
  return model.as<LinearModel>() ? model.linear().map : model.kernel().coefficients;
}

TEST_P(Contract, TrainingRowsMapToTheEmbedding) {
  const Matrix<double> x = sample(200, 12);
  const Model model = fit(x, {{"embedding", true}});
  const Matrix<double> scores = model.transform(Dataset(x)).matrix<double>();
  // A linear model computes its scores the same way; the others divide by √λ, and lose what that costs.
  const double tolerance = card().gives.extension == Extension::exact ? 1e-12 : 1e-10;
  EXPECT_LE(test::distance(scores, model.embedding()), tolerance * scores.cwiseAbs().maxCoeff());
}

TEST_P(Contract, EmbeddingThatWasNotKeptSaysHowToKeepIt) {
  const Model model = fit(Dataset(sample(50, 6)), {{"embedding", false}});
  try {
    model.embedding();
    FAIL();
  } catch (const Unsupported& e) {
    EXPECT_NE(std::string(e.what()).find("embedding"), std::string::npos) << e.what();
  }
}

TEST_P(Contract, DeclaredCapabilitiesWork) {
  const Matrix<double> x = sparse_sample(300, 12, 0.5);
  const Matrix<double> gaps = (x.array() == 0.0).select(std::nan(""), x);
  // A ridge shrinks what comes back: without one it is the same.
  const OptionMap plain = completes() ? OptionMap{{"ridge", 0.0}, {"effect_ridge", 0.0}} : OptionMap{};
  const Model dense = fit(completes() ? gaps : x, plain);
  if (card().takes.sparse) {
    const Model sparse = fit(Dataset(test::to_csr(x)), plain);
    EXPECT_EQ(sparse.spectrum().explained_variance.size(), dense.spectrum().explained_variance.size());
    if (dense.spectrum().explained_variance.size() > 0) {  // random directions have none
      EXPECT_LE(test::distance(sparse.spectrum().explained_variance, dense.spectrum().explained_variance),
                1e-9 * dense.spectrum().explained_variance[0]);
    }
    EXPECT_LE(test::distance(directions(sparse), directions(dense)), 1e-7);
  }
  if (card().takes.stream) {
    const Model pipe = fit(Dataset(std::make_shared<test::MatrixStream<double>>(x, false, false)));
    EXPECT_TRUE(same_bits(directions(pipe), directions(dense)));
  }
  if (card().gives.inverse == Support::yes) {
    const Matrix<double> y = dense.transform(Dataset(x)).matrix<double>();
    const Matrix<double> back = dense.inverse_transform(Dataset(y)).matrix<double>();
    EXPECT_LE(test::distance(dense.transform(Dataset(back)).matrix<double>(), y), 1e-12 * y.cwiseAbs().maxCoeff());
  } else {
    EXPECT_THROW(dense.inverse_transform(Dataset(Matrix<double>(1, dense.components()))), Unsupported);
  }
}

TEST_P(Contract, SavedAndLoadedIsTheSameToTheBit) {
  const Folder folder;
  const Matrix<double> x = sample(100, 7), fresh = sample(20, 7, 5);
  const Matrix<float> xf = x.cast<float>();
  for (const Dataset& data : {Dataset(x), Dataset(xf)}) {
    const Model model = fit(data, {{"embedding", true}});
    model.save(folder.file("m.fewdim"), true);
    const Model loaded = Model::load(folder.file("m.fewdim"));
    EXPECT_TRUE(same_bits(directions(model), directions(loaded)));
    EXPECT_TRUE(same_bits(model.embedding(), loaded.embedding()));
    EXPECT_TRUE(
        same_bits(model.transform(Dataset(fresh)).matrix<double>(), loaded.transform(Dataset(fresh)).matrix<double>()));
    EXPECT_EQ(model.head().options, loaded.head().options);
    EXPECT_EQ(summary(model).substr(0, 40), summary(loaded).substr(0, 40));
    loaded.save(folder.file("again.fewdim"), true);
    std::ifstream a(folder.file("m.fewdim"), std::ios::binary), b(folder.file("again.fewdim"), std::ios::binary);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(a), {}), std::string(std::istreambuf_iterator<char>(b), {}));
  }
}

TEST_P(Contract, SameBitsOnEveryRouteAtAnyThreadCount) {
  const Matrix<double> tall = large_table(3000, 25), wide = sample(40, 1200, 1, 0.5);
  const Matrix<float> single = tall.cast<float>();
  const Csr<double> sparse = test::to_csr(sparse_sample(3000, 25, 0.3));
  for (const std::string& route : routes())
    for (const Dataset& data : {Dataset(tall), Dataset(wide), Dataset(single), Dataset(sparse.view())}) {
      if (data.is_sparse() && (route == "gram" || !card().takes.sparse)) continue;
      if (data.cols() > data.rows() && correlations()) continue;
      OptionMap options = by(route);
      if (has("seed")) options["seed"] = std::int64_t{3};
      if (route == "power") options["tolerance"] = 1e-4;
      if (has("iterations")) options["tolerance"] = 1e-3;  // a few steps: the same bits after each
      const Model first = fit(data, options, {.threads = 1});
      for (const int threads : {2, 3, 8}) {
        const Model again = fit(data, options, {.threads = threads});
        EXPECT_TRUE(same_bits(directions(first), directions(again))) << route << " at " << threads;
        EXPECT_TRUE(same_bits(first.spectrum().explained_variance, again.spectrum().explained_variance)) << route;
        EXPECT_TRUE(same_bits(first.transform(data, {.threads = 1}).matrix<double>(),
                              again.transform(data, {.threads = threads}).matrix<double>()))
            << route;
      }
    }
}

TEST_P(Contract, EveryRouteMeetsItsTolerance) {
  const Matrix<double> x = large_table(500, 20);
  for (const std::string& route : routes()) {
    const Model model = fit(x, by(route));
    const Certificate& c = model.certificate();
    EXPECT_TRUE(c.converged) << route;
    if (c.residuals.size() > 0) {  // an unfolding has a bound of its optimum instead
      EXPECT_LE(c.residuals.maxCoeff(), c.tolerance) << route;
    }
    EXPECT_LE(c.orthogonality, 1e-12) << route;
    EXPECT_FALSE(c.why.empty());
  }
}

TEST_P(Contract, RefusesBadData) {
  Matrix<double> x = sample(30, 4);
  x(7, 2) = std::nan("");
  x(9, 1) = INFINITY;
  if (card().takes.missing == Support::yes) x(7, 2) = -INFINITY;
  for (const std::string& route : routes()) {
    try {
      fit(x, by(route));
      FAIL() << route;
    } catch (const DataError& e) {
      const std::string text = e.what();
      EXPECT_NE(text.find("row 8"), std::string::npos) << text;  // the first in reading order, counted from 1
    }
    if (card().takes.sparse) {
      EXPECT_THROW(fit(Dataset(test::to_csr(x)), by(route == "gram" ? "auto" : route)), DataError) << route;
    }
  }
  EXPECT_THROW(fit(Dataset(Matrix<double>(0, 4))), DataError);
  EXPECT_THROW(fit(Dataset(Matrix<double>(4, 0))), DataError);
  EXPECT_THROW(fit(Dataset(Matrix<double>(Matrix<double>::Zero(20, 4)))), DataError);
  EXPECT_THROW(fit(Dataset()), DataError);
}

TEST_P(Contract, RefusesOptionsOutOfBounds) {
  const Matrix<double> x = sample(30, 4);
  for (const char* bad : {"0", "-3", "99", "1.5", "abc", "auto:nonsense", ""}) {
    if (!has("components")) break;
    EXPECT_THROW(fit(x, {{"components", std::string(bad)}}), InvalidOption) << bad;
  }
  EXPECT_THROW(fit(x, {{"no_such_option", true}}), InvalidOption);
  for (const OptionField& field : card().fields) {  // what the card declares is what fit() keeps to
    if (field.minimum) {
      EXPECT_THROW(fit(x, {{field.name, *field.minimum - 1.0}}), InvalidOption) << field.name;
    }
    if (field.maximum) {
      EXPECT_THROW(fit(x, {{field.name, *field.maximum + 1.0}}), InvalidOption) << field.name;
    }
    if (field.type == OptionField::Type::text) continue;  // any text is one
    EXPECT_THROW(fit(x, {{field.name, std::string("teleport")}}), InvalidOption) << field.name;
  }
}

TEST_P(Contract, RefusesSparseRowsThatAreNotWellFormed) {
  if (!card().takes.sparse) GTEST_SKIP() << card().name << " takes no sparse data";
  Csr<double> csr = test::to_csr(sparse_sample(40, 6, 0.5));
  csr.columns[11] = 1'000'000'000;  // far past the last: touching it would be felt
  EXPECT_THROW(fit(Dataset(csr.view())), DataError);
}

TEST_P(Contract, WeightsCountAsDeclared) {
  if (!card().takes.weights) GTEST_SKIP() << card().name << " takes no weights";
  const Matrix<double> x = sample(80, 6);
  Dataset weighted(x);
  weighted.weights = Vector<double>::Constant(80, 2.0);  // proportions count, so equal ones change nothing
  const Matrix<double> plain = fit(x).transform(x);
  EXPECT_LE(test::distance(fit(weighted).transform(x), plain), 1e-12 * plain.cwiseAbs().maxCoeff());
  weighted.weights.head(40).setZero();  // as if the first half were not there
  const Matrix<double> rest = x.bottomRows(40);
  EXPECT_LE(test::distance(fit(weighted).transform(x), fit(rest).transform(x)), 1e-10 * plain.cwiseAbs().maxCoeff());
  weighted.weights[3] = -1.0;
  EXPECT_THROW(fit(weighted), DataError);
  weighted.weights = Vector<double>::Ones(79);
  EXPECT_THROW(fit(weighted), DataError);
  weighted.weights = Vector<double>::Ones(80);
  EXPECT_THROW(fit(weighted, {{"components", std::string("auto")}}), InvalidOption);  // criteria count rows alike
}

TEST_P(Contract, ModelSaysWhatTheCardDeclares) {
  const Matrix<double> x = sample(60, 5);
  const Matrix<float> xf = x.cast<float>();
  const Model model = fit(x);
  EXPECT_EQ(model.method(), card().name);
  EXPECT_EQ(model.head().extension, card().gives.extension);
  EXPECT_EQ(model.head().provenance.rows, 60);
  EXPECT_EQ(std::ssize(model.head().component_names), model.components());
  for (const OptionField& field : card().fields) EXPECT_TRUE(model.head().options.contains(field.name)) << field.name;
  EXPECT_EQ(fit(xf).transform(Dataset(xf)).precision(), Precision::float32);
  EXPECT_EQ(model.transform(Dataset(x)).precision(), Precision::float64);
}

TEST_P(Contract, SurvivesDegenerateData) {
  Matrix<double> constant_column = sample(40, 5);
  constant_column.col(3).setConstant(7.0);
  Matrix<double> twice = sample(20, 5).replicate(2, 1);
  Matrix<double> rank_one = sample(30, 1) * sample(1, 6, 4);
  Matrix<double> short_and_wide = sample(4, 60);
  Matrix<double> single_column = sample(30, 1, 1, 0.0), two_rows = sample(2, 5);
  for (const std::string& route : routes()) {
    if (route == "power") continue;  // equal eigenvalues are beyond it, and it says so
    for (Matrix<double>* x : {&constant_column, &twice, &rank_one, &short_and_wide, &single_column, &two_rows}) {
      const Index k = std::min<Index>({3, x->cols(), x->rows() - 1});
      Model model;
      try {
        model = fit(*x, by(route, {{"components", std::to_string(k)}}));
      } catch (const DataError& e) {  // methods without a plane to complete name how many there are
        EXPECT_TRUE(card().gives.extension != Extension::exact || correlations()) << e.what();
        const std::string text = e.message(speak_command_line);
        EXPECT_TRUE((correlations() && text.find("--drop") != std::string::npos) ||
                    text.find("use -k") != std::string::npos || text.find("--neighbors") != std::string::npos)
            << text;
        continue;
      } catch (const InvalidOption& e) {  // few rows can't have the neighbors that some methods take
        const std::string text = e.message(speak_command_line);
        const bool neighbors = has("neighbors") && (text.find("--neighbors") != std::string::npos ||
                                                    text.find("lower -k") != std::string::npos);
        // What has no variance can't be made white.
        const bool rank = card().task == Task::signals && x == &rank_one;
        const bool factors = correlations() && (text.find("use -k") != std::string::npos ||
                                                text.find("at least 2 features") != std::string::npos);
        EXPECT_TRUE(neighbors || rank || factors) << e.what();
        continue;
      }
      EXPECT_TRUE(directions(model).allFinite()) << route;
      EXPECT_LE(model.certificate().orthogonality, 1e-10) << route;
      EXPECT_TRUE(model.transform(Dataset(*x)).matrix<double>().allFinite()) << route;
      EXPECT_LE(model.spectrum().explained_variance_ratio.sum(), 1.0 + 1e-12);
    }
  }
}

TEST_P(Contract, RefusesOtherFeaturesAtTransform) {
  Matrix<double> x = sample(30, 4);
  Dataset named(x);
  named.column_names = {"a", "b", "c", "d"};
  const Model model = fit(named);
  EXPECT_THROW(model.transform(Dataset(sample(5, 3))), DataError);
  Dataset other(x);
  other.column_names = {"a", "b", "x", "d"};
  try {
    model.transform(other);
    FAIL();
  } catch (const DataError& e) {
    EXPECT_NE(std::string(e.what()).find("x"), std::string::npos) << e.what();
  }
  EXPECT_NO_THROW(model.transform(Dataset(x)));  // without names there is nothing to compare
}

TEST_P(Contract, PlansBeforeItWorks) {
  OptionMap options{{"components", std::string("50")}};
  if (has("landmarks")) options["landmarks"] = std::int64_t{1000};  // all pairs of so many are above any limit
  const Plan plan = card().plan({.rows = 100'000, .cols = 512}, options, {});
  const std::vector<std::string> known = routes();
  EXPECT_TRUE(known == std::vector<std::string>{""} || std::ranges::find(known, word_of(plan.route)) != known.end());
  EXPECT_NE(plan.route, Route::automatic);
  EXPECT_FALSE(words_of(plan.why).empty());
  EXPECT_EQ(std::ranges::count(plan.considered, Verdict::chosen, &RouteCost::verdict), 1);
  EXPECT_GT(plan.bytes, 512u * 512u * 8u);
  EXPECT_THROW(card().plan({.rows = 100'000, .cols = 512}, options, {.memory_limit = 1 << 20}), OverMemory);
  EXPECT_THROW(card().fit(Dataset(sample(500, 100)), {{"components", std::string("50")}}, {.memory_limit = 1000}),
               OverMemory);
}

TEST_P(Contract, KeepsThePlanThatItWentBy) {
  const Model model = fit(sample(80, 6));
  ASSERT_TRUE(model.head().plan);
  const Plan& plan = *model.head().plan;
  EXPECT_EQ(std::ranges::count(plan.considered, Verdict::chosen, &RouteCost::verdict), 1);
  EXPECT_EQ(std::ranges::find(plan.considered, Verdict::chosen, &RouteCost::verdict)->route, plan.route);
  EXPECT_FALSE(words_of(plan.why).empty());
  EXPECT_LE(plan.bytes, plan.memory_limit);
  EXPECT_FALSE(model_from_bytes(model_bytes(model), "again").head().plan);  // files keep no plan
}

TEST_P(Contract, SaysWhatItsMeasuresMean) {
  const Model model = fit(sample(80, 6));
  for (const Diagnostic& d : model.head().diagnostics) {
    EXPECT_FALSE(d.meaning.empty()) << d.name;
    const Model loaded = model_from_bytes(model_bytes(model), "again");
    EXPECT_EQ(loaded.head().diagnostics, model.head().diagnostics);
  }
}

TEST_P(Contract, KeepsOptionsOfItsCardAlone) {
  Dataset data(sample(80, 6));
  if (card().takes.weights) data.weights = Vector<double>::LinSpaced(80, 1.0, 2.0);
  const Model model = fit(data);
  for (const auto& [name, value] : model.head().options) EXPECT_TRUE(has(name)) << name;
}

TEST_P(Contract, StopsWhenToldTo) {
  Index calls = 0;
  const Execution exec{.progress = [&](const Progress&) { return ++calls < 1; }};
  EXPECT_THROW(fit(Dataset(sample(500, 10)), {}, exec), Interrupted);
}

}  // namespace
}  // namespace fewdim
