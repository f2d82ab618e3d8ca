#include <gtest/gtest.h>

#include "fewdim/inputs.hpp"
#include "unit/data/text_files.hpp"
#include "unit/session/session_helpers.hpp"

namespace fewdim {
namespace {

using Names = std::vector<std::string>;
using test::expect_refused;
using text_files::Folder;

Dataset part(RowMatrix<double> numbers, Names columns, std::string source) {
  Dataset data(std::move(numbers));
  data.column_names = std::move(columns);
  data.source = std::move(source);
  return data;
}

RowMatrix<double> rows_of(std::initializer_list<std::initializer_list<double>> rows) {
  RowMatrix<double> m(static_cast<Index>(rows.size()), static_cast<Index>(rows.begin()->size()));
  Index i = 0;
  for (const auto& row : rows) {
    Index j = 0;
    for (const double value : row) m(i, j++) = value;
    ++i;
  }
  return m;
}

TEST(JoinRows, PutsColumnsInTheOrderOfTheFirst) {
  const Dataset whole = join_rows({part(rows_of({{1, 2}, {3, 4}}), {"x", "y"}, "a.csv"),  //
                                   part(rows_of({{6, 5}}), {"y", "x"}, "b.csv")});
  EXPECT_EQ(whole.matrix<double>(), rows_of({{1, 2}, {3, 4}, {5, 6}}));
  EXPECT_EQ(whole.column_names, (Names{"x", "y"}));
  EXPECT_EQ(whole.source, "a.csv and 1 more");
}

TEST(JoinRows, TakesNamesFromThePartThatHasThem) {
  const Dataset whole = join_rows({part(rows_of({{1, 2}}), {}, "a.csv"), part(rows_of({{3, 4}}), {"x", "y"}, "b.csv")});
  EXPECT_EQ(whole.column_names, (Names{"x", "y"}));
  EXPECT_EQ(whole.rows(), 2);
}

TEST(JoinRows, KeepsNamesAndLabelsOnlyIfAllHaveThem) {
  Dataset a = part(rows_of({{1}}), {"x"}, "a"), b = part(rows_of({{2}}), {"x"}, "b");
  a.row_names = {"first"}, b.row_names = {"second"};
  a.labels = {"u"};
  const Dataset whole = join_rows({a, b});
  EXPECT_EQ(whole.row_names, (Names{"first", "second"}));
  EXPECT_TRUE(whole.labels.empty());
}

TEST(JoinRows, SparsePartsStaySparse) {
  const auto csr = [](double value) {
    return Dataset(Csr<double>{.rows = 2, .cols = 3, .offsets = {0, 1, 1}, .columns = {1}, .values = {value}});
  };
  const Dataset whole = join_rows({csr(5), csr(7)});
  ASSERT_TRUE(whole.is_sparse());
  EXPECT_EQ(whole.matrix<double>(), rows_of({{0, 5, 0}, {0, 0, 0}, {0, 7, 0}, {0, 0, 0}}));
}

TEST(JoinRows, SinglePrecisionOnlyIfAllPartsHaveIt) {
  const RowMatrix<float> single = rows_of({{1, 2}}).cast<float>();
  EXPECT_EQ(join_rows({Dataset(single), Dataset(single)}).precision(), Precision::float32);
  EXPECT_EQ(join_rows({Dataset(single), part(rows_of({{1, 2}}), {}, "b")}).precision(), Precision::float64);
}

TEST(JoinRows, StreamsGoOnFromOneToTheNext) {
  const Folder folder;
  const std::string a = folder.write("a.csv", "id,x,y\nr1,1,2\nr2,3,4\n"),
                    b = folder.write("b.csv", "id,x,y\nr3,5,6\n");
  const Dataset whole = join_rows({read(a, {.stream = true}), read(b, {.stream = true})});
  RowStream& stream = *whole.stream();
  RowMatrix<double> rows(3, 2);
  for (int pass = 0; pass < 2; ++pass) {
    EXPECT_EQ(stream.read(rows.data(), 3), 3);  // a read goes over the cut between the parts
    EXPECT_EQ(rows, rows_of({{1, 2}, {3, 4}, {5, 6}}));
    EXPECT_EQ(stream.tags().names, (Names{"r1", "r2", "r3"}));
    EXPECT_EQ(stream.read(rows.data(), 3), 0);
    ASSERT_TRUE(stream.rewindable());
    stream.rewind();
  }
}

TEST(JoinRows, RefusesOtherColumns) {
  const Dataset a = part(rows_of({{1, 2}}), {"x", "y"}, "a.csv");
  expect_refused(ErrorKind::data,
                 "b.csv: column 2 is 'q', and in a.csv it is 'y'; take those that both have with --columns x", [&] {
                   join_rows({a, part(rows_of({{1, 2}}), {"x", "q"}, "b.csv")});
                 });
  expect_refused(ErrorKind::data, "c.csv: has 3 columns, and a.csv has 2; parts of one table have the same columns",
                 [&] {
                   join_rows({a, part(rows_of({{1, 2, 3}}), {}, "c.csv")});
                 });
  expect_refused(ErrorKind::data, "d.csv: is dense, and e.mtx is not; --sparse makes all of them sparse", [&] {
    Dataset sparse(Csr<double>{.rows = 1, .cols = 2, .offsets = {0, 0}, .columns = {}, .values = {}});
    sparse.source = "e.mtx";
    join_rows({sparse, part(rows_of({{1, 2}}), {}, "d.csv")});
  });
}

}  // namespace
}  // namespace fewdim
