#include <gtest/gtest.h>

#include <cmath>

#include "quality/choice/criteria.hpp"

namespace fewdim {
namespace {

Vector<double> exponential(double rate, Index n) {
  Vector<double> values(n);
  for (Index i = 0; i < n; ++i) values[i] = std::exp(-rate * static_cast<double>(i));
  return values;
}

Index best_of(const Vector<double>& evidence, Index from) {
  Index best = from;
  for (Index k = from; k < evidence.size(); ++k)
    if (evidence[k] > evidence[best]) best = k;
  return best;
}

// scikit-learn 1.2.1, sklearn.decomposition._pca._assess_dimension(exp(-0.05 * arange(12)), k, 60).
TEST(Minka, EvidenceEqualsScikitLearns) {
  const Vector<double> evidence = minka_log_evidence(exponential(0.05, 12), 60);
  EXPECT_NEAR(evidence[1], 93.14233552277642, 1e-10);
  EXPECT_NEAR(evidence[2], 93.20368200912307, 1e-10);
  EXPECT_NEAR(evidence[5], 94.69383993467221, 1e-10);
  EXPECT_NEAR(evidence[8], 96.02647491348492, 1e-10);
  EXPECT_NEAR(evidence[11], 94.62793490143451, 1e-10);
}

// scikit-learn 1.2.1, _infer_dimension: it looks at k >= 1 only.
TEST(Minka, ChoosesAsScikitLearn) {
  EXPECT_EQ(best_of(minka_log_evidence(exponential(0.05, 12), 60), 1), 8);
  EXPECT_EQ(best_of(minka_log_evidence(exponential(0.3, 30), 60), 1), 22);
  EXPECT_EQ(best_of(minka_log_evidence(exponential(0.1, 50), 200), 1), 36);
  EXPECT_EQ(best_of(minka_log_evidence(Vector<double>::LinSpaced(20, 50.0, 0.5), 100), 1), 19);
}

// Eigenvalues and evidences from scikit-learn 1.2.1 (PCA().fit(X).explained_variance_, _assess_dimension).
TEST(Minka, IrisAndWineAsScikitLearn) {
  SampleSpectrum iris{.values = Vector<double>(4), .rows = 150, .cols = 4};
  iris.values << 4.228241706034862, 0.2426707479286332, 0.07820950004291935, 0.023835092973449427;
  const Vector<double> evidence = minka_log_evidence(iris.values, 150);
  EXPECT_NEAR(evidence[1], 364.03373151116034, 1e-9);
  EXPECT_NEAR(evidence[2], 420.9353768472539, 1e-9);
  EXPECT_NEAR(evidence[3], 440.4184836262892, 1e-9);
  EXPECT_EQ(minka_advice(iris).k, 3);

  SampleSpectrum wine{.values = Vector<double>(13), .rows = 178, .cols = 13};
  wine.values << 99201.78951748094, 172.5352664778916, 9.43811370347064, 4.9911786076419, 1.2288452283714275,
      0.8410638694551738, 0.2789735230660545, 0.15138126638308297, 0.11209676473741927, 0.07170260316211394,
      0.03757597886619299, 0.02107236614937245, 0.008203703141775749;
  const Vector<double> of_wine = minka_log_evidence(wine.values, 178);
  EXPECT_NEAR(of_wine[1], -4048.948545382578, 1e-8);
  EXPECT_NEAR(of_wine[3], -1629.3683001168793, 1e-8);
  EXPECT_EQ(minka_advice(wine).k, 12);
}

TEST(Minka, NormalizerOfTheCovarianceDoesNotMatter) {
  const Vector<double> values = exponential(0.3, 30);
  const Vector<double> one = minka_log_evidence(values, 60), other = minka_log_evidence(values * 59.0 / 60.0, 60);
  const double constant = other[0] - one[0];
  for (Index k = 0; k < 30; ++k) EXPECT_NEAR(other[k] - one[k], constant, 1e-9);
}

TEST(Minka, TiesAndZerosStayFinite) {
  Vector<double> values(6);
  values << 3.0, 3.0, 1.0, 1.0, 1.0, 1.0;
  EXPECT_TRUE(minka_log_evidence(values, 40).allFinite());
  SampleSpectrum spectrum{.values = Vector<double>::Zero(5), .rows = 20, .cols = 5};
  EXPECT_EQ(minka_advice(spectrum).k, -1);
  spectrum.values[0] = 2.0;
  EXPECT_EQ(minka_advice(spectrum).k, -1);  // rank 1: nothing is noise
}

}  // namespace
}  // namespace fewdim
