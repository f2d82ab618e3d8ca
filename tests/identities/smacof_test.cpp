#include "fewdim/smacof.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fewdim/mds.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

Matrix<double> distances_of(const Matrix<double>& a, const Matrix<double>& b) {
  Matrix<double> d(a.rows(), b.rows());
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < b.rows(); ++j) d(i, j) = (a.row(i) - b.row(j)).norm();
  return d;
}
Matrix<double> mapped(const Matrix<double>& d, double (*f)(double)) { return d.unaryExpr(f); }

double measure(const Model& model, const std::string& name) {
  if (const Diagnostic* found = find_diagnostic(model.head().diagnostics, name)) return found->value;
  ADD_FAILURE() << "no " << name;
  return NAN;
}

const SmacofOptions kept{.tolerance = 1e-10, .embedding = true};

TEST(SmacofIdentities, DistancesOfPointsGiveThePointsAsMdsDoes) {
  const Matrix<double> x = test::sample(60, 3, 1, 0.5), d = distances_of(x, x);
  SmacofOptions o = kept;
  o.components = 3;
  for (const Disparity type : {Disparity::ratio, Disparity::interval}) {
    o.type = type;
    const Model model = fit_smacof(Dataset(d), o), rows = fit_smacof(Dataset(x), o);
    const Matrix<double> mds = fit_mds(Dataset(d), {.components = 3, .embedding = true}).embedding();
    EXPECT_LE(measure(model, "stress_1"), 1e-8);
    EXPECT_LE(test::distance(model.embedding(), mds), 1e-6 * mds.cwiseAbs().maxCoeff());
    EXPECT_LE(test::distance(rows.embedding(), mds), 1e-6 * mds.cwiseAbs().maxCoeff());
    EXPECT_NEAR(model.spectrum().explained_variance_ratio.sum(), 1.0, 1e-12);
    EXPECT_NEAR(measure(model, "r_squared"), 1.0, 1e-12);
  }
}

TEST(SmacofIdentities, OrdinalSeesTheOrderAlone) {
  const Matrix<double> x = test::sample(40, 6, 1, 0.5), d = distances_of(x, x);
  SmacofOptions o = kept;
  for (const Ties ties : {Ties::weak, Ties::strong}) {
    o.type = Disparity::ordinal;
    o.ties = ties;
    const Model plain = fit_smacof(Dataset(d), o);
    for (const auto f : {+[](double v) { return v * v * v; }, +[](double v) { return std::sqrt(v); },
                         +[](double v) { return std::expm1(2.0 * v); }})
      EXPECT_EQ(fit_smacof(Dataset(mapped(d, f)), o).embedding(), plain.embedding());  // the same bits
  }
}

TEST(SmacofIdentities, IntervalSeesDifferencesAndRatioRatiosAlone) {
  const Matrix<double> x = test::sample(40, 6, 1, 0.5), d = distances_of(x, x);
  Matrix<double> moved = 3.0 * d;
  for (Index i = 0; i < d.rows(); ++i)
    for (Index j = 0; j < d.rows(); ++j)
      if (i != j) moved(i, j) += 2.0;
  SmacofOptions o = kept;
  o.tolerance = 1e-13;
  o.type = Disparity::interval;
  EXPECT_NEAR(measure(fit_smacof(Dataset(moved), o), "stress_1"), measure(fit_smacof(Dataset(d), o), "stress_1"), 1e-7);
  o.type = Disparity::ratio;
  const Model plain = fit_smacof(Dataset(d), o), scaled = fit_smacof(Dataset(Matrix<double>(1024.0 * d)), o);
  EXPECT_LE(test::distance(scaled.embedding() / 1024.0, plain.embedding()), 1e-9);
  EXPECT_LT(measure(fit_smacof(Dataset(d), {.type = Disparity::interval}), "stress_1"), measure(plain, "stress_1"));
}

