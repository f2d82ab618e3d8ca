#include "fewdim/file_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "fewdim/error.hpp"

namespace fewdim {

namespace {

constexpr auto kPause = std::chrono::milliseconds(20);
constexpr int kPausesPerCall = 5;

/// Network file systems lock by fcntl(), which wants a file that is open for writing. A pipe must not be waited for.
int open_for_lock(const std::string& path) {
  const int flags = O_CLOEXEC | O_NONBLOCK;
  const int writable = ::open(path.c_str(), O_RDWR | flags);
  return writable >= 0 ? writable : ::open(path.c_str(), O_RDONLY | flags);
}

bool is_unsupported(int code) {
  return code == ENOLCK || code == ENOTSUP || code == EOPNOTSUPP || code == EINVAL || code == ENOSYS || code == EBADF;
}

}  // namespace

FileLock::FileLock(const std::string& path, const Waiting& waiting) {
  double waited = 0.0;
  try {
    while (!lock(path, waiting, waited)) release();
  } catch (...) {
    release();
    throw;
  }
}

FileLock::~FileLock() { release(); }

void FileLock::release() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

/// False where the file was replaced before the lock was had: then it is another file that has to be locked.
bool FileLock::lock(const std::string& path, const Waiting& waiting, double& waited) {
  descriptor_ = open_for_lock(path);
  if (descriptor_ < 0) throw IoError(fmt::format("{}: can't be opened: {}", path, std::strerror(errno)));
  struct stat mine {};
  struct stat there {};
  if (::fstat(descriptor_, &mine) != 0 || !S_ISREG(mine.st_mode)) {
    problem_ = "is no regular file";
    return true;
  }
  for (int pauses = 1; ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0; ++pauses) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) {
      const int code = errno;
      if (!is_unsupported(code)) throw IoError(fmt::format("{}: can't be locked: {}", path, std::strerror(code)));
      problem_ = fmt::format("can't be locked: {}", std::strerror(code));
      return true;
    }
    if (pauses % kPausesPerCall == 0 && waiting && !waiting(waited))
      throw IoError(fmt::format("{}: another program is changing it; try again when that has ended", path));
    std::this_thread::sleep_for(kPause);
    waited += std::chrono::duration<double>(kPause).count();
  }
  if (::stat(path.c_str(), &there) != 0)
    throw IoError(fmt::format("{}: can't be opened: {}", path, std::strerror(errno)));
  return mine.st_dev == there.st_dev && mine.st_ino == there.st_ino;
}

}  // namespace fewdim
