#include "fewdim/inputs.hpp"

#include <gtest/gtest.h>

#include "unit/data/text_files.hpp"
#include "unit/session/session_helpers.hpp"

namespace fewdim {
namespace {

using Names = std::vector<std::string>;
using test::expect_refused;
using test::Listener;
using test::mebibyte;
using text_files::Folder;

/// A table of 2000 x 20 numbers: 320,128 bytes.
std::string npy_of_320_kb(const Folder& folder) {
  const RowMatrix<double> numbers = RowMatrix<double>::Random(2000, 20);
  const std::string path = folder.path("table.npy");
  write(Dataset(numbers), path);
  return path;
}

TEST(InputSource, HasANameAndAKind) {
  EXPECT_EQ((InputSource{.paths = {"cells.csv"}}.name()), "cells.csv");
  EXPECT_EQ((InputSource{.paths = {"a.csv", "b.csv", "c.csv"}}.name()), "a.csv and 2 more");
  EXPECT_TRUE((InputSource{.paths = {"a.csv", "-"}}.is_pipe()));
  EXPECT_FALSE((InputSource{.paths = {"a.csv"}}.is_pipe()));
  EXPECT_TRUE((InputSource{.paths = {"@iris"}}.is_builtin()));
  EXPECT_FALSE(InputSource{}.is_builtin());
}

TEST(LoadTable, ReadsPartsAsOne) {
  const Folder folder;
  const std::string a = folder.write("a.csv", "x,y\n1,2\n"), b = folder.write("b.csv", "y,x\n4,3\n");
  Listener front;
  const Dataset data = load_table({.paths = {a, b}}, Streaming::never, front.context());
  EXPECT_EQ(data.matrix<double>(), (Matrix<double>(2, 2) << 1, 2, 3, 4).finished());
  EXPECT_EQ(front.stages, (Names{"read"}));
}

TEST(LoadTable, ReadsABuiltInTableInEitherPrecision) {
  const Dataset iris = load_table({.paths = {"@iris"}});
  EXPECT_EQ(iris.rows(), 150);
  EXPECT_EQ(iris.source, "@iris");
  const Dataset single = load_table({.paths = {"@iris"}, .reading = {.precision = Precision::float32}});
  EXPECT_EQ(single.precision(), Precision::float32);
  EXPECT_EQ(single.labels, iris.labels);
  EXPECT_EQ(single.source, "@iris");
}

TEST(LoadTable, TellsWhatWasDecidedByLooking) {
  const Folder folder;
  const std::string path = folder.write("years.csv", "id,x,y\n1,5,2\n2,1,7\n3,2,2\n");
  Listener front;
  load_table({.paths = {path}}, Streaming::never, front.context());
  ASSERT_FALSE(front.notes.empty());
  EXPECT_EQ(front.notes.front().substr(0, path.size() + 2), path + ": ");
  Listener given;
  load_table({.paths = {path}, .reading = {.header = true, .id = "1"}}, Streaming::never, given.context());
  EXPECT_TRUE(given.notes.empty()) << given.notes.front();
}

TEST(LoadTable, IsAStreamWhereTheLimitAsksForIt) {
  const Folder folder;
  const InputSource source{.paths = {npy_of_320_kb(folder)}};
  const std::uint64_t tight = 600'000, wide = 700'000;  // a file may take half
  EXPECT_TRUE(wants_stream(source, {.memory_limit = tight}));
  EXPECT_FALSE(wants_stream(source, {.memory_limit = wide}));
  Listener front;
  EXPECT_TRUE(load_table(source, Streaming::if_needed, front.context(tight)).is_stream());
  EXPECT_FALSE(load_table(source, Streaming::if_needed, front.context(wide)).is_stream());
  EXPECT_FALSE(load_table(source, Streaming::never, front.context(tight)).is_stream());
}

TEST(LoadTable, OfPartsOnlyAQuarterMayBeTaken) {
  const Folder folder;
  const std::string path = npy_of_320_kb(folder);
  const InputSource parts{.paths = {path, path}};
  EXPECT_TRUE(wants_stream(parts, {.memory_limit = 2'500'000}));
  EXPECT_FALSE(wants_stream(parts, {.memory_limit = 2'600'000}));
}

TEST(LoadTable, IsAStreamWhereThatIsAskedFor) {
  const Folder folder;
  InputSource source{.paths = {npy_of_320_kb(folder)}, .reading = {.stream = true}};
  EXPECT_TRUE(load_table(source, Streaming::if_needed).is_stream());
  EXPECT_FALSE(load_table(source, Streaming::never).is_stream());
  EXPECT_TRUE(open_stream(source).has_value());
}

TEST(OpenStream, GivesNothingWhereAKindHasNone) {
  const Folder folder;
  const std::string path =
      folder.write("m.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 3\n2 2 4\n");
  EXPECT_FALSE(open_stream({.paths = {path}}).has_value());
  EXPECT_THROW(open_stream({.paths = {path}, .reading = {.stream = true}}), Unsupported);
}

TEST(LoadColumns, TakesThemByNameAndTellsOfOthers) {
  const Folder folder;
  const std::string path = folder.write("new.csv", "c,extra,a,b\n3,9,1,2\n6,9,4,5\n");
  Listener front;
  const Dataset data = load_columns({.paths = {path}}, {"a", "b", "c"}, Streaming::never, front.context());
  EXPECT_EQ(data.matrix<double>(), (Matrix<double>(2, 3) << 1, 2, 3, 4, 5, 6).finished());
  EXPECT_EQ(data.column_names, (Names{"a", "b", "c"}));
  ASSERT_EQ(front.notes.size(), 1U);
  EXPECT_NE(front.notes.front().find("extra"), std::string::npos) << front.notes.front();
}

TEST(LoadColumns, TellsOfOthersInABuiltInTableToo) {
  Listener front;
  const Dataset iris = load_table({.paths = {"@iris"}});
  const Names last_two{iris.column_names[3], iris.column_names[2]};
  const Dataset data = load_columns({.paths = {"@iris"}}, last_two, Streaming::never, front.context());
  EXPECT_EQ(data.column_names, last_two);
  ASSERT_EQ(front.notes.size(), 1U);
  EXPECT_EQ(front.notes.front(), "@iris: 2 columns that the model does not use were left out: " + iris.column_names[0] +
                                     ", " + iris.column_names[1]);
}

TEST(LoadColumns, OfWhichOneIsMissing) {
  const Folder folder;
  InputSource source{.paths = {folder.write("new.csv", "a,q\n1,2\n")}};
  expect_refused(ErrorKind::data, "b", [&] { load_columns(source, {"a", "b"}); });
  source.reading.features_optional = true;
  EXPECT_EQ(load_columns(source, {"a", "b"}).column_names, (Names{"a", "q"}));
}

TEST(LoadLines, ReadsStringsOfAllParts) {
  const Folder folder;
  const std::string a = folder.write("a.txt", "one\ntwo\n"), b = folder.write("b.txt", "three\n");
  EXPECT_EQ(load_lines({.paths = {a, b}}).texts, (Names{"one", "two", "three"}));
}

TEST(Inputs, RefuseWhatTheyAreNot) {
  const Folder folder;
  const std::string good = folder.write("good.csv", "x,y\n1,2\n");
  expect_refused(ErrorKind::usage, "there is nothing to read", [] { load_table({}); });
  expect_refused(ErrorKind::usage, "there is nothing to read", [] { load_lines({}); });
  expect_refused(ErrorKind::usage, "@iris is a built-in table: it can't be a part of another", [&] {
    load_table({.paths = {good, "@iris"}});
  });
  expect_refused(ErrorKind::usage, "@iris is a built-in table: it can't be a part of another", [&] {
    load_table({.paths = {"@iris", good}});
  });
  expect_refused(ErrorKind::usage, "name it once", [] { load_table({.paths = {"-", "-"}}); });
  expect_refused(ErrorKind::usage, "of the reading options it takes --precision only",
                 [] { load_table({.paths = {"@iris"}, .reading = {.columns = {"1"}}}); });
  expect_refused(ErrorKind::usage, "give a file with one string a line", [] { load_lines({.paths = {"@iris"}}); });
  expect_refused(ErrorKind::io, "nowhere.csv", [&] { load_table({.paths = {folder.path("nowhere.csv")}}); });
  expect_refused(ErrorKind::io, "nowhere.csv", [&] { load_table({.paths = {good, folder.path("nowhere.csv")}}); });
  expect_refused(ErrorKind::data, "uneven.csv",
                 [&] { load_table({.paths = {folder.write("uneven.csv", "x,y\n1,2\n3\n")}}); });
  EXPECT_THROW(load_table({.paths = {"@nothing"}}), Error);
}

TEST(Inputs, TellTheTimeOfAStageThatFails) {
  Listener front;
  EXPECT_THROW(load_table({.paths = {"/nowhere/at/all.csv"}}, Streaming::never, front.context()), IoError);
  EXPECT_EQ(front.stages, (Names{"read"}));
}

TEST(ExecutionBeside, LeavesWhatTheProgramAndTheDataDoNotTake) {
  const RowMatrix<double> numbers = RowMatrix<double>::Zero(1 << 10, 1 << 7);  // 1 MiB
  EXPECT_EQ(execution_beside(numbers, {.memory_limit = 20 * mebibyte}, "pca").memory_limit, 3 * mebibyte);
  EXPECT_EQ(execution_beside(numbers, {}, "pca").memory_limit, 0U);
  expect_refused(ErrorKind::over_memory,
                 "pca: the program and the data take 17.0 MiB, the limit is 17.0 MiB; raise --memory-limit, or use "
                 "--stream",
                 [&] { execution_beside(numbers, {.memory_limit = 17 * mebibyte}, "pca"); });
}

}  // namespace
}  // namespace fewdim
