#include <gtest/gtest.h>

#include "fewdim/inputs.hpp"
#include "unit/data/text_files.hpp"
#include "unit/session/session_helpers.hpp"

namespace fewdim {
namespace {

using test::expect_refused;
using test::Listener;
using text_files::Folder;

const Vector<double>& one_two_three() {
  static const Vector<double> weights = (Vector<double>(3) << 1, 2, 3).finished();
  return weights;
}

TEST(Weights, OfAFile) {
  const Folder folder;
  const std::string table = folder.write("t.csv", "x,y\n1,2\n3,4\n5,6\n");
  Listener front;
  const Dataset data = load_table({.paths = {table}, .weights = folder.write("w.csv", "w\n1\n2\n3\n")},
                                  Streaming::never, front.context());
  EXPECT_EQ(data.weights, one_two_three());
  EXPECT_EQ(data.cols(), 2);
  EXPECT_EQ(front.stages, (std::vector<std::string>{"read", "read"}));
}

TEST(Weights, OfAColumnThatIsNoFeature) {
  const Folder folder;
  InputSource source{.paths = {folder.write("t.csv", "x,w,y\n1,1,2\n3,2,4\n5,3,6\n")}, .weights_column = "w"};
  for (const bool stream : {false, true}) {
    source.reading.stream = stream;
    const Dataset data = load_table(source, Streaming::if_needed);
    EXPECT_EQ(data.is_stream(), stream);
    EXPECT_EQ(data.weights, one_two_three());
    EXPECT_EQ(data.column_names, (std::vector<std::string>{"x", "y"}));
  }
}

TEST(Weights, OfAColumnBesideThoseThatAModelKnows) {
  const Folder folder;
  const InputSource source{.paths = {folder.write("t.csv", "y,w,x\n2,1,1\n4,2,3\n6,3,5\n")}, .weights_column = "w"};
  const Dataset data = load_columns(source, {"x", "y"});
  EXPECT_EQ(data.weights, one_two_three());
  EXPECT_EQ(data.matrix<double>(), (Matrix<double>(3, 2) << 1, 2, 3, 4, 5, 6).finished());
}

TEST(Weights, OfPartsAreJoinedAsTheRowsAre) {
  const Folder folder;
  const Dataset data =
      load_table({.paths = {folder.write("a.csv", "x,w\n1,1\n3,2\n"), folder.write("b.csv", "w,x\n3,5\n")},
                  .weights_column = "w"});
  EXPECT_EQ(data.weights, one_two_three());
  EXPECT_EQ(data.matrix<double>(), (Matrix<double>(3, 1) << 1, 3, 5).finished());
}

TEST(Weights, RefuseWhatIsNotOneARow) {
  const Folder folder;
  const std::string table = folder.write("t.csv", "x,y\n1,2\n3,4\n5,6\n"), two = folder.write("two.csv", "w\n1\n2\n");
  expect_refused(ErrorKind::data, "two.csv: 2 weights for 3 rows; give one per row",
                 [&] { load_table({.paths = {table}, .weights = two}); });
  expect_refused(ErrorKind::data, "weights are one column, and these are 2; choose one with --weights-column",
                 [&] { load_table({.paths = {table}, .weights = table}); });
  expect_refused(ErrorKind::usage, "--weights and --weights-column say the same twice; give one",
                 [&] { load_table({.paths = {table}, .weights = two, .weights_column = "x"}); });
  expect_refused(ErrorKind::usage,
                 "--weights-column reads the file a second time, which needs a file; use --weights FILE", [&] {
                   Dataset data;
                   read_weights(data, {.paths = {"-"}, .weights_column = "x"});
                 });
  expect_refused(ErrorKind::usage, "--weights-column reads the file a second time, which needs a file",
                 [] { load_table({.paths = {"@iris"}, .weights_column = "1"}); });
  EXPECT_THROW(load_table({.paths = {table}, .weights_column = "q"}), InvalidOption);
  EXPECT_THROW(load_table({.paths = {table}, .weights = folder.path("nowhere.csv")}), IoError);
}

}  // namespace
}  // namespace fewdim
