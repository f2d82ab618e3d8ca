#include "quality/embedding/rank_correlation.hpp"

#include <gtest/gtest.h>

#include "support/data.hpp"
#include "unit/quality/quality_twins.hpp"

namespace fewdim {
namespace {

struct Distances {
  Matrix<double> x = test::all_distances(test::sample(150, 4)),
                 y = test::all_distances(test::sample(150, 4).leftCols(2));
  double all = test::pearson_twin(test::mid_ranks_twin(test::upper(x)), test::mid_ranks_twin(test::upper(y)));
};

const Distances& distances() {
  static const Distances d;
  return d;
}

Measure spearman(const Distances& d, const std::vector<Index>& rows, Seed seed, const PairSample::Limits& limits) {
  PairSample sample(d.x.rows(), std::ssize(rows), seed, limits);
  for (Index p = 0; p < std::ssize(rows); ++p) {
    const Index i = rows[static_cast<std::size_t>(p)];
    sample.keep(p, i, d.x.col(i).data(), d.y.col(i).data());
  }
  return sample.spearman();
}

std::vector<Index> every(Index n) {
  std::vector<Index> rows;
  for (Index i = 0; i < n; ++i) rows.push_back(i);
  return rows;
}

TEST(PairSample, AllPairsAreExact) {
  const Distances& d = distances();
  const Measure exact = spearman(d, every(150), 0, {});
  EXPECT_NEAR(*exact.value, d.all, 1e-12);
  EXPECT_EQ(exact.standard_error, 0.0);
}

/// Errors in units of the stated standard error have a mean square of 1. Over 40 draws it lies within 0.5 and 1.6 in
/// 99 % of all cases (χ² with 40 degrees of freedom, over 40); the error itself is known to 16 % by 20 groups.
void expect_honest(const std::function<Measure(Seed)>& draw, double truth) {
  double square = 0.0;
  for (Seed seed = 0; seed < 40; ++seed) {
    const Measure measure = draw(seed);
    ASSERT_GT(measure.standard_error, 0.0);
    const double off = (*measure.value - truth) / measure.standard_error;
    EXPECT_LT(std::abs(off), 5.0) << seed;
    square += off * off / 40.0;
  }
  EXPECT_GT(square, 0.45);
  EXPECT_LT(square, 1.9);
}

TEST(PairSample, DrawnPartnersStateTheirError) {
  const Distances& d = distances();
  expect_honest([&](Seed seed) { return spearman(d, every(150), seed, {.all = 100, .drawn = 3000}); }, d.all);
}

TEST(PairSample, DrawnRowsStateTheirError) {
  const Distances& d = distances();
  expect_honest(
      [&](Seed seed) { return spearman(d, draw_without_replacement(150, 40, seed, 0), seed, {.drawn = 100'000}); },
      d.all);
}

TEST(PairSample, DrawnRowsAndPartnersStateTheirError) {
  const Distances& d = distances();
  expect_honest(
      [&](Seed seed) { return spearman(d, draw_without_replacement(150, 40, seed, 0), seed, {.drawn = 1200}); }, d.all);
}

}  // namespace
}  // namespace fewdim
