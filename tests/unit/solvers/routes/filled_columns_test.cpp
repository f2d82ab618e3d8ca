#include "solvers/routes/filled_columns.hpp"

#include <gtest/gtest.h>

#include "support/data.hpp"

namespace fewdim {
namespace {

/// 30 rows with entries in every tenth of 400 columns.
Matrix<double> mostly_empty() {
  const Matrix<double> full = test::sparse_sample(30, 40, 0.5, 6);
  Matrix<double> x = Matrix<double>::Zero(30, 400);
  for (Index j = 0; j < 40; ++j) x.col(10 * j + 3) = full.col(j);
  return x;
}

SpectralProblem asking(Index count, bool center) {
  SpectralProblem problem;
  problem.components = Components(count);
  problem.center = center;
  return problem;
}

TEST(FilledColumns, GiveTheSameDecompositionAsTheWholeTable) {
  const Matrix<double> x = mostly_empty();
  for (const bool center : {false, true})
    for (const PcaRoute route : {PcaRoute::automatic, PcaRoute::krylov, PcaRoute::gram, PcaRoute::covariance}) {
      SpectralProblem problem = asking(5, center);
      problem.route = route;
      const Decomposition sparse = decompose(Dataset(test::to_csr(x)), problem, {});
      problem.route = PcaRoute::svd;
      const Decomposition dense = decompose(Dataset(x), problem, {});
      ASSERT_EQ(sparse.vectors.rows(), 400);
      for (Index i = 0; i < 5; ++i) EXPECT_NEAR(sparse.values[i], dense.values[i], 1e-12 * dense.values[0]);
      EXPECT_LE(test::distance(sparse.vectors, dense.vectors), 1e-8);
      EXPECT_LE(test::distance(sparse.column_variance, dense.column_variance), 1e-12 * dense.values[0]);
      if (center) {
        EXPECT_LE(test::distance(sparse.mean, dense.mean), 1e-12);
      }
      const Decomposition again = recertify(Dataset(test::to_csr(x)), problem, sparse, {});
      EXPECT_LE(again.certificate.residuals.maxCoeff(), 1e-9);
      EXPECT_LE(again.found_outside, sparse.values[4]);
    }
}

TEST(FilledColumns, AreTakenWhereItPaysAndNotWhereItChangesTheAnswer) {
  const Dataset data(test::to_csr(mostly_empty()));
  EXPECT_TRUE(filled_columns(data, asking(5, true)).has_value());
  EXPECT_FALSE(filled_columns(Dataset(test::sample(5, 4)), asking(2, true)).has_value());                // dense
  EXPECT_FALSE(filled_columns(data, asking(Components::all, true)).has_value());                         // all of 400
  EXPECT_FALSE(filled_columns(Dataset(test::to_csr(test::sample(9, 6))), asking(2, true)).has_value());  // all filled
  SpectralProblem scaled = asking(5, true);
  scaled.scale = true;
  EXPECT_FALSE(filled_columns(data, scaled).has_value());
}

}  // namespace
}  // namespace fewdim
