#include <cmath>

#include "fewdim/error.hpp"
#include "fewdim/words.hpp"

namespace fewdim {
namespace {

/// "apple apple banana" | "banana cherry" | "apple banana cherry cherry"
Csr<float> fruit() { return {3, 3, {0, 2, 4, 7}, {0, 1, 1, 2, 0, 1, 2}, {2, 1, 1, 1, 1, 1, 2}}; }

Csr<float> weighed(Weighting weighting, bool normalize = false) {
  Csr<float> counts = fruit();
  apply_weights(term_weights(counts.view(), weighting, normalize), counts);
  return counts;
}

constexpr float kRounding = 1e-6F;  // values are float32

// Numbers worked by hand from the formulas in words.hpp: N = 3; n = 2, 3, 2; lengths 3, 2, 4, on average 3.
TEST(TermWeights, AreTheFormulas) {
  EXPECT_EQ(weighed(Weighting::counts).values, fruit().values);
  EXPECT_EQ(weighed(Weighting::binary).values, std::vector<float>(7, 1.0F));
  EXPECT_NEAR(weighed(Weighting::histogram).values[0], 2.0F / 3, kRounding);
  EXPECT_NEAR(weighed(Weighting::histogram).values[6], 0.5F, kRounding);
  EXPECT_NEAR(weighed(Weighting::tf_idf).values[0], 2 * 1.28768207F, kRounding);  // ln(4/3) + 1
  EXPECT_NEAR(weighed(Weighting::tf_idf).values[1], 1.0F, kRounding);
  EXPECT_NEAR(weighed(Weighting::tf_idf_plain).values[0], 2 * 0.40546511F, kRounding);  // ln(3/2)
  EXPECT_EQ(weighed(Weighting::tf_idf_plain).values[1], 0.0F);
  EXPECT_NEAR(weighed(Weighting::log_tf_idf).values[0], 0.68651211F, kRounding);  // (1 + ln 2) ln(3/2)
  // apple: p = 2/3, 1/3: 1 + (2/3 ln 2/3 + 1/3 ln 1/3)/ln 3 = 0.42061984; ln 3 of that
  EXPECT_NEAR(weighed(Weighting::log_entropy).values[0], 0.46209812F, kRounding);
  EXPECT_EQ(weighed(Weighting::log_entropy).values[1], 0.0F);  // once in every document: says nothing
  // 2 · 2.2/(2 + 1.2) · ln(1 + 1.5/2.5); 2.2/(1 + 1.2 (0.25 + 0.75 · 2/3)) · ln(1 + 0.5/3.5)
  EXPECT_NEAR(weighed(Weighting::bm25).values[0], 0.64625499F, kRounding);
  EXPECT_NEAR(weighed(Weighting::bm25).values[2], 0.15461530F, kRounding);
}

TEST(TermWeights, RowsHaveUnitLength) {
  const Csr<float> rows = weighed(Weighting::tf_idf, true);
  EXPECT_NEAR(rows.values[0], 0.93219169F, kRounding);  // 2.5753641/√(2.5753641² + 1)
  EXPECT_NEAR(rows.values[1], 0.36196500F, kRounding);
}

TEST(TermWeights, EvenlySpreadTermsWeighNothingWhateverTheirCount) {
  for (const float count : {1.0F, 2.0F, 3.0F, 7.0F}) {
    const Csr<float> counts{5, 1, {0, 1, 2, 3, 4, 5}, {0, 0, 0, 0, 0}, std::vector<float>(5, count)};
    EXPECT_EQ(term_weights(counts.view(), Weighting::log_entropy, true).global[0], 0.0) << count;
  }
}

TEST(TermWeights, AreNumbersForAnyShape) {
  for (const Weighting weighting :
       {Weighting::counts, Weighting::binary, Weighting::histogram, Weighting::tf_idf, Weighting::tf_idf_plain,
        Weighting::log_tf_idf, Weighting::log_entropy, Weighting::bm25}) {
    Csr<float> one{1, 2, {0, 1}, {0}, {3}};                // one document; a term that none holds
    Csr<float> holes{3, 2, {0, 0, 2, 2}, {0, 1}, {1, 2}};  // empty documents
    Csr<float> empty{2, 3, {0, 0, 0}, {}, {}}, nothing{0, 0, {0}, {}, {}};
    for (Csr<float>* counts : {&one, &holes, &empty, &nothing}) {
      const TermWeights weights = term_weights(counts->view(), weighting, true);
      EXPECT_TRUE(weights.global.allFinite());
      EXPECT_TRUE(std::isfinite(weights.mean_length));
      apply_weights(weights, *counts);
      for (const float value : counts->values) EXPECT_TRUE(std::isfinite(value));
    }
  }
  const Csr<float> one{1, 1, {0, 1}, {0}, {3}};
  EXPECT_EQ(term_weights(one.view(), Weighting::log_entropy, true).global[0], 1.0);
}

TEST(TermWeights, ThoseOfOtherTermsAreRefused) {
  Csr<float> counts = fruit();
  const TermWeights weights = term_weights(counts.view(), Weighting::tf_idf, true);
  counts.cols = 4;
  EXPECT_THROW(apply_weights(weights, counts), DataError);
}

}  // namespace
}  // namespace fewdim
