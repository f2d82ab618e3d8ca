#include "base/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "fewdim/error.hpp"
#include "fewdim/io.hpp"

namespace fewdim {

namespace {

// Names of files under way, for discard_unfinished_outputs(): a signal handler may allocate nothing, so each
// name is kept as a C string that its OutputFile owns.
std::array<std::atomic<const char*>, 16> unfinished{};

int enroll(const char* name) {
  for (std::size_t slot = 0; slot < unfinished.size(); ++slot) {
    const char* empty = nullptr;
    if (unfinished[slot].compare_exchange_strong(empty, name)) return static_cast<int>(slot);
  }
  return -1;
}

void sync_folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

void discard_unfinished_outputs() noexcept {
  for (auto& slot : unfinished)
    if (const char* name = slot.load()) ::unlink(name);
}

OutputFile::OutputFile(std::string path, bool overwrite) : path_(std::move(path)) {
  if (path_ == "-") {
    descriptor_ = STDOUT_FILENO;
    return;
  }
  struct stat status {};
  const bool exists = ::stat(path_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) throw IoError(fmt::format("{}: is a folder; give a file name", path_));
  if (exists && !S_ISREG(status.st_mode)) {  // /dev/null, a named pipe: nothing to rename over
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail("can't be opened for writing");
    return;
  }
  if (exists && !overwrite) throw IoError(fmt::format("{}: exists already; use --force to replace it", path_));
  temporary_ = fmt::format("{}.{}.part", path_, ::getpid());
  descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("can't be created");
  slot_ = enroll(temporary_.c_str());
}

OutputFile::~OutputFile() {
  if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  if (slot_ >= 0) unfinished[static_cast<std::size_t>(slot_)] = nullptr;
}

void OutputFile::fail(const char* what) const {
  throw IoError(fmt::format("{}: {}: {}", path_ == "-" ? "standard output" : path_, what, std::strerror(errno)));
}

void OutputFile::write(const void* data, std::size_t size) {
  const char* next = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = ::write(descriptor_, next, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("can't be written");
    next += written;
    size -= static_cast<std::size_t>(written);
  }
}

void OutputFile::commit() {
  if (temporary_.empty()) return;
  if (::fsync(descriptor_) != 0) fail("can't be synced");
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) fail("can't be closed");
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail("can't be renamed into place");
  if (slot_ >= 0) unfinished[static_cast<std::size_t>(slot_)] = nullptr;
  slot_ = -1;
  temporary_.clear();
  sync_folder_of(path_);
}

}  // namespace fewdim
