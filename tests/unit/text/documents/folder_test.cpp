// Folders of text files.

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/data.hpp"
#include "unit/text/reading.hpp"

namespace fewdim {
namespace {

using test::Folder;
using test::message_of;
using test::read_all;
using test::Reading;
using test::Texts;
namespace fs = std::filesystem;

TEST(DocumentFolder, IsReadInTheOrderOfItsPaths) {
  const Folder folder;
  for (const char* name : {"b", "a/z", ".hidden"}) fs::create_directories(folder.path(name));
  folder.write("a/z/1.txt", "one\r\ntwo\rthree\n");
  folder.write("a-b.txt", "two");  // '-' comes before '/'
  folder.write("b/x.txt.gz", text_files::gzip("three"));
  folder.write("b/empty", "");
  folder.write("B.txt",
               "\xef\xbb\xbf"
               "four");
  folder.write(".hidden/x.txt", "no");
  folder.write(".x", "no");
  const Reading reading = read_all({folder.path("")});
  EXPECT_EQ(reading.ids, (Texts{"B.txt", "a-b.txt", "a/z/1.txt", "b/empty", "b/x.txt.gz"}));
  EXPECT_EQ(reading.texts, (Texts{"four", "two", "one\ntwo\nthree\n", "", "three"}));
  EXPECT_EQ(reading.report.empty, 1);
  EXPECT_TRUE(reading.places[2].ends_with("/a/z/1.txt"));
}

TEST(DocumentFolder, SkipsAndCountsWhatIsNoText) {
  const Folder folder;
  folder.write("a.txt", "text");
  folder.write("b.bin", std::string("x\0y", 3));
  folder.write("c.pdf", "%PDF-1.4 without a zero");
  folder.write("d.txt",
               "\xff\xfe"
               "a");
  folder.write("e.gz", text_files::gzip("text").substr(0, 12));
  ASSERT_EQ(::mkfifo(folder.path("f").c_str(), 0600), 0);
  const Reading reading = read_all({folder.path("")});
  EXPECT_EQ(reading.ids, (Texts{"a.txt"}));
  EXPECT_EQ(reading.report.binary_files, 2);
  EXPECT_EQ(reading.report.unreadable, 3);
  EXPECT_NE(reading.report.first_unreadable.find("/f: not a regular file"), std::string::npos)
      << reading.report.first_unreadable;
}

TEST(DocumentFolder, FollowsLinksOnce) {
  const Folder folder, other;
  fs::create_directories(folder.path("a/b"));
  folder.write("a/b/x.txt", "x");
  other.write("y.txt", "y");
  fs::create_directory_symlink("..", folder.path("a/b/up"));         // a loop
  fs::create_directory_symlink(folder.path("a"), folder.path("0"));  // seen under its own name
  fs::create_symlink("x.txt", folder.path("a/b/again.txt"));
  fs::create_directory_symlink(other.path(""), folder.path("z"));
  fs::create_symlink("nowhere", folder.path("broken"));
  const Reading reading = read_all({folder.path("")});
  EXPECT_EQ(reading.ids, (Texts{"a/b/x.txt", "z/y.txt"}));
  EXPECT_EQ(reading.report.unreadable, 1);
}

TEST(DocumentFolder, NamesFilesByTheirFolderWhereThereAreSeveral) {
  const Folder one, two;
  one.write("a", "1");
  two.write("a", "2");
  const Reading reading = read_all({one.path(""), two.path("")});
  EXPECT_EQ(reading.ids, (Texts{one.path("") + "a", two.path("") + "a"}));
  DocumentOptions options;
  options.format = "folder";
  const std::string file = one.path("a");
  const Reading single = read_all({file}, options);
  EXPECT_EQ(single.ids, (Texts{file}));
  EXPECT_EQ(single.texts, (Texts{"1"}));
}

TEST(DocumentFolder, RefusesOneWithoutText) {
  const Folder folder;
  EXPECT_NE(message_of<DataError>([&] { open_documents({folder.path("")}); }).find("no file in this folder"),
            std::string::npos);
  folder.write("x", std::string(1, '\0'));
  EXPECT_NE(message_of<DataError>([&] { open_documents({folder.path("")}); }).find("1 binary, 0 unreadable"),
            std::string::npos);
}

TEST(DocumentFolder, NamesTheFileOfABadByteAndOfTooMuchText) {
  const Folder folder;
  folder.write("a.txt", "fine\nna\xefve\n");
  const auto message = message_of<DataError>([&] { read_all({folder.path("")}); });
  EXPECT_NE(message.find("/a.txt:2:3: the byte 0xef is not UTF-8"), std::string::npos) << message;
  DocumentOptions options;
  options.longest = 5;
  options.encoding_errors = EncodingErrors::replace;
  const auto size = message_of<DataError>([&] { read_all({folder.path("")}, options); });
  EXPECT_NE(size.find("a document of more than 5 B"), std::string::npos) << size;
}

TEST(DocumentFolder, SkipsWhatItMayNotRead) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const Folder folder;
  folder.write("a", "a");
  folder.write("b", "b");
  fs::permissions(folder.path("b"), fs::perms::none);
  const Reading reading = read_all({folder.path("")});
  EXPECT_EQ(reading.ids, (Texts{"a"}));
  EXPECT_EQ(reading.report.unreadable, 1);
}

TEST(DocumentFolder, ReadsTheNewsgroups) {
  const std::string archive = test::shared_data("text_20news_mini/mini_newsgroups.tar.gz");
  if (archive.empty()) GTEST_SKIP() << "needs text_20news_mini of the shared data";
  const Folder folder;
  const std::string command = "tar -xzf '" + archive + "' -C '" + folder.path("") + "'";
  if (std::system(command.c_str()) != 0) GTEST_SKIP() << "needs tar";
  DocumentOptions options;
  options.encoding_errors = EncodingErrors::replace;
  const Reading reading = read_all({folder.path("")}, options);
  EXPECT_EQ(reading.report.documents, 2000);  // SOURCE.txt
  EXPECT_TRUE(std::ranges::is_sorted(reading.ids));
}

}  // namespace
}  // namespace fewdim
