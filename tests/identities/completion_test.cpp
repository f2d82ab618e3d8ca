// Completion: where its kinds meet other methods, and what their optimum must be.

#include "fewdim/completion.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/SVD>
#include <cmath>
#include <filesystem>

#include "fewdim/rating_trial.hpp"
#include "fewdim/ratings_index.hpp"
#include "fewdim/recommend.hpp"
#include "methods/completion_fit.hpp"
#include "solvers/ratings/als.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

/// Rank two plus noise, ratings of level 3, with `share` of them there and the others NaN.
Matrix<double> table(Index rows, Index cols, double share, Seed seed = 1) {
  const Matrix<double> left = test::sample(rows, 2, seed, 0.0), right = test::sample(cols, 2, seed + 1, 0.0);
  Matrix<double> x = left * right.transpose() + 0.1 * test::sample(rows, cols, seed + 2, 0.0);
  x.array() += 3.0;
  const Random random(seed, 77);
  for (Index i = 0; i < x.size(); ++i)
    if (random.uniform(static_cast<std::uint64_t>(i)) > share) x.data()[i] = NAN;
  return x;
}

RatingsTable entries(const Matrix<double>& x) { return make_ratings(observed_entries(Dataset(x), "test", {}), {}); }

TEST(Completion, SoftImputeOfACompleteTableIsTheSoftThresholdedSvd) {
  const Matrix<double> x = test::sample(60, 20, 1, 0.03);
  for (const bool center : {false, true}) {
    Matrix<double> centered = x;
    if (center) centered.rowwise() -= x.colwise().mean();
    const Eigen::BDCSVD<Matrix<double>> svd(centered, Eigen::ComputeThinU | Eigen::ComputeThinV);
    const double ridge = 0.5;  // between the fifth and the sixth value, or so: the rank is less than asked for
    const double lambda = ridge * svd.singularValues()[0];
    const Vector<double> kept = (svd.singularValues().array() - lambda).max(0.0);
    const Index rank = (kept.array() > 0.0).count();
    ASSERT_GT(rank, 1);
    ASSERT_LT(rank, 18);
    const Matrix<double> expected = svd.matrixU() * kept.asDiagonal() * svd.matrixV().transpose();
    CompletionOptions options{.kind = CompletionKind::soft_impute,
                              .components = rank + 2,
                              .ridge = ridge,
                              .center = center,
                              .tolerance = 1e-11,
                              .iterations = 5000};
    const Model model = fit_completion(x, options);
    ASSERT_EQ(model.components(), rank);
    EXPECT_LE(test::distance(model.linear().singular_values, kept.head(rank)), 1e-8 * kept[0]);
    Matrix<double> back = model.inverse_transform(Dataset(model.embedding())).matrix<double>();
    if (center) back.rowwise() -= x.colwise().mean();
    EXPECT_LE((back - expected).norm(), 1e-8 * expected.norm());
  }
}

TEST(Completion, ObjectivesNeverRise) {
  const Matrix<double> x = table(80, 40, 0.4);
  for (const CompletionKind kind : {CompletionKind::biased, CompletionKind::soft_impute, CompletionKind::implicit})
    for (const Seed seed : {1u, 2u, 3u}) {
      const Matrix<double> counts = x.array().max(0.0);
      const CompletionFactors f =
          fit_factors(entries(kind == CompletionKind::implicit ? counts : x),
                      {.kind = kind, .tolerance = 1e-6, .iterations = 300, .seed = seed}, 4, 0.05, {});
      ASSERT_GT(f.objectives.size(), 4u);
      for (std::size_t i = 1; i < f.objectives.size(); ++i)
        EXPECT_LE(f.objectives[i], f.objectives[i - 1] * (1.0 + 1e-13)) << int(kind) << " at " << i;  // its rounding
    }
}

