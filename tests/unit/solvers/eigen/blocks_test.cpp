#include "solvers/eigen/blocks.hpp"

#include <gtest/gtest.h>

#include "support/data.hpp"

namespace fewdim {
namespace {

TEST(Blocks, SubtractsAndProjectsAsOneAfterTheOther) {
  // Widths on both sides of the thin kernels' 8 and 16, and fewer rows than a chunk.
  for (const Index rows : {5, 700, 3000})
    for (const Index width : {1, 4, 8, 11, 16, 17})
      for (const Index columns : {0, 1, 7, 20}) {
        const Matrix<double> q = test::sample(rows, columns, 1), h = test::sample(columns, width, 2),
                             p = test::sample(rows, 13, 3);
        Matrix<double> w = test::sample(rows, width, 4);
        const Matrix<double> rest = w - q * h;
        const Matrix<double> found = subtract_and_project(q, h, w, p, {});
        EXPECT_LE((w - rest).norm(), 1e-13 * (1.0 + rest.norm())) << rows << " " << width << " " << columns;
        EXPECT_LE((found - p.transpose() * rest).norm(), 1e-12 * (1.0 + p.norm() * rest.norm()));
      }
}

TEST(Blocks, ProjectsOnWhatIsLeft) {
  const Matrix<double> q = test::sample(2500, 9, 1), h = test::sample(9, 4, 2);
  Matrix<double> w = test::sample(2500, 4, 3);
  const Matrix<double> rest = w - q * h;
  const Matrix<double> gram = subtract_and_project(q, h, w, w, {});
  EXPECT_LE((gram - rest.transpose() * rest).norm(), 1e-12 * gram.norm());
}

TEST(Blocks, HaveTheSameBitsAtAnyThreadCount) {
  const Matrix<double> q = test::sample(5000, 12, 1), h = test::sample(12, 4, 2), p = test::sample(5000, 30, 3);
  Matrix<double> one = test::sample(5000, 4, 4);
  const Matrix<double> start = one, found = subtract_and_project(q, h, one, p, {.threads = 1});
  for (const int threads : {2, 3}) {
    Matrix<double> w = start;
    EXPECT_EQ(subtract_and_project(q, h, w, p, {.threads = threads}), found);
    EXPECT_EQ(w, one);
  }
}

}  // namespace
}  // namespace fewdim
