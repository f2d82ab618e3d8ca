#include <gtest/gtest.h>

#include "unit/data/format_helpers.hpp"
#include "unit/data/generators.hpp"

namespace fewdim {
namespace {

using test::as_bytes, test::expect_message, test::written;

Dataset parse(std::string_view content, const ReadOptions& options = {}) {
  return parse_matrix_market(as_bytes(content, "a.mtx"), options, {});
}

// scipy.io.mmwrite(f, coo_matrix(([1.5, -2, 3e-300], ([0, 2, 1], [1, 0, 2])), shape=(3, 4))) of SciPy 1.10.1.
const std::string sample =
    "%%MatrixMarket matrix coordinate real general\n%\n3 4 3\n1 2 1.500000000000000e+00\n"
    "3 1 -2.000000000000000e+00\n2 3 3.000000000000000e-300\n";

TEST(MatrixMarket, Coordinates) {
  const Dataset data = parse(sample);
  ASSERT_NE(data.sparse<double>(), nullptr);
  test::expect_sound(data);
  Matrix<double> expected = Matrix<double>::Zero(3, 4);
  expected(0, 1) = 1.5, expected(2, 0) = -2, expected(1, 2) = 3e-300;
  EXPECT_EQ(data.matrix<double>(), expected);
}

TEST(MatrixMarket, ArraysAreColumnMajor) {
  const Dataset data = parse("%%MatrixMarket matrix array real general\n% two columns\n3 2\n1\n2\n3\n4\n5\n6.5\n");
  const auto* view = data.dense<double>();
  ASSERT_NE(view, nullptr);
  EXPECT_EQ(view->col_stride, 3);
  EXPECT_EQ(data.matrix<double>(), (Matrix<double>(3, 2) << 1, 4, 2, 5, 3, 6.5).finished());
}

TEST(MatrixMarket, HeaderInAnyCaseCommentsAndBlankLines) {
  const Dataset data = parse(
      "%%MATRIXMARKET Matrix\tCoordinate Double General\r\n%a\n\n  % b\r\n 2  2\t2 \r\n\n 1 1 +1.5 \r\n% c\n2 2 "
      "2.5D+01");
  EXPECT_EQ(data.matrix<double>(), (Matrix<double>(2, 2) << 1.5, 0, 0, 25).finished());
}

TEST(MatrixMarket, PatternAndInteger) {
  EXPECT_EQ(parse("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1\n").matrix<double>()(1, 0), 1.0);
  EXPECT_EQ(parse("%%MatrixMarket matrix coordinate integer general\n2 2 1\n2 1 -7\n").matrix<double>()(1, 0), -7.0);
  expect_message([] { parse("%%MatrixMarket matrix coordinate integer general\n2 2 1\n2 1 7.5\n"); },
                 "a.mtx:3:5: an integer below 2^53 should be here, found '7.5'");
  expect_message([] { parse("%%MatrixMarket matrix array integer general\n1 1\n9007199254740993\n"); }, "below 2^53");
}

TEST(MatrixMarket, SymmetricFilesAreMirrored) {
  const Matrix<double> expected = (Matrix<double>(3, 3) << 1, 2, 0, 2, 0, 3, 0, 3, 4).finished();
  EXPECT_EQ(
      parse("%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 1\n2 1 2\n3 2 3\n3 3 4\n").matrix<double>(),
      expected);
  EXPECT_EQ(
      parse("%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 1\n1 2 2\n2 3 3\n3 3 4\n").matrix<double>(),
      expected);
  EXPECT_EQ(parse("%%MatrixMarket matrix array real symmetric\n3 3\n1\n2\n0\n0\n3\n4\n").matrix<double>(), expected);
  const Matrix<double> skew = (Matrix<double>(3, 3) << 0, -2, 0, 2, 0, -3, 0, 3, 0).finished();
  EXPECT_EQ(parse("%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n2 1 2\n3 2 3\n").matrix<double>(),
            skew);
  EXPECT_EQ(parse("%%MatrixMarket matrix array real skew-symmetric\n3 3\n2\n0\n3\n").matrix<double>(), skew);
  expect_message([] { parse("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n2 1 1\n1 2 1\n"); },
                 "a.mtx:4:1: a symmetric file lists one triangle");
  expect_message([] { parse("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 1\n"); },
                 "zero diagonal");
  expect_message([] { parse("%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n2 1 1\n"); },
                 "is square, this one is 2 x 3");
}

TEST(MatrixMarket, RepeatsAreSummedInTheOrderOfTheFile) {
  // (0.1 + 1e16) - 1e16 is 0, any other order gives 0.1.
  const Dataset data =
      parse("%%MatrixMarket matrix coordinate real general\n2 2 4\n2 1 0.1\n2 1 1e16\n1 1 5\n2 1 -1e16\n");
  test::expect_sound(data);
  EXPECT_EQ(data.sparse<double>()->nonzeros(), 2);
  EXPECT_EQ(data.matrix<double>()(1, 0), (0.1 + 1e16) - 1e16);
}

TEST(MatrixMarket, SpecialNumbers) {
  const Matrix<double> m =
      parse("%%MatrixMarket matrix array real general\n5 1\nnan\n-inf\nInfinity\n-0\n4.9e-324\n").matrix<double>();
  EXPECT_TRUE(std::isnan(m(0, 0)));
  EXPECT_EQ(m(1, 0), -INFINITY);
  EXPECT_EQ(m(2, 0), INFINITY);
  EXPECT_TRUE(std::signbit(m(3, 0)));
  EXPECT_EQ(m(4, 0), 4.9e-324);
  expect_message([] { parse("%%MatrixMarket matrix array real general\n1 1\n1e999\n"); },
                 "a.mtx:3:1: found '1e999', beyond the largest float64 (1.8e308); correct it");
}

// One rule for every text format: too large is bad data, too small is 0, infinity must be spelled out.
TEST(MatrixMarket, NumbersOutOfRange) {
  const std::string start = "%%MatrixMarket matrix array real general\n1 1\n";
  const ReadOptions single = test::in_precision(Precision::float32);
  EXPECT_EQ(parse(start + "1e-400\n").matrix<double>()(0, 0), 0.0);
  EXPECT_EQ(parse(start + "-1d-400\n").matrix<double>()(0, 0), 0.0);
  expect_message([&] { parse(start + " -1D400\n"); }, "a.mtx:3:2: found '-1D400', beyond the largest float64");
  EXPECT_EQ(parse(start + "1e40\n").matrix<double>()(0, 0), 1e40);
  expect_message([&] { parse_matrix_market(as_bytes(start + "1e40\n", "a.mtx"), single, {}); },
                 "a.mtx:3:1: found '1e40', beyond the largest float32 (3.4e38); read it as float64, correct it");
  EXPECT_EQ(parse_matrix_market(as_bytes(start + "-inf\n"), single, {}).matrix<float>()(0, 0), -INFINITY);
}

TEST(MatrixMarket, ErrorsSayTheLineAndWhatIsThere) {
  const std::string start = "%%MatrixMarket matrix coordinate real general\n2 2 1\n";
  expect_message([&] { parse(start + "1 x 1\n"); }, "a.mtx:3:3: a column number should be here, found 'x'");
  expect_message([&] { parse(start + "1   \n"); },
                 "a.mtx:3:5: a column number should be here, found the end of the line");
  expect_message([&] { parse(start + "% c\n1 1 one\n"); }, "a.mtx:4:5: a number should be here, found 'one'");
  expect_message([&] { parse(start + "1 1 1 1\n"); }, "a.mtx:3:7: the entry should end here, found '1'");
  expect_message([&] { parse(start + "0 1 1\n"); }, "a.mtx:3:1: row 0 is outside 1 .. 2");
  expect_message([&] { parse(start + "1 3 1\n"); }, "a.mtx:3:3: column 3 is outside 1 .. 2");
  expect_message([&] { parse(start + "1 1.5 1\n"); }, "a.mtx:3:3: a column number should be here, found '1.5'");
  expect_message([&] { parse(start + "1 1 1\n2 2 2\n"); }, "a.mtx:2:1: 1 entries promised, at least 2 found");
  expect_message([] { parse("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1 \n    \n"); },
                 "a.mtx:2:1: 2 entries promised, 1 found; cut short?");
  expect_message([] { parse("1 1 1\n"); },
                 "a.mtx:1:1: a Matrix Market file starts with %%MatrixMarket, this one with '1'");
  expect_message([] { parse("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 1\n"); },
                 "complex numbers can't be read");
  expect_message([] { parse("%%MatrixMarket matrix coordinate real hermitian\n1 1 1\n1 1 1\n"); },
                 "complex numbers can't be read");
  expect_message([] { parse("%%MatrixMarket vector coordinate real general\n1 1 1\n1 1 1\n"); }, "holds a \"vector\"");
  expect_message([] { parse("%%MatrixMarket matrix array pattern general\n1 1\n1\n"); },
                 "field \"pattern\" is not known here");
  expect_message([] { parse("%%MatrixMarket matrix coordinate real general\n2 2\n1 1 1\n"); },
                 "the number of entries should be here");
}

TEST(MatrixMarket, PromisesAreCheckedAgainstTheFileBeforeMemoryIsTaken) {
  const std::string banner = "%%MatrixMarket matrix coordinate real general\n",
                    array = "%%MatrixMarket matrix array real general\n";
  expect_message([&] { parse(banner + "9 9 1000000000000\n1 1 1\n"); },
                 "a.mtx:2:1: promises 1000000000000 entries, but only 6 bytes follow");
  expect_message([&] { parse(array + "1000000 1000000\n1\n"); }, "promises 1000000000000 entries");
  expect_message([&] { parse(array + "9000000000000000000 2000000000\n1\n"); }, "promises 9223372036854775807 entries");
  expect_message([&] { parse(banner + "2 2147483648 1\n1 1 1\n"); }, "2147483648 columns are more than the 2147483647");
  expect_message([&] { parse(banner + "2147483647 2 1\n1 1 1\n"); }, "promises 2147483647 rows for 1 entries");
  expect_message([&] { parse(array + "9000000000000000000 0\n"); }, "rows for 0 entries");
  expect_message([&] { parse(banner + "99999999999999999999 2 1\n1 1 1\n"); }, "the number of rows should be here");
}

TEST(MatrixMarket, KeepsToTheMemoryLimit) {
  Execution exec;
  exec.memory_limit = 60;  // three entries need 12 + 16 bytes each
  EXPECT_THROW(parse_matrix_market(as_bytes(sample), {}, exec), OverMemory);
}

TEST(MatrixMarket, SameBitsAtAnyThreadCount) {
  // 4 MiB of entries in a scrambled order, with repeats: several pieces and groups.
  const Index n = 1000, entries = 300000;
  std::string text = "%%MatrixMarket matrix coordinate real general\n1000 1000 " + std::to_string(entries) + "\n";
  Matrix<double> expected = Matrix<double>::Zero(n, n);
  for (Index e = 0; e < entries; ++e) {
    const Index i = e * 7919 % n, j = e * e % 997;
    text += std::to_string(i + 1) + " " + std::to_string(j + 1) + " 0." + std::to_string(e % 1000 + 1) + "\n";
    expected(i, j) += std::stod("0." + std::to_string(e % 1000 + 1));
  }
  for (const int threads : {1, 2, 3}) {
    Execution exec;
    exec.threads = threads;
    const Dataset data = parse_matrix_market(as_bytes(text), {}, exec);
    test::expect_sound(data);
    EXPECT_EQ(data.matrix<double>(), expected);
  }
  text.replace(text.find('\n', text.size() / 2) + 1, 1, "x");
  expect_message([&] { parse(text); }, "a row number should be here, found 'x");
}

TEST(MatrixMarket, DamagedFilesGiveAnErrorOrATable) {
  test::expect_sound_when_damaged(sample, parse_matrix_market);
  test::expect_sound_when_damaged("%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n", parse_matrix_market);
  test::expect_sound_when_damaged("%%MatrixMarket matrix array integer skew-symmetric\n3 3\n1\n2\n3\n",
                                  parse_matrix_market);
  test::expect_sound_when_damaged("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n1 1\n3 2\n",
                                  parse_matrix_market);
}

TEST(MatrixMarket, Float32) {
  const Dataset data = parse(sample, test::in_precision(Precision::float32));
  ASSERT_NE(data.sparse<float>(), nullptr);
  EXPECT_EQ(data.matrix<float>()(0, 1), 1.5f);
}

TEST(MatrixMarket, WritesPlainText) {
  EXPECT_EQ(written(parse(sample), write_matrix_market),
            "%%MatrixMarket matrix coordinate real general\n3 4 3\n1 2 1.5\n2 3 3e-300\n3 1 -2\n");
  EXPECT_EQ(written(Matrix<double>((Matrix<double>(1, 2) << 0.1, 1e22).finished()), write_matrix_market),
            "%%MatrixMarket matrix array real general\n1 2\n0.1\n1e+22\n");
}

template <class T>
bool round_trips() {
  const ReadOptions options = test::in_precision(precision_of<T>);
  const bool dense = rc::check([&] {
    const Matrix<T> m = test::any_matrix<T>();
    const Dataset back = parse(written(m, write_matrix_market), options);
    RC_ASSERT(test::same_bits(back.matrix<T>(), m));
  });
  return dense && rc::check([&] {
           const Dataset data(test::any_csr<T>());
           const Dataset back = parse(written(data, write_matrix_market), options);
           RC_ASSERT(test::same_entries(*back.sparse<T>(), *data.sparse<T>()));
         });
}
TEST(MatrixMarket, ReadsBackToTheSameBits) {
  EXPECT_TRUE(round_trips<double>());
  EXPECT_TRUE(round_trips<float>());
}

}  // namespace
}  // namespace fewdim
