#include <gtest/gtest.h>

#include <cmath>

#include "quality/choice/criteria.hpp"

namespace fewdim {
namespace {

SampleSpectrum spectrum_of(std::initializer_list<double> values, bool correlation = false) {
  SampleSpectrum spectrum{.values = Vector<double>(static_cast<Index>(values.size())),
                          .rows = 100,
                          .cols = static_cast<Index>(values.size()),
                          .correlation = correlation};
  std::copy(values.begin(), values.end(), spectrum.values.data());
  return spectrum;
}

// The broken stick of 4 pieces: 25/48, 13/48, 7/48, 3/48.
TEST(BrokenStick, ComparesSharesInOrder) {
  EXPECT_EQ(broken_stick_advice(spectrum_of({53, 26, 14, 7})).k, 1);
  EXPECT_EQ(broken_stick_advice(spectrum_of({53, 28, 12, 7})).k, 2);
  EXPECT_EQ(broken_stick_advice(spectrum_of({51, 40, 6, 3})).k, 0);  // the second would pass, the first does not
}

// Wine, scaled: scikit-learn 1.2.1. By hand: 13 eigenvalues, three above 1; broken-stick shares .2446 .1677 .1292
// .1036.
TEST(Scree, WineScaled) {
  const SampleSpectrum wine =
      spectrum_of({4.705850253, 2.496973733, 1.44607197, 0.918973924, 0.853228178, 0.641657031, 0.551028312,
                   0.348497363, 0.288879943, 0.250902482, 0.22578864, 0.168770235, 0.103377936},
                  true);
  EXPECT_EQ(kaiser_advice(wine).k, 3);
  EXPECT_EQ(kaiser_advice(wine).sentence, "3 eigenvalues exceed 1, the variance of a scaled column");
  EXPECT_EQ(broken_stick_advice(wine).k, 2);  // shares .362 .192 .1112: the third is below .1292
}

TEST(Kaiser, EqualEigenvaluesAreNotAboveTheirMean) {
  EXPECT_EQ(kaiser_advice(spectrum_of({0.1, 0.1, 0.1})).k, 0);
  EXPECT_EQ(kaiser_advice(spectrum_of({4, 3, 1, 0})).k, 2);
}

TEST(Elbow, MaximizesTheProfileLikelihood) {
  Vector<double> values(7);
  values << 9.0, 8.0, 7.5, 1.0, 0.8, 0.5, 0.1;
  // Zhu & Ghodsi's log-likelihood itself, term by term.
  const Index n = values.size();
  Index best = 0;
  double largest = -1e300;
  for (Index q = 1; q < n; ++q) {
    const double mean1 = values.head(q).mean(), mean2 = values.tail(n - q).mean();
    const double squares =
        (values.head(q).array() - mean1).square().sum() + (values.tail(n - q).array() - mean2).square().sum();
    const double variance = squares / static_cast<double>(n - 2);
    double likelihood = 0.0;
    for (Index i = 0; i < n; ++i) {
      const double z = values[i] - (i < q ? mean1 : mean2);
      likelihood += -0.5 * std::log(2.0 * M_PI * variance) - z * z / (2.0 * variance);
    }
    if (likelihood > largest) largest = likelihood, best = q;
  }
  EXPECT_EQ(best, 3);
  EXPECT_EQ(elbow_of(values), best);
}

TEST(Scree, NothingToSay) {
  EXPECT_EQ(kaiser_advice(spectrum_of({0, 0, 0})).k, -1);
  EXPECT_EQ(broken_stick_advice(spectrum_of({})).k, -1);
  EXPECT_EQ(elbow_advice(spectrum_of({1, 0.5})).k, -1);
  EXPECT_EQ(elbow_advice(spectrum_of({1})).sentence, "can't say: 1 eigenvalue makes no curve");
}

}  // namespace
}  // namespace fewdim