/// The objective of biased ALS as it is written, from a model's own numbers.
double biased_objective(const Matrix<double>& x, const Vector<double>& item_effects, const Matrix<double>& q,
                        const Matrix<double>& y, double mean, double lambda, double effect_ridge) {
  double sum = 0.0;
  for (Index u = 0; u < x.rows(); ++u)
    for (Index j = 0; j < x.cols(); ++j) {
      if (std::isnan(x(u, j))) continue;
      const double off = x(u, j) - mean - item_effects[j] - y(u, 0) - q.row(j).dot(y.row(u).tail(q.cols()));
      sum += off * off + lambda * (q.row(j).squaredNorm() + y.row(u).tail(q.cols()).squaredNorm()) +
             effect_ridge * (item_effects[j] * item_effects[j] + y(u, 0) * y(u, 0));  // by count: once an entry
    }
  return sum;
}

TEST(Completion, BiasedFitIsStationary) {
  const Matrix<double> x = table(60, 30, 0.5);
  const Model model = fit_completion(x, {.components = 2, .tolerance = 1e-9, .iterations = 5000});
  const LinearModel& shape = model.linear();
  const double mean = entries(x).mean, lambda = shape.regression.ridge[1];
  Vector<double> effects = shape.mean.array() - mean;
  Matrix<double> q = shape.map.rightCols(2), y = model.embedding();
  const auto at = [&] { return biased_objective(x, effects, q, y, mean, lambda, shape.regression.ridge[0]); };
  const double least = at();
  const Diagnostic* objective = find_diagnostic(model.head().diagnostics, "objective");
  ASSERT_TRUE(objective);
  EXPECT_NEAR(objective->value, least, 1e-9 * least);
  // A step of 1e-4 to either side adds its square times half the curvature, and no slope.
  const double step = 1e-4;
  const auto slope = [&](double& number) {
    const double own = number;
    number = own + step;
    const double up = at();
    number = own - step;
    const double down = at();
    number = own;
    EXPECT_GE(up, least - 1e-9 * least);
    EXPECT_GE(down, least - 1e-9 * least);
    return (up - down) / (2.0 * step);
  };
  for (const Index i : {0, 7, 29}) {
    EXPECT_NEAR(slope(effects[i]), 0.0, 1e-5);
    EXPECT_NEAR(slope(q(i, 0)), 0.0, 1e-5);
    EXPECT_NEAR(slope(q(i, 1)), 0.0, 1e-5);
    EXPECT_NEAR(slope(y(i, 0)), 0.0, 1e-5);
    EXPECT_NEAR(slope(y(i, 2)), 0.0, 1e-5);
  }
}

TEST(Completion, ImplicitUsersAreTheDenseWeightedRegression) {
  const Matrix<double> x = test::sparse_sample(40, 25, 0.3).cwiseAbs();
  const CompletionOptions options{.kind = CompletionKind::implicit,
                                  .components = 3,
                                  .ridge = 0.5,
                                  .ridge_by_count = false,
                                  .confidence = 7.0,
                                  .tolerance = 1e-2};
  const Model model = fit_completion(Dataset(test::to_csr(x)), options);
  const Matrix<double>& q = model.linear().map;
  for (Index u = 0; u < x.rows(); ++u) {
    const Vector<double> weight = (1.0 + 7.0 * x.row(u).array()).matrix().transpose();
    const Vector<double> wanted = (x.row(u).array() > 0.0).cast<double>().matrix().transpose();
    const Matrix<double> normal = q.transpose() * weight.asDiagonal() * q + 0.5 * Matrix<double>::Identity(3, 3);
    const Vector<double> expected = normal.llt().solve(q.transpose() * weight.cwiseProduct(wanted));
    EXPECT_LE((model.embedding().row(u).transpose() - expected).norm(), 1e-11 * (1.0 + expected.norm()));
  }
}

