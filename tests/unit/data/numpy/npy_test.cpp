#include "data/numpy/npy.hpp"

#include <gtest/gtest.h>

#include "unit/data/format_helpers.hpp"
#include "unit/data/generators.hpp"
#include "unit/data/numpy_samples.hpp"

namespace fewdim {
namespace {

using test::as_bytes, test::expect_message, test::message_of, test::written;

Dataset parse(std::string_view content, const ReadOptions& options = {}) {
  return parse_npy(as_bytes(content), options, {});
}

/// A version 1.0 file by hand, for what NumPy would not write.
std::string npy(const std::string& dict, const std::string& elements = "") {
  const std::size_t size = dict.size() + 1;
  return std::string("\x93NUMPY\x01\x00", 8) + char(size & 0xff) + char(size >> 8) + dict + "\n" + elements;
}
std::string npy_of(const std::string& descr, const std::string& shape, const std::string& elements = "") {
  return npy("{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }", elements);
}
template <class T>
std::string raw(std::initializer_list<T> values) {
  return {reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(T)};
}

const Matrix<double> two_by_three = (Matrix<double>(2, 3) << 1, 2, 3, 4, 5, 6.5).finished();

TEST(Npy, Float64IsUsedWhereItLies) {
  const Bytes bytes = as_bytes(samples::npy_f8);
  const Dataset data = parse_npy(bytes, {}, {});
  const auto* view = data.dense<double>();
  ASSERT_NE(view, nullptr);
  EXPECT_EQ(reinterpret_cast<const char*>(view->data), bytes.text.data() + 128);  // NumPy's header takes 128 bytes
  EXPECT_TRUE(view->row_major());
  EXPECT_EQ(data.matrix<double>(), two_by_three);
}

TEST(Npy, ViewOutlivesTheBytesItCameFrom) {
  Dataset data;
  { data = parse(samples::npy_f8); }
  EXPECT_EQ(data.matrix<double>(), two_by_three);
}

TEST(Npy, FortranFloat32IsUsedWhereItLies) {
  const Bytes bytes = as_bytes(samples::npy_f4_fortran);
  const Dataset data = parse_npy(bytes, {}, {});
  const auto* view = data.dense<float>();
  ASSERT_NE(view, nullptr);
  EXPECT_EQ(reinterpret_cast<const char*>(view->data), bytes.text.data() + 128);
  EXPECT_EQ(view->row_stride, 1);
  EXPECT_EQ(view->col_stride, 2);
  EXPECT_EQ(data.matrix<double>(), two_by_three);
}

TEST(Npy, UnalignedElementsAreCopied) {
  const std::string shifted = "?" + samples::npy_f8;
  Bytes bytes = as_bytes(shifted);
  bytes.text.remove_prefix(1);
  EXPECT_EQ(parse_npy(bytes, {}, {}).matrix<double>(), two_by_three);
}

TEST(Npy, BigEndianIntegersBecomeFloat64) {
  const Dataset data = parse(samples::npy_i2_big_endian);
  ASSERT_NE(data.dense<double>(), nullptr);
  EXPECT_EQ(data.matrix<double>(), (Matrix<double>(2, 2) << 1, -2, 300, 32767).finished());
}

TEST(Npy, BigEndianFloats) {
  EXPECT_EQ(parse(npy_of(">f8", "(1, 1)", std::string("\x3f\xf8\0\0\0\0\0\0", 8))).matrix<double>()(0, 0), 1.5);
  EXPECT_EQ(parse(npy_of(">f4", "(1, 1)", std::string("\x3f\xc0\0\0", 4))).matrix<float>()(0, 0), 1.5f);
}

TEST(Npy, HalvesBecomeFloat32) {
  const Dataset data = parse(samples::npy_f2);
  ASSERT_NE(data.dense<float>(), nullptr);
  const Matrix<float> m = data.matrix<float>();
  EXPECT_EQ(m(0, 0), 0.5f);
  EXPECT_EQ(m(0, 1), -2.0f);
  EXPECT_EQ(m(1, 0), 65504.0f);
  EXPECT_TRUE(std::isinf(m(1, 1)));
}

TEST(Npy, MoreThanTwoDimensionsAreFlattenedInCOrder) {
  const Matrix<double> m = parse(samples::npy_i8_3d_fortran).matrix<double>();
  ASSERT_EQ(m.rows(), 2);
  ASSERT_EQ(m.cols(), 6);
  for (Index i = 0; i < 2; ++i)
    for (Index j = 0; j < 6; ++j) EXPECT_EQ(m(i, j), double(6 * i + j));  // arange(12), as reshape(2, 6) has it
  const Matrix<double> c = parse(npy_of("<f8", "(2, 1, 2)", raw<double>({1, 2, 3, 4}))).matrix<double>();
  EXPECT_EQ(c, (Matrix<double>(2, 2) << 1, 2, 3, 4).finished());
}

TEST(Npy, FortranFloatsOfThreeDimensionsToo) {
  const std::string dict = "{'descr': '<f8', 'fortran_order': True, 'shape': (1, 2, 2), }";
  // Storage order of a[0,j,k] with j fastest: a00 a10 a01 a11.
  const Matrix<double> m = parse(npy(dict, raw<double>({0, 10, 1, 11}))).matrix<double>();
  EXPECT_EQ(m, (Matrix<double>(1, 4) << 0, 1, 10, 11).finished());
}

TEST(Npy, VersionsTwoAndThree) {
  for (const std::string& file : {samples::npy_version_2, samples::npy_version_3})
    EXPECT_EQ(parse(file).matrix<double>(), (Matrix<double>(2, 1) << 1.5, 2.5).finished());
}

TEST(Npy, OneDimensionIsOneColumn) {
  const Dataset data = parse(npy_of("|u1", "(3,)", raw<std::uint8_t>({1, 2, 255})));
  EXPECT_EQ(data.matrix<double>(), (Matrix<double>(3, 1) << 1, 2, 255).finished());
}

TEST(Npy, EveryIntegerType) {
  const auto first = [](const std::string& file) { return parse(file).matrix<double>()(0, 0); };
  EXPECT_EQ(first(npy_of("|b1", "(1,)", "\x01")), 1);
  EXPECT_EQ(first(npy_of("|i1", "(1,)", "\x80")), -128);
  EXPECT_EQ(first(npy_of("<u2", "(1,)", raw<std::uint16_t>({65535}))), 65535);
  EXPECT_EQ(first(npy_of("<i4", "(1,)", raw<std::int32_t>({INT32_MIN}))), double(INT32_MIN));
  EXPECT_EQ(first(npy_of("<u4", "(1,)", raw<std::uint32_t>({UINT32_MAX}))), double(UINT32_MAX));
  EXPECT_EQ(first(npy_of("<i8", "(1,)", raw<std::int64_t>({-(std::int64_t{1} << 53)}))), -0x1p53);
  EXPECT_EQ(first(npy_of("<u8", "(1,)", raw<std::uint64_t>({std::uint64_t{1} << 53}))), 0x1p53);
}

TEST(Npy, IntegersThatFloat64CantHoldAreRefusedWithTheirPlace) {
  const std::int64_t beyond = (std::int64_t{1} << 53) + 1;
  expect_message(
      [&] {
        parse(npy_of("<i8", "(2, 2)", raw<std::int64_t>({1, 2, beyond, 4})));
      },
      "sample: row 2, column 1: an integer beyond 2^53");
  expect_message([&] { parse(npy_of("<u8", "(2, 2)", raw<std::uint64_t>({1, UINT64_MAX, 3, 4}))); }, "row 1, column 2");
  const std::string fortran = "{'descr': '<i8', 'fortran_order': True, 'shape': (1, 2, 2), }";
  expect_message([&] { parse(npy(fortran, raw<std::int64_t>({1, beyond, 3, 4}))); }, "row 1, column 3");
}

TEST(Npy, PrecisionConverts) {
  const Dataset narrow = parse(samples::npy_f8, test::in_precision(Precision::float32));
  ASSERT_NE(narrow.dense<float>(), nullptr);
  EXPECT_EQ(narrow.matrix<double>(), two_by_three);
  const Dataset wide = parse(samples::npy_f4_fortran, test::in_precision(Precision::float64));
  ASSERT_NE(wide.dense<double>(), nullptr);
  EXPECT_EQ(wide.matrix<double>(), two_by_three);
}

TEST(Npy, WhatIsNoTableOfRealNumbersIsRefused) {
  expect_message([] { parse(samples::npy_object); }, "sample: holds Python objects ('|O'); pickles are never run");
  expect_message([] { parse(npy_of("<c16", "(1,)", std::string(16, '\0'))); }, "complex numbers");
  expect_message([] { parse(npy_of("<U3", "(1,)", std::string(12, '\0'))); }, "holds text ('<U3')");
  expect_message([] { parse(npy_of("<M8[ns]", "(1,)", std::string(8, '\0'))); }, "dates or times");
  expect_message([] { parse(npy_of("|V8", "(1,)", std::string(8, '\0'))); }, "structured");
  expect_message([] { parse(npy_of("<f16", "(1,)", std::string(16, '\0'))); }, "unusual size");
  expect_message([] { parse(npy_of("<f8", "()", std::string(8, '\0'))); }, "a single number");
  expect_message([] { parse(npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }")); },
                 "structured");
}

TEST(Npy, HeaderIsTakenLiterally) {
  const char* bad[] = {
      "",
      "{}",
      "{'descr': '<f8', 'fortran_order': False}",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'extra': 1}",
      "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (1,)}",
      "{'descr': '<f8', 'fortran_order': 0, 'shape': (1,)}",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (1)}",
      "{'descr': '<f8', 'fortran_order': False, 'shape': 1}",
      "{'descr': '<f8', 'fortran_order': False, 'shape': [1]}",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (1.0,)}",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (1 2,)}",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (,)}",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,)}",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)} or 1",
      "{'descr': '<f8', 'fortran_order': not True, 'shape': (1,)}",
      "{'descr': 'f8', 'fortran_order': False, 'shape': (1,)}",
      "{'descr': '|f8', 'fortran_order': False, 'shape': (1,)}",
      "{'descr': '<x8', 'fortran_order': False, 'shape': (1,)}",
      "{'descr': '<f8.', 'fortran_order': False, 'shape': (1,)}",
      "{'descr': '<f', 'fortran_order': False, 'shape': (1,)}",
      "{'descr': __import__('os'), 'fortran_order': False, 'shape': (1,)}",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)",
      "{'de\\x73cr': '<f8', 'fortran_order': False, 'shape': (1,)}",
  };
  for (const char* dict : bad) EXPECT_NE(message_of([&] { parse(npy(dict, std::string(8, '\0'))); }), "") << dict;
  // Other writers order, quote and space it in their own way; Python 2 marked long integers.
  const char* good[] = {
      "{\"shape\":(1L,),\"descr\":\"<f8\",\"fortran_order\":False}",
      "{'fortran_order': True, 'shape': (1, 1,), 'descr': '<f8'}   ",
  };
  for (const char* dict : good) EXPECT_EQ(message_of([&] { parse(npy(dict, std::string(8, '\0'))); }), "") << dict;
}

