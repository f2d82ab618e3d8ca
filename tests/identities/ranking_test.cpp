#include "fewdim/ranking.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <map>

#include "base/random.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

std::vector<DirectedLink> random_links(Index vertices, Index count, Seed seed) {
  const Random random(seed, 0);
  std::vector<DirectedLink> links;
  for (std::uint64_t e = 0; e < static_cast<std::uint64_t>(count); ++e) {
    const double u = random.uniform(3 * e);
    links.push_back({static_cast<std::int32_t>(u * u * static_cast<double>(vertices)),
                     static_cast<std::int32_t>(random.below(3 * e + 1, static_cast<std::uint64_t>(vertices))),
                     0.25 + random.uniform(3 * e + 2)});
  }
  return links;
}

Matrix<double> adjacency_of(Index vertices, const std::vector<DirectedLink>& links) {
  Matrix<double> a = Matrix<double>::Zero(vertices, vertices);
  for (const DirectedLink& link : links) a(link.from, link.to) += link.weight;
  return a;
}

/// The Google matrix, columns summing to 1.
Matrix<double> google_matrix(const Matrix<double>& a, const PagerankOptions& options) {
  const Index n = a.rows();
  Vector<double> uniform = Vector<double>::Constant(n, 1.0 / static_cast<double>(n)), restart = uniform;
  if (!options.restart.empty()) {
    restart.setZero();
    double sum = 0.0;
    for (const Restart& place : options.restart) restart[place.vertex] += place.weight, sum += place.weight;
    restart /= sum;
  }
  Matrix<double> g(n, n);
  for (Index u = 0; u < n; ++u) {
    const double sum = a.row(u).sum();
    if (sum > 0)
      g.col(u) = a.row(u).transpose() / sum;
    else if (options.dangling == Dangling::self)
      g.col(u) = Vector<double>::Unit(n, u);
    else
      g.col(u) = options.dangling == Dangling::teleport ? restart : uniform;
  }
  return options.damping * g + (1.0 - options.damping) * restart * Vector<double>::Ones(n).transpose();
}

// PageRank is the eigenvector of the Google matrix to its largest eigenvalue, which is 1.
TEST(RankingIdentities, PagerankIsTheEigenvectorOfTheGoogleMatrix) {
  const auto links = random_links(60, 200, 1);
  const LinkGraph graph = make_links(60, links);
  const Matrix<double> a = adjacency_of(60, links);
  for (const Dangling dangling : {Dangling::uniform, Dangling::teleport, Dangling::self})
    for (const bool personal : {false, true})
      for (const RankSolver solver : {RankSolver::automatic, RankSolver::power, RankSolver::gauss_seidel}) {
        PagerankOptions options{.damping = 0.85, .dangling = dangling, .tolerance = 1e-14, .solver = solver};
        if (personal) options.restart = {{4, 1.0}, {50, 0.5}};
        const auto result = pagerank(graph, options);
        ASSERT_GT(result.dangling, 0);
        const Eigen::EigenSolver<Matrix<double>> pairs(google_matrix(a, options));
        Index top = 0;
        pairs.eigenvalues().real().maxCoeff(&top);
        EXPECT_NEAR(pairs.eigenvalues()[top].real(), 1.0, 1e-12);
        Vector<double> x = pairs.eigenvectors().col(top).real();
        x /= x.sum();
        EXPECT_LT((result.scores - x).lpNorm<1>(), 1e-12);
      }
}

// HITS is the leading pair of singular vectors of the adjacency matrix.
TEST(RankingIdentities, HitsAreTheLeadingSingularVectors) {
  for (const Seed seed : {1, 2, 3}) {
    const auto links = random_links(80, 400, seed);
    const auto result = hits(make_links(80, links), {.tolerance = 1e-13, .normalization = ScoreNorm::unit});
    const Eigen::JacobiSVD<Matrix<double>> svd(adjacency_of(80, links), Eigen::ComputeThinU | Eigen::ComputeThinV);
    const auto positive = [](Vector<double> x) -> Vector<double> { return x.sum() < 0 ? Vector<double>(-x) : x; };
    EXPECT_NEAR(result.singular_value, svd.singularValues()[0], 1e-11);
    EXPECT_LT((result.hubs - positive(svd.matrixU().col(0))).norm(), 1e-11);
    EXPECT_LT((result.authorities - positive(svd.matrixV().col(0))).norm(), 1e-11);
  }
}

