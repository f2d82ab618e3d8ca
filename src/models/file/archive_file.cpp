#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/mappings.hpp"
#include "base/memory.hpp"
#include "base/output_file.hpp"
#include "data/input/input.hpp"
#include "fewdim/error.hpp"
#include "models/file/archive.hpp"

namespace fewdim {

namespace {

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw IoError(fmt::format("{}: {}: {}", path, what, std::strerror(errno)));
}

class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : number_(path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (number_ < 0) fail(path, "can't be opened");
  }
  ~Descriptor() { ::close(number_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

/// A pipe can't be mapped: its bytes are gathered. The length in front and the header are checked as soon as they are
/// there, so that an endless or foreign input ends at once, and one that announces more than memory holds is refused.
std::string read_pipe(int descriptor, const std::string& path) {
  std::string bytes;
  std::size_t filled = 0;
  std::uint64_t expected = UINT64_MAX;
  while (filled <= expected) {
    bytes.resize(filled + std::max<std::size_t>(filled, 65536));
    const ssize_t got = ::read(descriptor, bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(path, "can't be read");
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
    std::uint64_t length = 0;
    if (filled < sizeof length) continue;
    std::memcpy(&length, bytes.data(), sizeof length);
    if (length == 0 || length > longest_archive_header) break;  // parse_archive says what is wrong
    if (expected < UINT64_MAX || filled < sizeof length + length) continue;
    const std::uint64_t data = announced_bytes(std::string_view(bytes).substr(sizeof length, length), path);
    require_memory({}, data, path + ": the model", "give a file instead of a pipe");
    expected = sizeof length + length + data;
  }
  bytes.resize(filled);
  return bytes;
}

/// The arrays in the order of the file: wide elements first, otherwise as given.
std::vector<const Tensor*> file_order(const Archive& archive) {
  std::vector<const Tensor*> order;
  for (const Tensor& tensor : archive.tensors) order.push_back(&tensor);
  std::ranges::stable_sort(order, std::greater{}, [](const Tensor* t) { return size_of(t->type); });
  return order;
}

std::string header_of(const Archive& archive) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!archive.metadata.empty()) header["__metadata__"] = archive.metadata;
  std::uint64_t offset = 0;
  for (const Tensor* tensor : file_order(archive)) {
    const std::uint64_t end = offset + tensor->bytes.size();
    header[tensor->name] = {
        {"dtype", name_of(tensor->type)}, {"shape", tensor->shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  constexpr std::size_t alignment = 64;  // of the data's first byte, for readers that map the file
  const std::size_t used = (sizeof(std::uint64_t) + text.size()) % alignment;
  if (used > 0) text.append(alignment - used, ' ');
  return text;
}

/// The header's length, and the header.
std::string start_of(const Archive& archive, const std::string& path) {
  const std::string header = header_of(archive);
  const std::uint64_t length = header.size();
  if (length > longest_archive_header)
    throw DataError(
        fmt::format("{}: the names make a header of {} bytes, a model file takes {}; fit without column names", path,
                    length, longest_archive_header));
  std::string start(sizeof length, '\0');
  std::memcpy(start.data(), &length, sizeof length);
  return start + header;
}

}  // namespace

Archive read_archive(const std::string& path) {
  const Descriptor file(path);
  const std::string name = shown_name(path);
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) fail(name, "can't be examined");
  if (S_ISDIR(status.st_mode)) throw IoError(fmt::format("{}: is a folder; give a model file", name));
  if (!S_ISREG(status.st_mode)) {
    auto bytes = std::make_shared<const std::string>(read_pipe(file.number(), name));
    return parse_archive(*bytes, name, bytes);
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return parse_archive({}, name);  // an empty file can't be mapped
  const std::shared_ptr<const void> owner = map_file(file.number(), size, name);
  if (!owner) fail(name, "can't be mapped into memory");
  return parse_archive({static_cast<const char*>(owner.get()), size}, name, owner);
}

void write_archive(const Archive& archive, const std::string& path, bool overwrite) {
  const std::string start = start_of(archive, path);
  OutputFile out(path, overwrite);
  out.write(start);
  for (const Tensor* tensor : file_order(archive)) out.write(tensor->bytes);
  out.commit();
}

std::string archive_text(const Archive& archive, const std::string& path) {
  std::string text = start_of(archive, path);
  std::size_t size = text.size();
  for (const Tensor& tensor : archive.tensors) size += tensor.bytes.size();
  text.reserve(size);
  for (const Tensor* tensor : file_order(archive)) text += tensor->bytes;
  return text;
}

std::uint64_t archive_bytes(const Archive& archive) {
  std::uint64_t bytes = sizeof(std::uint64_t) + header_of(archive).size();
  for (const Tensor& tensor : archive.tensors) bytes += tensor.bytes.size();
  return bytes;
}

}  // namespace fewdim
