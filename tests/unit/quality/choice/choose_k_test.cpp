#include "fewdim/choose_k.hpp"

#include <gtest/gtest.h>

#include "fewdim/generate.hpp"
#include "quality/choice/second_moments.hpp"
#include "unit/quality/low_rank.hpp"

namespace fewdim {
namespace {

Index answer(const Dataset& data, const std::string& criterion, bool scale = false) {
  ChooseOptions options;
  options.scale = scale;
  options.criteria = {criterion};
  const auto advice = choose_components(data, options);
  EXPECT_EQ(advice.size(), 1u);
  EXPECT_EQ(advice[0].criterion, criterion);
  return advice[0].k;
}

struct Shape {
  Index rows, cols;
};
class TrueRank : public testing::TestWithParam<Shape> {};

// The weakest of 4 components has 2·0.8³ = 1.02 times the noise's largest singular value at strength 2, and 2.05 at 4.
// A prototype in NumPy found 4 at strength 4 in all of 10 seeds for these shapes.
TEST_P(TrueRank, FoundByFourCriteria) {
  const auto [rows, cols] = GetParam();
  for (const Seed seed : {1, 2, 3}) {
    const Matrix<double> x = low_rank_plus_noise(rows, cols, 4, 4.0, seed);
    for (const char* criterion : {"gavish-donoho", "minka", "parallel", "cross-validation"})
      EXPECT_EQ(answer(x, criterion), 4) << criterion << ", seed " << seed << ", " << rows << "×" << cols;
  }
}
INSTANTIATE_TEST_SUITE_P(ChooseK, TrueRank,
                         testing::Values(Shape{200, 20}, Shape{100, 50}, Shape{60, 60}, Shape{50, 200}, Shape{40, 500},
                                         Shape{1000, 30}),
                         [](const auto& shape) {
                           return std::to_string(shape.param.rows) + "x" + std::to_string(shape.param.cols);
                         });

TEST(ChooseK, NoiseAloneHasNoComponent) {
  for (const Shape shape : {Shape{200, 20}, Shape{50, 200}}) {
    const Matrix<double> x = low_rank_plus_noise(shape.rows, shape.cols, 0, 0.0, 5);
    EXPECT_EQ(answer(x, "gavish-donoho"), 0);
    EXPECT_EQ(answer(x, "minka"), 0);
    EXPECT_EQ(answer(x, "cross-validation"), 0);
    EXPECT_EQ(answer(x, "parallel"), 0);
  }
}

TEST(ChooseK, UncenteredDataHaveTheMeanAsComponent) {
  Matrix<double> x = low_rank_plus_noise(120, 40, 0, 0.0, 7);
  x.array() += 3.0;
  ChooseOptions options;
  options.center = false;
  options.criteria = {"parallel", "gavish-donoho", "minka", "cross-validation"};
  // The columns' means take 6 values in turn: one direction, the mean row.
  for (const KAdvice& advice : choose_components(x, options)) EXPECT_EQ(advice.k, 1) << advice.criterion;
}

TEST(ChooseK, ConstantColumnsChangeNothing) {
  const Matrix<double> x = low_rank_plus_noise(100, 20, 3, 4.0, 2);
  Matrix<double> wide(100, 24);
  wide << x, Matrix<double>::Constant(100, 4, 0.1);
  const auto plain = choose_components(x), padded = choose_components(wide);
  for (std::size_t i = 0; i < plain.size(); ++i)
    if (plain[i].criterion != "parallel") {  // other permutations there
      EXPECT_EQ(plain[i].sentence, padded[i].sentence);
    }
}

// What the built-in tables answer; docs/choosing-k.md prints the same.
TEST(ChooseK, Iris) {
  const Dataset iris = builtin_table("iris");
  EXPECT_EQ(answer(iris, "minka"), 3);  // scikit-learn 1.2.1: PCA(n_components="mle") keeps 3
  EXPECT_EQ(answer(iris, "kaiser"), 1);
  EXPECT_EQ(answer(iris, "broken-stick"), 1);
  EXPECT_EQ(answer(iris, "parallel"), 1);
}

// scikit-learn keeps 61, all that vary: it takes the 3 constant columns for noise of variance 0. Among the 61 that vary
// the evidence is largest at 60.
TEST(ChooseK, DigitsWithoutTheirConstantColumns) {
  const Dataset digits = builtin_table("digits");
  EXPECT_EQ(answer(digits, "minka"), 60);
  EXPECT_EQ(answer(digits, "kaiser"), 14);
}

TEST(ChooseK, SparseAndDenseAgree) {
  for (const Shape shape : {Shape{120, 30}, Shape{40, 90}}) {
    Matrix<double> x = low_rank_plus_noise(shape.rows, shape.cols, 3, 4.0, 4);
    for (Index j = 0; j < x.cols(); ++j)
      for (Index i = 0; i < x.rows(); ++i)
        if (std::abs(x(i, j)) < 1.0) x(i, j) = 0.0;
    Csr<double> csr;
    csr.rows = x.rows(), csr.cols = x.cols();
    for (Index i = 0; i < x.rows(); ++i) {
      for (Index j = 0; j < x.cols(); ++j)
        if (x(i, j) != 0.0) csr.columns.push_back(static_cast<std::int32_t>(j)), csr.values.push_back(x(i, j));
      csr.offsets.push_back(static_cast<std::int64_t>(csr.values.size()));
    }
    const Dataset sparse(std::move(csr));
    for (const char* criterion : {"gavish-donoho", "minka", "cross-validation", "broken-stick", "kaiser", "elbow"})
      for (const bool scale : {false, true})
        EXPECT_EQ(answer(x, criterion, scale), answer(sparse, criterion, scale)) << criterion;
  }
}

TEST(ChooseK, SameAnswerAtAnyThreadCount) {
  const Matrix<double> x = low_rank_plus_noise(150, 40, 3, 1.2, 6);
  Execution one, three;
  one.threads = 1, three.threads = 3;
  const auto a = choose_components(x, {}, one), b = choose_components(x, {}, three);
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].k, b[i].k);
    EXPECT_EQ(a[i].sentence, b[i].sentence);
  }
}