TEST(SmacofIdentities, StressIsNoMoreThanThatOfMds) {
  const Matrix<double> x = test::sample(80, 8, 1, 0.5), d = distances_of(x, x);
  const Model model = fit_smacof(Dataset(d), kept);
  const auto raw = [&](const Matrix<double>& y) {
    const Matrix<double> e = distances_of(y, y);
    const double b = e.cwiseProduct(d).sum() / e.squaredNorm();
    return (d - b * e).squaredNorm() / d.squaredNorm();
  };
  const double found = raw(model.embedding());
  EXPECT_LT(found, raw(fit_mds(Dataset(d), {.embedding = true}).embedding()));
  EXPECT_NEAR(found, measure(model, "normalized_stress"), 1e-12);
  EXPECT_NEAR(std::sqrt(found), measure(model, "stress_1"), 1e-12);
  // What is accounted for and what is not are the whole (Borg & Groenen 2005, 11.1); the axes are uncorrelated.
  EXPECT_NEAR(model.spectrum().explained_variance_ratio.sum(), 1.0 - found, 1e-12);
  const Matrix<double> y = model.embedding();
  EXPECT_LE(y.colwise().sum().cwiseAbs().maxCoeff(), 1e-11 * y.norm());
  EXPECT_LE(std::abs(y.col(0).dot(y.col(1))), 1e-12 * y.squaredNorm());
  EXPECT_GT(y.col(0).norm(), y.col(1).norm());
  EXPECT_NEAR(model.stress().point_stress.sum(), 1.0, 1e-12);
}

TEST(SmacofIdentities, EveryFormOfTheSameDistancesIsTheSame) {
  const Matrix<double> x = test::sample(12, 5), d = distances_of(x, x);
  SmacofOptions o = kept;
  o.metric = Metric::precomputed;
  const Matrix<double> truth = fit_smacof(Dataset(d), o).embedding();
  Matrix<double> lower = d, condensed(1, 66);
  for (Index i = 0, at = 0; i < 12; ++i)
    for (Index j = i + 1; j < 12; ++j, ++at) {
      lower(i, j) = std::nan("");
      condensed(0, at) = d(i, j);
    }
  EXPECT_EQ(fit_smacof(Dataset(lower), o).embedding(), truth);
  EXPECT_EQ(fit_smacof(Dataset(condensed), o).embedding(), truth);
}

TEST(SmacofIdentities, MemoryLimitsChangeTheRouteAndNotTheMap) {
  const Matrix<double> x = test::sample(900, 4);
  const Model kept_pairs = fit_smacof(Dataset(x), {.tolerance = 1e-3});
  const Execution tight{.memory_limit = plan_smacof({.rows = 900, .cols = 4}, {}, {}).bytes - 1};
  const Model anew = fit_smacof(Dataset(x), {.tolerance = 1e-3}, tight);
  EXPECT_EQ(kept_pairs.certificate().route, Route::kept);
  EXPECT_EQ(anew.certificate().route, Route::anew);
  // Other tiles, other rounding of the distances that the start is made from.
  EXPECT_LE(test::distance(anew.stress().configuration, kept_pairs.stress().configuration), 1e-9);
  EXPECT_THROW(fit_smacof(Dataset(x), {.type = Disparity::ordinal, .tolerance = 1e-3}, tight), OverMemory);
  EXPECT_GT(plan_smacof({.rows = 900, .cols = 4}, {.type = Disparity::ordinal}, {}).bytes,
            plan_smacof({.rows = 900, .cols = 4}, {}, {}).bytes + 899u * 450u * 24u);
}

TEST(Smacof, SameBitsAtAnyThreadCountForEveryType) {
  Matrix<double> x = test::sample(420, 5, 1, 0.5);
  const Matrix<double> fresh = test::sample(30, 5, 8, 0.5);
  x = (x * 4.0).array().round();  // ties
  for (const Disparity type : {Disparity::interval, Disparity::ordinal})
    for (const Ties ties : {Ties::weak, Ties::strong}) {
      const SmacofOptions o{.type = type, .ties = ties, .metric = Metric::manhattan, .tolerance = 1e-4};
      const Model first = fit_smacof(Dataset(x), o, {.threads = 1});
      for (const int threads : {2, 3, 8}) {
        const Model again = fit_smacof(Dataset(x), o, {.threads = threads});
        EXPECT_EQ(again.stress().configuration, first.stress().configuration);
        EXPECT_EQ(again.stress().knot_heights, first.stress().knot_heights);
        EXPECT_EQ(again.transform(fresh, {.threads = threads}), first.transform(fresh, {.threads = 1}));
      }
    }
}

