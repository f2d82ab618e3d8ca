#include "base/output_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "fewdim/error.hpp"

namespace fewdim {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() / ("fewdim-output-" + std::to_string(::getpid()) + "-" + test->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string text(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void put(const std::string& name, const std::string& content) const { std::ofstream(path(name)) << content; }
  void write(const std::string& name, const std::string& content, bool overwrite) const {
    OutputFile out(path(name), overwrite);
    out.write(content);
    out.commit();
  }
  std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(folder_), {}); }
  mode_t mode(const std::string& name) const {
    struct stat status {};
    EXPECT_EQ(::stat(path(name).c_str(), &status), 0);
    return status.st_mode & 07777U;
  }
  /// Whether files without a name can be made here.
  bool has_unnamed_files() const {
    const int file = ::open(folder_.c_str(), O_TMPFILE | O_WRONLY, 0600);
    if (file >= 0) ::close(file);
    return file >= 0;
  }

  fs::path folder_;
};

TEST_F(OutputFileTest, AppearsWholeAtCommit) {
  {
    OutputFile out(path("a"), false);
    out.write("half");
    EXPECT_FALSE(fs::exists(path("a")));
    out.write(" and half");
    out.commit();
    EXPECT_EQ(text("a"), "half and half");
    EXPECT_EQ(files(), 1);
  }
  { OutputFile(path("b"), false).write("never"); }
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputFileTest, OfTwoWritersTheSecondIsRefused) {
  OutputFile first(path("a"), false), second(path("a"), false);  // neither sees the other's file
  first.write("first");
  second.write("second");
  second.commit();
  try {
    first.commit();
    FAIL() << "replaced what another writer has made";
  } catch (const IoError& error) {
    EXPECT_EQ(error.message(speak_command_line),
              path("a") + ": exists already: it was made while this one was written; use --force to replace it");
  }
  EXPECT_EQ(text("a"), "second");
}

TEST_F(OutputFileTest, OfTwoWritersThatMayReplaceTheLastOneStays) {
  OutputFile first(path("a"), true), second(path("a"), true);
  first.write("first");
  second.write("second");
  first.commit();
  second.commit();
  EXPECT_EQ(text("a"), "second");
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputFileTest, AKilledWriterLeavesNothing) {
  if (!has_unnamed_files()) GTEST_SKIP() << "skipped: this file system has no files without a name";
  put("old", "precious");
  const pid_t child = ::fork();
  if (child == 0) {
    OutputFile fresh(path("new"), false), over(path("old"), true);
    fresh.write(std::string(1 << 20, 'x'));
    over.write(std::string(1 << 20, 'x'));
    ::raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(files(), 1);
  EXPECT_EQ(text("old"), "precious");
}

TEST_F(OutputFileTest, ALinkStaysAndItsFileIsReplaced) {
  fs::create_directory(path("box"));
  put("box/real", "old");
  fs::create_symlink("box/real", path("link"));
  EXPECT_THROW(write("link", "new", false), IoError);
  write("link", "new", true);
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(text("box/real"), "new");
}

TEST_F(OutputFileTest, TheFileThatALinkMissesIsMade) {
  fs::create_directory(path("box"));
  fs::create_symlink("box/next", path("link"));
  fs::create_symlink("real", path("box/next"));
  for (const bool overwrite : {false, true}) {
    write("link", "new", overwrite);
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_TRUE(fs::is_symlink(path("box/next")));
    EXPECT_EQ(text("box/real"), "new");
    fs::remove(path("box/real"));
  }
  fs::create_symlink("nowhere/real", path("lost"));
  EXPECT_THROW(write("lost", "new", false), IoError);
}

TEST_F(OutputFileTest, LinksInACircleAreRefused) {
  fs::create_symlink("b", path("a"));
  fs::create_symlink("a", path("b"));
  EXPECT_THROW(write("a", "new", true), IoError);
  EXPECT_EQ(files(), 2);
}

TEST_F(OutputFileTest, AReplacedFileHandsDownItsMode) {
  for (const mode_t before : {0600U, 0640U, 0666U, 0444U, 0755U}) {
    put("a", "old");
    ASSERT_EQ(::chmod(path("a").c_str(), before), 0);
    write("a", "new", true);
    EXPECT_EQ(mode("a"), before);
    EXPECT_EQ(text("a"), "new");
    fs::remove(path("a"));
  }
  const mode_t mask = ::umask(027);
  write("fresh", "new", true);
  ::umask(mask);
  EXPECT_EQ(mode("fresh"), 0640U);
}

TEST_F(OutputFileTest, AReplacedFileHandsDownItsOwner) {
  put("a", "old");
  if (::chown(path("a").c_str(), 1234, 2345) != 0) GTEST_SKIP() << "skipped: only root may give files away";
  write("a", "new", true);
  struct stat status {};
  ASSERT_EQ(::stat(path("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, 1234U);
  EXPECT_EQ(status.st_gid, 2345U);
}

TEST_F(OutputFileTest, AFileLeftByAKilledProcessIsNoObstacle) {
  for (int i = 1; i < 200; ++i) put("a." + std::to_string(::getpid()) + "-" + std::to_string(i) + ".part", "stale");
  put("a", "old");
  write("a", "new", true);
  EXPECT_EQ(text("a"), "new");
}

}  // namespace
}  // namespace fewdim
