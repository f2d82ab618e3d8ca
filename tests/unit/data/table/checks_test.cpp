#include "data/table/checks.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "unit/data/text_files.hpp"

namespace fewdim {
namespace {

using text_files::message_of;

const double nan = std::numeric_limits<double>::quiet_NaN();
const double inf = std::numeric_limits<double>::infinity();

std::string finding(const Dataset& data, int threads = 2) {
  return message_of<DataError>([&] { require_finite(data, "pca", {.threads = threads}); });
}

TEST(Checks, FiniteNumbersPass) {
  RowMatrix<double> m = RowMatrix<double>::Constant(1000, 7, 1e308);
  m(3, 3) = 5e-324;
  m(4, 4) = -std::numeric_limits<double>::max();
  EXPECT_NO_THROW(require_finite(Dataset(m), "pca", {}));
  EXPECT_NO_THROW(require_finite(Dataset(RowMatrix<double>(0, 3)), "pca", {}));
  EXPECT_NO_THROW(require_finite(Dataset(), "pca", {}));
}

TEST(Checks, CountsAndPlacesWhatIsNotFinite) {
  RowMatrix<double> m = RowMatrix<double>::Zero(50000, 5);
  m(40000, 0) = nan;
  m(4, 1) = nan;
  m(7, 1) = inf;
  Dataset data(m);
  EXPECT_EQ(finding(data),
            "pca: 2 missing values (NaN) and 1 infinite value in 2 columns, the first at row 5, column 2; fill or drop "
            "them first, e.g. --drop 1,2");
  data.column_names = {"height", "age", "c", "d", "e"};
  data.row_names.assign(50000, "x5");
  for (const int threads : {1, 2, 3, 8})
    EXPECT_EQ(finding(data, threads),
              "pca: 2 missing values (NaN) and 1 infinite value in 2 columns, the first at row 5 (\"x5\"), column 2 "
              "(\"age\"); fill or "
              "drop them first, e.g. --drop height,age");
}

TEST(Checks, ColumnsInEveryOneAreNotToBeDropped) {
  RowMatrix<double> m(1, 2);
  m << inf, -inf;
  EXPECT_EQ(finding(Dataset(m)),
            "pca: 2 infinite values in 2 columns, the first at row 1, column 1; fill them or drop their rows first");
}

/// One bad number anywhere is found, whatever the layout.
template <class M>
void expect_found_everywhere(Index rows, Index cols) {
  using T = typename M::Scalar;
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) {
      M m = M::Zero(rows, cols);
      m(i, j) = std::numeric_limits<T>::quiet_NaN();
      EXPECT_THROW(require_finite(Dataset(m), "pca", {.threads = 1}), DataError) << i << ' ' << j;
      const auto part = m.block(0, 0, rows, cols - 1);
      if (j + 1 < cols)
        EXPECT_THROW(require_finite(Dataset(part), "pca", {.threads = 1}), DataError);
      else
        EXPECT_NO_THROW(require_finite(Dataset(part), "pca", {.threads = 1}));
    }
}

TEST(Checks, EveryPlaceInEveryLayout) {
  expect_found_everywhere<RowMatrix<double>>(5, 19);
  expect_found_everywhere<RowMatrix<float>>(5, 37);
  expect_found_everywhere<Matrix<double>>(19, 5);
  expect_found_everywhere<Matrix<float>>(37, 3);
}

TEST(Checks, StridedViews) {
  std::vector<double> numbers(24, 1.0);
  numbers[13] = nan;
  const Dataset odd(DenseView<double>{numbers.data() + 1, 3, 4, 8, 2});
  EXPECT_EQ(finding(odd),
            "pca: 1 missing value (NaN) in 1 column, the first at row 2, column 3; fill or drop them first, e.g. "
            "--drop 3; or fit to what is there with --missing em");
  EXPECT_NO_THROW(require_finite(Dataset(DenseView<double>{numbers.data(), 3, 4, 8, 2}), "pca", {}));
}

TEST(Checks, SparseEntries) {
  Csr<double> csr;
  csr.rows = 3, csr.cols = 4, csr.offsets = {0, 1, 1, 3}, csr.columns = {0, 1, 3}, csr.values = {1, 2, inf};
  EXPECT_EQ(finding(Dataset(std::move(csr))),
            "pca: 1 infinite value in 1 column, the first at row 3, column 4; fill or drop them first, e.g. --drop 4");
}

TEST(Checks, RowsOfAStream) {
  std::vector<float> tile{1, 2, 3, std::numeric_limits<float>::quiet_NaN()};
  Dataset names;
  names.column_names = {"a", "b"};
  const DenseView<float> rows{tile.data(), 2, 2, 2, 1};
  EXPECT_EQ(message_of<DataError>([&] { require_finite_rows(rows, 1000, names, "svd"); }),
            "svd: 1 missing value (NaN) in 1 column, the first at row 1002, column 2 (\"b\"); fill or drop them first, "
            "e.g. --drop b; pca with --missing em, and ppca take them");
  tile[3] = 4;
  EXPECT_NO_THROW(require_finite_rows(rows, 1000, names, "svd"));
}

TEST(Checks, Nonempty) {
  EXPECT_EQ(message_of<DataError>([] { require_nonempty(Dataset(), "pca"); }),
            "pca: there is no data; read or generate some first");
  EXPECT_EQ(message_of<DataError>([] { require_nonempty(Dataset(RowMatrix<double>(0, 3)), "pca"); }),
            "pca: the data have no rows; one is needed at least");
  EXPECT_EQ(message_of<DataError>([] { require_nonempty(Dataset(RowMatrix<double>(3, 0)), "pca"); }),
            "pca: the data have no columns; one is needed at least");
  EXPECT_NO_THROW(require_nonempty(Dataset(RowMatrix<double>(1, 1)), "pca"));
}

TEST(Checks, CsrStructure) {
  const auto fault = [](std::vector<std::int64_t> offsets, std::vector<std::int32_t> columns) {
    const std::vector<double> values(columns.size());
    return message_of<DataError>([&] {
      validate_csr(
          CsrView<double>{static_cast<Index>(offsets.size()) - 1, 3, offsets.data(), columns.data(), values.data()},
          "x.npz");
    });
  };
  EXPECT_EQ(fault({1, 2}, {0, 1}), "x.npz: row 1 of the sparse data: its offset is 1, must be 0");
  EXPECT_EQ(fault({0, 2, 1}, {0, 1}),
            "x.npz: row 2 of the sparse data: its end 1 lies before its start 2; offsets must never fall");
  EXPECT_EQ(fault({0, 1}, {3}), "x.npz: row 1 of the sparse data: column 3 must lie between 0 and 2");
  EXPECT_EQ(fault({0, 1}, {-1}), "x.npz: row 1 of the sparse data: column -1 must lie between 0 and 2");
  EXPECT_EQ(fault({0, 2}, {1, 1}),
            "x.npz: row 1 of the sparse data: column 1 follows column 1; columns must rise without repeats");
  const std::vector<std::int64_t> offsets{0, 2, 2, 3};
  const std::vector<std::int32_t> columns{0, 2, 1};
  const std::vector<float> values(3);
  EXPECT_NO_THROW(validate_csr(CsrView<float>{3, 3, offsets.data(), columns.data(), values.data()}, "x"));
}

}  // namespace
}  // namespace fewdim
