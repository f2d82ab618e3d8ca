#include "data/input/input.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/mappings.hpp"
#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "data/hash.hpp"
#include "data/table/block.hpp"
#include "fewdim/error.hpp"

namespace fewdim {

namespace {

constexpr std::size_t read_size = std::size_t{1} << 20;

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw IoError(fmt::format("{}: {}: {}", shown_name(path), what, std::strerror(errno)));
}

/// An open file or pipe. Standard input is left open, and a regular file behind it starts where it stands.
class FileSource : public ByteSource {
 public:
  explicit FileSource(const std::string& path) : path_(path) {
    descriptor_ = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail(path, "can't be opened");
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0) fail(path, "can't be read");
    if (S_ISDIR(status.st_mode)) {
      close();
      throw IoError(fmt::format("{}: is a folder; give a file", path));
    }
    regular_ = S_ISREG(status.st_mode);
    if (regular_) start_ = std::max<off_t>(::lseek(descriptor_, 0, SEEK_CUR), 0);
    size_ = regular_ && status.st_size > start_ ? static_cast<std::size_t>(status.st_size - start_) : 0;
  }
  ~FileSource() override { close(); }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  std::size_t read(char* out, std::size_t size) override {
    std::size_t got = std::min(size, ahead_.size());
    if (got > 0) {
      ahead_.copy(out, got);
      ahead_.erase(0, got);
    } else {
      got = read_some(out, size);
    }
    if (hasher_ && hash_.empty()) {
      hasher_->update({out, got});
      if (got == 0 && size > 0) hash_ = hasher_->text();
    }
    return got;
  }
  void start_hash() { hasher_.emplace(); }
  std::string hash() const override { return hash_; }
  bool rewindable() const override { return regular_; }
  void rewind() override {
    ahead_.clear();
    if (hasher_) hasher_->restart();
    if (::lseek(descriptor_, start_, SEEK_SET) < 0) fail(path_, "can't be rewound");
  }

  /// The next bytes, up to `count` of them, without taking them.
  std::string_view peek(std::size_t count) {
    char buffer[64];
    while (ahead_.size() < count) {
      const std::size_t got = read_some(buffer, std::min(sizeof buffer, count - ahead_.size()));
      if (got == 0) break;
      ahead_.append(buffer, got);
    }
    return ahead_;
  }

  /// The file mapped into memory, or nothing where that can't be (a pipe, an empty or a small file).
  Bytes map() const {
    if (size_ < (std::size_t{64} << 10)) return {};
    const std::size_t whole = size_ + static_cast<std::size_t>(start_);
    const std::shared_ptr<const void> owner = map_file(descriptor_, whole, shown_name(path_));
    if (!owner) return {};
    return {std::string_view(static_cast<const char*>(owner.get()) + start_, size_), owner, path_, true};
  }

 private:
  std::size_t read_some(char* out, std::size_t size) {
    for (;;) {
      const ssize_t got = ::read(descriptor_, out, size);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) fail(path_, "can't be read");
    }
  }
  void close() {
    if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
    descriptor_ = -1;
  }

  std::string path_;
  std::string ahead_;
  int descriptor_ = -1;
  bool regular_ = false;
  off_t start_ = 0;
  std::size_t size_ = 0;
  std::optional<Hasher> hasher_;
  std::string hash_;
};

class MemorySource : public ByteSource {
 public:
  explicit MemorySource(Bytes bytes) : bytes_(std::move(bytes)) {}
  std::size_t read(char* out, std::size_t size) override {
    const std::size_t count = bytes_.text.copy(out, size, position_);
    position_ += count;
    return count;
  }
  bool rewindable() const override { return true; }
  void rewind() override { position_ = 0; }

 private:
  Bytes bytes_;
  std::size_t position_ = 0;
};

Bytes drain(ByteSource& source, const std::string& path, const char* what, const Execution& exec) {
  const std::uint64_t limit = std::min(memory_limit(exec), UINT64_MAX / 2);
  auto block = std::make_shared<GrowingBlock>();
  for (;;) {
    block->reserve_more(read_size);
    const std::uint64_t left = limit - block->text().size() + 1;  // one byte more than may be there tells
    const std::size_t got = source.read(block->end(), std::min<std::uint64_t>({block->room(), 16 * read_size, left}));
    if (got == 0) break;
    block->grow(got);
    if (block->text().size() > limit)
      throw OverMemory(fmt::format("{}: {} more than the memory limit of {}; use {}, or {}", shown_name(path), what,
                                   format_bytes(limit), set_option("stream", true), raise_option("memory_limit")));
    report_progress(exec, "read", static_cast<Index>(block->text().size()), 0, "bytes");
  }
  return {block->text(), block, path};
}

}  // namespace

void release_pages(const Bytes& bytes, std::string_view part) noexcept {
  if (!bytes.mapped) return;
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(part.data()), end = begin + part.size();
  const std::uintptr_t first = (begin + page - 1) / page * page, last = end / page * page;
  // A private mapping that is never written has nothing of its own to lose.
  if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

std::string shown_name(const std::string& path) { return path == "-" ? "standard input" : path; }

Compression compression_of(std::string_view head) {
  if (head.starts_with("\x1f\x8b")) return Compression::gzip;
  if (head.starts_with("\x28\xb5\x2f\xfd")) return Compression::zstd;
  const bool skippable = head.size() >= 4 && (head[0] & 0xf0) == 0x50 && head.substr(1, 3) == "\x2a\x4d\x18";
  if (skippable) return Compression::zstd;  // pzstd starts with one of these frames
  return Compression::none;
}

std::unique_ptr<ByteSource> open_source(const std::string& path, std::uint64_t memory) {
  auto file = std::make_unique<FileSource>(path);
  file->start_hash();
  const Compression kind = compression_of(file->peek(4));
  if (kind == Compression::none) return file;
  return decompressed(std::move(file), kind, path, memory);
}

Bytes load(const std::string& path, const Execution& exec) {
  FileSource file(path);
  Bytes mapped = file.map();
  if (mapped.owner) return mapped;
  return drain(file, path, "it holds", exec);
}

Bytes decompress(const Bytes& stored, const Execution& exec) {
  const Compression kind = compression_of(stored.text);
  if (kind == Compression::none) return stored;
  const auto source = decompressed(std::make_unique<MemorySource>(stored), kind, stored.path, memory_limit(exec));
  return drain(*source, stored.path, "decompressed it holds", exec);
}

}  // namespace fewdim
