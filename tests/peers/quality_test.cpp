// Measures of embeddings against scikit-learn 1.2.1 and SciPy 1.10.1: their figures on tables that `fewdim generate`
// makes again to the bit. The embedding is some of the columns, so that nothing else takes part:
//
//   from sklearn.manifold import trustworthiness
//   x = np.loadtxt("roll.csv", delimiter=",", skiprows=1)[:, :3]      # fewdim generate swiss-roll -n 500 --seed 3
//   trustworthiness(x, x[:, :2].copy(), n_neighbors=5)
//
// None of these tables has ties, where scikit-learn's order depends on rounding.

#include <gtest/gtest.h>

#include "fewdim/fewdim.hpp"

namespace fewdim {
namespace {

const Matrix<double>& quality_roll() {
  static const Matrix<double> x = generate("swiss-roll", {.rows = 500, .seed = 3}).matrix<double>();
  return x;
}

const Matrix<double>& table() {  // fewdim generate low-rank-plus-noise -n 120 --cols 8 --rank 3 --noise 0.3 --seed 5
  static const Matrix<double> x =
      generate("low-rank-plus-noise", {.rows = 120, .cols = 8, .noise = 0.3, .rank = 3, .seed = 5}).matrix<double>();
  return x;
}

TEST(ScikitLearn, Trustworthiness) {
  const Matrix<double> y = quality_roll().leftCols(2);
  for (const auto& [k, trust, back] :
       {std::tuple{5, 0.8571837398373984, 0.9881829268292683}, std::tuple{12, 0.8589601938386985, 0.9797961232260297},
        std::tuple{100, 0.886096652360515, 0.9540939628040057},
        std::tuple{249, 0.8885679224835852, 0.9325582966787787}}) {
    EXPECT_NEAR(*trustworthiness(quality_roll(), y, {.neighbors = k}).value, trust, 1e-12) << k;
    // Continuity is trustworthiness with the two exchanged.
    EXPECT_NEAR(*continuity(quality_roll(), y, {.neighbors = k}).value, back, 1e-12) << k;
  }
}

TEST(ScikitLearn, TrustworthinessUnderOtherMetrics) {
  const Matrix<double> y = table().leftCols(3);
  for (const auto& [metric, trust] :
       {std::pair{Metric::cosine, 0.7801878549584972}, std::pair{Metric::manhattan, 0.800524246395806},
        std::pair{Metric::chebyshev, 0.7459916994320663}, std::pair{Metric::correlation, 0.7829292267365662}})
    EXPECT_NEAR(*trustworthiness(table(), y, {.neighbors = 7, .metric = metric}).value, trust, 1e-12);
}

TEST(SciPy, CorrelationsAndStressOfDistances) {  // pearsonr and spearmanr of pdist(x), pdist(y); stress by NumPy
  const QualityReport report = embedding_quality(quality_roll(), Matrix<double>(quality_roll().leftCols(2)));
  EXPECT_NEAR(*report["pearson"].value, 0.8368475227563228, 1e-12);
  EXPECT_NEAR(*report["spearman"].value, 0.8229693579357054, 1e-12);
  EXPECT_NEAR(*report["stress"].value, 0.3267323894652681, 1e-12);
  EXPECT_NEAR(*report["stress_scaled"].value, 0.2418354509019928, 1e-12);
  EXPECT_NEAR(*report["best_scale"].value, 1.1546978069340494, 1e-12);
}

TEST(SciPy, Procrustes) {  // the disparity of scipy.spatial.procrustes; the second with five columns of zeros added
  const Matrix<double> first = table().leftCols(3), second = table().middleCols(3, 3);
  EXPECT_NEAR(procrustes(first, second).disparity, 0.5574836326835879, 1e-12);
  EXPECT_NEAR(procrustes(table(), first).disparity, 0.43766989471325474, 1e-12);
}

}  // namespace
}  // namespace fewdim