TEST(RankingIdentities, PermutedVerticesHavePermutedScores) {
  const auto links = random_links(300, 1500, 6);
  std::vector<DirectedLink> permuted = links;
  const auto place = [](std::int32_t v) { return (v * 77 + 13) % 300; };  // 77 has no factor in common with 300
  for (DirectedLink& link : permuted) link.from = place(link.from), link.to = place(link.to);
  std::reverse(permuted.begin(), permuted.end());
  const LinkGraph a = make_links(300, links), b = make_links(300, permuted);
  const auto rank_a = pagerank(a, {.tolerance = 1e-14}), rank_b = pagerank(b, {.tolerance = 1e-14});
  const auto hits_a = hits(a, {.tolerance = 1e-13}), hits_b = hits(b, {.tolerance = 1e-13});
  for (std::int32_t v = 0; v < 300; ++v) {
    EXPECT_NEAR(rank_a.scores[v], rank_b.scores[place(v)], 1e-14);
    EXPECT_NEAR(hits_a.authorities[v], hits_b.authorities[place(v)], 1e-12);
    EXPECT_NEAR(hits_a.hubs[v], hits_b.hubs[place(v)], 1e-12);
  }
}

// A graph that is undirected and has no dangling vertex: as damping goes to 1, scores go to weight / total weight.
TEST(RankingIdentities, UndirectedScoresFollowTheDegrees) {
  std::vector<DirectedLink> links = random_links(40, 200, 8);
  for (std::int32_t v = 0; v < 40; ++v) links.push_back({v, (v + 1) % 40});  // one part
  const LinkGraph graph = make_links(40, links, {.undirected = true});
  const LinkView view = graph.view();
  double total = 0.0;
  for (Index v = 0; v < 40; ++v) total += view.outgoing[v];
  const double left = 1e-7;  // the difference is of this order
  const Vector<double> x = pagerank(graph, {.damping = 1.0 - left, .tolerance = 1e-7}).scores;
  for (Index v = 0; v < 40; ++v) EXPECT_NEAR(x[v], view.outgoing[v] / total, 1e-6);
}

using Named = std::map<std::string, double>;

void expect_scores(const LinkGraph& graph, const Vector<double>& scores, const Named& expected, double tolerance) {
  for (const auto& [name, score] : expected) EXPECT_NEAR(scores[graph.require(name)], score, tolerance) << name;
}

// The graph of Wikipedia's article on PageRank, damping .85, in per cent with two digits.
TEST(RankingFigures, WikipediaElevenPages) {
  const std::string path = test::shared_data("reference_small/wikipedia_pagerank_11_edges.txt");
  if (path.empty()) GTEST_SKIP() << "reference_small is not here";
  const LinkGraph graph = read_links(path);
  expect_scores(
      graph, 100.0 * pagerank(graph).scores,
      {{"A", 3.28}, {"B", 38.44}, {"C", 34.29}, {"D", 3.91}, {"E", 8.09}, {"F", 3.91}, {"G", 1.62}, {"K", 1.62}},
      0.005);
}

// Langville & Meyer, Google's PageRank and Beyond, 2006, chapter 4: six pages, damping .9; six digits given.
TEST(RankingFigures, LangvilleMeyerSixPages) {
  const std::string path = test::shared_data("reference_small/langville_meyer_6_edges.txt");
  if (path.empty()) GTEST_SKIP() << "reference_small is not here";
  const LinkGraph graph = read_links(path);
  expect_scores(graph, pagerank(graph, {.damping = 0.9}).scores,
                {{"1", .037212}, {"2", .053957}, {"3", .041506}, {"4", .375081}, {"5", .205998}, {"6", .286246}}, 5e-7);
}

