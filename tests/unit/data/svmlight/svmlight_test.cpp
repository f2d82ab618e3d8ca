#include <gtest/gtest.h>

#include "unit/data/format_helpers.hpp"
#include "unit/data/generators.hpp"

namespace fewdim {
namespace {

using test::as_bytes, test::expect_message, test::written;

Dataset parse(std::string_view content, const ReadOptions& options = {}) {
  return parse_svmlight(as_bytes(content, "a.svm"), options, {});
}

const std::string sample = "+1 1:0.5 3:-2 # first\n-1 2:1e3\n\n# a comment\n1 qid:7 4:1\n";

TEST(Svmlight, LinesOfIndexAndValue) {
  const Dataset data = parse(sample);
  ASSERT_NE(data.sparse<double>(), nullptr);
  test::expect_sound(data);
  EXPECT_EQ(data.matrix<double>(), (Matrix<double>(3, 4) << 0.5, 0, -2, 0, 0, 1000, 0, 0, 0, 0, 0, 1).finished());
  EXPECT_EQ(data.labels, (std::vector<std::string>{"1", "-1", "1"}));
  EXPECT_EQ(data.label_name, "label");
}

TEST(Svmlight, AnIndexOfZeroMakesItZeroBased) {
  EXPECT_EQ(parse("1 0:5 2:6\n").matrix<double>(), (Matrix<double>(1, 3) << 5, 0, 6).finished());
  EXPECT_EQ(parse("1 1:5 3:6\n").matrix<double>(), (Matrix<double>(1, 3) << 5, 0, 6).finished());
  EXPECT_EQ(parse("1 1:5\n2 0:6").matrix<double>(), (Matrix<double>(2, 2) << 0, 5, 6, 0).finished());
}

TEST(Svmlight, UnsortedIndicesAreSortedRepeatsRefused) {
  EXPECT_EQ(parse("1 3:6 1:5 2:1\n").matrix<double>(), (Matrix<double>(1, 3) << 5, 1, 6).finished());
  expect_message([] { parse("1 1:5\n2 1:5 3:1 1:6\n"); }, "a.svm:2:1: index 1 is there twice");
}

TEST(Svmlight, LabelsAreKeptAsText) {
  EXPECT_EQ(parse("1,2 1:1\ncat 1:2\n0.5 1:3\n").labels, (std::vector<std::string>{"1,2", "cat", "0.5"}));
  EXPECT_TRUE(parse("0 1:1\n0 1:2\n").labels.empty());  // what is written where there are none
}

TEST(Svmlight, RowsWithoutEntriesAreRows) {
  const Dataset data = parse("1\n2 2:1\r\n3 \n");
  EXPECT_EQ(data.matrix<double>(), (Matrix<double>(3, 2) << 0, 0, 0, 1, 0, 0).finished());
  EXPECT_EQ(data.labels, (std::vector<std::string>{"1", "2", "3"}));
}

TEST(Svmlight, NumbersOutOfRange) {
  EXPECT_EQ(parse("1 1:1e-400 2:inf\n").matrix<double>(), (Matrix<double>(1, 2) << 0, INFINITY).finished());
  expect_message([] { parse_svmlight(as_bytes("1 1:-1e39\n"), test::in_precision(Precision::float32), {}); },
                 "sample:1:5: found '-1e39', beyond the largest float32");
}

TEST(Svmlight, ErrorsSayTheLineAndWhatIsThere) {
  expect_message([] { parse("1 1:1\n1:1 2:2\n"); }, "a.svm:2:1: a label should start the line, found '1:1'");
  expect_message([] { parse("1 1:1 x\n"); }, "a.svm:1:7: index:value should be here, found 'x'");
  expect_message([] { parse("1 1\n"); }, "a.svm:1:3: index:value should be here, found '1'");
  expect_message([] { parse("1 -1:2\n"); }, "index:value should be here, found '-1:2'");
  expect_message([] { parse("1 1:\n"); }, "a.svm:1:5: a number should follow the index, found the end of the line");
  expect_message([] { parse("1 1:2x\n"); }, "a number should follow the index, found '2x'");
  expect_message([] { parse("1 1:1e999\n"); }, "a.svm:1:5: found '1e999', beyond the largest float64");
  expect_message([] { parse("1 2147483648:1\n"); }, "index 2147483648 is beyond 2147483647");
  expect_message([] { parse("1 99999999999999999999:1\n"); }, "index:value should be here");
  expect_message([] { parse("1 0:1 2147483647:1\n"); }, "more than the 2147483647 columns");
  expect_message([] { parse("# nothing\n\n"); }, "a.svm: no line with data in it");
}

TEST(Svmlight, SameDataAtAnyThreadCount) {
  std::string text;
  const Index rows = 60000;
  for (Index i = 0; i < rows; ++i)  // 2 MiB: several pieces
    text += std::to_string(i % 7) + " " + std::to_string(i % 50 + 51) + ":2.5 " + std::to_string(i % 50 + 1) + ":" +
            std::to_string(i) + "\n";
  for (const int threads : {1, 3}) {
    Execution exec;
    exec.threads = threads;
    const Dataset data = parse_svmlight(as_bytes(text), {}, exec);
    test::expect_sound(data);
    ASSERT_EQ(data.rows(), rows);
    ASSERT_EQ(data.cols(), 100);
    const auto* view = data.sparse<double>();
    for (Index i = 0; i < rows; ++i) {
      ASSERT_EQ(view->offsets[i], 2 * i);
      ASSERT_EQ(view->columns[2 * i], i % 50);
      ASSERT_EQ(view->values[2 * i], double(i));
      ASSERT_EQ(data.labels[std::size_t(i)], std::to_string(i % 7));
    }
  }
}

TEST(Svmlight, KeepsToTheMemoryLimit) {
  Execution exec;
  exec.memory_limit = 100;
  EXPECT_THROW(parse_svmlight(as_bytes(sample), {}, exec), OverMemory);
}

TEST(Svmlight, DamagedFilesGiveAnErrorOrATable) { test::expect_sound_when_damaged(sample, parse_svmlight); }

TEST(Svmlight, WritesLabelsOrZeros) {
  EXPECT_EQ(written(parse(sample), write_svmlight), "1 1:0.5 3:-2 4:0\n-1 2:1000\n1 4:1\n");
  const Matrix<double> m = (Matrix<double>(2, 2) << 0, 1.5, -0.0, 2).finished();
  EXPECT_EQ(written(m, write_svmlight), "0 2:1.5\n0 1:-0 2:2\n");
}

TEST(Svmlight, LabelsThatTheFormatCantHoldAreRefused) {
  for (const char* label : {"a b", "", "a:b", "#1", "+1"}) {
    Dataset data = parse("1 1:1\n");
    data.labels = {label};
    expect_message([&] { written(data, write_svmlight); }, "can't be written as svmlight");
  }
}

template <class T>
bool round_trips() {
  const ReadOptions options = test::in_precision(precision_of<T>);
  return rc::check([&] {
           const Matrix<T> m = test::any_matrix<T>();
           const Dataset back = parse(written(m, write_svmlight), options);
           RC_ASSERT(test::same_bits(back.matrix<T>(), m));
         }) &&
         rc::check([&] {
           Dataset data(test::any_csr<T>());
           data.labels = *rc::gen::container<std::vector<std::string>>(std::size_t(data.rows()),
                                                                       rc::gen::element<std::string>("1", "-1", "a,b"));
           const Dataset back = parse(written(data, write_svmlight), options);
           RC_ASSERT(test::same_bits(back.matrix<T>(), data.matrix<T>()));
           RC_ASSERT(back.labels == data.labels);
         });
}
TEST(Svmlight, ReadsBackToTheSameBits) {
  EXPECT_TRUE(round_trips<double>());
  EXPECT_TRUE(round_trips<float>());
}

}  // namespace
}  // namespace fewdim