TEST(Completion, ZerosThatAreStoredAreNoCounts) {
  const Matrix<double> x = test::sparse_sample(40, 25, 0.3).cwiseAbs();  // dense: its zeros are entries, which say 0
  const CompletionOptions options{
      .kind = CompletionKind::implicit, .components = 3, .ridge = 0.5, .ridge_by_count = false, .tolerance = 1e-2};
  EXPECT_LE(test::distance(fit_completion(x, options).linear().map,
                           fit_completion(Dataset(test::to_csr(x)), options).linear().map),
            1e-10);
}

TEST(Completion, FindsTheTruthFromAThirdOfIt) {
  const Matrix<double> whole = table(300, 60, 1.1);
  Matrix<double> x = whole;
  const Random random(3, 78);
  for (Index i = 0; i < x.size(); ++i)
    if (random.uniform(static_cast<std::uint64_t>(i)) > 0.4) x.data()[i] = NAN;
  double means = 0.0;
  for (Index j = 0; j < x.cols(); ++j) {
    double sum = 0.0, count = 0.0;
    for (Index i = 0; i < x.rows(); ++i)
      if (!std::isnan(x(i, j))) sum += x(i, j), count += 1.0;
    for (Index i = 0; i < x.rows(); ++i)
      if (std::isnan(x(i, j))) means += std::pow(whole(i, j) - sum / count, 2);
  }
  for (const CompletionKind kind : {CompletionKind::biased, CompletionKind::soft_impute}) {
    const Model model = fit_completion(x, {.kind = kind, .components = 4, .ridge = 0.02});
    const Matrix<double> filled = complete_rows(model, Dataset(x)).matrix<double>();
    double off = 0.0;
    for (Index i = 0; i < x.size(); ++i) {
      if (std::isnan(x.data()[i]))
        off += std::pow(filled.data()[i] - whole.data()[i], 2);
      else
        EXPECT_EQ(filled.data()[i], x.data()[i]);
    }
    EXPECT_LE(off, 0.1 * means) << int(kind);  // two factors of variance about 1.6 in all, noise of 0.01 at most
  }
}

TEST(Completion, TrainingUsersAndNewOnesAreThePlacesOfTheModel) {
  const Matrix<double> x = table(50, 20, 0.6);
  for (const CompletionKind kind : {CompletionKind::biased, CompletionKind::soft_impute}) {
    const Model model = fit_completion(x, {.kind = kind, .components = 3});
    const Matrix<double> again = model.transform(Dataset(x)).matrix<double>();
    EXPECT_EQ(again, model.embedding());
    std::vector<std::pair<Index, double>> ratings;
    for (Index j = x.cols(); j-- > 0;)
      if (!std::isnan(x(4, j))) ratings.emplace_back(j, x(4, j));
    EXPECT_LE((fold_in(model, ratings) - model.embedding().row(4).transpose()).norm(), 1e-14);
  }
}

TEST(Completion, SameBitsAtAnyThreadCountAndAfterAFile) {
  const Matrix<double> x = table(400, 90, 0.3);
  const std::string path =
      (std::filesystem::temp_directory_path() / ("completion-" + std::to_string(::getpid()))).string();
  for (const CompletionKind kind : {CompletionKind::biased, CompletionKind::soft_impute, CompletionKind::implicit}) {
    const Matrix<double> counts = x.array().max(0.0);
    const Matrix<double>& data = kind == CompletionKind::implicit ? counts : x;
    const CompletionOptions options{.kind = kind, .components = 5, .tolerance = 1e-2};
    const Model one = fit_completion(data, options, {.threads = 1});
    for (const int threads : {2, 3}) {
      const Model more = fit_completion(data, options, {.threads = threads});
      EXPECT_EQ(one.linear().map, more.linear().map);
      EXPECT_EQ(one.embedding(), more.embedding());
    }
    one.save(path, true);
    const Model loaded = Model::load(path);
    EXPECT_EQ(loaded.ratings().users, one.ratings().users);
    EXPECT_EQ(loaded.ratings().offsets, one.ratings().offsets);
    EXPECT_EQ(loaded.ratings().items, one.ratings().items);
    EXPECT_EQ(loaded.ratings().highest, one.ratings().highest);
    const std::vector<RatedPair> pairs{{"1", "2", NAN}, {"400", "90", NAN}, {"401", "1", NAN}, {"1", "x", NAN}};
    EXPECT_EQ(predict(one, pairs).values, predict(loaded, pairs).values);
    EXPECT_EQ(predict(one, pairs).by,
              (std::vector{PredictedBy::both, PredictedBy::both, PredictedBy::item_alone, PredictedBy::user_alone}));
  }
  std::filesystem::remove(path);
}

