#include <gtest/gtest.h>

#include "data/input/input.hpp"
#include "data/numpy/npy.hpp"
#include "data/zip/zip.hpp"
#include "unit/data/format_helpers.hpp"
#include "unit/data/generators.hpp"
#include "unit/data/numpy_samples.hpp"

namespace fewdim {
namespace {

using test::as_bytes, test::expect_message, test::written;

Dataset parse_text(std::string_view content, const ReadOptions& options = {}) {
  return parse_npz(as_bytes(content), options, {});
}

ReadOptions array(const std::string& name) {
  ReadOptions options;
  options.own = {{"array", name}};
  return options;
}

/// One array of a hand-made archive.
struct Array {
  std::string name, descr;
  std::vector<std::uint64_t> shape;
  std::string elements;
};
template <class T>
Array integers(const std::string& name, const std::vector<T>& values) {
  return {name,
          sizeof(T) == 4 ? "<i4" : "<i8",
          {values.size()},
          {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)}};
}
Array reals(const std::string& name, const std::vector<double>& values) {
  return {name, "<f8", {values.size()}, {reinterpret_cast<const char*>(values.data()), values.size() * 8}};
}
std::string archive(const std::vector<Array>& arrays) {
  const test::TemporaryFile file;
  OutputFile out(file.path(), true);
  ZipWriter zip(out);
  for (const Array& a : arrays) {
    const std::string text = npy_header_text(a.descr, a.shape) + a.elements;
    zip.add(a.name + ".npy", [&](const ZipWriter::Sink& sink) { sink(text.data(), text.size()); });
  }
  zip.finish();
  out.commit();
  return file.content();
}
std::string sparse(const std::string& format, const std::vector<std::int64_t>& shape,
                   const std::vector<Array>& arrays) {
  std::vector<Array> all = arrays;
  all.push_back({"format", "|S" + std::to_string(format.size()), {}, format});
  all.push_back(integers("shape", shape));
  return archive(all);
}

// The matrix A of numpy_samples.hpp.
const Matrix<double> sample_a = (Matrix<double>(3, 4) << 0, 2, 0, 0, 0, 0, -3, 0, 2, 0, 0, 4).finished();
const Matrix<double> sample_x = (Matrix<double>(2, 2) << 1.5, 2, 3, 4).finished();

TEST(Npz, TheOnlyTableAmongSeveralArrays) { EXPECT_EQ(parse_text(samples::npz_stored).matrix<double>(), sample_x); }

TEST(Npz, ArrayByName) {
  EXPECT_EQ(parse_text(samples::npz_stored, array("X")).matrix<double>(), sample_x);
  EXPECT_EQ(parse_text(samples::npz_stored, array("y.npy")).matrix<double>(),
            (Matrix<double>(2, 1) << 0, 1).finished());
  expect_message([] { parse_text(samples::npz_stored, array("Z")); },
                 "sample: no array 'Z' in it; it holds X (2, 2) <f8, y (2,) <i8");
}

TEST(Npz, DeflatedAndWithSizesAfterTheData) {
  for (const std::string& file : {samples::npz_deflated, samples::npz_to_pipe}) {
    const Dataset data = parse_text(file);
    ASSERT_NE(data.dense<float>(), nullptr);
    EXPECT_EQ(data.matrix<double>(), sample_x);
  }
}

TEST(Npz, AmbiguityNamesTheArrays) {
  const std::string two =
      archive({{"a", "<f8", {1, 1}, std::string(8, '\0')}, {"b", "<f8", {1, 1}, std::string(8, '\0')}});
  expect_message([&] { parse_text(two); }, "say which array to read with --array; it holds a (1, 1) <f8, b (1, 1) <f8");
  EXPECT_EQ(parse_text(two, array("b")).rows(), 1);
  expect_message([] { parse_text(archive({})); }, "an archive without arrays");
}

TEST(Npz, SparseFilesOfSciPy) {
  for (const std::string& file : {samples::npz_csr, samples::npz_csc, samples::npz_coo}) {
    const Dataset data = parse_text(file);
    ASSERT_NE(data.sparse<double>(), nullptr);
    test::expect_sound(data);
    EXPECT_EQ(data.sparse<double>()->nonzeros(), 4);  // the twins of coo are one entry
    EXPECT_EQ(data.matrix<double>(), sample_a);
  }
  expect_message([] { parse_text(samples::npz_bsr); },
                 "sparse format \"bsr\" can't be read; save it with scipy.sparse.save_npz(file, A.tocsr())");
}

TEST(Npz, SparseInFloat32) {
  const Dataset data = parse_npz(as_bytes(samples::npz_coo), test::in_precision(Precision::float32), {});
  ASSERT_NE(data.sparse<float>(), nullptr);
  EXPECT_EQ(data.matrix<double>(), sample_a);
}

TEST(Npz, SparseWithLongIndicesAndIntegerData) {
  const std::vector<std::int64_t> offsets{0, 1, 3}, columns{1, 2, 0}, values{5, 7, 6};
  const Dataset data = parse_text(
      sparse("csr", {2, 3}, {integers("indptr", offsets), integers("indices", columns), integers("data", values)}));
  test::expect_sound(data);  // row 1 was not in order
  EXPECT_EQ(data.matrix<double>(), (Matrix<double>(2, 3) << 0, 5, 0, 6, 0, 7).finished());
}

TEST(Npz, RepeatsInACsrAreSummed) {
  const Dataset data =
      parse_text(sparse("csr", {2, 3},
                        {integers<std::int32_t>("indptr", {0, 3, 4}), integers<std::int32_t>("indices", {2, 0, 2, 1}),
                         reals("data", {1, 2, 3, 4})}));
  test::expect_sound(data);
  EXPECT_EQ(data.sparse<double>()->nonzeros(), 3);
  EXPECT_EQ(data.matrix<double>(), (Matrix<double>(2, 3) << 2, 0, 4, 0, 4, 0).finished());
}

TEST(Npz, SparseFilesThatContradictThemselves) {
  const auto indices = integers<std::int32_t>("indices", {0, 1});
  const auto offsets = integers<std::int32_t>("indptr", {0, 1, 2});
  const auto data = reals("data", {1, 2});
  using List = std::vector<Array>;
  const auto csr = [&](const List& arrays, std::vector<std::int64_t> shape = {2, 2}) {
    parse_text(sparse("csr", shape, arrays));
  };
  EXPECT_NO_THROW(csr({data, indices, offsets}));
  expect_message(
      [&] {
        csr({data, indices, integers<std::int32_t>("indptr", {0, 2, 1})});
      },
      "'indptr' has 1 at position 2; 2 .. 2");
  expect_message(
      [&] {
        csr({data, indices, integers<std::int32_t>("indptr", {1, 1, 2})});
      },
      "'indptr' has 1 at position 0; 0 .. 0");
  expect_message(
      [&] {
        csr({data, indices, integers<std::int32_t>("indptr", {0, 1, 3})});
      },
      "'indptr' has 3 at position 2; 1 .. 2");
  expect_message(
      [&] {
        csr({data, indices, integers<std::int32_t>("indptr", {0, 1})});
      },
      "'indptr' has 2 numbers; the shape needs 3");
  expect_message(
      [&] {
        csr({data, integers<std::int32_t>("indices", {0, 2}), offsets});
      },
      "'indices' has 2 at position 1");
  expect_message(
      [&] {
        csr({data, integers<std::int32_t>("indices", {-1, 0}), offsets});
      },
      "'indices' has -1 at position 0");
  expect_message([&] { csr({data, reals("indices", {0, 1}), offsets}); }, "int32 or int64 is needed");
  expect_message([&] { csr({data, offsets}); }, "'indices'; it is missing");
  expect_message([&] { csr({data, indices, offsets}, {2, std::int64_t{1} << 31}); }, "2 x 2147483648 can't be read");
  expect_message([&] { csr({data, indices, offsets}, {-2, 2}); }, "-2 x 2 can't be read");
  expect_message([&] { csr({data, indices, offsets}, {2, 2, 2}); }, "3 dimensions");
  expect_message([&] { csr({data, indices, offsets}, {1000000000, 2}); }, "the shape needs 1000000001");
  const auto one = integers<std::int32_t>("row", {0}), two = integers<std::int32_t>("col", {0, 0});
  expect_message([&] { parse_text(sparse("coo", {2, 2}, {data, one, two})); }, "have 2, 1 and 2 numbers");
  expect_message(
      [&] {
        parse_text(sparse("coo", {2000000000, 2}, {reals("data", {1}), one, integers<std::int32_t>("col", {0})}));
      },
      "promises 2000000000 rows for 1 entries");
}

TEST(Npz, DamagedFilesGiveAnErrorOrATable) {
  for (const std::string& file : {samples::npz_stored, samples::npz_csr, samples::npz_coo})
    test::expect_sound_when_damaged(file, parse_npz);
}

TEST(Npz, OwnFilesAreUsedWhereTheyLie) {
  const std::string file = written(sample_x, write_npz);
  Bytes bytes = as_bytes(file);
  const Dataset data = parse_npz(bytes, {}, {});
  const auto* start = reinterpret_cast<const char*>(data.dense<double>()->data);
  EXPECT_TRUE(start > bytes.text.data() && start < bytes.text.data() + bytes.text.size());
  EXPECT_EQ(data.matrix<double>(), sample_x);
  const std::string sparse_file = written(parse_text(samples::npz_csr), write_npz);
  bytes = as_bytes(sparse_file);
  const Dataset rows = parse_npz(bytes, {}, {});
  const auto inside = [&](const void* place) {
    return place > bytes.text.data() && place < bytes.text.data() + bytes.text.size();
  };
  EXPECT_TRUE(inside(rows.sparse<double>()->values));
  EXPECT_TRUE(inside(rows.sparse<double>()->columns));
}

TEST(Npz, SameDataSameBytes) {
  EXPECT_EQ(written(sample_x, write_npz), written(RowMatrix<double>(sample_x), write_npz));
  EXPECT_EQ(written(parse_text(samples::npz_csr), write_npz), written(parse_text(samples::npz_coo), write_npz));
}

TEST(Npz, SparseArraysHaveTheNamesAndTypesOfSciPy) {
  // SciPy 1.10.1 names and types them so (numpy_samples.hpp, npz_csr); scipy.sparse.load_npz asks for these.
  const Bytes ours = as_bytes(written(parse_text(samples::npz_csr), write_npz)), theirs = as_bytes(samples::npz_csr);
  const ZipReader own(ours, "ours"), reference(theirs, "theirs");
  ASSERT_EQ(own.members().size(), reference.members().size());
  for (const ZipMember& member : reference.members()) {
    ASSERT_NE(own.find(member.name), nullptr) << member.name;
    EXPECT_EQ(own.read(*own.find(member.name), {}).text, reference.read(member, {}).text) << member.name;
  }
}

template <class T>
bool dense_round_trip() {
  return rc::check([] {
    const Matrix<T> m = test::any_matrix<T>();
    const Dataset back = parse_text(written(m, write_npz));
    RC_ASSERT(back.dense<T>() != nullptr);
    RC_ASSERT(test::same_bits(back.matrix<T>(), m));
  });
}
template <class T>
bool sparse_round_trip() {
  return rc::check([] {
    const Dataset data(test::any_csr<T>());
    const Dataset back = parse_text(written(data, write_npz));
    RC_ASSERT(back.sparse<T>() != nullptr);
    RC_ASSERT(test::same_entries(*back.sparse<T>(), *data.sparse<T>()));
  });
}
TEST(Npz, ReadsBackToTheSameBits) {
  EXPECT_TRUE(dense_round_trip<double>());
  EXPECT_TRUE(dense_round_trip<float>());
  EXPECT_TRUE(sparse_round_trip<double>());
  EXPECT_TRUE(sparse_round_trip<float>());
}

TEST(Npz, WhatIsCopiedDoesNotStayInMemoryTwice) {
  // 64-bit indices and 32-bit values read as 64-bit ones are copied out of the file.
  const std::int64_t rows = 1000, each = 1000;
  std::vector<std::int64_t> indices, starts{0};
  for (std::int64_t e = 0; e < rows * each; ++e) indices.push_back(e % each);
  for (std::int64_t i = 1; i <= rows; ++i) starts.push_back(i * each);
  const std::vector<float> values(indices.size(), 0.5f);
  const std::string text{reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
  const test::TemporaryFile file(
      sparse("csr", {rows, each},
             {integers("indices", indices), integers("indptr", starts), {"data", "<f4", {values.size()}, text}}));
  const std::int64_t before = test::resident_file_bytes();
  const Bytes bytes = load(file.path(), {});  // 12 MB
  const Dataset data = parse_npz(bytes, test::in_precision(Precision::float64), {});
  EXPECT_LT(test::resident_file_bytes() - before, 2000000);
  ASSERT_NE(data.sparse<double>(), nullptr);
  EXPECT_EQ(data.sparse<double>()->values[999999], 0.5);
  EXPECT_EQ(data.sparse<double>()->columns[999999], 999);
}

TEST(Npz, OfSeveralDamagedArraysTheSameIsNamedEveryTime) {
  std::string file = sparse(
      "csr", {1, 2},
      {integers<std::int32_t>("indices", {0, 1}), integers<std::int32_t>("indptr", {0, 2}), reals("data", {1.5, 2.5})});
  const auto spoil = [&](const std::string& member) { file[file.find("NUMPY", file.find(member)) + 125] ^= 1; };
  spoil("indices.npy"), spoil("indptr.npy"), spoil("data.npy");
  for (int i = 0; i < 20; ++i) expect_message([&] { parse_text(file); }, "checksum of member 'data.npy' is wrong");
}

}  // namespace
}  // namespace fewdim
