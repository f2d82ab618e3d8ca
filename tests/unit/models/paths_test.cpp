// What a model of paths must hold before it is trusted: a file may say anything.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "fewdim/error.hpp"
#include "fewdim/isomap.hpp"
#include "models/shapes/shapes.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

Model sample(IsomapOptions options = {}) {
  static const Matrix<double> x = test::sample(40, 3);
  options.neighborhood.k = 8;
  options.neighborhood.disconnected = Disconnected::bridge;
  return fit_isomap(x, options);
}

void expect_refused(const Model& model, const std::function<void(KernelModel&)>& spoil, const char* part) {
  KernelModel shape = model.kernel();
  EXPECT_NO_THROW(require_sound(model.head(), shape, model.embedding(), "m"));
  spoil(shape);
  try {
    require_sound(model.head(), shape, model.embedding(), "m");
    FAIL() << part;
  } catch (const DataError& e) {
    EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
  }
}

TEST(Paths, LinksAreInTheGraphInOrderAndFinite) {
  const Model model = sample();
  expect_refused(
      model, [](KernelModel& m) { m.paths.links[3].second = 40; }, "does not belong");
  expect_refused(
      model, [](KernelModel& m) { m.paths.links[3].first = -1; }, "does not belong");
  expect_refused(
      model, [](KernelModel& m) { m.paths.links[3].length = std::nan(""); }, "does not belong");
  expect_refused(
      model, [](KernelModel& m) { m.paths.links[3].length = -1.0; }, "does not belong");
  expect_refused(
      model, [](KernelModel& m) { std::swap(m.paths.links[3], m.paths.links[4]); }, "does not belong");
}

TEST(Paths, TheGraphIsWhole) {
  const Model model = sample();
  expect_refused(
      model, [](KernelModel& m) { std::erase_if(m.paths.links, [](const Link& l) { return l.first == 0; }); },
      "2 parts");
  expect_refused(
      model, [](KernelModel& m) { m.paths.links.resize(5); }, "can't connect");
  expect_refused(
      model, [](KernelModel& m) { m.paths.vertices = 39; }, "don't fit");
  const Model landmarks = sample({.landmarks = 10});
  // A number of vertices that nothing else bounds must not be allocated first.
  expect_refused(
      landmarks,
      [](KernelModel& m) {
        m.objects.resize(0, 0);
        m.paths.vertices = 2'000'000'000;
      },
      "can't connect");
  expect_refused(
      landmarks, [](KernelModel& m) { m.paths.landmarks[2] = m.paths.landmarks[1]; }, "does not rise");
  expect_refused(
      landmarks, [](KernelModel& m) { m.paths.landmarks[9] = 40; }, "does not rise");
  expect_refused(
      landmarks, [](KernelModel& m) { m.paths.landmarks.pop_back(); }, "don't fit");
}

TEST(Paths, SomethingSaysHowNewObjectsAreLinked) {
  const Model model = sample();
  expect_refused(
      model, [](KernelModel& m) { m.paths.neighbors = 0; }, "don't say how");
  expect_refused(
      model, [](KernelModel& m) { m.paths.radius = 1.0; }, "don't say how");
  expect_refused(
      model, [](KernelModel& m) { m.paths.radius = std::nan(""); }, "don't say how");
}

TEST(Paths, KeptGeodesicsFitTheGraph) {
  const Model model = sample({.landmarks = 10, .geodesics = true});
  expect_refused(
      model, [](KernelModel& m) { m.paths.geodesics.conservativeResize(9, 40); }, "9x40, not 10x40");
  expect_refused(
      model, [](KernelModel& m) { m.paths.geodesics(3, 3) = INFINITY; }, "not finite");
}

}  // namespace
}  // namespace fewdim