TEST(Npy, PromisesAreCheckedAgainstTheFileBeforeMemoryIsTaken) {
  const std::string file = npy_of("<f8", "(65536, 65536)");  // 32 GiB
  ASSERT_LT(file.size(), 90u);
  expect_message([&] { parse(file); },
                 "sample: shape (65536, 65536) of '<f8' takes 34359738368 bytes, but 0 are there");
  expect_message([&] { parse(npy_of("|i1", "(65536, 65536)")); }, "but 0 are there");
  expect_message([] { parse(npy_of("<f8", "(4294967296, 4294967296)")); }, "more than any file holds");
  expect_message([] { parse(npy_of("<f8", "(9223372036854775807, 9223372036854775807, 9223372036854775807)")); },
                 "more than any file holds");
  expect_message([] { parse(npy_of("<f8", "(0, 9223372036854775807)")); }, "more than any file holds");
  expect_message([] { parse(npy_of("<f8", "(2305843009213693952,)")); },
                 "more than any file holds");  // 2^61 * 8 = 2^64
}

TEST(Npy, BytesAfterTheElementsAreRefused) {
  expect_message([] { parse(samples::npy_f8 + "xyz"); }, "takes 48 bytes, but 51 are there; remove the 3 at the end");
}

TEST(Npy, EmptyArraysAreEmptyTables) {
  const Dataset data = parse(npy_of("<f8", "(0, 5)"));
  EXPECT_EQ(data.rows(), 0);
  EXPECT_EQ(data.cols(), 5);
  EXPECT_EQ(parse(npy_of("<i4", "(0, 5)")).cols(), 5);
}

