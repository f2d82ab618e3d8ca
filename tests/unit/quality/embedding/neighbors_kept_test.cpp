#include "quality/embedding/neighbors_kept.hpp"

#include <gtest/gtest.h>

#include "fewdim/quality.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

NeighborsKept kept(const Matrix<double>& x, const Matrix<double>& y, Index neighbors = 10, const Execution& exec = {}) {
  return neighbors_kept(*row_distances(Dataset(x), Metric::euclidean, "test", exec),
                        *row_distances(Dataset(y), Metric::euclidean, "test", exec), neighbors, x.cols(), 0, exec);
}

TEST(NeighborsKept, AllRowsAreWhatQualitySays) {
  Matrix<double> x = test::sample(300, 5);
  x.row(7) = x.row(8) = x.row(200);  // ties
  const Matrix<double> y = x.leftCols(2);
  const QualityReport report = embedding_quality(Dataset(x), Dataset(y));
  const NeighborsKept found = kept(x, y);
  EXPECT_EQ(found.sampled, 300);
  EXPECT_EQ(found.standard_error, 0.0);
  EXPECT_NEAR(found.trustworthiness, *report["trustworthiness"].value, 1e-13);
  EXPECT_NEAR(found.continuity, *report["continuity"].value, 1e-13);
}

TEST(NeighborsKept, ASampleIsWithinItsError) {
  const Matrix<double> x = test::sample(2000, 6), y = x.leftCols(3);
  const QualityReport report = embedding_quality(Dataset(x), Dataset(y), {.sample = every_row});
  const NeighborsKept found = kept(x, y);
  EXPECT_LT(found.sampled, 2000);
  EXPECT_GT(found.standard_error, 0.0);
  EXPECT_NEAR(found.trustworthiness, *report["trustworthiness"].value, 4.0 * found.standard_error);
  EXPECT_NEAR(found.continuity, *report["continuity"].value, 4.0 * found.standard_error);
}

TEST(NeighborsKept, SameBitsAtAnyThreadCount) {
  const Matrix<double> x = test::sample(900, 4), y = x.leftCols(2);
  const NeighborsKept one = kept(x, y, 10, {.threads = 1});
  for (const int threads : {2, 3}) {
    const NeighborsKept again = kept(x, y, 10, {.threads = threads});
    EXPECT_EQ(one.trustworthiness, again.trustworthiness);
    EXPECT_EQ(one.continuity, again.continuity);
    EXPECT_EQ(one.standard_error, again.standard_error);
  }
}

TEST(NeighborsKept, FewRowsHaveFewNeighbors) {
  const Matrix<double> x = test::sample(3, 2);
  EXPECT_EQ(kept(x, x).neighbors, 1);
  EXPECT_EQ(kept(x, x).trustworthiness, 1.0);
}

}  // namespace
}  // namespace fewdim
