// Scores: those that a fit keeps, recomputed or streamed.

#include <gtest/gtest.h>

#include "fewdim/fewdim.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

Dataset named_rows(const Matrix<double>& x) {
  Dataset data{Matrix<double>(x)};
  for (Index i = 0; i < x.rows(); ++i) {
    data.row_names.push_back("r" + std::to_string(i));
    data.labels.push_back(i % 2 ? "odd" : "even");
  }
  data.row_names_header = "id";
  data.label_name = "kind";
  data.source = "memory";
  return data;
}

/// All rows of a stream.
Matrix<double> drained(const Dataset& data) {
  std::vector<double> all, buffer(static_cast<std::size_t>(100 * data.cols()));
  for (Index got = 0; (got = data.stream()->read(buffer.data(), 100)) > 0;)
    all.insert(all.end(), buffer.begin(), buffer.begin() + got * data.cols());
  return Eigen::Map<const RowMatrix<double>>(all.data(), std::ssize(all) / data.cols(), data.cols());
}

TEST(TrainingScores, AreKeptOnesWithTheNamesOfTheData) {
  const Matrix<double> x = test::sample(40, 5);
  const Dataset data = named_rows(x);
  const Model model = fit_mds(data);
  const Dataset scores = training_scores(model, data);
  EXPECT_EQ(scores.matrix<double>(), model.embedding());
  EXPECT_EQ(scores.row_names, data.row_names);
  EXPECT_EQ(scores.labels, data.labels);
  EXPECT_EQ(scores.label_name, "kind");
  EXPECT_EQ(scores.column_names, model.head().component_names);
  EXPECT_EQ(kept_scores(model).matrix<double>(), model.embedding());
}

TEST(TrainingScores, AreRecomputedWhereNoneAreKept) {
  const Dataset data = named_rows(test::sample(40, 5));
  const Model model = fit_pca(data);
  EXPECT_TRUE(kept_scores(model).empty());
  EXPECT_EQ(training_scores(model, data).matrix<double>(), model.transform(data).matrix<double>());
}

TEST(TrainingScores, HaveNumbersForNamesWhereRowsWereLeftOut) {
  Matrix<double> x = test::sample(60, 3);
  x.bottomRows(8).array() += 1000.0;  // a part of their own
  IsomapOptions options;
  options.neighborhood.k = 6;
  options.neighborhood.disconnected = Disconnected::largest;
  const Model model = fit_isomap(Dataset(x), options);
  ASSERT_EQ(model.left_out().size(), 8u);
  const Dataset scores = kept_scores(model);
  EXPECT_EQ(scores.rows(), 52);
  EXPECT_EQ(scores.row_names.front(), "1");
  EXPECT_EQ(scores.row_names.back(), "52");
  std::vector<std::string> list;
  for (int i = 0; i < 60; ++i) list.push_back(std::to_string(i));
  EXPECT_EQ(fitted_of(list, model).size(), 52u);
}

TEST(TrainingScores, OfDocumentsAreTheirPlacesByName) {
  const Dataset texts = Dataset::of_texts({"the cat sat on the mat", "a cat and a dog", "dogs chase cats",
                                           "stocks fell on the market", "the market rose", "market and stocks"});
  const Model model =
      lsi_card().fit(texts, {{"components", std::string("2")}, {"min_documents", std::string("1")}}, {});
  const Dataset scores = kept_scores(model);
  ASSERT_EQ(scores.rows(), 6);
  EXPECT_EQ(scores.row_names_header, "id");
  const TextIndex& index = model.index();
  const Matrix<double> places = scores.matrix<double>();
  for (Index i = 0; i < 6; ++i) EXPECT_EQ(places(i, 1), static_cast<double>(index.places[2 * i + 1] * index.norms[i]));
  EXPECT_EQ(training_scores(model, {}).matrix<double>(), places);
  EXPECT_EQ(possible_pictures(&model, false).front(), PictureKind::scatter);
  EXPECT_TRUE(judge(model, {}).holds()) << "it holds its counts, and needs no data";
}

TEST(ScoresOf, TakeOtherDataOfTheSameSizeForOthers) {
  const Matrix<double> x = test::sample(40, 5), y = test::sample(40, 5, 9);
  Dataset data = named_rows(x), others = named_rows(y);
  data.hash = "xxh3:0000000000000001";
  others.hash = "xxh3:0000000000000002";
  const Model model = fit_mds(data);
  EXPECT_TRUE(fitted_on(model, data));
  EXPECT_FALSE(fitted_on(model, others));
  EXPECT_EQ(scores_of(model, data).matrix<double>(), model.embedding());
  EXPECT_EQ(scores_of(model, others).matrix<double>(), model.transform(others).matrix<double>());
  EXPECT_FALSE(fitted_on(fit_mds(Dataset(x)), Dataset(y))) << "numbers without a name may be any";
}

TEST(StreamedScores, AreThoseInMemoryToTheBit) {
  const Matrix<double> x = test::sample(20000, 7);
  const Model model = fit_pca(Dataset(x), {.components = 3});
  const Dataset stream{std::shared_ptr<RowStream>(std::make_shared<test::MatrixStream<double>>(x, true))};
  const Matrix<double> expected = model.transform(Dataset(x)).matrix<double>();
  const Dataset scores = streamed_transform(model, stream);
  EXPECT_EQ(scores.column_names, model.head().component_names);
  EXPECT_EQ(drained(scores), expected);
  const Matrix<double> back = model.inverse_transform(Dataset(expected)).matrix<double>();
  EXPECT_EQ(drained(streamed_inverse(model, streamed_transform(model, stream))), back);
}

TEST(StreamedScores, NameTheRowOfTheInputThatIsNotFinite) {
  Matrix<double> x = test::sample(9000, 4);
  const Model model = fit_pca(Dataset(x));
  x(8500, 2) = NAN;
  const Dataset stream{std::shared_ptr<RowStream>(std::make_shared<test::MatrixStream<double>>(x, true))};
  try {
    drained(streamed_transform(model, stream));
    FAIL();
  } catch (const DataError& error) {
    EXPECT_NE(std::string(error.what()).find("row 8501, column 3"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace fewdim
