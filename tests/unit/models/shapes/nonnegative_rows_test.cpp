#include "models/shapes/nonnegative_rows.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fewdim/error.hpp"
#include "models/file/model_file.hpp"
#include "models/shapes/shapes.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

Model parts_model(Index features, Index parts, Precision precision = Precision::float64) {
  LinearModel shape;
  shape.row_fit = RowFit::nonnegative;
  shape.map = test::sample(features, parts, 3, 0.2).cwiseAbs();
  if (precision == Precision::float32) shape.map = shape.map.cast<float>().cast<double>().eval();
  shape.regression.ridge = Vector<double>::Constant(parts, 0.25);
  shape.regression.lasso = 0.125;
  shape.total_variance = 7.0;
  Model::Head head;
  head.method = "nmf";
  head.precision = precision;
  return Model(head, shape);
}

TEST(NonnegativeRows, MeetsItsOptimalityConditions) {
  const Model model = parts_model(20, 5);
  const Matrix<double> x = test::sample(70, 20, 5, 0.3), y = model.transform(x), h = model.linear().map;
  for (Index i = 0; i < x.rows(); ++i)
    for (Index c = 0; c < 5; ++c) {
      const double gradient = (h * y.row(i).transpose() - x.row(i).transpose()).dot(h.col(c)) + 0.25 * y(i, c) + 0.125;
      EXPECT_GE(y(i, c), 0.0);
      EXPECT_GE(gradient, -1e-11);  // sums of 100 products of size one
      if (y(i, c) > 0.0) {
        EXPECT_LE(gradient, 1e-11);
      }
    }
  EXPECT_GT((y.array() == 0.0).count(), 0);
  EXPECT_GT((y.array() > 0.0).count(), 0);
}

TEST(NonnegativeRows, SameBitsHoweverRowsComeAndAtAnyThreadCount) {
  const Model model = parts_model(1100, 9);  // more than one block of columns
  Matrix<double> x = test::sparse_sample(300, 1100, 0.1);
  const Matrix<double> whole = model.transform(x);
  for (const int threads : {1, 2, 3})
    EXPECT_EQ(model.transform(Dataset(x), {.threads = threads}).matrix<double>(), whole);
  for (const Index row : {0, 31, 32, 299}) {
    const Matrix<double> one = x.row(row);
    EXPECT_EQ(model.transform(one), Matrix<double>(whole.row(row)));
  }
  const Dataset stream(std::make_shared<test::MatrixStream<double>>(x, false, false));
  EXPECT_EQ(model.transform(stream).matrix<double>(), whole);
  const Csr<double> csr = test::to_csr(x);
  EXPECT_LE(test::distance(model.transform(Dataset(csr.view())).matrix<double>(), whole), 1e-11 * whole.maxCoeff());
}

TEST(NonnegativeRows, RefusesWhatIsNotFinite) {
  const Model model = parts_model(4, 2);
  Matrix<double> x = test::sample(10, 4);
  x(6, 1) = std::nan("");
  try {
    model.transform(x);
    FAIL();
  } catch (const DataError& e) {
    EXPECT_NE(std::string(e.what()).find("row 7"), std::string::npos) << e.what();
  }
}

TEST(NonnegativeRows, SavedAndLoadedStrictly) {
  for (const Precision precision : {Precision::float64, Precision::float32}) {
    const Model model = parts_model(6, 3, precision);
    const Model back = model_of(archive_of(model), "m");
    EXPECT_EQ(back.linear().row_fit, RowFit::nonnegative);
    EXPECT_EQ(back.linear().regression.lasso, 0.125);
    EXPECT_EQ(back.linear().regression.ridge, model.linear().regression.ridge);
    EXPECT_EQ(back.linear().map, model.linear().map);
    const Matrix<double> x = test::sample(30, 6);
    EXPECT_EQ(back.transform(x), model.transform(x));
  }
  const auto message_after = [](auto change) -> std::string {
    Archive archive = archive_of(parts_model(6, 3));
    nlohmann::json metadata = nlohmann::json::parse(archive.metadata.at("fewdim"));
    change(metadata);
    archive.metadata["fewdim"] = metadata.dump();
    seal(archive);
    try {
      model_of(archive, "m");
    } catch (const DataError& e) {
      return e.what();
    }
    return "accepted";
  };
  using nlohmann::json;
  EXPECT_EQ(message_after([](json&) {}), "accepted");
  EXPECT_NE(message_after([](json& m) { m["regression"]["fit"] = "magic"; }).find("magic"), std::string::npos);
  EXPECT_NE(message_after([](json& m) { m["regression"]["fit"] = "product"; }), "accepted");
  EXPECT_NE(message_after([](json& m) { m["regression"]["lasso"] = -1.0; }), "accepted");
  EXPECT_NE(message_after([](json& m) { m["regression"]["lasso"] = "0"; }), "accepted");
  EXPECT_NE(message_after([](json& m) { m["regression"]["ridge_by_count"] = true; }), "accepted");
  EXPECT_NE(message_after([](json& m) { m["regression"]["confidence"] = 2.0; }), "accepted");
  EXPECT_NE(message_after([](json& m) { m["regression"]["more"] = 1; }), "accepted");
  EXPECT_NE(message_after([](json& m) { m.erase("regression"); }), "accepted");  // 'ridge' is left over
}

TEST(NonnegativeRows, RefusesShapesThatAreNone) {
  LinearModel shape = parts_model(6, 3).linear();
  const Model::Head head = parts_model(6, 3).head();
  LinearModel negative = shape;
  negative.map(2, 1) = -1e-9;
  EXPECT_THROW(require_sound(head, negative, {}, "m"), DataError);
  LinearModel long_ridge = shape;
  long_ridge.regression.ridge = Vector<double>::Ones(4);
  EXPECT_THROW(Model(head, long_ridge), DataError);
  LinearModel bad_ridge = shape;
  bad_ridge.regression.ridge[0] = -1.0;
  EXPECT_THROW(require_sound(head, bad_ridge, {}, "m"), DataError);
  LinearModel centered = shape;
  centered.mean = Vector<double>::Ones(6);
  EXPECT_THROW(require_sound(head, centered, {}, "m"), DataError);
  EXPECT_NO_THROW(require_sound(head, shape, {}, "m"));
}

}  // namespace
}  // namespace fewdim