TEST(Completion, ChoicesAreJudgedOnEntriesHeldOut) {
  const Matrix<double> x = table(200, 50, 0.5);
  for (const CompletionKind kind : {CompletionKind::biased, CompletionKind::soft_impute}) {
    std::vector<CompletionTrial> trials;
    const Model model = fit_completion(x, {.kind = kind, .components = "auto", .ridge = from_data}, {}, &trials);
    ASSERT_GE(trials.size(), 3u);
    const CompletionTrial best = std::ranges::min(trials, {}, &CompletionTrial::error);
    EXPECT_LE(best.error, 0.5);  // noise 0.1 at most, and the factors have a spread of 1
    const Diagnostic* ridge = find_diagnostic(model.head().diagnostics, "ridge");
    ASSERT_TRUE(ridge);
    EXPECT_EQ(ridge->value, best.ridge);
  }
}

TEST(Completion, RefusesWhatHasNothingToLearn) {
  const auto words = [](const Dataset& data, const CompletionOptions& options = {.components = 1}) -> std::string {
    try {
      fit_completion(data, options);
    } catch (const DataError& e) {
      return e.what();
    }
    return "none";
  };
  const Matrix<double> constant = Matrix<double>::Constant(5, 4, 3.0), missing = Matrix<double>::Constant(5, 4, NAN);
  Matrix<double> negative = test::sample(5, 4);
  negative(2, 1) = -1.0;
  EXPECT_NE(words(constant).find("every value is 3"), std::string::npos);
  EXPECT_NE(words(missing).find("every value is missing"), std::string::npos);
  EXPECT_NE(words(negative, {.kind = CompletionKind::implicit, .components = 1}).find("counts are 0 or more"),
            std::string::npos);
  EXPECT_EQ(words(constant, {.kind = CompletionKind::implicit, .components = 1}), "none");
}

TEST(Completion, EmptyRowsAndColumnsGetWhatTheOthersSay) {
  Matrix<double> x = table(40, 12, 0.7);
  x.row(5).setConstant(NAN);
  x.col(3).setConstant(NAN);
  for (const CompletionKind kind : {CompletionKind::biased, CompletionKind::soft_impute}) {
    const Model model = fit_completion(x, {.kind = kind, .components = 2});
    EXPECT_EQ(model.certificate().warnings.size(), 2u);
    EXPECT_TRUE(model.embedding().row(5).isZero(0.0));
    const Matrix<double> filled = complete_rows(model, Dataset(x)).matrix<double>();
    EXPECT_TRUE(filled.allFinite());
    EXPECT_NEAR(filled(5, 0), std::clamp(model.linear().mean[0], model.ratings().lowest, model.ratings().highest),
                1e-12);
  }
}

