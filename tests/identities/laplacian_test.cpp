#include "fewdim/laplacian.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <numeric>

#include "fewdim/generate.hpp"
#include "fewdim/model_bytes.hpp"
#include "support/data.hpp"
#include "support/embedding.hpp"

namespace fewdim {
namespace {

using std::numbers::pi;
using test::distances_of, test::expect_same, test::measure, test::refusal;

Matrix<double> chain(Index n, bool closed) {
  Matrix<double> w = Matrix<double>::Zero(n, n);
  for (Index i = 0; i + 1 < n; ++i) w(i, i + 1) = w(i + 1, i) = 1.0;
  if (closed) w(0, n - 1) = w(n - 1, 0) = 1.0;
  return w;
}

LaplacianOptions of_graph(Index components, Normalization normalization, LinkWeights weights = LinkWeights::given) {
  return {.components = components, .graph = true, .weights = weights, .normalization = normalization};
}

Matrix<double> roll(Index rows, Seed seed = 0) {
  return generate("swiss-roll", {.rows = rows, .noise = 0.0, .seed = seed}).matrix<double>();
}

/// The training objects that a new object at these distances is linked to.
std::vector<Index> linked(const NeighborModel& model, const Vector<double>& distances) {
  std::vector<Index> order(static_cast<std::size_t>(distances.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, {}, [&](Index j) { return distances[j]; });
  const auto chosen = static_cast<std::size_t>(model.neighbors + (model.own == OwnLink::ignored ? 0 : 1));
  std::vector<Index> out(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(chosen));
  for (std::size_t a = chosen; a < order.size() && model.reach.size() > 0; ++a)
    if (distances[order[a]] <= model.reach[order[a]]) out.push_back(order[a]);
  return out;
}

// Of a path of n vertices: 2 − 2cos(πj/n), cosines for vectors.
TEST(LaplacianIdentities, PathHasItsClosedForm) {
  for (const Index n : {20, 1000}) {  // dense, and by a factor
    const Model model = fit_laplacian(chain(n, false), of_graph(6, Normalization::unnormalized));
    for (Index j = 1; j <= 6; ++j) {
      const double angle = pi * static_cast<double>(j) / static_cast<double>(n);
      const double truth = 2.0 - 2.0 * std::cos(angle);
      EXPECT_NEAR(model.spectrum().explained_variance[j - 1], truth, 1e-14 + 1e-9 * truth) << n << ' ' << j;
      Vector<double> wave(n);
      for (Index i = 0; i < n; ++i) wave[i] = std::numbers::sqrt2 * std::cos(angle * (static_cast<double>(i) + 0.5));
      expect_same(model.embedding().col(j - 1), wave, 1e-7);
    }
  }
}

// Of a cycle: 2 − 2cos(2πj/n), each twice.
TEST(LaplacianIdentities, CycleHasDoubleEigenvalues) {
  for (const Index n : {21, 1000}) {
    const Model model = fit_laplacian(chain(n, true), of_graph(6, Normalization::unnormalized));
    for (Index j = 0; j < 6; ++j) {
      const double truth = 2.0 - 2.0 * std::cos(2.0 * pi * static_cast<double>(j / 2 + 1) / static_cast<double>(n));
      EXPECT_NEAR(model.spectrum().explained_variance[j], truth, 1e-14 + 1e-9 * truth) << n << ' ' << j;
      EXPECT_EQ(model.certificate().groups[static_cast<std::size_t>(j)],
                model.certificate().groups[static_cast<std::size_t>(j / 2 * 2)]);
    }
    // In the plane of the first two the cycle is a circle.
    const Vector<double> radii = model.embedding().leftCols(2).rowwise().norm();
    EXPECT_LE(radii.maxCoeff() - radii.minCoeff(), 1e-6);
  }
}

// Of the complete graph: n, n − 1 times; normalized n/(n−1).
TEST(LaplacianIdentities, CompleteGraphHasOneEigenvalue) {
  const Matrix<double> w = Matrix<double>::Ones(12, 12) - Matrix<double>::Identity(12, 12);
  EXPECT_LE((fit_laplacian(w, of_graph(11, Normalization::unnormalized)).spectrum().explained_variance.array() - 12.0)
                .abs()
                .maxCoeff(),
            1e-12);
  EXPECT_LE(
      (fit_laplacian(w, of_graph(11, Normalization::symmetric)).spectrum().explained_variance.array() - 12.0 / 11.0)
          .abs()
          .maxCoeff(),
      1e-12);
}

TEST(LaplacianIdentities, RandomWalkIsSymmetricOverTheRootOfTheDegree) {
  const Matrix<double> x = roll(600);
  const Model walk = fit_laplacian(x, {.components = 3});
  const Model symmetric = fit_laplacian(x, {.components = 3, .normalization = Normalization::symmetric});
  EXPECT_LE(test::distance(walk.spectrum().explained_variance, symmetric.spectrum().explained_variance), 1e-12);
  // scales of the symmetric one are d^−½.
  Matrix<double> divided = symmetric.neighbor().scales.asDiagonal() * symmetric.embedding();
  for (Index c = 0; c < 3; ++c) divided.col(c) *= walk.embedding().col(c).norm() / divided.col(c).norm();
  expect_same(divided, walk.embedding(), 1e-7);
}

TEST(LaplacianIdentities, EveryWeightIsOneInTheLimit) {
  const Matrix<double> x = roll(500, 3);
  const Model hot = fit_laplacian(x, {.bandwidth = 1e9});
  const Model binary = fit_laplacian(x, {.weights = LinkWeights::binary});
  expect_same(hot.embedding(), binary.embedding(), 1e-6);
  EXPECT_EQ(measure(hot, "bandwidth"), 1e9);
}

TEST(LaplacianIdentities, DefaultBandwidthIsTheMedianSquaredLength) {
  // Three links of length 1, 2 and 5: each stands twice in the graph.
  Matrix<double> lengths = Matrix<double>::Zero(4, 4);
  lengths(0, 1) = lengths(1, 0) = 1.0, lengths(1, 2) = lengths(2, 1) = 2.0, lengths(2, 3) = lengths(3, 2) = 5.0;
  EXPECT_EQ(measure(fit_laplacian(lengths, {.components = 1, .graph = true}), "bandwidth"), 4.0);
}

TEST(LaplacianIdentities, RowsDistancesAndGraphsAreTheSame) {
  const Matrix<double> x = roll(300, 2), distances = distances_of(x, x), fresh = roll(15, 9);
  const Model rows = fit_laplacian(x), given = fit_laplacian(distances);
  expect_same(given.embedding(), rows.embedding(), 1e-7);
  expect_same(given.transform(distances_of(fresh, x)), rows.transform(fresh), 1e-7);
}

// With their own links, training objects satisfy the equation that places new ones.
TEST(LaplacianIdentities, PlacesAVertexByItsLinksAtItsOwnPlace) {
  Matrix<double> w = chain(40, false);
  for (Index i = 0; i < 37; ++i) w(i, i + 3) = w(i + 3, i) = 0.25 + 0.01 * static_cast<double>(i);
  for (const Normalization normalization :
       {Normalization::random_walk, Normalization::symmetric, Normalization::unnormalized})
    for (const LinkWeights weights : {LinkWeights::given, LinkWeights::heat, LinkWeights::binary}) {
      const Model model = fit_laplacian(w, of_graph(3, normalization, weights));
      EXPECT_LE((model.transform(w) - model.embedding()).cwiseAbs().maxCoeff(), 1e-9);
    }
  const Model diffusion =
      fit_diffusion(w, {.components = 3, .graph = true, .weights = LinkWeights::given, .alpha = 0.5});
  EXPECT_LE((diffusion.transform(w) - diffusion.embedding()).cwiseAbs().maxCoeff(), 1e-9);
}

// y times something from 1 − λ to 1 is a mean of the places of its links, with weights that are not negative.
TEST(LaplacianIdentities, NewPointsComeBetweenTheirNeighbors) {
  const Matrix<double> x = roll(2000, 1), fresh = roll(200, 7), near = distances_of(fresh, x);
  for (const Model& model : {fit_laplacian(x), fit_diffusion(x)}) {
    const Matrix<double> placed = model.transform(fresh), lower = placed * model.neighbor().factors.asDiagonal();
    for (Index i = 0; i < 200; ++i) {
      const std::vector<Index> links = linked(model.neighbor(), near.row(i).transpose());
      for (Index c = 0; c < 2; ++c) {
        double low = INFINITY, high = -INFINITY;
        for (const Index j : links) {
          low = std::min(low, model.embedding()(j, c));
          high = std::max(high, model.embedding()(j, c));
        }
        EXPECT_GE(std::max(placed(i, c), lower(i, c)), low - 1e-12) << i;
        EXPECT_LE(std::min(placed(i, c), lower(i, c)), high + 1e-12) << i;
      }
    }
  }
}

/// The largest distance between the places of rows that were moved by a hair and those of the rows, beside the map's
/// spread.
double jump(const Model& model, const Matrix<double>& moved) {
  const Matrix<double>& y = model.embedding();
  const Matrix<double> off = model.transform(moved) - y;
  const Eigen::RowVectorXd center = y.colwise().mean();
  return off.rowwise().norm().maxCoeff() / std::sqrt((y.rowwise() - center).rowwise().squaredNorm().mean());
}

// A training row is placed at its own place, and a row next to it beside that: links to those it chose and to those
// that chose it, and a link to itself as the graph has it. Moved by 1e-9, places change by about as much.
TEST(LaplacianIdentities, PlacesDontJumpAtTrainingRows) {
  constexpr double hair = 1e-9, least = 1e-6;  // eigenvectors are known to 1e-8
  const Matrix<double> x = roll(700, 4), moved = x + hair * test::sample(700, 3, 8, 0.0);
  for (const LinkWeights weights : {LinkWeights::heat, LinkWeights::binary}) {
    for (const Normalization normalization :
         {Normalization::random_walk, Normalization::symmetric, Normalization::unnormalized}) {
      const Model model = fit_laplacian(x, {.components = 3, .weights = weights, .normalization = normalization});
      EXPECT_LE(jump(model, moved), least) << static_cast<int>(normalization);
    }
    for (const double alpha : {0.0, 0.5, 1.0})
      EXPECT_LE(jump(fit_diffusion(x, {.components = 3, .weights = weights, .alpha = alpha, .time = 1.0}), moved),
                least)
          << alpha;
  }
  LaplacianOptions options{.components = 3};
  EXPECT_LE(jump(fit_laplacian(distances_of(x, x), options), distances_of(moved, x)), least);
  options.metric = Metric::manhattan;
  EXPECT_LE(jump(fit_laplacian(x, options), moved), least);
  options = {.components = 3};
  options.neighborhood.radius = 5.0;
  EXPECT_LE(jump(fit_laplacian(x, options), moved), least);
}

// Halfway between two training rows the link to the nearest is one like the others, whichever of them that is.
TEST(LaplacianIdentities, PlacesDontJumpWhereTheNearestRowChanges) {
  const Matrix<double> x = roll(700, 4), d = distances_of(x, x);
  Matrix<double> before(100, 3), after(100, 3);
  for (Index i = 0; i < 100; ++i) {
    Index nearest = 0;
    Vector<double> row = d.row(i);
    row[i] = INFINITY;
    row.minCoeff(&nearest);
    const Eigen::RowVectorXd middle = 0.5 * (x.row(i) + x.row(nearest)), step = 1e-9 * (x.row(nearest) - x.row(i));
    before.row(i) = middle - step;
    after.row(i) = middle + step;
  }
  for (const Normalization normalization : {Normalization::random_walk, Normalization::symmetric}) {
    const Model model = fit_laplacian(x, {.components = 3, .normalization = normalization});
    expect_same(model.transform(before), model.transform(after), 1e-7);
  }
}

// Models of before say nothing of a vertex's own link: their new points have the k nearest alone, as they had.
TEST(LaplacianIdentities, ModelsWithoutAReachPlaceAsTheyDid) {
  const Matrix<double> x = roll(400, 1), fresh = roll(30, 7), near = distances_of(fresh, x);
  const Model model = fit_laplacian(x);
  NeighborModel shape = model.neighbor();
  ASSERT_EQ(shape.reach.size(), 400);
  shape.own = OwnLink::ignored;
  shape.reach = {};
  const std::string bytes = model_bytes(Model(model.head(), shape));
  EXPECT_EQ(bytes.find("own_link"), std::string::npos);  // such a file is what was written then
  EXPECT_NE(model_bytes(model).find("own_link"), std::string::npos);
  const Matrix<double> placed = model_from_bytes(bytes, "model").transform(fresh);
  const Matrix<double> again = model_from_bytes(model_bytes(model), "model").transform(fresh);
  EXPECT_EQ(again, model.transform(fresh));
  for (Index i = 0; i < 30; ++i) {
    Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(2);
    double weight = 0.0;
    for (const Index j : linked(shape, near.row(i).transpose())) {
      const double w = std::exp(-near(i, j) * near(i, j) / shape.bandwidth);
      sum += w * shape.configuration.row(j);
      weight += w;
    }
    for (Index c = 0; c < 2; ++c) EXPECT_NEAR(placed(i, c), sum[c] / weight / shape.factors[c], 1e-12);
  }
}

// On a grid neighbors are equally far, and which of them count is a matter of their numbers: places jump, and it is
// said how far.
TEST(LaplacianIdentities, JumpsThatTiesLeaveAreMeasured) {
  Matrix<double> grid(144, 2);
  for (Index i = 0; i < 144; ++i) grid.row(i) << static_cast<double>(i % 12), 1.1 * static_cast<double>(i / 12);
  LaplacianOptions options{.components = 2};
  options.neighborhood.k = 5;
  const double largest = measure(fit_laplacian(grid, options), "jump_at_training_rows");
  EXPECT_GT(largest, 1e-3);
  EXPECT_LT(largest, 1.0);
  const Model plain = fit_laplacian(roll(300, 2));
  EXPECT_FALSE(find_diagnostic(plain.head().diagnostics, "jump_at_training_rows"));
}

TEST(DiffusionIdentities, WithoutDensityAndTimeIsTheRandomWalkLaplacian) {
  Matrix<double> w = chain(60, false);
  for (Index i = 0; i < 57; ++i) w(i, i + 3) = w(i + 3, i) = 0.5;
  const Model laplacian = fit_laplacian(w, of_graph(3, Normalization::random_walk));
  const Model diffusion =
      fit_diffusion(w, {.components = 3, .graph = true, .weights = LinkWeights::given, .alpha = 0.0, .time = 0.0});
  expect_same(diffusion.embedding(), laplacian.embedding(), 1e-9);
  EXPECT_LE((diffusion.spectrum().explained_variance.array() + laplacian.spectrum().explained_variance.array() - 1.0)
                .abs()
                .maxCoeff(),
            1e-12);
}

// Σ_j (p_t(i,j) − p_t(l,j))²/π_j is the squared distance of i and l in the map of all coordinates (Coifman & Lafon
// 2006).
TEST(DiffusionIdentities, DistancesAreThoseOfTheWalk) {
  const Matrix<double> x = test::sample(12, 2, 5, 0.0);
  DiffusionOptions o{.components = 8, .bandwidth = 2.0, .alpha = 1.0, .time = 4.0};
  o.neighborhood.k = 11;
  const Model model = fit_diffusion(x, o);
  const Matrix<double> squares = distances_of(x, x).cwiseAbs2();
  Matrix<double> w = (-squares.array() / 2.0).exp();
  const Vector<double> q = w.rowwise().sum();
  w = q.cwiseInverse().asDiagonal() * w * q.cwiseInverse().asDiagonal();
  const Vector<double> d = w.rowwise().sum(), stationary = d / d.sum();
  const Matrix<double> p = d.cwiseInverse().asDiagonal() * w, p4 = p * p * p * p;
  const Matrix<double>& y = model.embedding();
  for (Index i = 0; i < 12; ++i)
    for (Index l = 0; l < i; ++l) {
      const double truth = ((p4.row(i) - p4.row(l)).array().square() / stationary.transpose().array()).sum();
      // The three coordinates left out have μ⁸ below 1e-9.
      EXPECT_NEAR((y.row(i) - y.row(l)).squaredNorm(), truth, 1e-6) << i << ' ' << l;
    }
}

TEST(LaplacianIdentities, RefusesWhatItCantDo) {
  const Matrix<double> x = roll(200);
  EXPECT_NE(refusal([&] { fit_laplacian(x, {.weights = LinkWeights::given}); }).find("give --graph"),
            std::string::npos);
  EXPECT_NE(refusal([&] { fit_laplacian(x, {.bandwidth = 1e-6}); }).find("raise --bandwidth"), std::string::npos);
  EXPECT_NE(refusal([&] { fit_laplacian(Matrix<double>(Matrix<double>::Ones(30, 2))); }).find("length 0"),
            std::string::npos);
  const Model model = fit_laplacian(x, {.normalization = Normalization::unnormalized});
  Matrix<double> far(1, 3);
  far << 1e3, 0.0, 0.0;
  EXPECT_NE(refusal([&] { model.transform(far); }).find("row 1 is too far"), std::string::npos);
  EXPECT_TRUE(fit_laplacian(x).transform(far).allFinite());
  EXPECT_LE(fit_laplacian(x, {.normalization = Normalization::symmetric}).transform(far).norm(), 1e-9);  // the origin
}

// Two clusters a thousand widths apart: their distance would weigh exp(−10⁶). A bridge weighs as much as a link whose
// squared length is the bandwidth, so the map of the same graph with links of 1/e in its place is the same.
TEST(LaplacianIdentities, BridgesHoldPartsTogether) {
  Matrix<double> x(60, 2);
  x.topRows(30) = test::sample(30, 2, 1);
  x.bottomRows(30) = test::sample(30, 2, 2).array() + 1000.0;
  const Neighborhood bridged{.k = 6, .disconnected = Disconnected::bridge};
  EXPECT_NE(refusal([&] {
              fit_laplacian(x, {.neighborhood = {.k = 6, .disconnected = Disconnected::error}});
            }).find("2 parts"),
            std::string::npos);
  const Model laplacian = fit_laplacian(x, {.components = 1, .neighborhood = bridged});
  const Model diffusion = fit_diffusion(x, {.components = 1, .neighborhood = bridged});
  for (const Model& model : {laplacian, diffusion}) {
    const Vector<double> map = model.embedding().col(0);
    EXPECT_LT(map.head(30).mean() * map.tail(30).mean(), 0.0) << model.head().method;  // a cluster on each side
    expect_same(model.transform(x), model.embedding(), 1e-12);
  }

  const double t = measure(laplacian, "bandwidth");
  Matrix<double> w = Matrix<double>::Zero(60, 60);
  const Matrix<double> d = distances_of(x, x);
  for (Index i = 0; i < 60; ++i) {
    std::vector<Index> near(60);
    std::iota(near.begin(), near.end(), Index{0});
    std::ranges::sort(near, {}, [&](Index j) { return d(i, j); });
    for (Index k = 1; k <= 6; ++k) {
      const Index j = near[static_cast<std::size_t>(k)];
      w(i, j) = w(j, i) = std::exp(-d(i, j) * d(i, j) / t);
    }
  }
  Index first = 0, second = 0;
  d.topRightCorner(30, 30).minCoeff(&first, &second);
  w(first, 30 + second) = w(30 + second, first) = std::exp(-1.0);
  expect_same(laplacian.embedding(), fit_laplacian(w, of_graph(1, Normalization::random_walk)).embedding(), 1e-9);
}

// Two rings, joined by one link whose weight is nothing: two eigenvalues are 0, and the count is checked.
TEST(LaplacianIdentities, HiddenPartsAreFound) {
  const Index n = 500;
  Matrix<double> w = Matrix<double>::Zero(2 * n, 2 * n);
  w.topLeftCorner(n, n) = chain(n, true);
  w.bottomRightCorner(n, n) = chain(n, true);
  w(0, n) = w(n, 0) = 1e-30;
  const std::string text = refusal([&] { fit_laplacian(w, of_graph(2, Normalization::random_walk)); });
  EXPECT_NE(text.find("2 eigenvalues are 0 where a connected graph has one"), std::string::npos) << text;
  w(0, n) = w(n, 0) = 1.0;
  EXPECT_EQ(measure(fit_laplacian(w, of_graph(2, Normalization::random_walk)), "zero_eigenvalues"), 1.0);
}

}  // namespace
}  // namespace fewdim
