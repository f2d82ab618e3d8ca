#include "fewdim/model.hpp"

#include <gtest/gtest.h>

#include "fewdim/error.hpp"
#include "unit/models/sample_model.hpp"

namespace fewdim {
namespace {

template <class F>
std::string message_of(F call) {
  try {
    call();
  } catch (const Error& error) {
    return error.message(speak_command_line);
  }
  return "accepted";
}

Dataset named(const Matrix<double>& x, std::vector<std::string> names) {
  Dataset data(x);
  data.column_names = std::move(names);
  return data;
}

TEST(Model, KnowsItsSizes) {
  const Model model = sample_model(5, 2);
  EXPECT_EQ(model.features(), 5);
  EXPECT_EQ(model.components(), 2);
  EXPECT_EQ(model.method(), "pca");
}

TEST(Model, AnEmptyModelSaysSo) {
  const Model model;
  const Matrix<double> x = Matrix<double>::Zero(1, 1);
  const std::string empty = "the model is empty; fit one, or load one from a file";
  EXPECT_EQ(message_of([&] { model.transform(x); }), empty);
  EXPECT_EQ(message_of([&] { model.inverse_transform(x); }), empty);
  EXPECT_EQ(message_of([&] { model.linear(); }), empty);
  EXPECT_EQ(message_of([&] { model.save("/nonexistent/model"); }), empty);
}

TEST(Model, PartsThatDoNotFitAreRefusedWhenItIsMade) {
  const Model good = sample_model(5, 2);
  const auto with = [&](auto change) {
    return message_of([&] {
      Model::Head head = good.head();
      LinearModel shape = good.linear();
      change(head, shape);
      const Model model(head, shape);
    });
  };
  EXPECT_EQ(with([](auto&, auto&) {}), "accepted");
  EXPECT_EQ(with([](auto&, auto& m) { m.mean.resize(4); }), "pca: 'mean' has 4 entries, the model needs 5");
  EXPECT_EQ(with([](auto&, auto& m) { m.scale.resize(6); }), "pca: 'scale' has 6 entries, the model needs 5");
  EXPECT_EQ(with([](auto&, auto& m) { m.output_scale.resize(5); }),
            "pca: 'output_scale' has 5 entries, the model needs 2");
  EXPECT_EQ(with([](auto&, auto& m) { m.explained_variance.resize(1); }),
            "pca: 'explained_variance' has 1 entries, the model needs 2");
  EXPECT_EQ(with([](auto& h, auto&) { h.feature_names.pop_back(); }),
            "pca: 'feature_names' has 4 entries, the model needs 5");
  EXPECT_EQ(with([](auto& h, auto&) { h.certificate.groups.push_back(1); }),
            "pca: 'groups' has 3 entries, the model needs 2");
  EXPECT_EQ(with([](auto&, auto& m) { m.map.resize(5, 0); }), "pca: a map of 5 features to 0 components is no model");
}

TEST(Model, TheNumberOfColumnsMustFit) {
  const Model model = sample_model(64, 2);
  EXPECT_EQ(
      message_of([&] { model.transform(Matrix<double>::Zero(3, 63).eval()); }),
      "transform: the model has 64 features, the data 63; give the columns it was fitted on with --columns or --drop");
  EXPECT_EQ(
      message_of([&] { model.transform(Dataset()); }),
      "transform: the model has 64 features, the data 0; give the columns it was fitted on with --columns or --drop");
  EXPECT_EQ(message_of([&] { model.inverse_transform(Matrix<double>::Zero(3, 3).eval()); }),
            "inverse_transform: the model has 2 components, the coordinates 3 columns; give what transform returned");
}

TEST(Model, ColumnsGoByNameWhereBothHaveNames) {
  Model model = sample_model(3, 2);
  Matrix<double> x(2, 3), mixed(2, 5);
  x << 1, 2, 4, -3, 0.5, 7;
  mixed << 4, 99, 1, 98, 2, 7, 97, -3, 96, 0.5;
  const Matrix<double> expected = model.transform(Dataset(x)).matrix<double>();
  const auto found = [&](const Dataset& data) { return model.transform(data).matrix<double>(); };
  EXPECT_EQ(found(named(x, {"f1", "f2", "f3"})), expected);
  EXPECT_EQ(found(named(x, {})), expected);
  // Others are left out, and the order does not matter, of rows in any form.
  Dataset other = named(mixed, {"f3", "age", "f1", "kind", "f2"});
  other.row_names = {"a", "b"};
  EXPECT_EQ(found(other), expected);
  EXPECT_EQ(model.transform(other).row_names, other.row_names);
  EXPECT_EQ(message_of([&] {
              model.transform(named(x, {"f1", "g2", "f3"}));
            }),
            "transform: lacks 1 of the model's columns: 'f2'; the columns there are 'f1', 'g2', 'f3'");
  model.head().feature_names.clear();
  EXPECT_EQ(found(named(x, {"a", "b", "c"})), expected);
}

TEST(Model, CoordinatesGoByNameWhereTheyHaveTheModels) {
  const Model model = sample_model(3, 2);
  Matrix<double> y(1, 2), mixed(1, 3);
  y << 2, 5;
  mixed << 5, 1, 2;
  const Matrix<double> expected = model.inverse_transform(Dataset(y)).matrix<double>();
  EXPECT_EQ(model.inverse_transform(named(y, {"x", "y"})).matrix<double>(), expected);
  EXPECT_EQ(model.inverse_transform(named(y, {"PC1", "PC2"})).matrix<double>(), expected);
  EXPECT_EQ(model.inverse_transform(named(mixed, {"PC2", "kind", "PC1"})).matrix<double>(), expected);
}

TEST(Model, NamesAndLabelsTravelWithTheRows) {
  const Model model = sample_model(3, 2);
  Dataset data(Matrix<double>::Zero(2, 3).eval());
  data.row_names = {"r1", "r2"};
  data.row_names_header = "id";
  data.labels = {"a", "b"};
  data.label_name = "species";
  const Dataset y = model.transform(data);
  EXPECT_EQ(y.column_names, (std::vector<std::string>{"PC1", "PC2"}));
  EXPECT_EQ(y.row_names, data.row_names);
  EXPECT_EQ(y.row_names_header, "id");
  EXPECT_EQ(y.labels, data.labels);
  EXPECT_EQ(y.label_name, "species");
  const Dataset x = model.inverse_transform(y);
  EXPECT_EQ(x.column_names, (std::vector<std::string>{"f1", "f2", "f3"}));
  EXPECT_EQ(x.row_names, data.row_names);
  EXPECT_EQ(x.labels, data.labels);
}

TEST(Model, TheEmbeddingIsThereWhenItWasKept) {
  Model model = sample_model(3, 2);
  EXPECT_FALSE(model.has_embedding());
  EXPECT_EQ(message_of([&] { model.embedding(); }),
            "pca: the model holds no coordinates of its training rows; fit with --embedding, or use transform on "
            "them, which "
            "gives the same");
  EXPECT_THROW(model.keep_embedding(Matrix<double>::Zero(4, 3)), DataError);
  const Matrix<double> y = random_matrix(4, 2, 8);
  model.keep_embedding(y);
  EXPECT_TRUE(model.has_embedding());
  EXPECT_EQ(model.embedding(), y);
}

}  // namespace
}  // namespace fewdim
