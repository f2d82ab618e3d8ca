#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "fewdim/error.hpp"
#include "models/file/model_file.hpp"
#include "models/shapes/shapes.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

Model::Head head_of() {
  Model::Head head;
  head.method = "smacof";
  head.extension = Extension::heuristic;
  head.component_names = {"D1", "D2"};
  return head;
}

/// A map made by hand, of seven objects that come as distances.
StressModel shape_of(Disparity type) {
  StressModel shape;
  shape.metric = Metric::precomputed;
  shape.type = type;
  shape.configuration = test::sample(7, 2, 3, 0.0);
  shape.configuration.rowwise() -= shape.configuration.colwise().mean().eval();
  shape.point_stress = Vector<double>::Constant(7, 1.0 / 7.0);
  shape.explained_variance = Vector<double>::Ones(2);
  if (type == Disparity::ordinal) {
    shape.knots = Vector<double>(3);
    shape.knots << 1.0, 2.0, 4.0;
    shape.knot_heights = Vector<double>(3);
    shape.knot_heights << 0.5, 0.5, 2.5;
  }
  return shape;
}

TEST(StressModel, DisparitiesAreLinesBetweenKnotsAndLevelBeyond) {
  const StressModel ordinal = shape_of(Disparity::ordinal);
  for (const auto& [delta, height] :
       {std::pair{0.1, 0.5}, {1.0, 0.5}, {1.7, 0.5}, {2.0, 0.5}, {3.0, 1.5}, {4.0, 2.5}, {99.0, 2.5}})
    EXPECT_DOUBLE_EQ(disparity_of(ordinal, delta), height) << delta;
  StressModel line = shape_of(Disparity::interval);
  line.shift = -1.0;
  line.factor = 2.0;
  EXPECT_DOUBLE_EQ(disparity_of(line, 3.0), 5.0);
  EXPECT_DOUBLE_EQ(disparity_of(line, 0.25), 0.0);  // no distance is negative
  EXPECT_DOUBLE_EQ(disparity_of(shape_of(Disparity::ratio), 3.0), 3.0);
}

TEST(StressModel, ExactDistancesGiveTheExactPlace) {
  const StressModel shape = shape_of(Disparity::ratio);
  Matrix<double> y(3, 2), d(3, 7);
  y << 0.3, -0.4, 2.0, 1.0, 0.0, 0.0;
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 7; ++j) d(i, j) = (y.row(i) - shape.configuration.row(j)).norm();
  d.row(2).setConstant(5.0);
  d(2, 4) = 0.0;  // at object 5, whatever the others say
  y.row(2) = shape.configuration.row(4);
  const Matrix<double> found = stress_transform(shape, Dataset(d), Precision::float64, {}).matrix<double>();
  EXPECT_LE(test::distance(found.topRows(2), y.topRows(2)), 1e-8);
  EXPECT_EQ(found.row(2), y.row(2));
  EXPECT_EQ(stress_transform(shape, Dataset(d), Precision::float32, {}).precision(), Precision::float32);
  EXPECT_EQ(stress_transform(shape, Dataset(Matrix<double>(0, 7)), Precision::float64, {}).rows(), 0);
}

TEST(StressModel, FileKeepsEveryPart) {
  for (const Disparity type : {Disparity::ratio, Disparity::interval, Disparity::ordinal}) {
    StressModel shape = shape_of(type);
    if (type == Disparity::interval) shape.shift = 0.25, shape.factor = 0.5;
    const Model model(head_of(), shape);
    const Model back = model_of(archive_of(model), "here");
    EXPECT_EQ(back.stress().configuration, shape.configuration);
    EXPECT_EQ(back.stress().knots, shape.knots);
    EXPECT_EQ(back.stress().knot_heights, shape.knot_heights);
    EXPECT_EQ(back.stress().point_stress, shape.point_stress);
    EXPECT_EQ(back.stress().type, type);
    EXPECT_EQ(back.stress().metric, Metric::precomputed);
    EXPECT_EQ(back.stress().shift, shape.shift);
    EXPECT_EQ(back.stress().factor, shape.factor);
    EXPECT_TRUE(back.as<StressModel>());
    EXPECT_FALSE(back.as<LinearModel>());
  }
}

/// The message of the refusal to load what `change` made of a sound model.
template <class Change>
std::string refusal(Change change) {
  StressModel shape = shape_of(Disparity::ordinal);
  change(shape);
  try {
    require_sound(head_of(), shape, {}, "file");
  } catch (const DataError& e) {
    return e.what();
  }
  return "no error";
}

TEST(StressModel, LoadRefusesWhatIsNoMap) {
  EXPECT_EQ(refusal([](StressModel&) {}), "no error");
  EXPECT_EQ(refusal([](StressModel& m) { m.configuration(2, 1) = NAN; }),
            "file: 'configuration' holds nan, which is not finite");
  EXPECT_EQ(refusal([](StressModel& m) { m.configuration.resize(1, 2); }),
            "file: 1 objects and 2 components are no map");
  EXPECT_EQ(refusal([](StressModel& m) { m.knots[1] = 1.0; }), "file: knot 2 of the disparities is out of order");
  EXPECT_EQ(refusal([](StressModel& m) { m.knot_heights[2] = 0.1; }),
            "file: knot 3 of the disparities is out of order");
  EXPECT_NE(refusal([](StressModel& m) { m.knots.resize(2); }).find("are no disparities"), std::string::npos);
  EXPECT_NE(refusal([](StressModel& m) { m.type = Disparity::ratio; }).find("are no disparities"), std::string::npos);
  EXPECT_NE(refusal([](StressModel& m) { m.point_stress[3] = 1.5; }).find("from 0 to 1"), std::string::npos);
  EXPECT_NE(refusal([](StressModel& m) { m.point_stress.resize(6); }).find("has 6 entries"), std::string::npos);
  EXPECT_NE(refusal([](StressModel& m) { m.metric = Metric::euclidean; }).find("the metric is"), std::string::npos);
  EXPECT_NE(refusal([](StressModel& m) {
              m.metric = Metric::automatic;
              m.objects = Matrix<double>::Zero(7, 3);
            }).find("the metric is"),
            std::string::npos);
  EXPECT_NE(refusal([](StressModel& m) { m.objects = Matrix<double>::Zero(5, 3); }).find("'objects'"),
            std::string::npos);
  EXPECT_NE(refusal([](StressModel& m) { m.shift = INFINITY; }).find("not finite"), std::string::npos);
  EXPECT_NE(refusal([](StressModel& m) { m.factor = -1.0; }).find("fall"), std::string::npos);
  EXPECT_NE(refusal([](StressModel& m) { m.explained_variance.resize(3); }).find("explained_variance"),
            std::string::npos);
}

}  // namespace
}  // namespace fewdim