TEST(Completion, TrialsPutTheMethodBesideItsBaselines) {
  const Matrix<double> x = table(150, 40, 0.5);
  const RatingTrial trial = try_completion(x, {.components = 3, .ridge = 0.05}, {.folds = 3});
  ASSERT_EQ(trial.predictors.size(), 5u);
  EXPECT_EQ(trial.fits, 3);
  EXPECT_EQ(trial.ratings, entries(x).entries());  // every one once
  EXPECT_EQ(trial.predictors[0].name, "global mean");
  EXPECT_NEAR(trial.predictors[0].rmse, entries(x).deviation, 0.02);    // the mean of two thirds is near that of all
  EXPECT_LT(trial.predictors[4].rmse, 0.5 * trial.predictors[2].rmse);  // effects can't see the factors
  EXPECT_GT(trial.predictors[4].precision, trial.predictors[3].precision);
  EXPECT_TRUE(std::isnan(trial.predictors[3].rmse));
  const std::vector<RatedPair> held{{"1", "1", 3.0}, {"nobody", "2", 4.0}, {"2", "nothing", 1.0}};
  const RatingTrial given = try_completion(x, held, {.components = 3});
  EXPECT_EQ(given.ratings, 3);
  EXPECT_EQ(given.unknown, 2);
}

// Without counts a ridge of the size that goes with them would leave the factors to noise. Users have 3 to 60 entries.
TEST(Completion, TheAutomaticRidgeIsNoWorseThanBaselinesWithoutCounts) {
  Matrix<double> x = table(300, 60, 1.0, 5) + 0.8 * test::sample(300, 60, 9, 0.0);
  const Random random(5, 78);
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < x.cols(); ++j)
      if (random.uniform(static_cast<std::uint64_t>(i * 60 + j)) > 0.05 + 0.5 * static_cast<double>(i) / 300.0)
        x(i, j) = NAN;
  for (const bool by_count : {true, false}) {
    const RatingTrial trial = try_completion(x, {.components = 10, .ridge_by_count = by_count}, {.folds = 3});
    EXPECT_LT(trial.predictors[4].rmse, trial.predictors[1].rmse) << by_count;         // item means
    EXPECT_LT(trial.predictors[4].rmse, 1.01 * trial.predictors[2].rmse) << by_count;  // effects alone
  }
  // What few entries get is on the same scale.
  const auto ridge_of = [](const Model& model) {
    if (const Diagnostic* found = find_diagnostic(model.head().diagnostics, "ridge")) return found->value;
    return std::nan("");
  };
  const Matrix<double> few = table(40, 20, 0.5);
  const double count = static_cast<double>(entries(few).entries()) / std::sqrt(40.0 * 20.0);
  EXPECT_EQ(ridge_of(fit_completion(few, {.components = 2})), 0.12);
  EXPECT_NEAR(ridge_of(fit_completion(few, {.components = 2, .ridge_by_count = false})), 0.12 * count, 1e-12);
}

TEST(Recommend, LeavesOutWhatWasRatedAndFindsItemsAlike) {
  Matrix<double> x = table(200, 30, 0.6);
  x.col(7) = x.col(2);  // rated as item 3
  const Model model = fit_completion(x, {.components = 3, .ridge = 0.02});
  const std::vector<Recommendation> alike = similar_items(model, require_item(model, "3"), 29);
  ASSERT_EQ(alike.size(), 29u);
  const auto same = std::ranges::find(alike, "8", &Recommendation::name);
  ASSERT_NE(same, alike.end());
  EXPECT_GT(same->value, 0.9999);  // as far as the sweeps went
  EXPECT_LT(alike.back().value, 0.0);
  const std::vector<Recommendation> list = recommend(model, user_place(model, 0), 30, rated_by(model, 0));
  EXPECT_EQ(std::ssize(list) + std::ssize(rated_by(model, 0)), 30);
  for (std::size_t i = 0; i < list.size(); ++i) {
    EXPECT_TRUE(std::isnan(x(0, list[i].item)));
    if (i > 0) {
      EXPECT_LE(list[i].value, list[i - 1].value);
    }
  }
  const std::vector<FactorPoles> poles = factor_poles(model, 0, 2, 4);
  ASSERT_EQ(poles.size(), 2u);
  EXPECT_EQ(poles[0].name, "F1");
  EXPECT_GT(poles[0].plus.front().value, 0.0);
  EXPECT_THROW(require_user(model, "201"), DataError);
  EXPECT_THROW(require_item(model, "zebra"), DataError);
}

}  // namespace
}  // namespace fewdim
