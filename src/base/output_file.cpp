#include "base/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/remedy.hpp"
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

/// "a/b/" of "a/b/c"; "" where there is none.
std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

std::string folder_name(const std::string& path) {
  const std::string folder = folder_of(path);
  return folder.empty() ? "." : folder;
}

void sync_folder_of(const std::string& path) {
  const int descriptor = ::open(folder_name(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

/// Where a path leads: symbolic links followed to the last name, which need not exist. Links that lead in a circle are
/// left for open() to refuse.
std::string followed(std::string path) {
  constexpr int most_links = 40;  // as the kernel has it
  std::array<char, 4096> text;
  for (int i = 0; i < most_links; ++i) {
    const ssize_t size = ::readlink(path.c_str(), text.data(), text.size());
    if (size <= 0 || static_cast<std::size_t>(size) == text.size()) return path;
    const std::string next(text.data(), static_cast<std::size_t>(size));
    path = next.front() == '/' ? next : folder_of(path) + next;
  }
  return path;
}

std::string name_of_descriptor(int descriptor) { return fmt::format("/proc/self/fd/{}", descriptor); }

/// Gives `from` the name `to` unless there is such a file: 0, or -1 with errno. Without hard links and without
/// renameat2 (old FAT drivers, say) the last resort looks and renames in two steps.
int rename_to_new(const char* from, const char* to) {
  if (::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != ENOSYS && errno != EINVAL) return -1;
  if (::link(from, to) == 0) return ::unlink(from);
  if (errno == EEXIST) return -1;
  struct stat status {};
  if (::lstat(to, &status) != 0) return ::rename(from, to);
  errno = EEXIST;
  return -1;
}

}  // namespace

void discard_unfinished_outputs() noexcept {
  for (auto& slot : unfinished)
    if (const char* name = slot.load()) ::unlink(name);
}

OutputFile::OutputFile(std::string path, bool overwrite) : path_(std::move(path)), overwrite_(overwrite) {
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
  if (exists && !overwrite) refuse_existing("already");
  if (exists) replaced_ = Replaced{status.st_mode & 07777U, status.st_uid, status.st_gid};
  if (!exists && errno == ELOOP) fail("can't be created");
  target_ = followed(path_);
  open_beside_target();
  if (replaced_) take_over(*replaced_);
}

OutputFile::~OutputFile() {
  if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
  if (!part_.empty()) ::unlink(part_.c_str());
  drop_part_name();
}

void OutputFile::fail(const char* what) const {
  throw IoError(fmt::format("{}: {}: {}", path_ == "-" ? "standard output" : path_, what, std::strerror(errno)));
}

void OutputFile::refuse_existing(const char* when) const {
  throw IoError(fmt::format("{}: exists {}; use {} to replace it", path_, when, set_option("overwrite", true)));
}

/// A file without a name is gone with the process however that ends. A name can be given to it by way of /proc only.
void OutputFile::open_beside_target() {
  const mode_t mode = replaced_ ? replaced_->mode & 0777U : 0666U;
  const std::string folder = folder_name(target_);
  descriptor_ = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
  if (descriptor_ >= 0 && ::access(name_of_descriptor(descriptor_).c_str(), F_OK) == 0) return;
  if (descriptor_ >= 0) ::close(descriptor_);
  do {
    take_part_name();
    descriptor_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  } while (descriptor_ < 0 && errno == EEXIST);  // left by a process that was killed
  if (descriptor_ >= 0) return;
  const int reason = errno;
  drop_part_name();
  errno = reason;
  fail("can't be created");
}

/// What is not permitted is let be; a right to act as the owner or the group is not handed to another one.
void OutputFile::take_over(const Replaced& old) const {
  mode_t mode = old.mode;
  if (::fchown(descriptor_, old.owner, old.group) != 0) {
    if (::fchown(descriptor_, static_cast<uid_t>(-1), old.group) != 0) mode &= ~static_cast<mode_t>(S_ISGID);
    mode &= ~static_cast<mode_t>(S_ISUID);
  }
  [[maybe_unused]] const int ignored = ::fchmod(descriptor_, mode);
}

/// The next name that no other file of this process has taken; a signal removes the file from here on.
void OutputFile::take_part_name() {
  static std::atomic<unsigned> count{0};
  drop_part_name();
  part_ = fmt::format("{}.{}-{}.part", target_, ::getpid(), ++count);
  slot_ = enroll(part_.c_str());
}

void OutputFile::drop_part_name() {
  if (slot_ >= 0) unfinished[static_cast<std::size_t>(slot_)] = nullptr;
  slot_ = -1;
  part_.clear();
}

void OutputFile::write(const void* data, std::size_t size) {
  const char* next = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = ::write(descriptor_, next, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EFAULT)  // pages of a mapped input that are no more
      throw IoError(
          fmt::format("{}: an input became shorter while it was read; let its writer finish, then start again",
                      path_ == "-" ? "standard output" : path_));
    if (written < 0) fail("can't be written");
    next += written;
    size -= static_cast<std::size_t>(written);
  }
}

void OutputFile::publish() {
  if (part_.empty()) {
    const std::string unnamed = name_of_descriptor(descriptor_);
    const auto link_as = [&](const std::string& name) {
      return ::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW);
    };
    if (link_as(target_) == 0) return;
    if (errno == EEXIST && !overwrite_) refuse_existing("already: it was made while this one was written");
    if (errno != EEXIST) fail("can't be given its name");
    take_part_name();
    while (link_as(part_) != 0) {
      const bool taken = errno == EEXIST;  // left by a process that was killed
      if (!taken) fail("can't be given its name");
      take_part_name();
    }
  } else if (!overwrite_) {
    if (rename_to_new(part_.c_str(), target_.c_str()) == 0) return;
    if (errno == EEXIST) refuse_existing("already: it was made while this one was written");
    fail("can't be renamed into place");
  }
  if (::rename(part_.c_str(), target_.c_str()) != 0) fail("can't be renamed into place");
}

void OutputFile::commit() {
  if (target_.empty()) return;
  if (::fsync(descriptor_) != 0) fail("can't be synced");
  publish();
  drop_part_name();
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) fail("can't be closed");
  sync_folder_of(target_);
  target_.clear();
}

}  // namespace fewdim
