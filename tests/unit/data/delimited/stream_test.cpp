#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <fstream>
#include <thread>

#include "data/hash.hpp"
#include "data/input/input.hpp"
#include "unit/data/text_files.hpp"

namespace fewdim {
namespace {

using text_files::bits_of;
using text_files::Folder;
using text_files::gzip;
using text_files::message_of;
using text_files::parse;
using text_files::zstd;

Dataset stream(const std::string& path, const ReadOptions& options = {}, const Execution& exec = {}) {
  return stream_delimited(path, options, exec);
}

/// All rows of a stream, taken `step` at a time.
template <class T = double>
Dataset collect(const Dataset& data, Index step) {
  const Index cols = data.cols();
  std::vector<T> numbers, tile(static_cast<std::size_t>(step * cols));
  for (Index got; (got = data.stream()->read(tile.data(), step)) > 0;)
    numbers.insert(numbers.end(), tile.begin(), tile.begin() + got * cols);
  auto owner = std::make_shared<std::vector<T>>(std::move(numbers));
  return Dataset(DenseView<T>{owner->data(), static_cast<Index>(owner->size()) / cols, cols, cols, 1}, owner);
}

std::string table(int rows, const char* end = "\n") {
  std::string text = "# a comment\nname,a,kind,b\n";
  for (int i = 0; i < rows; ++i)
    text += fmt::format("\"r{}\n\",{:.17g},k{},{}{}", i, std::sin(i), i % 3, i, i + 1 < rows ? "\n" : end);
  return text;
}

ReadOptions labeled() {
  ReadOptions options;
  options.label = "kind";
  return options;
}

TEST(DelimitedStream, SameBitsAsTheWholeFile) {
  const Folder folder;
  for (const char* end : {"\n", "", "\r\n", "\n\n \n"}) {
    const std::string text = table(5000, end), path = folder.write("t.csv", text);
    const Dataset whole = parse(text, labeled());
    for (const Index step : {1, 7, 1000, 100000}) {
      const Dataset rows = stream(path, labeled());
      ASSERT_TRUE(rows.is_stream());
      EXPECT_EQ(bits_of(collect(rows, step)), bits_of(whole));
      EXPECT_EQ(rows.column_names, whole.column_names);
      EXPECT_EQ(rows.row_names_header, "name");
      EXPECT_EQ(rows.label_name, "kind");
    }
  }
}

/// 9.6 MB: three blocks.
const std::string& large_table() {
  static const std::string text = table(250000);
  return text;
}

TEST(DelimitedStream, CrossesBlocksAndRewinds) {
  const Folder folder;
  const std::string& text = large_table();
  ASSERT_GT(text.size(), std::size_t{8} << 20);
  const auto expected = bits_of(parse(text, labeled()));
  for (const std::string& stored : {text, zstd(text)}) {
    const Dataset rows = stream(folder.write("t.csv", stored), labeled(), {.threads = 2});
    EXPECT_EQ(rows.rows(), -1);
    EXPECT_EQ(bits_of(collect(rows, 60000)), expected);
    EXPECT_EQ(rows.rows(), 250000);
    ASSERT_TRUE(rows.stream()->rewindable());
    rows.stream()->rewind();
    EXPECT_EQ(bits_of(collect(rows, 100001)), expected);
  }
}

TEST(DelimitedStream, GzipIsUndone) {
  const Folder folder;
  const std::string text = table(3000), half = text.substr(0, text.size() / 2), rest = text.substr(text.size() / 2);
  const Dataset rows = stream(folder.write("t.csv.gz", gzip(half) + gzip(rest)), labeled());
  const auto expected = bits_of(parse(text, labeled()));
  EXPECT_EQ(bits_of(collect(rows, 999)), expected);
  rows.stream()->rewind();
  EXPECT_EQ(bits_of(collect(rows, 1)), expected);
}

TEST(DelimitedStream, Float32IsReadDirectly) {
  const Folder folder;
  const std::string text = "1.00000005960464477539062501\n0.1\n";
  ReadOptions options;
  options.precision = Precision::float32;
  const Dataset rows = stream(folder.write("t.csv", text), options);
  EXPECT_EQ(rows.precision(), Precision::float32);
  EXPECT_EQ(bits_of(collect<float>(rows, 10)), bits_of(parse(text, options)));
}

TEST(DelimitedStream, ErrorsNameTheLineOfTheFile) {
  const Folder folder;
  std::string text = large_table();
  text.replace(text.rfind(",249998"), 7, ",x");
  const std::string path = folder.write("t.csv", text);
  for (const int threads : {1, 3}) {
    const Dataset rows = stream(path, labeled(), {.threads = threads});
    // Two lines before the rows, two lines a row.
    EXPECT_EQ(message_of<DataError>([&] { collect(rows, 1000); }),
              path +
                  ":500000:4 (b): found \"x\", expected a number; use --drop b, or add it to the NA "
                  "words with --na x");
  }
}

TEST(DelimitedStream, APipeIsReadOnce) {
  const Folder folder;
  const std::string path = folder.path("pipe"), text = table(1000);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(path, std::ios::binary) << text; });
  const Dataset rows = stream(path, labeled());
  EXPECT_EQ(bits_of(collect(rows, 64)), bits_of(parse(text, labeled())));
  writer.join();
  EXPECT_FALSE(rows.stream()->rewindable());
  EXPECT_EQ(message_of<Unsupported>([&] { rows.stream()->rewind(); }),
            path + ": a pipe can't be read twice; save it to a file first");
}

