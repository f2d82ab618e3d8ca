#include "features/random_map.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "support/data.hpp"

namespace fewdim {
namespace {

RandomMap map_of(ProjectionKind kind, Index features, Index components, double density = 1.0, Seed seed = 7) {
  return {.kind = kind, .features = features, .components = components, .density = density, .seed = seed};
}

RowMatrix<double> drawn(const RandomMap& map, Index first, Index count, int threads = 1) {
  RowMatrix<double> out(count, map.components);
  draw_rows(map, first, count, out.data(), {.threads = threads});
  return out;
}

const RandomMap every_kind[] = {map_of(ProjectionKind::gaussian, 300, 11), map_of(ProjectionKind::sparse, 300, 11, 0.2),
                                map_of(ProjectionKind::hadamard, 300, 11)};

TEST(RandomMap, HasTheSameBitsHoweverItIsCutAndOnAnyThreads) {
  for (const RandomMap& map : every_kind) {
    const RowMatrix<double> whole = drawn(map, 0, 300);
    for (const int threads : {2, 3}) EXPECT_EQ(drawn(map, 0, 300, threads), whole);
    for (const Index cut : {1, 7, 64, 100})
      for (Index first = 0; first < 300; first += cut) {
        const Index count = std::min<Index>(cut, 300 - first);
        EXPECT_EQ(drawn(map, first, count), whole.middleRows(first, count));
      }
  }
}

TEST(RandomMap, DependsOnTheSeed) {
  for (RandomMap map : every_kind) {
    const RowMatrix<double> one = drawn(map, 0, 300);
    map.seed += 1;
    EXPECT_NE(drawn(map, 0, 300), one);
  }
}

TEST(RandomMap, SingleIsDoubleRounded) {
  for (const RandomMap& map : every_kind) {
    RowMatrix<float> single(300, 11);
    draw_rows(map, 0, 300, single.data(), {});
    EXPECT_EQ(single, drawn(map, 0, 300).cast<float>());
  }
}

// 40,000 entries of variance 1/k: the mean of R² has standard deviation √2/200/k, of the sparse kind √(1/s − 1)/200/k.
TEST(RandomMap, EntriesHaveTheirMoments) {
  for (const RandomMap& map :
       {map_of(ProjectionKind::gaussian, 2000, 20), map_of(ProjectionKind::sparse, 2000, 20, 1.0 / 3),
        map_of(ProjectionKind::sparse, 2000, 20, 0.05)}) {
    const RowMatrix<double> r = drawn(map, 0, 2000) * std::sqrt(20.0);
    const double spread = map.kind == ProjectionKind::gaussian ? std::sqrt(2.0) : std::sqrt(1.0 / map.density - 1.0);
    EXPECT_NEAR(r.mean(), 0.0, 4.0 / 200);
    EXPECT_NEAR(r.array().square().mean(), 1.0, 4.0 * spread / 200);
    if (map.kind == ProjectionKind::sparse) {
      const double share = (r.array() != 0.0).cast<double>().mean();
      EXPECT_NEAR(share, map.density, 4.0 * std::sqrt(map.density / 40'000));
    }
  }
}

TEST(RandomMap, SparseWithoutZerosIsAllSigns) {
  const RowMatrix<double> r = drawn(map_of(ProjectionKind::sparse, 50, 4, 1.0), 0, 50);
  EXPECT_TRUE((r.array().abs() == 0.5).all());
}

TEST(RandomMap, ListsAreTheSparseKindWithoutItsZeros) {
  const RandomMap map = map_of(ProjectionKind::sparse, 200, 30, 0.07);
  const SignedLists lists = draw_lists(map, {.threads = 3});
  RowMatrix<double> r = RowMatrix<double>::Zero(200, 30);
  for (Index j = 0; j < 200; ++j) {
    const auto at = static_cast<std::size_t>(2 * j);
    for (auto e = lists.offsets[at]; e < lists.offsets[at + 1]; ++e)
      r(j, lists.entries[static_cast<std::size_t>(e)]) = 1;
    for (auto e = lists.offsets[at + 1]; e < lists.offsets[at + 2]; ++e)
      r(j, lists.entries[static_cast<std::size_t>(e)]) = -1;
  }
  EXPECT_EQ(RowMatrix<double>(r * lists.factor), drawn(map, 0, 200));
}

TEST(RandomMap, HadamardOfAPowerOfTwoIsOrthogonal) {
  const RowMatrix<double> r = drawn(map_of(ProjectionKind::hadamard, 64, 16), 0, 64);
  EXPECT_LE(test::distance(Matrix<double>(r.transpose() * r), Matrix<double>(4.0 * Matrix<double>::Identity(16, 16))),
            1e-14);  // 64/16; every entry is ±1/4, so that sums are exact
}

TEST(RandomMap, FastHadamardIsTheSumOfSigns) {
  for (const Index n : {1, 2, 16, 32, 64, 128, 256, 2048}) {
    const Matrix<double> x = test::sample(n, 1);
    std::vector<Index> rows;
    for (Index i = n - 1; i >= 0; i -= 3) rows.push_back(i);
    std::vector<double> copy(x.data(), x.data() + n), y(rows.size());
    hadamard_sample(copy.data(), n, rows, y.data());
    for (std::size_t c = 0; c < rows.size(); ++c) {
      double sum = 0.0;
      for (Index j = 0; j < n; ++j)
        sum += (std::popcount(static_cast<std::uint64_t>(j & rows[c])) & 1) != 0 ? -x(j, 0) : x(j, 0);
      EXPECT_NEAR(y[c], sum, 1e-15 * static_cast<double>(n) * x.cwiseAbs().maxCoeff()) << n;
    }
  }
}

}  // namespace
}  // namespace fewdim
