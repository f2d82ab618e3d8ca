#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "fewdim/error.hpp"
#include "fewdim/ranking.hpp"

namespace fewdim {
namespace {

constexpr double tight = 1e-10;

// Three hubs point to one authority: σ = √3.
TEST(Hits, Star) {
  const auto result = hits(make_links(4, {{1, 0}, {2, 0}, {3, 0}}), {.normalization = ScoreNorm::unit});
  EXPECT_NEAR(result.singular_value, std::sqrt(3.0), 1e-12);
  EXPECT_NEAR(result.authorities[0], 1.0, tight);
  EXPECT_EQ(result.authorities[1], 0.0);
  EXPECT_EQ(result.hubs[0], 0.0);
  EXPECT_NEAR(result.hubs[2], 1 / std::sqrt(3.0), tight);
  EXPECT_EQ(result.multiplicity, 1);
}

TEST(Hits, CompleteGraphAndNormalizations) {
  std::vector<DirectedLink> links;
  for (std::int32_t i = 0; i < 5; ++i)
    for (std::int32_t j = 0; j < 5; ++j)
      if (i != j) links.push_back({i, j});
  const LinkGraph graph = make_links(5, links);
  const auto sum = hits(graph), unit = hits(graph, {.normalization = ScoreNorm::unit});
  for (Index v = 0; v < 5; ++v) {
    EXPECT_NEAR(sum.hubs[v], 0.2, tight);
    EXPECT_NEAR(unit.authorities[v], 1 / std::sqrt(5.0), tight);
  }
  EXPECT_NEAR(sum.singular_value, 4.0, 1e-12);
  EXPECT_NEAR(sum.gap, 1.0, 1e-6);  // the others, -1, are not in the Krylov space of (1, …, 1)
}

// A cycle is a permutation: all its singular values are 1, and (1, …, 1) is its own projection.
TEST(Hits, MultiplicityIsSaid) {
  const auto cycle = hits(make_links(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}}));
  EXPECT_EQ(cycle.multiplicity, 6);
  for (Index v = 0; v < 6; ++v) EXPECT_NEAR(cycle.authorities[v], 1.0 / 6.0, tight);
  // A star both ways has √n twice. The projection of (1, 1, …) is itself.
  const auto star = hits(make_links(5, {{0, 1}, {0, 2}, {0, 3}, {0, 4}}, {.undirected = true}));
  EXPECT_EQ(star.multiplicity, 2);
  EXPECT_NEAR(star.singular_value, 2.0, 1e-12);
  for (Index v = 0; v < 5; ++v) EXPECT_NEAR(star.authorities[v], 0.2, tight);
  // Stars of 3 and of 2 hubs, far from each other: the larger takes all.
  const auto two = hits(make_links(7, {{1, 0}, {2, 0}, {3, 0}, {5, 4}, {6, 4}}));
  EXPECT_EQ(two.multiplicity, 1);
  EXPECT_EQ(two.authorities[0], 1.0);
  EXPECT_EQ(two.authorities[4], 0.0);
}

// Power iteration from (1, …, 1) as Kleinberg wrote it down, to its end.
TEST(Hits, IsThePowerIterationFromOnes) {
  const Random random(11, 0);
  std::vector<DirectedLink> links;
  for (std::uint64_t e = 0; e < 400; ++e)
    links.push_back({static_cast<std::int32_t>(random.below(3 * e, 60)),
                     static_cast<std::int32_t>(random.below(3 * e + 1, 60)), 0.5 + random.uniform(3 * e + 2)});
  // The same twice, side by side: every singular value is double.
  const std::size_t once = links.size();
  for (std::size_t e = 0; e < once; ++e) links.push_back({links[e].from + 60, links[e].to + 60, links[e].weight});
  const LinkGraph graph = make_links(120, links);
  Matrix<double> a = Matrix<double>::Zero(120, 120);
  for (const DirectedLink& link : links) a(link.from, link.to) += link.weight;
  Vector<double> x = Vector<double>::Ones(120);
  for (int i = 0; i < 2000; ++i) x = (a.transpose() * (a * x)).normalized();
  const auto result = hits(graph, {.normalization = ScoreNorm::unit});
  EXPECT_EQ(result.multiplicity, 2);
  EXPECT_LT((result.authorities - x).norm(), 1e-8);
  EXPECT_LT((result.hubs - (a * x).normalized()).norm(), 1e-8);
  EXPECT_LE(result.residual, 1e-10);
  EXPECT_GE(std::min(result.hubs.minCoeff(), result.authorities.minCoeff()), 0.0);
}

// Two parts whose values agree to seven digits: a small residual alone would leave a mixture of both.
TEST(Hits, NearlyEqualParts) {
  const auto result = hits(make_links(4, {{0, 1, 1.0}, {2, 3, 1.0 + 1e-7}}));
  EXPECT_EQ(result.multiplicity, 1);
  EXPECT_EQ(result.authorities[1], 0.0);
  EXPECT_EQ(result.authorities[3], 1.0);
}

TEST(Hits, WeightsOfAnySize) {
  for (const double scale : {1e-60, 1e-20, 1e60}) {
    const auto result = hits(make_links(3, {{0, 1, scale}, {2, 1, scale}}));
    EXPECT_NEAR(result.singular_value / scale, std::sqrt(2.0), 1e-12);
    EXPECT_NEAR(result.hubs[2], 0.5, tight);
  }
}

TEST(Hits, ThreadsChangeNoBits) {
  const Random random(5, 0);
  std::vector<DirectedLink> links;
  for (std::uint64_t e = 0; e < 200'000; ++e)
    links.push_back({static_cast<std::int32_t>(random.below(2 * e, 20'000)),
                     static_cast<std::int32_t>(20'000.0 * std::pow(random.uniform(2 * e + 1), 3.0))});
  const LinkGraph graph = make_links(20'000, links);
  const auto one = hits(graph, {}, {.threads = 1});
  for (const int threads : {2, 3}) {
    const auto more = hits(graph, {}, {.threads = threads});
    EXPECT_EQ(more.authorities, one.authorities);
    EXPECT_EQ(more.hubs, one.hubs);
  }
}

TEST(Hits, BadInput) {
  EXPECT_THROW(hits(make_links(3, {})), DataError);
  EXPECT_THROW(hits(LinkGraph()), DataError);
  EXPECT_THROW(hits(make_links(2, {{0, 1}}), {.tolerance = 0.0}), InvalidOption);
}

}  // namespace
}  // namespace fewdim