TEST(Smacof, RestartsKeepTheBest) {
  const Matrix<double> x = test::sample(25, 6), d = distances_of(x, x);
  const Model one = fit_smacof(Dataset(d), {.components = 1});  // on a line there are many local minima
  const Model many = fit_smacof(Dataset(d), {.components = 1, .restarts = 20});
  EXPECT_LE(measure(many, "stress_1"), measure(one, "stress_1"));
  const Model random = fit_smacof(Dataset(d), {.components = 1, .start = MapStart::random, .restarts = 20});
  EXPECT_LE(measure(random, "stress_1"),
            measure(fit_smacof(Dataset(d), {.components = 1, .start = MapStart::random}), "stress_1"));
  const Model again = fit_smacof(Dataset(d), {.components = 1, .start = MapStart::random, .restarts = 20});
  EXPECT_EQ(again.stress().configuration, random.stress().configuration);
  const Model other = fit_smacof(Dataset(d), {.components = 1, .start = MapStart::random, .seed = 5});
  EXPECT_NE(other.stress().configuration, random.stress().configuration);
}

TEST(Smacof, NewObjectsGoWhereTheirStressIsLeast) {
  const Matrix<double> x = test::sample(70, 5, 1, 0.5), fresh = test::sample(9, 5, 6, 0.5);
  for (const Disparity type : {Disparity::ratio, Disparity::interval, Disparity::ordinal}) {
    const Model rows = fit_smacof(Dataset(x), {.type = type, .tolerance = 1e-10, .embedding = true});
    const Model given = fit_smacof(Dataset(distances_of(x, x)), {.type = type, .tolerance = 1e-10, .embedding = true});
    EXPECT_EQ(rows.transform(x), rows.embedding());
    EXPECT_EQ(given.transform(distances_of(x, x)), given.embedding());
    const Matrix<double> y = given.transform(distances_of(fresh, x));
    const StressModel& shape = given.stress();
    const auto disparity = [&](double d) {  // as model.hpp has it
      if (type != Disparity::ordinal) return std::max(0.0, shape.shift + shape.factor * d);
      const Index last = shape.knots.size() - 1;
      if (d <= shape.knots[0]) return shape.knot_heights[0];
      if (d >= shape.knots[last]) return shape.knot_heights[last];
      Index i = 0;
      while (shape.knots[i + 1] < d) ++i;
      const double share = (d - shape.knots[i]) / (shape.knots[i + 1] - shape.knots[i]);
      return shape.knot_heights[i] + share * (shape.knot_heights[i + 1] - shape.knot_heights[i]);
    };
    for (Index i = 0; i < fresh.rows(); ++i) {
      const auto stress = [&](double dx, double dy) {
        double sum = 0.0;
        for (Index j = 0; j < x.rows(); ++j)
          sum += std::pow(
              disparity((fresh.row(i) - x.row(j)).norm()) -
                  std::hypot(y(i, 0) + dx - shape.configuration(j, 0), y(i, 1) + dy - shape.configuration(j, 1)),
              2);
        return sum;
      };
      const double here = stress(0.0, 0.0), step = 1e-4 * y.norm();
      for (const auto& [dx, dy] : {std::pair{step, 0.0}, {-step, 0.0}, {0.0, step}, {0.0, -step}})
        EXPECT_GT(stress(dx, dy), here);
    }
    // One row alone, or among others: the same place.
    EXPECT_EQ(given.transform(Matrix<double>(distances_of(fresh, x).row(4))), Matrix<double>(y.row(4)));
  }
}

