#include "fewdim/lle.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <numbers>
#include <numeric>

#include "fewdim/generate.hpp"
#include "fewdim/laplacian.hpp"
#include "fewdim/quality.hpp"
#include "support/data.hpp"
#include "support/embedding.hpp"

namespace fewdim {
namespace {

using test::distances_of, test::expect_same, test::measure, test::refusal;

using Fit = Model (*)(const Dataset&, const LleOptions&, const Execution&);
const std::vector<std::pair<std::string, Fit>> family{
    {"lle", fit_lle}, {"modified-lle", fit_modified_lle}, {"ltsa", fit_ltsa}, {"hessian-lle", fit_hessian_lle}};

LleOptions with_neighbors(Index k, LleOptions o = {}) {
  o.neighborhood.k = k;
  return o;
}

Matrix<double> roll(Index rows, Seed seed = 0) {
  return generate("swiss-roll", {.rows = rows, .noise = 0.0, .seed = seed}).matrix<double>();
}

/// Where points of the roll lie on the sheet: arc length of the spiral r = t, and height.
Matrix<double> sheet_of(const Matrix<double>& x) {
  Matrix<double> out(x.rows(), 2);
  for (Index i = 0; i < x.rows(); ++i) {
    const double t = std::hypot(x(i, 0), x(i, 2));
    out.row(i) << 0.5 * (t * std::sqrt(1.0 + t * t) + std::asinh(t)), x(i, 1);
  }
  return out;
}

Matrix<double> with_ones(const Matrix<double>& y) {
  Matrix<double> out(y.rows(), y.cols() + 1);
  out << y, Matrix<double>::Ones(y.rows(), 1);
  return out;
}

/// What the best affine map of y leaves of the sheet, as a share.
double affine_error(const Matrix<double>& y, const Matrix<double>& sheet) {
  const Matrix<double> centered = sheet.rowwise() - sheet.colwise().mean();
  const Matrix<double> a = with_ones(y), best = a.colPivHouseholderQr().solve(centered);
  return (centered - a * best).norm() / centered.norm();
}

/// A flat sheet, 1 by 3, turned into six dimensions.
Matrix<double> flat_sheet(Index rows, Seed seed, Matrix<double>* sheet = nullptr) {
  Matrix<double> s(rows, 2);
  for (Index c = 0; c < 2; ++c) {
    const Random random(seed, static_cast<std::uint32_t>(c));
    for (Index i = 0; i < rows; ++i) s(i, c) = random.uniform(static_cast<std::uint64_t>(i)) * (c == 0 ? 3.0 : 1.0);
  }
  if (sheet) *sheet = s;
  const Matrix<double> turn = Eigen::HouseholderQR<Matrix<double>>(test::sample(6, 6, 9, 0.0)).householderQ();
  return (s * turn.leftCols(2).transpose()).rowwise() + Eigen::RowVectorXd::Constant(6, 5.0);
}

// The errors were measured on this very roll of 2,000 points; scikit-learn's maps have the same to five digits (0.1432,
// 0.01322, 0.005773). LLE bends the sheet, as its weights are regularized; it keeps the neighbors all the same.
TEST(NeighborMaps, UnrollTheSheet) {
  const Matrix<double> x = roll(2000, 1), sheet = sheet_of(x);
  const std::vector<double> most{0.15, 0.014, 0.006, 0.0031};
  for (std::size_t m = 0; m < family.size(); ++m) {
    const Model model = family[m].second(x, {}, {});
    EXPECT_LE(affine_error(model.embedding(), sheet), most[m]) << family[m].first;
    EXPECT_GE(*trustworthiness(Dataset(x), Dataset(model.embedding())).value, 0.99) << family[m].first;
    EXPECT_GE(measure(model, "trustworthiness"), 0.99) << family[m].first;
    // New points come where the training points' affine map has them: a heuristic, so allow the sheet's spacing.
    const Matrix<double> fresh = roll(300, 8), placed = model.transform(fresh);
    const Matrix<double> best = with_ones(model.embedding()).colPivHouseholderQr().solve(sheet);
    const Matrix<double> truth = sheet_of(fresh);
    const double error = (with_ones(placed) * best - truth).norm() / (truth.rowwise() - truth.colwise().mean()).norm();
    EXPECT_LE(error, most[m] + 0.02) << family[m].first;
    // And back: barycentric weights in the map, 2,000 points 0.9 apart on a roll of 84 by 30 units.
    const Matrix<double> back = model.inverse_transform(placed);
    EXPECT_LE((back - fresh).rowwise().norm().mean(), 0.5) << family[m].first;
  }
  // These do not unroll it: their second coordinate is a harmonic of the first. Measured: 0.339 and 0.334.
  EXPECT_LE(affine_error(fit_laplacian(x).embedding(), sheet), 0.345);
  EXPECT_LE(affine_error(fit_diffusion(x).embedding(), sheet), 0.345);
}

TEST(NeighborMaps, CoordinatesHaveUnitVarianceAndNoMean) {
  const Matrix<double> x = roll(700);
  for (const auto& [name, fit] : family) {
    const Matrix<double> y = fit(x, {}, {}).embedding();
    EXPECT_LE(y.colwise().mean().cwiseAbs().maxCoeff(), 1e-10) << name;
    EXPECT_LE((y.transpose() * y / 700.0 - Matrix<double>::Identity(2, 2)).cwiseAbs().maxCoeff(), 1e-10) << name;
  }
}

TEST(NeighborMaps, AnIsometricSheetComesBackUpToAnAffineMap) {
  Matrix<double> sheet;
  const Matrix<double> x = flat_sheet(600, 3, &sheet);
  for (const auto& [name, fit] : family) {
    if (name == "lle" || name == "modified-lle") continue;  // regularized weights are not exact on a flat sheet
    EXPECT_LE(affine_error(fit(x, {}, {}).embedding(), sheet), 1e-6) << name;
    const Model scaled = fit(x, {.scale = MapScale::isometric}, {});
    EXPECT_LE(procrustes(Dataset(sheet), Dataset(scaled.embedding()), {.scaling = false}).disparity, 1e-10) << name;
    EXPECT_LE(measure(scaled, "neighbor_distance_error"), 1e-6) << name;
  }
}

TEST(NeighborMaps, RowOrderDoesNotMatter) {
  const Matrix<double> x = roll(600, 2);
  std::vector<Index> order(600);
  std::iota(order.begin(), order.end(), Index{0});
  for (Index i = 0; i < 600; ++i)
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(i * 7919 % 600)]);
  Matrix<double> shuffled(600, 3), expected(600, 2);
  for (Index i = 0; i < 600; ++i) shuffled.row(i) = x.row(order[static_cast<std::size_t>(i)]);
  for (const auto& [name, fit] : family) {
    const Matrix<double> y = fit(x, {}, {}).embedding();
    for (Index i = 0; i < 600; ++i) expected.row(i) = y.row(order[static_cast<std::size_t>(i)]);
    SCOPED_TRACE(name);
    expect_same(fit(shuffled, {}, {}).embedding(), expected, 1e-6);
  }
}

