#include "base/spill.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "fewdim/error.hpp"

namespace fewdim {

namespace {

constexpr std::size_t kBuffer = std::size_t{4} << 20;

std::string folder() {
  const char* given = std::getenv("TMPDIR");
  return given && *given ? given : "/tmp";
}

[[noreturn]] void fail(const char* what) {
  throw IoError(fmt::format("{}: a temporary file {}: {}; set TMPDIR to a folder with room", folder(), what,
                            std::strerror(errno)));
}

int open_unnamed() {
  const std::string where = folder();
  int file = ::open(where.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) return file;
  std::string name = where + "/fewdim-XXXXXX";  // a file system without nameless files
  file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) fail("can't be made");
  ::unlink(name.c_str());
  return file;
}

SpilledBytes mapped(int file, std::uint64_t bytes) {
  const auto size = static_cast<std::size_t>(bytes);
  void* data = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  const int reason = errno;
  ::close(file);  // the mapping keeps it
  errno = reason;
  if (data == MAP_FAILED) fail("can't be mapped");
  return {static_cast<char*>(data), size, std::shared_ptr<void>(data, [size](void* p) { ::munmap(p, size); })};
}

}  // namespace

SpilledBytes room_for(std::uint64_t bytes, bool on_disk) {
  if (bytes == 0) return {};
  if (!on_disk) {
    auto owned = std::make_shared<std::vector<std::uint64_t>>(static_cast<std::size_t>((bytes + 7) / 8));  // aligned
    char* data = reinterpret_cast<char*>(owned->data());
    return {data, static_cast<std::size_t>(bytes), std::move(owned)};
  }
  const int file = open_unnamed();
  // Room is taken now: a full disk must not be found out by a signal in the middle of the work.
  if (const int error = ::posix_fallocate(file, 0, static_cast<off_t>(bytes)); error != 0) {
    ::close(file);
    errno = error;
    fail(fmt::format("of {} bytes has no room", bytes).c_str());
  }
  return mapped(file, bytes);
}

SpillWriter::SpillWriter(std::uint64_t most) : most_(most) {}

SpillWriter::~SpillWriter() {
  if (file_ >= 0) ::close(file_);
}

SpillWriter::SpillWriter(SpillWriter&& other) noexcept
    : most_(other.most_),
      written_(std::exchange(other.written_, 0)),
      file_(std::exchange(other.file_, -1)),
      memory_(std::move(other.memory_)) {}

SpillWriter& SpillWriter::operator=(SpillWriter&& other) noexcept {
  std::swap(most_, other.most_);
  std::swap(written_, other.written_);
  std::swap(file_, other.file_);
  memory_.swap(other.memory_);
  return *this;
}

void SpillWriter::append(std::string_view bytes) {
  memory_.insert(memory_.end(), bytes.begin(), bytes.end());
  if (file_ < 0 ? memory_.size() > most_ : memory_.size() > kBuffer) flush();
}

void SpillWriter::flush() {
  if (file_ < 0) file_ = open_unnamed();
  for (std::string_view rest(memory_.data(), memory_.size()); !rest.empty();) {
    const ssize_t done = ::write(file_, rest.data(), rest.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail("can't be written");
    rest.remove_prefix(static_cast<std::size_t>(done));
  }
  written_ += memory_.size();
  memory_ = {};
}

SpilledBytes SpillWriter::finish() {
  if (file_ < 0) {
    auto owned = std::make_shared<std::vector<char>>(std::move(memory_));
    memory_ = {};
    return {owned->data(), owned->size(), owned};
  }
  flush();
  const std::uint64_t size = std::exchange(written_, 0);
  return mapped(std::exchange(file_, -1), size);
}

}  // namespace fewdim