TEST(Smacof, RefusesWhatItCantMap) {
  const Matrix<double> x = test::sample(10, 4);
  Matrix<double> d = distances_of(x, x);
  const SmacofOptions given{.metric = Metric::precomputed};
  const auto message = [&](const Matrix<double>& data, const SmacofOptions& o) -> std::string {
    try {
      fit_smacof(Dataset(data), o);
    } catch (const Error& e) {
      return e.message(speak_command_line);
    }
    return "no error";
  };
  const auto with = [&](Index i, Index j, double value, bool both = true) {
    Matrix<double> bad = d;
    bad(i, j) = value;
    if (both) bad(j, i) = value;
    return bad;
  };
  EXPECT_NE(message(with(2, 5, std::nan("")), given).find("row 3"), std::string::npos);
  EXPECT_NE(message(with(2, 5, -1.0), given).find("can't be negative"), std::string::npos);
  EXPECT_NE(message(with(2, 5, 1.0, false), given).find("not symmetric"), std::string::npos);
  EXPECT_NE(message(with(3, 3, 1.0), given).find("to itself"), std::string::npos);
  EXPECT_EQ(message(Matrix<double>::Zero(5, 5), given), "smacof: all distances are 0: all objects are alike");
  EXPECT_EQ(message(Matrix<double>::Zero(1, 3), {.metric = Metric::euclidean}),
            "smacof: one object has no distances; at least 2 are needed");
  EXPECT_EQ(message(d, {.components = 10}), "smacof: components=10 must be between 1 and 9; use -k 2");
  EXPECT_NE(message(d, {.components = 0.5}).find("must be a number"), std::string::npos);
  EXPECT_NE(message(d, {.components = Components(Components::all)}).find("must be a number"), std::string::npos);
  EXPECT_THROW(fit_smacof(Dataset(d), {.iterations = 3, .tolerance = 1e-12}), NotConverged);
  EXPECT_NE(message(d, {.iterations = 3, .tolerance = 1e-12}).find("raise --iterations or raise --tolerance"),
            std::string::npos);
  const Model model = fit_smacof(Dataset(d), given);
  EXPECT_THROW(model.transform(Matrix<double>(d.leftCols(9))), DataError);
  EXPECT_THROW(model.transform(with(2, 5, -1.0)), DataError);
  EXPECT_THROW(model.transform(with(2, 5, std::nan(""))), DataError);
  EXPECT_THROW(model.inverse_transform(Matrix<double>(1, 2)), Unsupported);
  EXPECT_THROW(model.kernel(), Unsupported);
  EXPECT_THROW(model.linear(), Unsupported);
}

TEST(Smacof, OptionsAreCheckedThroughTheCard) {
  const Matrix<double> x = test::sample(10, 4);
  const auto fit = [&](const char* name, OptionValue value) {
    return smacof_card().fit(Dataset(x), {{name, value}}, {});
  };
  EXPECT_THROW(fit("iterations", std::int64_t{0}), InvalidOption);
  EXPECT_THROW(fit("restarts", std::int64_t{-1}), InvalidOption);
  EXPECT_THROW(fit("type", std::string("cubic")), InvalidOption);
  EXPECT_EQ(std::get<std::string>(fit("type", std::string("metric")).head().options.at("type")), "ratio");
  EXPECT_EQ(std::get<std::string>(fit("type", std::string("nonmetric")).head().options.at("type")), "ordinal");
}

TEST(Smacof, ObjectsThatStartAtOnePlaceComeApart) {
  // A rhombus on a line: classical scaling puts both ends of its short diagonal at 0.
  Matrix<double> x(4, 2);
  x << 2, 0, -2, 0, 0, 1, 0, -1;
  const Matrix<double> line =
      fit_smacof(Dataset(x), {.components = 1, .metric = Metric::euclidean, .embedding = true}).embedding();
  EXPECT_GT(std::abs(line(2, 0) - line(3, 0)), 0.5);
}

TEST(Smacof, TwoObjectsAndEqualDistances) {
  Matrix<double> two(2, 2);
  two << 0, 3, 3, 0;
  const Model pair = fit_smacof(Dataset(two), {.components = 1, .metric = Metric::precomputed, .embedding = true});
  EXPECT_NEAR(std::abs(pair.embedding()(0, 0) - pair.embedding()(1, 0)), 3.0, 1e-12);
  Matrix<double> equal = Matrix<double>::Ones(6, 6) - Matrix<double>::Identity(6, 6);
  for (const Disparity type : {Disparity::ratio, Disparity::interval, Disparity::ordinal})
    EXPECT_TRUE(fit_smacof(Dataset(equal), {.type = type}).stress().configuration.allFinite());
  // A degenerate ordinal map is named: three tight clusters far apart.
  Matrix<double> clusters = Matrix<double>::Zero(9, 9);
  for (Index i = 0; i < 9; ++i)
    for (Index j = 0; j < 9; ++j)
      if (i != j)
        clusters(i, j) = (i / 3 == j / 3 ? 1.0 : 10.0) + 0.01 * static_cast<double>(std::min(i, j) + std::max(i, j));
  const Model heaped = fit_smacof(Dataset(clusters), {.type = Disparity::ordinal});
  EXPECT_LE(measure(heaped, "stress_1"), 1e-3);
}

}  // namespace
}  // namespace fewdim