TEST(DelimitedStream, EveryPrefixIsAsTheWholeFileIs) {
  const Folder folder;
  const std::string text = "# note\n\"\",\"a b\",c\r\n\"x\"\"1\",1.5e3,NA\r\n\"y\n2\",inf,.5\r\n\r\n";
  const auto outcome = [](const auto& call) {
    try {
      return fmt::format("{}", fmt::join(bits_of(call()), " "));
    } catch (const DataError& error) {
      const std::string message = error.what();
      return message.substr(message.find("t.csv"));
    }
  };
  for (std::size_t length = 0; length <= text.size(); ++length) {
    const std::string prefix = text.substr(0, length), path = folder.write("t.csv", prefix);
    EXPECT_EQ(outcome([&] { return collect(stream(path), 5); }), outcome([&] { return parse(prefix); })) << length;
  }
}

TEST(DelimitedStream, TruncatedCompressedFilesAreErrors) {
  const Folder folder;
  const std::string packed = gzip(table(1000));
  const std::string path = folder.write("t.csv.gz", packed.substr(0, packed.size() - 9));
  EXPECT_NE(message_of<DataError>([&] { collect(stream(path, labeled()), 100); }).find("truncated"), std::string::npos);
}

TEST(DelimitedStream, ARecordWithoutEndStopsAtTheMemoryLimit) {
  const Folder folder;
  std::string text = "a,b\n1,\"";
  text.append(std::size_t{9} << 20, 'x');
  const std::string path = folder.write("t.csv", text + "\",2\n");
  const std::string words =
      ": a record of more than 8.0 MiB, half of the memory limit of 16.0 MiB; check its quotes and line ends, or raise "
      "--memory-limit";
  const Execution exec{.memory_limit = std::uint64_t{16} << 20};
  EXPECT_EQ(message_of<OverMemory>([&] { stream(path, {}, exec); }), path + ":2" + words);
  // Behind what the layout is decided by.
  std::string rows = "a,b\n";
  for (int i = 0; i < 3000; ++i) rows += "1,2\n";
  const std::string late = folder.write("late.csv", rows + "3," + std::string(std::size_t{9} << 20, '1') + "\n4,5\n");
  EXPECT_EQ(message_of<OverMemory>([&] { collect(stream(late, {}, exec), 100); }), late + ":3002" + words);
}

TEST(DelimitedStream, ManyCellsInARecordAreHeldAgainstTheMemoryLimit) {
  const Folder folder;
  std::string text = "1";
  for (int i = 1; i < 1'000'000; ++i) text += ",1";
  const std::string path = folder.write("t.csv", text + "\n");
  const auto message = message_of<OverMemory>([&] { stream(path, {}, {.memory_limit = std::uint64_t{100} << 20}); });
  EXPECT_TRUE(message.starts_with(path + ":1: a record of 1.9 MiB and 1000000 cells needs ")) << message;
  EXPECT_EQ(stream(path, {}, {.memory_limit = std::uint64_t{500} << 20}).cols(), 1'000'000);
}

