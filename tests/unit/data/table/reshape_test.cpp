#include "data/table/reshape.hpp"

#include <gtest/gtest.h>

#include "unit/data/text_files.hpp"

namespace fewdim {
namespace {

using text_files::bits_of;
using text_files::Folder;
using text_files::message_of;
using Names = std::vector<std::string>;

RowMatrix<double> numbers_of() {
  RowMatrix<double> m(2, 4);
  m << 1, 0, 3, 4, 5, 6, 0, 8;
  return m;
}

template <class... Value>
std::vector<std::uint64_t> bits(Value... values) {
  return {std::bit_cast<std::uint64_t>(static_cast<double>(values))...};
}

TEST(Reshape, ColumnsByNumberAndName) {
  const RowMatrix<double> m = numbers_of();
  Dataset data(m);
  ReadOptions options;
  options.columns = {"3", "1"};
  EXPECT_EQ(bits_of(select_columns(data, options, "x.npy", {})), bits(3, 1, 0, 5));
  data.column_names = {"a", "b", "c", "d"};
  options = {};
  options.drop = {"b"};
  options.id = "a";
  options.label = "4";
  const Dataset selected = select_columns(data, options, "x.npy", {});
  EXPECT_EQ(bits_of(selected), bits(3, 0));
  EXPECT_EQ(selected.column_names, (Names{"c"}));
  EXPECT_EQ(selected.row_names, (Names{"1", "5"}));
  EXPECT_EQ(selected.row_names_header, "a");
  EXPECT_EQ(selected.labels, (Names{"4", "8"}));
  EXPECT_EQ(selected.label_name, "d");
}

TEST(Reshape, NeighborsAreKeptWithoutACopy) {
  const RowMatrix<double> m = numbers_of();
  ReadOptions options;
  options.drop = {"1"};
  const Dataset selected = select_columns(Dataset(m), options, "x.npy", {});
  ASSERT_TRUE(selected.dense<double>());
  EXPECT_EQ(selected.dense<double>()->data, m.data() + 1);
  EXPECT_EQ(bits_of(selected), bits(0, 3, 4, 6, 0, 8));
}

TEST(Reshape, SparseRowsStaySorted) {
  const RowMatrix<double> m = numbers_of();
  const Dataset sparse = to_sparse(Dataset(m), {});
  ASSERT_TRUE(sparse.sparse<double>());
  EXPECT_EQ(sparse.sparse<double>()->nonzeros(), 6);
  EXPECT_EQ(bits_of(sparse), bits_of(Dataset(m)));
  ReadOptions options;
  options.columns = {"4", "3", "1"};
  options.label = "2";
  const Dataset selected = select_columns(sparse, options, "x.mtx", {});
  EXPECT_EQ(bits_of(selected), bits(4, 3, 1, 8, 0, 5));
  EXPECT_EQ(selected.labels, (Names{"0", "6"}));
  const CsrView<double>& csr = *selected.sparse<double>();
  EXPECT_EQ(std::vector<std::int32_t>(csr.columns, csr.columns + 5), (std::vector<std::int32_t>{0, 1, 2, 0, 2}));
}

TEST(Reshape, StreamsAreSelectedRowByRow) {
  const Folder folder;
  const Dataset rows = stream_delimited(folder.write("x.csv", "1,2,3\n4,5,6\n7,8,9\n"), {}, {});
  ReadOptions options;
  options.columns = {"3", "1"};
  const Dataset selected = select_columns(rows, options, "x.npy", {});
  float out[6];
  for (int pass = 0; pass < 2; ++pass) {
    EXPECT_EQ(selected.stream()->read(out, 2), 2);
    EXPECT_EQ(selected.stream()->read(out + 4, 2), 1);
    EXPECT_EQ(selected.stream()->read(out, 0), 0);
    EXPECT_EQ(std::vector<float>(out, out + 6), (std::vector<float>{3, 1, 6, 4, 9, 7}));
    selected.stream()->rewind();
  }
}

TEST(Reshape, NothingLeftIsAnError) {
  const RowMatrix<double> m = numbers_of();
  ReadOptions options;
  options.drop = {"1", "2", "3", "4"};
  EXPECT_EQ(message_of<DataError>([&] { select_columns(Dataset(m), options, "x.npy", {}); }),
            "x.npy: no column is left; keep one out of --id, --label and --drop");
  options.drop = {"5"};
  EXPECT_THROW(select_columns(Dataset(m), options, "x.npy", {}), InvalidOption);
}

}  // namespace
}  // namespace fewdim