TEST(NeighborMaps, TurningShiftingAndScalingChangesNothing) {
  const Matrix<double> x = roll(500, 4);
  const Matrix<double> turn = Eigen::HouseholderQR<Matrix<double>>(test::sample(3, 3, 2, 0.0)).householderQ();
  const Matrix<double> moved = (2.5 * x * turn).rowwise() + Eigen::RowVector3d(7.0, -3.0, 11.0);
  for (const auto& [name, fit] : family) {
    SCOPED_TRACE(name);
    expect_same(fit(moved, {}, {}).embedding(), fit(x, {}, {}).embedding(), 1e-6);
  }
}

TEST(NeighborMaps, RowsAndDistancesAreTheSame) {
  const Matrix<double> x = roll(400, 5), distances = distances_of(x, x), fresh = roll(20, 6);
  for (const auto& [name, fit] : family) {
    SCOPED_TRACE(name);
    const Model rows = fit(x, {}, {}), given = fit(distances, {}, {});
    // Squares of distances lose the digits that differences keep: 1e-16·40²/0.9² of a neighborhood, over the gap.
    expect_same(given.embedding(), rows.embedding(), 1e-5);
    expect_same(given.transform(distances_of(fresh, x)), rows.transform(fresh), 1e-5);
    EXPECT_NE(refusal([&] { given.inverse_transform(fresh.leftCols(2).eval()); }).find("no rows"), std::string::npos);
  }
}

TEST(NeighborMaps, EverySolverFindsTheSame) {
  const Matrix<double> x = flat_sheet(350, 4) + 0.01 * test::sample(350, 6, 5, 0.0);
  for (const auto& [name, fit] : family) {
    SCOPED_TRACE(name);
    const Matrix<double> truth = fit(x, {.solver = SmallestRoute::dense}, {}).embedding();
    expect_same(fit(x, {.solver = SmallestRoute::factor}, {}).embedding(), truth, 1e-6);
    expect_same(fit(x, {.solver = SmallestRoute::filter}, {}).embedding(), truth, 1e-6);
  }
}