TEST(Npy, ConversionKeepsToTheMemoryLimit) {
  Execution exec;
  exec.memory_limit = 7999;
  const Bytes bytes = as_bytes(npy_of("|u1", "(1000,)", std::string(1000, '\1')));
  EXPECT_THROW(parse_npy(bytes, {}, exec), OverMemory);
  exec.memory_limit = 8000;
  EXPECT_EQ(parse_npy(bytes, {}, exec).rows(), 1000);
}

TEST(Npy, DamagedFilesGiveAnErrorOrATable) {
  for (const std::string& file :
       {samples::npy_f8, samples::npy_f4_fortran, samples::npy_i8_3d_fortran, samples::npy_version_2})
    test::expect_sound_when_damaged(file, parse_npy);
}

TEST(Npy, WritesTheBytesThatNumPyWrites) {
  EXPECT_EQ(written(two_by_three, write_npy), samples::npy_f8);
  const RowMatrix<double> row_major = two_by_three;
  EXPECT_EQ(written(row_major, write_npy), samples::npy_f8);
  EXPECT_EQ(written(two_by_three.transpose().eval().transpose(), write_npy), samples::npy_f8);
}

TEST(Npy, SparseRowsAreWrittenDense) {
  Csr<float> csr;
  csr.rows = 2, csr.cols = 3;
  csr.offsets = {0, 1, 3}, csr.columns = {1, 0, 2}, csr.values = {5, 6, 7};
  const Dataset back = parse(written(Dataset(std::move(csr)), write_npy));
  ASSERT_NE(back.dense<float>(), nullptr);
  EXPECT_EQ(back.matrix<float>(), (Matrix<float>(2, 3) << 0, 5, 0, 6, 0, 7).finished());
}

TEST(Npy, LargeStridedDataAreWrittenInBlocks) {
  Matrix<double> m(3001, 97);  // 2.3 MB: more than one block, and none of them whole
  for (Index i = 0; i < m.size(); ++i) m.data()[i] = double(i);
  EXPECT_EQ(parse(written(m, write_npy)).matrix<double>(), m);
}

template <class T>
bool round_trip() {
  return rc::check([] {
    const Matrix<T> m = test::any_matrix<T>();
    const Dataset back = parse(written(m, write_npy));
    RC_ASSERT(back.dense<T>() != nullptr);
    const Matrix<T> read = back.matrix<T>();
    RC_ASSERT(read.rows() == m.rows() && read.cols() == m.cols());
    RC_ASSERT(std::memcmp(read.data(), m.data(), std::size_t(m.size()) * sizeof(T)) == 0);
  });
}
TEST(Npy, ReadsBackToTheSameBits) {
  EXPECT_TRUE(round_trip<double>());
  EXPECT_TRUE(round_trip<float>());
}

}  // namespace
}  // namespace fewdim