TEST(DelimitedStream, NamesAndLabelsComeWithTheRows) {
  const Folder folder;
  const std::string text = table(5000), path = folder.write("t.csv", text);
  const Dataset whole = parse(text, labeled());
  for (const Index step : {1, 7, 1000, 100000}) {
    const Dataset rows = stream(path, labeled());
    RowStream& source = *rows.stream();
    EXPECT_TRUE(source.tags().named);
    EXPECT_TRUE(source.tags().labeled);
    std::vector<double> tile(static_cast<std::size_t>(step * rows.cols()));
    std::vector<std::string> names, labels;
    while (const Index got = source.read(tile.data(), step)) {
      ASSERT_EQ(std::ssize(source.tags().names), got);
      names.insert(names.end(), source.tags().names.begin(), source.tags().names.end());
      labels.insert(labels.end(), source.tags().labels.begin(), source.tags().labels.end());
    }
    EXPECT_EQ(names, whole.row_names);
    EXPECT_EQ(labels, whole.labels);
    EXPECT_TRUE(source.tags().names.empty());  // of the last read, which gave no row
  }
  const Dataset plain = stream(folder.write("p.csv", "a,b\n1,2\n"));
  EXPECT_FALSE(plain.stream()->tags().named || plain.stream()->tags().labeled);
}

TEST(DelimitedStream, WrittenAgainItKeepsNamesAndLabels) {
  const Folder folder;
  const std::string path = folder.write("t.csv", table(5000)), out = folder.path("out.csv"),
                    whole_out = folder.path("whole.csv");
  write(stream(path, labeled()), out);
  write(parse(table(5000), labeled()), whole_out);
  const auto content = [](const std::string& file) { return std::string(load(file, {}).text); };
  EXPECT_EQ(content(out), content(whole_out));
  write(stream(path, labeled()), folder.path("out.svm"));
  write(parse(table(5000), labeled()), folder.path("whole.svm"));
  EXPECT_EQ(content(folder.path("out.svm")), content(folder.path("whole.svm")));
  WriteOptions nameless;
  nameless.names = false;
  nameless.overwrite = true;
  write(stream(path, labeled()), out, nameless);
  EXPECT_TRUE(content(out).starts_with("a,b,label:kind\n0,0,k0\n")) << content(out).substr(0, 40);
}

TEST(DelimitedStream, HashIsThatOfTheFileAfterAWholePass) {
  const Folder folder;
  const std::string text = table(3000);
  for (const std::string& stored : {text, gzip(text), zstd(text)}) {
    const std::string path = folder.write("t.csv", stored);
    const Dataset rows = stream(path, labeled());
    std::vector<double> few(static_cast<std::size_t>(10 * rows.cols()));
    rows.stream()->read(few.data(), 10);
    rows.stream()->rewind();  // a pass that was given up does not count
    collect(rows, 1000);
    EXPECT_EQ(rows.input_hash(), hash_of(stored));
    rows.stream()->rewind();
    EXPECT_EQ(rows.input_hash(), hash_of(stored));
  }
  std::string large;  // more than the first block, so that opening it does not read it all
  for (int i = 0; i < 1 << 20; ++i) large += "1,2.5\n";
  const Dataset rows = stream(folder.write("large.csv", large));
  EXPECT_EQ(rows.input_hash(), "");
  collect(rows, 100000);
  EXPECT_EQ(rows.input_hash(), hash_of(large));
}

// Callers make room for the rows of the first pass: a file that grows must not overrun it.
TEST(DelimitedStream, AFileThatChangesBetweenPassesIsRefused) {
  const Folder folder;
  const std::string text = "a,b\n1,2\n3,4\n";
  for (const std::string& changed : {text + "5,6\n", std::string("a,b\n1,2\n"), std::string("a"), std::string()}) {
    const std::string path = folder.write("t.csv", text);
    const Dataset rows = stream(path);
    EXPECT_EQ(collect(rows, 10).rows(), 2);
    std::ofstream(path) << changed;
    EXPECT_EQ(message_of<DataError>([&] {
                rows.stream()->rewind();
                collect(rows, 10);
              }),
              path + ": changed while it was read; let its writer finish, then start again");
  }
}

}  // namespace
}  // namespace fewdim