TEST(NeighborMaps, NeighborsByRadiusAndByAnotherMetric) {
  Matrix<double> sheet;
  const Matrix<double> x = flat_sheet(500, 6, &sheet);
  LleOptions by_radius;
  by_radius.neighborhood.radius = 0.25;
  EXPECT_LE(affine_error(fit_ltsa(x, by_radius).embedding(), sheet), 1e-6);
  const Model cosine = fit_ltsa(x, {.metric = Metric::cosine});
  const Matrix<double> unit = x.rowwise().normalized();
  // The nearest by angle are the nearest on the sphere. Rows of unit length differ in their last bits here, which the
  // small gap of the eigenvalues magnifies: 2e-8 was measured.
  expect_same(cosine.embedding(), fit_ltsa(unit).embedding(), 1e-7);
  const Matrix<double> again = cosine.transform(Matrix<double>(3.0 * x.topRows(50)));  // a scale is no difference
  EXPECT_LE((again - cosine.embedding().topRows(50)).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(NeighborMaps, HessianNamesTheNeighborsItTakes) {
  const Matrix<double> x = roll(100);
  const std::string text = refusal([&] { fit_hessian_lle(x, with_neighbors(5)); });
  EXPECT_NE(text.find("2 components take at least 6"), std::string::npos) << text;
  EXPECT_NE(text.find("--neighbors 6"), std::string::npos) << text;
  EXPECT_EQ(fit_hessian_lle(x, with_neighbors(6)).components(), 2);
}

TEST(NeighborMaps, HessianDropsColumnsThatDependOnOthers) {
  // On a lattice of triangles the six nearest lie on a circle: u² + v² is constant there.
  Matrix<double> x(400, 3);
  for (Index i = 0; i < 400; ++i) {
    const auto row = static_cast<double>(i / 20), column = static_cast<double>(i % 20);
    x.row(i) << column + 0.5 * std::fmod(row, 2.0), row * std::numbers::sqrt3 / 2.0, 0.0;
  }
  const Model model = fit_hessian_lle(x, with_neighbors(6));
  ASSERT_FALSE(model.certificate().warnings.empty());
  EXPECT_NE(model.certificate().warnings.front().find("dropped, in"), std::string::npos);
  EXPECT_TRUE(model.embedding().allFinite());
}

TEST(NeighborMaps, IdenticalNeighborsAreRefusedByName) {
  Matrix<double> x = roll(100);
  for (Index i = 20; i < 36; ++i) x.row(i) = x.row(20);
  for (const auto& [name, fit] : family) {
    const std::string text = refusal(
        [&, &fit = fit] { fit(x, with_neighbors(12, {.neighborhood = {.disconnected = Disconnected::bridge}}), {}); });
    EXPECT_NE(text.find("row 21 (and of 1"), std::string::npos) << name << ": " << text;
  }
}

TEST(NeighborMaps, LargestPartAloneIsTheSameAsThatPart) {
  Matrix<double> x(460, 3);
  x.topRows(400) = roll(400, 3);
  x.bottomRows(60) = roll(60, 4);
  x.bottomRows(60).col(1).array() += 500.0;
  LleOptions largest;
  largest.neighborhood.disconnected = Disconnected::largest;
  for (const auto& [name, fit] : family) {
    SCOPED_TRACE(name);
    const Model model = fit(x, largest, {});
    EXPECT_EQ(std::ssize(model.left_out()), 60);
    expect_same(model.embedding(), fit(Dataset(Matrix<double>(x.topRows(400))), {}, {}).embedding(), 1e-6);
  }
  LleOptions bridge;
  bridge.neighborhood.disconnected = Disconnected::bridge;
  EXPECT_EQ(fit_lle(x, bridge).embedding().rows(), 460);
  expect_same(fit_lle(x).embedding(), fit_lle(x, bridge).embedding(), 1e-12);  // the default
  LleOptions strict;
  strict.neighborhood.disconnected = Disconnected::error;
  EXPECT_NE(refusal([&] { fit_lle(x, strict); }).find("2 parts (sizes 400, 60)"), std::string::npos);
}

}  // namespace
}  // namespace fewdim
