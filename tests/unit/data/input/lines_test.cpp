// read_lines(): one string a line.

#include <gtest/gtest.h>

#include "fewdim/io.hpp"
#include "unit/data/text_files.hpp"

namespace fewdim {
namespace {

using text_files::Folder;
using text_files::gzip;
using text_files::message_of;
using text_files::zstd;
using Texts = std::vector<std::string>;

TEST(ReadLines, KeepsEveryLine) {
  const Folder folder;
  const std::pair<std::string, Texts> cases[] = {{"a\nb\n", {"a", "b"}},
                                                 {"a\nb", {"a", "b"}},
                                                 {"a\r\nb\r\n", {"a", "b"}},
                                                 {"\n", {""}},
                                                 {"\n\nx\n\n", {"", "", "x", ""}},
                                                 {" a, b\t\n", {" a, b\t"}},
                                                 {"\xef\xbb\xbf"
                                                  "a\n",
                                                  {"a"}},
                                                 {"1,2\n3,4\n", {"1,2", "3,4"}},
                                                 {"é\n日本\n", {"é", "日本"}}};
  for (const auto& [content, expected] : cases) {
    const Dataset data = read_lines(folder.write("x.txt", content));
    EXPECT_EQ(data.texts, expected) << content;
    EXPECT_EQ(data.rows(), std::ssize(expected));
    EXPECT_EQ(data.cols(), 0);
    EXPECT_TRUE(data.is_text());
  }
}

TEST(ReadLines, UndoesCompression) {
  const Folder folder;
  const Texts expected{"one", "two"};
  const Dataset plain = read_lines(folder.write("a.txt", "one\ntwo\n"));
  for (const std::string& path :
       {folder.write("a.txt.gz", gzip("one\ntwo\n")), folder.write("a.txt.zst", zstd("one\ntwo\n"))}) {
    const Dataset data = read_lines(path);
    EXPECT_EQ(data.texts, expected);
    EXPECT_EQ(data.source, path);
    EXPECT_NE(data.hash, plain.hash);  // of the file as it is stored
    EXPECT_TRUE(data.hash.starts_with("xxh3:"));
  }
}

TEST(ReadLines, IsTheSameByPieces) {
  // Above 1 MiB a text is cut into pieces.
  const Folder folder;
  std::string content;
  Texts expected;
  for (int i = 0; i < 120'000; ++i) {
    expected.push_back(i % 7 == 0 ? "" : "line number " + std::to_string(i));
    content += expected.back() + (i % 2 == 0 ? "\n" : "\r\n");
  }
  const std::string path = folder.write("long.txt", content);
  for (const int threads : {1, 3}) {
    Execution exec;
    exec.threads = threads;
    EXPECT_EQ(read_lines(path, exec).texts, expected);
  }
}

TEST(ReadLines, NamesRowsByTheirBeginnings) {
  const Folder folder;
  std::string sixty;
  for (int i = 0; i < 60; ++i) sixty += "é";
  const Dataset data = read_lines(folder.write("x.txt", "short\n" + sixty + "\n" + sixty + "!\n"));
  EXPECT_EQ(data.row_names, (Texts{"short", sixty, sixty + "…"}));
  EXPECT_EQ(data.row_names_header, "text");
}

TEST(ReadLines, RefusesWhatIsNoText) {
  const Folder folder;
  const auto message = [&](const std::string& content) {
    const std::string path = folder.write("x.txt", content);
    std::string text = message_of<DataError>([&] { read_lines(path); });
    if (text.starts_with(path)) text.erase(0, path.size());
    return text;
  };
  EXPECT_EQ(message(""), ": is empty; give a file with one string a line");
  EXPECT_EQ(message("\xef\xbb\xbf"), ": is empty; give a file with one string a line");
  EXPECT_TRUE(message("fine\nna\xefve\n").starts_with(":2:3: the byte 0xef is not UTF-8 here")) << message("na\xefve");
  EXPECT_TRUE(message(std::string("a\0b\n", 4)).starts_with(":1:2: a zero byte"));
  EXPECT_TRUE(message("\xff\xfe"
                      "a")
                  .starts_with(":1:1: the byte 0xff"));
  EXPECT_THROW(read_lines(folder.path("absent.txt")), IoError);
  Execution tight;
  tight.memory_limit = 1000;
  const std::string many = folder.write("many.txt", std::string(500, '\n'));
  EXPECT_THROW(read_lines(many, tight), OverMemory);
}

}  // namespace
}  // namespace fewdim
