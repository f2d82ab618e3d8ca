// Distances as people write them down: each line one number longer than the one before.

#include <gtest/gtest.h>

#include <cmath>

#include "data/formats.hpp"
#include "fewdim/error.hpp"

namespace fewdim {
namespace {

Dataset parse_triangle(const std::string& text, const Execution& exec = {}) {
  return parse_delimited({text, {}, "t.csv"}, {}, exec);
}

void expect_triangle(const Dataset& data) {
  ASSERT_EQ(data.rows(), 4);
  ASSERT_EQ(data.cols(), 4);
  const Matrix<double> m = data.matrix<double>();
  for (Index i = 0; i < 4; ++i)
    for (Index j = 0; j < 4; ++j) {
      if (j > i) {
        EXPECT_TRUE(std::isnan(m(i, j)));
      } else {
        EXPECT_EQ(m(i, j), i == j ? 0.0 : static_cast<double>(10 * i + j));
      }
    }
}

TEST(DelimitedTriangle, WithAndWithoutNamesAndDiagonal) {
  const std::vector<std::string> names{"a", "b", "c", "d"};
  for (const char* text : {"0\n10,0\n20,21,0\n30,31,32,0\n", "10\n20,21\n30,31,32\n", "0\n10 0\n20 21 0\n30 31 32 0"}) {
    expect_triangle(parse_triangle(text));
    EXPECT_TRUE(parse_triangle(text).row_names.empty()) << text;
  }
  for (const char* text :
       {"a,0\nb,10,0\nc,20,21,0\nd,30,31,32,0\n", "a\nb,10\nc,20,21\nd,30,31,32\n",
        ",a,b,c,d\na,0\nb,10,0\nc,20,21,0\nd,30,31,32,0\n", "a,b,c,d\n0\n10,0\n20,21,0\n30,31,32,0\n"}) {
    expect_triangle(parse_triangle(text));
    EXPECT_EQ(parse_triangle(text).row_names, names) << text;
    EXPECT_EQ(parse_triangle(text).column_names, names) << text;
  }
}

TEST(DelimitedTriangle, OtherRaggedTablesAreStillRefused) {
  for (const char* text : {"1,2,3\n4,5\n6,7,8\n", "1,2\n3,4,5\n6,7,8,9\n", "a,b\n1,2\n3\n4,5\n", "1\n2,3\n"})
    EXPECT_THROW(parse_triangle(text), DataError) << text;
}

TEST(DelimitedTriangle, TheMemoryLimitHolds) {
  std::string text;
  for (int i = 1; i <= 1000; ++i) {
    for (int j = 1; j < i; ++j) text += "1,";
    text += "0\n";
  }
  EXPECT_EQ(parse_triangle(text).rows(), 1000);  // 8 MB, from 1 MB of text
  EXPECT_THROW(parse_triangle(text, {.memory_limit = 8'000'000}), OverMemory);
}

TEST(DelimitedTriangle, NamesTheLineThatBreaksIt) {
  std::string text;
  for (int i = 1; i <= 1500; ++i) {
    for (int j = 1; j < i; ++j) text += "1,";
    text += i == 1400 ? "0,0\n" : "0\n";
  }
  try {
    parse_triangle(text);
    FAIL();
  } catch (const DataError& e) {
    EXPECT_NE(std::string(e.what()).find("t.csv:1400: 1401 numbers"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace fewdim
