#include "data/delimited/write.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <bit>
#include <cmath>
#include <limits>

#include "unit/data/text_files.hpp"

namespace fewdim {
namespace {

using text_files::bits_of;
using Names = std::vector<std::string>;

std::string text_of(const Dataset& data, char delimiter = ',', const WriteOptions& options = {},
                    const Execution& exec = {}) {
  std::string text;
  delimited::format_table(data, delimiter, options, exec, [&](std::string_view piece) { text += piece; });
  return text;
}

template <class T>
std::string number(T value) {
  std::string text;
  delimited::append_number(text, value);
  return text;
}

TEST(DelimitedWrite, NumbersAreShort) {
  EXPECT_EQ(number(0.1), "0.1");
  EXPECT_EQ(number(100000.0), "100000");
  EXPECT_EQ(number(-3.0), "-3");
  EXPECT_EQ(number(-0.0), "-0");
  EXPECT_EQ(number(1e300), "1e+300");
  EXPECT_EQ(number(0.1f), "0.1");
  EXPECT_EQ(number(std::numeric_limits<double>::quiet_NaN()), "NaN");
  EXPECT_EQ(number(-std::numeric_limits<double>::infinity()), "-inf");
  EXPECT_EQ(number(5e-324), "5e-324");
}

TEST(DelimitedWrite, NamesAndLabelsStandBesideTheNumbers) {
  RowMatrix<double> m(2, 2);
  m << 1, 2.5, -3, 4;
  Dataset data(m);
  EXPECT_EQ(text_of(data), "1,2.5\n-3,4\n");
  data.column_names = {"a", "b,c"};
  EXPECT_EQ(text_of(data, '\t'), "a\t\"b,c\"\n1\t2.5\n-3\t4\n");
  data.row_names = {"r1", "7"};
  data.labels = {"red", "0"};
  EXPECT_EQ(text_of(data), "\"\",a,\"b,c\",label\nr1,1,2.5,red\n\"7\",-3,4,0\n");
  data.row_names_header = "key";
  data.label_name = "color";
  EXPECT_EQ(text_of(data), "key,a,\"b,c\",label:color\nr1,1,2.5,red\n\"7\",-3,4,0\n");
  WriteOptions options;
  options.header = false;
  options.names = false;
  EXPECT_EQ(text_of(data, ',', options), "1,2.5,red\n-3,4,0\n");
}

TEST(DelimitedWrite, LabelsAreKnownWhenReadAgain) {
  RowMatrix<double> m(3, 2);
  m << 1, 2.5, -3, 4, 5, 6;
  Dataset data(m);
  data.labels = {"3", "1", "3"};
  EXPECT_EQ(text_of(data), "x1,x2,label\n1,2.5,3\n-3,4,1\n5,6,3\n");  // without a header nothing could tell
  for (const char* name : {"", "label", "digit", "label:x", "a,b"}) {
    data.label_name = name;
    const Dataset back = text_files::parse(text_of(data));
    EXPECT_EQ(back.cols(), 2) << name;
    EXPECT_EQ(back.labels, data.labels) << name;
  }
  data.column_names = {"x", "y"};
  data.label_name = "digit";
  const Dataset back = text_files::parse(text_of(data));
  EXPECT_EQ(back.label_name, "digit");
  WriteOptions options;
  options.label_mark = false;
  EXPECT_TRUE(text_of(data, ',', options).starts_with("x,y,digit\n"));
  EXPECT_EQ(back.column_names, data.column_names);
}

TEST(DelimitedWrite, WhatLooksLikeSomethingElseIsQuoted) {
  RowMatrix<double> m(1, 7);
  m << 1, 2, 3, 4, 5, 6, 7;
  Dataset data(m);
  data.column_names = {"#x", "12", "NA", "say \"hi\"", " pad", "two\nlines", "inf"};
  const std::string text = text_of(data);
  EXPECT_EQ(text, "\"#x\",\"12\",\"NA\",\"say \"\"hi\"\"\",\" pad\",\"two\nlines\",\"inf\"\n1,2,3,4,5,6,7\n");
  EXPECT_EQ(text_files::parse(text).column_names, data.column_names);
}

TEST(DelimitedWrite, SparseAndColumnMajorDataLookTheSame) {
  Matrix<double> m(2, 3);
  m << 0, 1, 0, 2, 0, 3;
  Csr<double> csr;
  csr.rows = 2, csr.cols = 3, csr.offsets = {0, 1, 3}, csr.columns = {1, 0, 2}, csr.values = {1, 2, 3};
  EXPECT_EQ(text_of(Dataset(m)), "0,1,0\n2,0,3\n");
  EXPECT_EQ(text_of(Dataset(std::move(csr))), "0,1,0\n2,0,3\n");
}

TEST(DelimitedWrite, SameTextAtAnyThreadCount) {
  RowMatrix<double> m(40000, 3);
  for (Index i = 0; i < m.size(); ++i)
    m.data()[i] = std::sin(static_cast<double>(i)) * std::pow(10.0, static_cast<double>(i % 40) - 20);
  const std::string one = text_of(Dataset(m), ',', {}, {.threads = 1});
  for (const int threads : {2, 3, 8}) EXPECT_EQ(text_of(Dataset(m), ',', {}, {.threads = threads}), one);
  EXPECT_EQ(bits_of(text_files::parse(one)), bits_of(Dataset(m)));
}

/// Doubles of every kind: any bit pattern, small whole numbers, ends of the range.
double any_double() {
  const auto special = *rc::gen::element(
      0.0, -0.0, 1e308, 5e-324, -2.2250738585072009e-308, std::numeric_limits<double>::infinity(),
      -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN(), 0.1, 1e15, 1e16);
  const auto pattern = std::bit_cast<double>(*rc::gen::arbitrary<std::uint64_t>());
  const auto whole = static_cast<double>(*rc::gen::inRange(-1000, 1000));
  const int kind = *rc::gen::inRange(0, 3);
  return kind == 0 ? special : kind == 1 ? pattern : whole / 8;
}

/// Names with whatever can trouble a reader. The readers cut no NUL and trim nothing inside quotes.
std::string any_name() {
  return *rc::gen::container<std::string>(rc::gen::element('a', 'b', 'Z', '1', '.', ',', ';', '\t', '"', '\n', '\r',
                                                           ' ', '#', '-', 'e', '\xc3', '\xa9', '|'));
}

template <class T>
void check_round_trip() {
  const Index rows = *rc::gen::inRange<Index>(1, 12), cols = *rc::gen::inRange<Index>(1, 6);
  RowMatrix<T> m(rows, cols);
  for (Index i = 0; i < m.size(); ++i) {
    const double value = any_double();
    m.data()[i] = sizeof(T) == 8 ? static_cast<T>(value)
                                 : static_cast<T>(std::bit_cast<float>(
                                       static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(value) >> 32)));
  }
  Dataset data(m);
  ReadOptions options;
  if (sizeof(T) == 4) options.precision = Precision::float32;
  const bool header = *rc::gen::arbitrary<bool>();
  if (*rc::gen::arbitrary<bool>()) {
    for (Index i = 0; i < rows; ++i) data.row_names.push_back(any_name());
    data.row_names_header = header ? any_name() : "";
    options.id = "1";  // any names, repeated ones too: so it is said where they are
  } else {
    options.id = "none";
  }
  if (header) {
    for (Index j = 0; j < cols; ++j) data.column_names.push_back("c" + any_name());
    options.header = true;
    if (!data.row_names.empty() && !data.row_names_header.empty()) options.id = data.row_names_header;
    const auto same = std::count(data.column_names.begin(), data.column_names.end(), data.row_names_header);
    if (same > 0 || data.row_names_header.empty() || !data.row_names_header.starts_with('a'))
      options.id = data.row_names.empty() ? "none" : options.id;
  } else {
    options.header = false;
  }
  if (*rc::gen::arbitrary<bool>()) {
    for (Index i = 0; i < rows; ++i) data.labels.push_back(any_name());
    options.label = std::to_string(cols + 1 + (data.row_names.empty() ? 0 : 1));
    if (header) data.label_name = "the label";
    if (header) options.label = "the label";
  }
  const char delimiter = *rc::gen::element(',', '\t');
  options.delimiter = delimiter;
  WriteOptions writing;
  writing.header = header;  // labels would bring one
  const std::string text = text_of(data, delimiter, writing);
  const Dataset back = text_files::parse(text, options);
  RC_ASSERT(bits_of(back) == bits_of(data));
  RC_ASSERT(back.precision() == data.precision());
  RC_ASSERT(back.row_names == data.row_names);
  RC_ASSERT(back.column_names == data.column_names);
  RC_ASSERT(back.labels == data.labels);
  RC_ASSERT(back.row_names_header == data.row_names_header);
  RC_ASSERT(back.label_name == data.label_name);
}

TEST(DelimitedWrite, ReadsBackToTheSameBits) {
  EXPECT_TRUE(rc::check("float64", [] { check_round_trip<double>(); }));
  EXPECT_TRUE(rc::check("float32", [] { check_round_trip<float>(); }));
}

TEST(DelimitedWrite, IsReadBackWithoutBeingTold) {
  const bool passed = rc::check("names and numbers are detected", [] {
    const Index rows = *rc::gen::inRange<Index>(1, 12), cols = *rc::gen::inRange<Index>(1, 6);
    RowMatrix<double> m(rows, cols);
    for (Index i = 0; i < m.size(); ++i) m.data()[i] = any_double();
    Dataset data(m);
    for (Index j = 0; j < cols; ++j) data.column_names.push_back(fmt::format("{}{}", any_name(), j));
    if (*rc::gen::arbitrary<bool>())
      for (Index i = 0; i < rows; ++i) data.row_names.push_back(any_name());
    const Dataset back = text_files::parse(text_of(data));
    RC_ASSERT(bits_of(back) == bits_of(data));
    RC_ASSERT(back.row_names == data.row_names);
    RC_ASSERT(back.column_names == data.column_names);
  });
  EXPECT_TRUE(passed);
}

}  // namespace
}  // namespace fewdim