TEST(ChooseK, EveryCriterionOnceAndInOrder) {
  const Matrix<double> x = low_rank_plus_noise(30, 8, 2, 4.0, 1);
  const auto advice = choose_components(x);
  ASSERT_EQ(advice.size(), k_criteria().size());
  for (std::size_t i = 0; i < advice.size(); ++i) {
    EXPECT_EQ(advice[i].criterion, k_criteria()[i]);
    EXPECT_FALSE(advice[i].sentence.empty());
  }
  EXPECT_EQ(default_k_criterion(), "parallel");
}

TEST(ChooseK, TooLargeASpectrumIsRefusedInWords) {
  Csr<double> csr;
  csr.rows = 6000, csr.cols = 7000;
  csr.offsets.assign(6001, 0);
  std::string why_not;
  EXPECT_FALSE(second_moments_fit(Dataset(std::move(csr)), {}, why_not));
  EXPECT_EQ(why_not, "it needs the whole spectrum, whose matrix has side 6000; at most 5000 is computed");
}

// Too little memory for the whole spectrum: parallel analysis and Kaiser's rule make do with the leading part.
TEST(ChooseK, LeadingPartOfTheSpectrum) {
  const Matrix<double> x = low_rank_plus_noise(600, 200, 3, 4.0, 1);
  Execution little;
  little.memory_limit = 19 << 20;  // the covariance takes 21, the Krylov route 17
  for (const bool scale : {false, true}) {
    ChooseOptions options;
    options.scale = scale;
    for (const KAdvice& advice : choose_components(x, options, little)) {
      if (advice.criterion == "parallel") {
        EXPECT_EQ(advice.k, 3) << advice.sentence;
      } else if (advice.criterion == "kaiser") {
        EXPECT_EQ(advice.k, answer(x, "kaiser", scale)) << advice.sentence;
      } else {
        EXPECT_EQ(advice.k, -1) << advice.criterion;
        EXPECT_NE(advice.sentence.find("the limit is 19.0 MiB"), std::string::npos) << advice.sentence;
      }
    }
  }
}

// The permuted columns must be scaled as the data are. One column of deviation 100 makes permutations that were not
// scaled dwarf every eigenvalue of the correlations.
TEST(ChooseK, LeadingPartIsScaledAsTheWhole) {
  Matrix<double> x = low_rank_plus_noise(600, 200, 3, 4.0, 1);
  x.col(0) *= 100.0;
  ChooseOptions options;
  options.scale = true;
  options.criteria = {"parallel"};
  const KAdvice whole = choose_components(x, options)[0];
  Execution little;
  little.memory_limit = 19 << 20;
  const KAdvice leading = choose_components(x, options, little)[0];
  EXPECT_EQ(whole.k, 3);
  EXPECT_EQ(leading.sentence, whole.sentence);
}

TEST(ChooseK, SparseRowsAreCheckedBeforeTheyAreTouched) {
  Csr<double> csr;
  csr.rows = 3, csr.cols = 2;
  csr.offsets = {0, 1, 2, 3};
  csr.columns = {0, 1'000'000'000, 1};
  csr.values = {1.0, 2.0, 3.0};
  EXPECT_THROW(choose_components(Dataset(csr.view())), DataError);
}

TEST(ChooseK, BadInput) {
  ChooseOptions options;
  options.criteria = {"scree"};
  const Matrix<double> x = low_rank_plus_noise(10, 3, 1, 4.0, 1);
  EXPECT_THROW(choose_components(x, options), InvalidOption);
  EXPECT_THROW(choose_components(Dataset()), DataError);
  const Matrix<double> row = x.topRows(1);
  EXPECT_THROW(choose_components(row), DataError);
  Matrix<double> hole = x;
  hole(4, 1) = std::nan("");
  EXPECT_THROW(choose_components(hole), DataError);
}

TEST(ChooseK, NothingVaries) {
  const Matrix<double> x = Matrix<double>::Constant(12, 5, 0.3);
  for (const KAdvice& advice : choose_components(x)) EXPECT_EQ(advice.k, -1) << advice.criterion << advice.sentence;
  const Matrix<double> column = low_rank_plus_noise(12, 1, 0, 0.0, 1);
  for (const KAdvice& advice : choose_components(column)) EXPECT_LE(advice.k, 1) << advice.criterion;
}

TEST(ChooseK, ProgressCanStopIt) {
  const Matrix<double> x = low_rank_plus_noise(60, 10, 1, 4.0, 1);
  Execution exec;
  exec.progress = [](const Progress& progress) { return progress.stage != "parallel analysis"; };
  EXPECT_THROW(choose_components(x, {}, exec), Interrupted);
}

}  // namespace
}  // namespace fewdim
