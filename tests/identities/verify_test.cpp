#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>

#include "fewdim/generate.hpp"
#include "fewdim/laplacian.hpp"
#include "fewdim/lle.hpp"
#include "fewdim/method.hpp"
#include "fewdim/mvu.hpp"
#include "fewdim/pca.hpp"
#include "support/data.hpp"
#include "support/embedding.hpp"

// A map from neighborhoods is checked against its matrix, made anew from the data, and a count of eigenvalues.
namespace fewdim {
namespace {

using test::distances_of, test::refusal;

const std::vector<std::string> kMethods{"lle", "modified-lle", "ltsa", "hessian-lle", "laplacian", "diffusion"};

Model fit(const std::string& method, const Dataset& data, OptionMap options = {}, const Execution& exec = {}) {
  for (const MethodCard& card : methods())
    if (card.name == method) return card.fit(data, options, exec);
  ADD_FAILURE() << method;
  return {};
}

Matrix<double> roll(Index rows, Seed seed = 0) {
  return generate("swiss-roll", {.rows = rows, .noise = 0.0, .seed = seed}).matrix<double>();
}

/// The model with another shape.
Model with(const Model& model, const NeighborModel& shape) { return {model.head(), shape}; }

bool holds(const Verification& v) {
  return v.certificate.converged && v.certificate.orthogonality < 1e-10 && v.placement_error < 1e-10 && v.missing == 0;
}

void expect_holds(const Verification& v, const std::string& what) {
  EXPECT_TRUE(v.certificate.converged) << what << ": " << v.certificate.residuals.transpose() << " of "
                                       << v.allowed.transpose();
  EXPECT_LT(v.certificate.orthogonality, 1e-10) << what;
  EXPECT_EQ(v.placement_error, 0.0) << what;  // the same functions, the same bits
  EXPECT_EQ(v.missing, 0) << what;
}

TEST(VerifyNeighbors, HoldsForItsDataAndNotForOthers) {
  const Matrix<double> x = roll(600), other = roll(600, 3);
  for (const std::string& method : kMethods)
    for (const std::int64_t k : {1, 2, 3}) {
      const Model model = fit(method, x, {{"components", k}, {"neighbors", std::int64_t{15}}});
      const Verification v = verify(model, x);
      expect_holds(v, method);
      EXPECT_TRUE(v.certificate.warnings.empty()) << method << ' ' << v.certificate.warnings[0];
      Matrix<double> moved = x;
      moved(17, 0) += 1e-4;  // of 20
      EXPECT_FALSE(holds(verify(model, moved))) << method;
      EXPECT_FALSE(holds(verify(model, other))) << method;
    }
}

TEST(VerifyNeighbors, HoldsForEveryRouteAndOption) {
  const Matrix<double> x = roll(500);
  for (const std::string& method : kMethods) {
    for (const std::string solver : {"dense", "factor", "filter"}) {
      if (solver == "filter" && method != "laplacian" && method != "diffusion") continue;  // too slow to converge
      expect_holds(verify(fit(method, x, {{"solver", solver}}), x), method + ' ' + solver);
    }
    OptionMap cosine{{"metric", std::string("cosine")}, {"neighbors", std::int64_t{20}}, {"seed", std::int64_t{9}}};
    if (method == "diffusion") cosine["bandwidth"] = 1e-3;  // the median leaves parts
    expect_holds(verify(fit(method, x, cosine), x), method + " cosine");
    expect_holds(verify(fit(method, x, {{"radius", 8.0}}), x), method + " radius");
    expect_holds(verify(fit(method, x, {{"tolerance", 1e-3}}), x), method + " tolerance");
    expect_holds(verify(fit(method, x, {{"embedding", false}}), x), method + " no embedding");
    const Matrix<double> d = distances_of(x, x);
    expect_holds(verify(fit(method, d), d), method + " distances");
    const Matrix<float> single = x.cast<float>();
    expect_holds(verify(fit(method, single), single), method + " float32");
  }
  for (const std::string method : {"lle", "ltsa", "hessian-lle"})
    expect_holds(verify(fit(method, x, {{"coordinates", std::string("isometric")}}), x), method + " isometric");
  for (const std::string normalization : {"random-walk", "symmetric", "unnormalized"})
    for (const std::string weights : {"heat", "binary"})
      expect_holds(verify(fit("laplacian", x, {{"normalization", normalization}, {"weights", weights}}), x),
                   normalization + weights);
  for (const double alpha : {0.0, 0.5})
    for (const double time : {0.0, 3.5})
      expect_holds(verify(fit("diffusion", x, {{"alpha", alpha}, {"time", time}, {"bandwidth", 4.0}}), x), "diffusion");
}

TEST(VerifyNeighbors, FindsWhatWasTamperedWith) {
  const Matrix<double> x = roll(500);
  for (const std::string& method : kMethods) {
    const Model model = fit(method, x);
    const NeighborModel& right = model.neighbor();
    NeighborModel shape = right;
    shape.configuration(100, 1) += 0.01;
    EXPECT_FALSE(verify(with(model, shape), x).certificate.converged) << method;
    shape = right;
    shape.explained_variance[0] += 1e-9;
    EXPECT_FALSE(verify(with(model, shape), x).certificate.converged) << method;
    shape = right;
    shape.configuration.col(1) *= 1.001;  // an eigenvector still, but of another length
    EXPECT_GT(verify(with(model, shape), x).certificate.orthogonality, 1e-3) << method;
    shape = right;
    shape.configuration.col(0) = (right.configuration.col(0) + right.configuration.col(1)) / std::numbers::sqrt2;
    shape.configuration.col(1) = (right.configuration.col(0) - right.configuration.col(1)) / std::numbers::sqrt2;
    EXPECT_FALSE(verify(with(model, shape), x).certificate.converged) << method;  // the span is right, the axes are not
    shape = right;
    shape.objects(3, 1) += 1e-3;
    EXPECT_GT(verify(with(model, shape), x).placement_error, 1e-6) << method;
    if (right.factors.size() > 0) {
      shape = right;
      shape.factors[0] *= 1.01;
      EXPECT_GT(verify(with(model, shape), x).placement_error, 1e-3) << method;
      shape = right;
      shape.bandwidth *= 1.01;
      EXPECT_GT(verify(with(model, shape), x).placement_error, 1e-3) << method;
    }
  }
}

// Every pair is an eigenpair to rounding, and still the map is not the one of the lowest.
TEST(VerifyNeighbors, FindsThatAHigherVectorWasTakenForALowerOne) {
  const Matrix<double> x = roll(500);
  for (const std::string method : {"lle", "laplacian", "diffusion"}) {
    const Model many = fit(method, x, {{"components", std::int64_t{6}}}), two = fit(method, x);
    for (const Index taken : {2, 5}) {
      NeighborModel shape = two.neighbor();
      shape.configuration.col(1) = many.neighbor().configuration.col(taken);
      shape.explained_variance[1] = many.neighbor().explained_variance[taken];
      if (shape.factors.size() > 0) shape.factors[1] = many.neighbor().factors[taken];
      const Verification v = verify(with(two, shape), x);
      EXPECT_EQ(v.missing, taken - 1) << method;
      EXPECT_TRUE(v.certificate.converged)
          << method << v.certificate.residuals.transpose() << " / " << v.allowed.transpose();
      EXPECT_LT(v.certificate.orthogonality, 1e-10) << method;
    }
  }
  // One vector twice is not two.
  const Model model = fit("hessian-lle", x);
  NeighborModel shape = model.neighbor();
  shape.configuration.col(0) = shape.configuration.col(1);
  shape.explained_variance[0] = shape.explained_variance[1];
  EXPECT_NEAR(verify(with(model, shape), x).certificate.orthogonality, 1.0, 1e-10);
}

Matrix<double> cycle(Index n) {
  Matrix<double> w = Matrix<double>::Zero(n, n);
  for (Index i = 0; i < n; ++i) w(i, (i + 1) % n) = w((i + 1) % n, i) = 1.0;
  return w;
}

// Eigenvalues of a cycle come in pairs: an odd k cuts one, which is not a miss.
TEST(VerifyNeighbors, CutsThroughMultipleEigenvalues) {
  const OptionMap given{{"graph", true}, {"weights", std::string("given")}};
  for (const std::string method : {"laplacian", "diffusion"})
    for (const Index n : {21, 600})
      for (const std::int64_t k : {1, 2, 3, 4}) {
        OptionMap options = given;
        options["components"] = k;
        const Verification v = verify(fit(method, cycle(n), options), cycle(n));
        expect_holds(v, fmt::format("{} {} {}", method, n, k));
        ASSERT_EQ(v.certificate.warnings.size(), k % 2 == 1 ? 1 : 0);
        if (k % 2 == 1) {
          EXPECT_NE(v.certificate.warnings[0].find("1 more eigenvalue is the last one kept"), std::string::npos);
        }
      }
  // Both of a pair left out are two that are missing.
  OptionMap options = given;
  options["components"] = std::int64_t{4};
  const Model four = fit("laplacian", cycle(600), options);
  options["components"] = std::int64_t{2};
  const Model two = fit("laplacian", cycle(600), options);
  NeighborModel shape = two.neighbor();
  shape.configuration = four.neighbor().configuration.rightCols(2);
  shape.explained_variance = four.neighbor().explained_variance.tail(2);
  EXPECT_EQ(verify(with(two, shape), cycle(600)).missing, 2);
}

// A flat sheet: the eigenvalues of LTSA are 0 to rounding, whatever k.
TEST(VerifyNeighbors, TakesZerosForOneGroup) {
  Matrix<double> sheet = Matrix<double>::Zero(400, 4);
  sheet.leftCols(2) = test::sample(400, 2);
  for (const std::string method : {"ltsa", "hessian-lle"})
    for (const std::int64_t k : {2, 3}) {
      if (k == 3) sheet.col(2) = test::sample(400, 3).col(2);
      expect_holds(verify(fit(method, sheet, {{"components", k}, {"neighbors", std::int64_t{20}}}), sheet), method);
    }
}

TEST(VerifyNeighbors, KnowsRowsThatWereLeftOut) {
  Matrix<double> x(80, 2);
  x.topRows(50) = test::sample(50, 2);
  x.bottomRows(30) = test::sample(30, 2, 2).array() + 1000.0;
  for (const std::string& method : kMethods) {
    const Model model = fit(method, x, {{"neighbors", std::int64_t{12}}, {"disconnected", std::string("largest")}});
    ASSERT_EQ(std::ssize(model.left_out()), 30);
    expect_holds(verify(model, x), method);
    Matrix<double> joined = x;
    joined.bottomRows(30).array() -= 1000.0;
    EXPECT_NE(refusal([&] { verify(model, joined); }).find("places 50 objects and leaves 30 out"), std::string::npos);
    const Model whole = fit(method, joined, {{"neighbors", std::int64_t{12}}, {"disconnected", std::string("error")}});
    EXPECT_NE(refusal([&] { verify(whole, x); }).find("can't come from these data, which give: " + method),
              std::string::npos)
        << refusal([&] { verify(whole, x); });
  }
}

TEST(VerifyNeighbors, RefusesWhatItCantCheck) {
  const Matrix<double> x = roll(200);
  const Model model = fit("lle", x);
  const auto says = [](const auto& run, const std::string& words) {
    EXPECT_NE(refusal(run).find(words), std::string::npos) << refusal(run);
  };
  says([&] { verify(model, Matrix<double>(x.topRows(199))); }, "fitted on 200x3 numbers, the data are 199x3");
  says([&] { verify(model, Matrix<float>(x.cast<float>())); },
       "fitted in float64, the data are float32; give --precision float64");
  Dataset weighted(x);
  weighted.weights = Vector<double>::Ones(200);
  says([&] { verify(model, weighted); }, "fitted without weights");
  says(
      [&] {
        verify(fit_mvu(x.topRows(40), {.neighborhood = {.k = 6, .disconnected = Disconnected::bridge}}),
               Matrix<double>(x.topRows(40)));
      },
      "tensions of its links");
  says([&] { verify(fit("diffusion", x, {{"time", 1e9}}), x); }, "nothing is left of coordinate");
  Model damaged = model;
  damaged.head().options["components"] = std::int64_t{3};
  says([&] { verify(damaged, x); }, "another number of components");
}

TEST(VerifyNeighbors, SaysWhereTheCountIsOverTheLimit) {
  const Matrix<double> x = test::sample(1500, 12);  // fills much
  const Model model =
      fit("laplacian", x,
          {{"solver", std::string("filter")}, {"neighbors", std::int64_t{30}}, {"weights", std::string("binary")}});
  EXPECT_EQ(verify(model, x).missing, 0);
  const Verification v = verify(model, x, {.memory_limit = 4 << 20});
  EXPECT_EQ(v.missing, -1);
  EXPECT_TRUE(v.certificate.converged);
  ASSERT_EQ(v.certificate.warnings.size(), 1);
  EXPECT_NE(v.certificate.warnings[0].find("not proven"), std::string::npos) << v.certificate.warnings[0];
}

TEST(VerifyNeighbors, GivesTheSameBitsAtAnyThreadCount) {
  const Matrix<double> x = roll(1500);
  for (const std::string method : {"lle", "laplacian"}) {
    const Model model = fit(method, x);
    const Verification one = verify(model, x, {.threads = 1});
    for (const int threads : {2, 3}) {
      const Verification many = verify(model, x, {.threads = threads});
      EXPECT_EQ(one.certificate.residuals, many.certificate.residuals);
      EXPECT_EQ(one.allowed, many.allowed);
      EXPECT_EQ(one.certificate.orthogonality, many.certificate.orthogonality);
      EXPECT_EQ(one.missing, many.missing);
    }
  }
}

}  // namespace
}  // namespace fewdim