// The same book, chapter 11: a neighborhood graph of six pages; four digits given.
TEST(RankingFigures, LangvilleMeyerHits) {
  const std::string path = test::shared_data("reference_small/langville_meyer_hits_edges.txt");
  if (path.empty()) GTEST_SKIP() << "reference_small is not here";
  const LinkGraph graph = read_links(path);
  const auto result = hits(graph);
  expect_scores(graph, result.authorities, {{"1", 0}, {"2", 0}, {"3", .3660}, {"5", .1340}, {"6", .5}, {"10", 0}},
                5e-5);
  expect_scores(graph, result.hubs, {{"1", .3660}, {"2", 0}, {"3", .2113}, {"5", 0}, {"6", .2113}, {"10", .2113}},
                5e-5);
}

// NetworkX 3.6.1: pagerank(G, tol=1e-14), hits(G.to_directed(), tol=1e-14). Its tolerance is N·tol in the 1-norm.
TEST(RankingFigures, KarateClub) {
  const std::string path = test::shared_data("graph_karate/karate_edges.txt");
  if (path.empty()) GTEST_SKIP() << "graph_karate is not here";
  const LinkGraph graph = read_links(path, {.undirected = true});
  expect_scores(graph, pagerank(graph, {.tolerance = 1e-13}).scores,
                {{"34", 0.1009191823325516},
                 {"1", 0.0969972853883738},
                 {"33", 0.07169322600569636},
                 {"3", 0.05707850948846012},
                 {"2", 0.05287692406116841}},
                1e-12);
  expect_scores(graph, hits(graph, {.tolerance = 1e-12}).authorities,
                {{"34", 0.07500294215657552},
                 {"1", 0.07141272880825196},
                 {"3", 0.06371906455637481},
                 {"33", 0.06200184647383096}},
                1e-11);
}

// NetworkX 3.6.1: pagerank(G, tol=1e-14), and with personalization={"Cosette": 1}.
TEST(RankingFigures, LesMiserables) {
  const std::string path = test::shared_data("graph_karate/lesmis_edges.txt");
  if (path.empty()) GTEST_SKIP() << "graph_karate is not here";
  const LinkGraph graph = read_links(path, {.undirected = true});
  EXPECT_EQ(graph.vertices(), 77);
  PagerankOptions options{.tolerance = 1e-13};
  expect_scores(graph, pagerank(graph, options).scores,
                {{"Valjean", 0.09955810825408949},
                 {"Marius", 0.05166810804826375},
                 {"Myriel", 0.039231579306223126},
                 {"Cosette", 0.03690957398299625},
                 {"Enjolras", 0.03661679882516038}},
                1e-12);
  options.restart = {{graph.require("Cosette"), 1.0}};
  expect_scores(graph, pagerank(graph, options).scores,
                {{"Cosette", 0.20492248144589711},
                 {"Valjean", 0.15000878553626984},
                 {"Marius", 0.09929544144851392},
                 {"Thenardier", 0.03584832820714372},
                 {"Enjolras", 0.03078058159929341}},
                1e-12);
}

// NetworkX 3.6.1: pagerank(G, tol=1e-15), hits(G, tol=1e-14).
TEST(RankingFigures, PoliticalBlogs) {
  const std::string path = test::shared_data("graph_polblogs/polblogs.gml");
  if (path.empty()) GTEST_SKIP() << "graph_polblogs is not here";
  const LinkGraph graph = read_links(path);
  expect_scores(graph, pagerank(graph, {.tolerance = 1e-13}).scores,
                {{"dailykos.com", 0.017906956878477112},
                 {"atrios.blogspot.com", 0.01519796770532251},
                 {"instapundit.com", 0.012567547037048845},
                 {"blogsforbush.com", 0.01245509068061276},
                 {"talkingpointsmemo.com", 0.012408479727063234}},
                1e-11);
  const auto result = hits(graph, {.tolerance = 1e-12});
  expect_scores(graph, result.authorities,
                {{"dailykos.com", 0.015058352464579206},
                 {"talkingpointsmemo.com", 0.014465380754708802},
                 {"atrios.blogspot.com", 0.014099662868686887}},
                1e-10);
  expect_scores(graph, result.hubs,
                {{"politicalstrategy.org", 0.006870982668396621},
                 {"madkane.com/notable.html", 0.0062055243980919765},
                 {"liberaloasis.com", 0.006144214578972653}},
                1e-10);
}

}  // namespace
}  // namespace fewdim
