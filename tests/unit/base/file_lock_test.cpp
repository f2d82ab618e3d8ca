// The right to change a file: one at a time, on the file that is there now, and gone with its holder.

#include "fewdim/file_lock.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "fewdim/error.hpp"
#include "unit/data/text_files.hpp"

namespace fewdim {
namespace {

using text_files::Folder;
using text_files::message_of;

bool is_locked(const std::string& path) {
  try {
    const FileLock lock(path, [](double) { return false; });
    return false;
  } catch (const IoError&) {
    return true;
  }
}

TEST(FileLock, IsHeldByOneAtATime) {
  const Folder folder;
  const std::string path = folder.write("model", "x");
  {
    const FileLock lock(path);
    EXPECT_TRUE(lock.held());
    EXPECT_TRUE(is_locked(path));
    EXPECT_EQ(message_of<IoError>([&] { FileLock other(path, [](double) { return false; }); }),
              path + ": another program is changing it; try again when that has ended");
  }
  EXPECT_FALSE(is_locked(path));
  EXPECT_EQ(folder.count(), 1u);
}

TEST(FileLock, IsOfTheFileThatIsThereNow) {
  // The holder replaces the file by rename. Who waited must get the new one, and lock out the next.
  const Folder folder;
  const std::string path = folder.write("model", "old");
  std::string seen;
  bool locked = false;
  std::atomic<bool> waits{false};
  std::thread waiter;
  {
    const FileLock lock(path);
    waiter = std::thread([&] {
      const FileLock mine(path, [&](double) { return waits = true; });
      std::getline(std::ifstream(path), seen);
      locked = is_locked(path);
    });
    while (!waits) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::filesystem::rename(folder.write("part", "new"), path);
  }
  waiter.join();
  EXPECT_EQ(seen, "new");
  EXPECT_TRUE(locked);
}

TEST(FileLock, EndsWithAProcessThatIsKilled) {
  const Folder folder;
  const std::string path = folder.write("model", "x");
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const FileLock lock(path);
    [[maybe_unused]] const auto ignored = ::write(pipe[1], "x", 1);
    for (;;) ::pause();
  }
  char ready = 0;
  ASSERT_EQ(::read(pipe[0], &ready, 1), 1);
  EXPECT_TRUE(is_locked(path));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_FALSE(is_locked(path));
  ::close(pipe[0]);
  ::close(pipe[1]);
}

TEST(FileLock, NeedsNoRightToWrite) {
  const Folder folder;
  const std::string path = folder.write("model", "x");
  std::filesystem::permissions(path, std::filesystem::perms::owner_read);
  EXPECT_TRUE(FileLock(path).held());
}

TEST(FileLock, OfWhatIsNoFile) {
  const Folder folder;
  EXPECT_NE(message_of<IoError>([&] { FileLock lock(folder.path("nowhere")); }).find("nowhere: can't be opened"),
            std::string::npos);
  const FileLock device("/dev/null");
  EXPECT_FALSE(device.held());
  EXPECT_EQ(device.problem(), "is no regular file");
}

}  // namespace
}  // namespace fewdim
