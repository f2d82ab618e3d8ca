#include "fewdim/isomap.hpp"

#include <gtest/gtest.h>

#include "fewdim/generate.hpp"
#include "fewdim/mds.hpp"
#include "support/data.hpp"
#include "support/embedding.hpp"

namespace fewdim {
namespace {

using test::distances_of, test::expect_same, test::measure, test::refusal;

IsomapOptions with_neighbors(Index k, IsomapOptions o = {}) {
  o.neighborhood.k = k;
  return o;
}

/// Two clouds of 30 points, ten apart.
Matrix<double> two_clouds() {
  Matrix<double> x = 0.1 * test::sample(60, 3, 1, 0.0);
  x.bottomRows(30).col(0).array() += 10.0;
  return x;
}

Matrix<double> roll(Index rows, Seed seed = 0) {
  return generate("swiss-roll", {.rows = rows, .noise = 0.0, .seed = seed}).matrix<double>();
}

const Matrix<double> x = test::sample(90, 5), fresh = test::sample(13, 5, 8);

TEST(IsomapIdentities, AllAsNeighborsIsMds) {
  const Model isomap = fit_isomap(x, with_neighbors(89, {.components = 3}));
  const Model mds = fit_mds(x, {.components = 3});
  expect_same(isomap.embedding(), mds.embedding(), 1e-11);
  IsomapOptions all{.components = 3};
  all.neighborhood.radius = 1e3;  // links a new object to all, too
  expect_same(fit_isomap(x, all).transform(fresh), mds.transform(fresh), 1e-11);
  EXPECT_LE(test::distance(isomap.spectrum().explained_variance, mds.spectrum().explained_variance),
            1e-11 * mds.spectrum().explained_variance[0]);
}

TEST(IsomapIdentities, AllAsLandmarksIsTheFullOne) {
  const Matrix<double> points = roll(400), others = roll(50, 7);
  const Model full = fit_isomap(points, with_neighbors(8));
  for (const LandmarkChoice choice : {LandmarkChoice::maxmin, LandmarkChoice::random}) {
    const Model landmarks = fit_isomap(points, with_neighbors(8, {.landmarks = 400, .choice = choice}));
    expect_same(landmarks.embedding(), full.embedding(), 1e-10);
    expect_same(landmarks.transform(others), full.transform(others), 1e-10);
    for (const char* name : {"residual_variance_1", "residual_variance_2", "residual_variance_5"})
      EXPECT_NEAR(measure(landmarks, name), measure(full, name), 1e-10);
  }
}

TEST(IsomapIdentities, RowsDistancesAndGraphsAreTheSame) {
  const Matrix<double> points = roll(300);
  const Matrix<double> distances = distances_of(points, points);
  const Model rows = fit_isomap(points, with_neighbors(7));
  const Model given = fit_isomap(Dataset(distances), with_neighbors(7));
  Matrix<double> lengths = Matrix<double>::Zero(300, 300);
  for (const Link& link : rows.kernel().paths.links)
    lengths(link.first, link.second) = lengths(link.second, link.first) = link.length;
  const Model graph = fit_isomap(Dataset(lengths), {.graph = true});
  const Model sparse = fit_isomap(Dataset(test::to_csr(lengths)), {.graph = true});
  expect_same(given.embedding(), rows.embedding(), 1e-11);
  expect_same(graph.embedding(), rows.embedding(), 1e-11);
  expect_same(sparse.embedding(), rows.embedding(), 1e-11);
  // New objects come as distances, or as links; a training object comes to its own place either way.
  const Matrix<double> others = roll(20, 7);
  expect_same(given.transform(distances_of(others, points)), rows.transform(others), 1e-10);
  expect_same(given.transform(distances), given.embedding(), 1e-10);
  expect_same(graph.transform(lengths), graph.embedding(), 1e-10);
}

TEST(IsomapIdentities, TrainingPointsComeToTheirPlaces) {
  const Matrix<double> points = roll(700);
  for (IsomapOptions o : {with_neighbors(8), with_neighbors(8, {.landmarks = 60}),
                          with_neighbors(8, {.landmarks = 60, .geodesics = true}),
                          with_neighbors(8, {.geodesics = true}), with_neighbors(8, {.metric = Metric::manhattan})}) {
    const Model model = fit_isomap(points, o);
    expect_same(model.transform(points), model.embedding(), 1e-10);
  }
  IsomapOptions radius;
  radius.neighborhood.radius = 4.0;
  const Model model = fit_isomap(points, radius);
  expect_same(model.transform(points), model.embedding(), 1e-10);
}

TEST(IsomapIdentities, KeptGeodesicsPlaceAsASearchDoes) {
  const Matrix<double> points = roll(500), others = roll(80, 3);
  for (const Index landmarks : {Index{0}, Index{40}}) {
    const Model searched = fit_isomap(points, with_neighbors(8, {.landmarks = landmarks}));
    const Model kept = fit_isomap(points, with_neighbors(8, {.landmarks = landmarks, .geodesics = true}));
    expect_same(kept.transform(others), searched.transform(others), 1e-11);
  }
}

TEST(Isomap, UnrollsTheSwissRoll) {
  // Without noise the sheet is flat and convex: two coordinates have almost all, a third adds nothing.
  const Model model = fit_isomap(roll(1500), with_neighbors(8));
  EXPECT_LT(measure(model, "residual_variance_2"), 1e-3);
  EXPECT_GT(measure(model, "residual_variance_1"), 2e-2);
  EXPECT_EQ(measure(model, "elbow"), 2.0);
}

TEST(Isomap, ResidualVarianceIsThatOfItsDefinition) {
  const Matrix<double> points = roll(600);
  const Model model = fit_isomap(points, with_neighbors(8, {.components = 3, .geodesics = true}));
  const Matrix<double>& g = model.kernel().paths.geodesics;
  for (const Index d : {1, 2, 3}) {
    const Matrix<double> y = model.embedding().leftCols(d);
    const Matrix<double> mapped = distances_of(y, y);
    double n = 0, sg = 0, sm = 0, sgg = 0, smm = 0, sgm = 0;
    for (Index i = 0; i < 600; ++i)
      for (Index j = 0; j < i; ++j) {
        n += 1, sg += g(i, j), sm += mapped(i, j), sgg += g(i, j) * g(i, j), smm += mapped(i, j) * mapped(i, j);
        sgm += g(i, j) * mapped(i, j);
      }
    const double r = (sgm - sg * sm / n) / std::sqrt((sgg - sg * sg / n) * (smm - sm * sm / n));
    EXPECT_NEAR(measure(model, fmt::format("residual_variance_{}", d)), 1.0 - r * r, 1e-10);
  }
}

TEST(Isomap, SingleStorageIsCloseToDouble) {
  const Matrix<double> points = roll(900);
  const Model wide = fit_isomap(points, with_neighbors(8));
  const Model narrow = fit_isomap(points, with_neighbors(8, {.storage = GeodesicStorage::float32}));
  expect_same(narrow.embedding(), wide.embedding(), 1e-5);  // float32 has 6e-8, paths add up, and √λ divides
}

TEST(Isomap, DisconnectedGraphsAreNamedBridgedOrCut) {
  const Matrix<double> points = two_clouds();
  IsomapOptions o = with_neighbors(5);
  EXPECT_EQ(o.neighborhood.disconnected, Disconnected::bridge);  // the default of every front
  o.neighborhood.disconnected = Disconnected::error;
  const std::string text = refusal([&] { fit_isomap(points, o); });
  EXPECT_NE(text.find("2 parts (sizes 30, 30)"), std::string::npos) << text;
  EXPECT_NE(text.find("--disconnected bridge"), std::string::npos) << text;

  o.neighborhood.disconnected = Disconnected::bridge;
  const Model bridged = fit_isomap(points, o);
  EXPECT_TRUE(bridged.embedding().allFinite());
  EXPECT_EQ(bridged.embedding().rows(), 60);
  expect_same(bridged.transform(points), bridged.embedding(), 1e-10);
  ASSERT_EQ(bridged.certificate().warnings.size(), 1u);
  EXPECT_NE(bridged.certificate().warnings[0].find("joined by 1 link"), std::string::npos);

  o.neighborhood.disconnected = Disconnected::largest;
  for (const bool given : {false, true}) {
    const Matrix<double> cut = points.topRows(50), data = given ? distances_of(cut, cut) : cut;
    const Model largest = fit_isomap(data, o);
    EXPECT_EQ(largest.embedding().rows(), 30);
    ASSERT_EQ(largest.left_out().size(), 20u);
    EXPECT_EQ(largest.left_out()[0], 30);
    const Matrix<double> again = largest.transform(data);
    expect_same(again.topRows(30), largest.embedding(), 1e-10);
    EXPECT_TRUE(again.allFinite());  // those left out are placed as new objects
  }
}

TEST(Isomap, DuplicatesHaveOnePlace) {
  const Matrix<double> points = roll(200).replicate(2, 1);
  IsomapOptions o = with_neighbors(10);
  o.neighborhood.disconnected = Disconnected::bridge;
  const Model model = fit_isomap(points, o);
  EXPECT_LE(test::distance(model.embedding().topRows(200), model.embedding().bottomRows(200)),
            1e-9 * model.embedding().cwiseAbs().maxCoeff());
}

TEST(Isomap, RefusesWithTheRemedy) {
  const auto expect = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  expect(refusal([] { fit_isomap(x, with_neighbors(90)); }), "between 1 and 89");
  expect(refusal([] { fit_isomap(x, with_neighbors(0)); }), "between 1 and 89");
  expect(refusal([] { fit_isomap(x, with_neighbors(20, {.landmarks = 91})); }), "landmarks");
  expect(refusal([] { fit_isomap(x, with_neighbors(20, {.components = 5, .landmarks = 4})); }), "between 1 and 3");
  expect(refusal([] { fit_isomap(x, with_neighbors(20, {.components = Components::parse("auto")})); }), "criterion");
  IsomapOptions radius;
  radius.neighborhood.disconnected = Disconnected::error;
  radius.neighborhood.radius = 1e-3;
  expect(refusal([&] { fit_isomap(x, radius); }), "90 parts");
  radius.neighborhood.radius = -1.0;
  expect(refusal([&] { fit_isomap(x, radius); }), "above 0");
  Matrix<double> graph = Matrix<double>::Zero(4, 4);
  graph(0, 1) = 1.0, graph(1, 2) = -1.0;
  expect(refusal([&] { fit_isomap(Dataset(graph), {.graph = true}); }), "length -1");
  graph(1, 2) = 1.0;
  expect(refusal([&] { fit_isomap(Dataset(graph), {.graph = true}); }), "2 parts");
  expect(refusal([&] { fit_isomap(Dataset(Matrix<double>(graph.topRows(3))), {.graph = true}); }), "square");
  expect(refusal([] { fit_isomap(x, with_neighbors(9), {.memory_limit = 60'000}); }), "--landmarks");
  // A new object without a neighbor.
  radius.neighborhood.radius = 5.0;
  const Model model = fit_isomap(x, radius);
  Matrix<double> far = fresh;
  far.row(3).array() += 1000.0;
  expect(refusal([&] { model.transform(far); }), "row 4 has no neighbor within the model's radius of 5");
  EXPECT_NE(refusal([&] { model.transform(test::sample(3, 4)); }).find("5 features"), std::string::npos);
}

}  // namespace
}  // namespace fewdim
