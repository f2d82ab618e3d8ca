// One document a line, and what all formats share: encodings, sizes, ids, line ends.

#include <gtest/gtest.h>

#include "unit/text/reading.hpp"

namespace fewdim {
namespace {

using test::Folder;
using test::message_of;
using test::read_all;
using test::read_text;
using test::Reading;
using test::refusal_of;
using test::Texts;

TEST(DocumentLines, AreNumbered) {
  const Reading reading = read_text("one\r\n\ntwo three\nlast");
  EXPECT_EQ(reading.ids, (Texts{"1", "2", "3", "4"}));
  EXPECT_EQ(reading.texts, (Texts{"one", "", "two three", "last"}));
  EXPECT_TRUE(reading.places[2].ends_with("/x:3"));
  EXPECT_EQ(reading.report.documents, 4);
  EXPECT_EQ(reading.report.empty, 1);
  EXPECT_EQ(reading.report.bytes, 3u + 9u + 4u);
  EXPECT_TRUE(reading.report.hash.starts_with("xxh3:"));
}

TEST(DocumentLines, AreNumberedOverSeveralFiles) {
  const Folder folder;
  const Reading reading = read_all({folder.write("a", "p\nq\n"), folder.write("b", "r\n")});
  EXPECT_EQ(reading.ids, (Texts{"1", "2", "3"}));
  EXPECT_TRUE(reading.places[2].ends_with("/b:1"));
}

TEST(DocumentLines, HashIsOfTheDocumentsNotOfTheFile) {
  const Folder folder;
  const auto hash = [&](const std::string& content) { return read_all({folder.write("x", content)}).report.hash; };
  EXPECT_EQ(hash("a b\nc\n"), hash(text_files::gzip("a b\r\nc")));
  EXPECT_NE(hash("a b\nc\n"), hash("a\nb c\n"));
}

TEST(DocumentLines, UndoCompressionAndDropTheByteOrderMark) {
  const Folder folder;
  const Texts expected{"é", "b"};
  const std::string content = "\xef\xbb\xbfé\nb\n";
  for (const std::string& stored : {content, text_files::gzip(content), text_files::zstd(content)})
    EXPECT_EQ(read_all({folder.write("x", stored)}).texts, expected);
}

TEST(DocumentLines, NameTheByteThatIsNotUtf8) {
  EXPECT_TRUE(refusal_of("fine\nna\xefve\n").starts_with("x:2:3: the byte 0xef is not UTF-8")) << refusal_of("\xef");
  EXPECT_TRUE(refusal_of(std::string("ab\n\0c", 5)).starts_with("x:2:1: a zero byte: it is binary"));
  EXPECT_TRUE(refusal_of("\xff\xfe"
                         "a")
                  .starts_with("x: is UTF-16; convert it, as with iconv"));
  // Behind eight plain bytes, so that the fast way meets it too.
  EXPECT_TRUE(refusal_of("12345678901234567\x80").starts_with("x:1:18: the byte 0x80"));
  EXPECT_TRUE(refusal_of("1234567890123\xc3").starts_with("x:1:14: the byte 0xc3"));
}

TEST(DocumentLines, ReplaceWhatIsNotUtf8) {
  DocumentOptions options;
  options.encoding_errors = EncodingErrors::replace;
  const Reading reading = read_text(std::string("a\xe9\xe8z\n\0x\né", 10), options);
  EXPECT_EQ(reading.texts, (Texts{"a\xef\xbf\xbd\xef\xbf\xbdz", " x", "é"}));
  EXPECT_EQ(reading.report.replaced_bytes, 3);
}

TEST(DocumentLines, RefuseALineThatIsTooLong) {
  DocumentOptions options;
  options.longest = 1000;
  EXPECT_EQ(read_text(std::string(1000, 'a') + "\nb\n", options).texts.size(), 2u);
  EXPECT_EQ(refusal_of("b\n" + std::string(1001, 'a'), options),
            "x:2: a document of more than 1000 B (1000 bytes); raise --longest, or cut it into parts");
  EXPECT_TRUE(refusal_of(std::string(3'000'000, 'a'), options).starts_with("x:1: a document of more"));
}

TEST(DocumentLines, RefuseWhatHasNoDocument) {
  EXPECT_EQ(refusal_of(""), "x: no document in it; give a file or folder that has some");
  EXPECT_EQ(refusal_of("\xef\xbb\xbf"), "x: no document in it; give a file or folder that has some");
  EXPECT_THROW(open_documents({"absent.txt"}), IoError);
  EXPECT_THROW(open_documents({}), InvalidOption);
  const Folder folder;
  DocumentOptions lines;
  lines.format = "lines";
  EXPECT_THROW(open_documents({folder.path("")}, lines), IoError);
}

TEST(DocumentLines, HaveNoFields) {
  const Folder folder;
  const std::string path = folder.write("x", "a,b\n");
  DocumentOptions options;
  options.text_fields = {"abstract"};
  EXPECT_THROW(open_documents({path}, options), InvalidOption);
  EXPECT_THROW(open_documents({folder.path("")}, options), InvalidOption);
  options = {};
  options.id_field = "key";
  EXPECT_THROW(open_documents({path}, options), InvalidOption);
}

TEST(DocumentLines, MakeADataset) {
  const Folder folder;
  const std::string path = folder.write("x", "a\nb c\n");
  const Dataset data = read_documents({path});
  EXPECT_TRUE(data.is_text());
  EXPECT_EQ(data.texts, (Texts{"a", "b c"}));
  EXPECT_EQ(data.row_names, (Texts{"1", "2"}));
  EXPECT_EQ(data.source, path);
  EXPECT_EQ(data.hash, read_all({path}).report.hash);
  Execution tight;
  tight.memory_limit = 100;
  EXPECT_THROW(read_documents({path}, {}, tight), OverMemory);
}

TEST(DocumentLines, ALongLineIsHeldAgainstTheMemoryLimit) {
  const Folder folder;
  const std::string path = folder.write("x", "short\n" + std::string(3'000'000, 'x') + "\n");
  Execution tight;
  tight.memory_limit = std::uint64_t{8} << 20;
  const auto source = open_documents({path}, {.format = "lines"}, tight);
  Document document;
  EXPECT_TRUE(source->next(document));
  try {
    source->next(document);
    FAIL() << "taken";
  } catch (const OverMemory& error) {
    EXPECT_EQ(error.message(speak_command_line),
              path +
                  ":2: a document of more than 2.0 MiB, a quarter of the memory limit; "
                  "raise --memory-limit, or cut it into parts");
  }
  tight.memory_limit = std::uint64_t{16} << 20;
  EXPECT_EQ(read_documents({path}, {.format = "lines"}, tight).rows(), 2);
}

TEST(DocumentLines, CanBeStopped) {
  const Folder folder;
  Execution exec;
  exec.progress = [](const Progress&) { return false; };
  const auto source = open_documents({folder.write("x", std::string(5000, '\n'))}, {}, exec);
  Document document;
  const auto run = [&] {
    while (source->next(document)) continue;
  };
  EXPECT_THROW(run(), Interrupted);
}

}  // namespace
}  // namespace fewdim
