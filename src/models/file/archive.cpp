#include "models/file/archive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include "fewdim/error.hpp"
#include "models/file/strict_json.hpp"

namespace fewdim {

static_assert(std::endian::native == std::endian::little, "the arrays are little-endian in memory as in the file");

namespace {

using nlohmann::json;

struct DTypeEntry {
  DType type;
  std::string_view name;
  std::size_t size;
};
constexpr std::array dtypes{DTypeEntry{DType::f32, "F32", 4}, DTypeEntry{DType::f64, "F64", 8},
                            DTypeEntry{DType::i32, "I32", 4}, DTypeEntry{DType::i64, "I64", 8},
                            DTypeEntry{DType::u8, "U8", 1}};

const DTypeEntry& entry_of(DType type) { return *std::ranges::find(dtypes, type, &DTypeEntry::type); }

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
  throw DataError(fmt::format("{}: not a model file: {}", path, reason));
}

/// Bytes of an array of that shape; nothing when the product leaves 64 bits.
std::optional<std::uint64_t> bytes_of(const std::vector<std::uint64_t>& shape, DType type) {
  std::uint64_t product = size_of(type);
  for (const std::uint64_t extent : shape)
    if (__builtin_mul_overflow(product, extent, &product)) return std::nullopt;
  return product;
}

/// Parses one entry of the header: {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}.
class TensorParser {
 public:
  TensorParser(const std::string& name, const json& entry, const std::string& path)
      : name_(name), entry_(entry), path_(path) {}

  Tensor parse(std::string_view data) const {
    if (!entry_.is_object() || entry_.size() != 3) bad("needs exactly dtype, shape and data_offsets");
    const json& dtype = member("dtype");
    const auto known = std::ranges::find_if(dtypes, [&](const DTypeEntry& e) { return dtype == std::string(e.name); });
    if (known == dtypes.end()) bad("has a dtype other than F32, F64, I64 and U8");
    const auto shape = naturals("shape");
    const auto offsets = naturals("data_offsets");
    if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > data.size())
      bad(fmt::format("has offsets outside the {} bytes of data: the file is cut or damaged", data.size()));
    const auto expected = bytes_of(shape, known->type);
    if (!expected || *expected != offsets[1] - offsets[0]) bad("has a shape that does not fit its offsets");
    return {.name = name_, .type = known->type, .shape = shape, .bytes = data.substr(offsets[0], *expected)};
  }

 private:
  [[noreturn]] void bad(const std::string& reason) const { refuse(path_, fmt::format("array '{}' {}", name_, reason)); }

  const json& member(const char* key) const {
    const auto found = entry_.find(key);
    if (found == entry_.end()) bad(fmt::format("has no {}", key));
    return *found;
  }
  std::vector<std::uint64_t> naturals(const char* key) const {
    const json& list = member(key);
    const auto is_natural = [](const json& number) { return number.is_number_unsigned(); };
    if (!list.is_array() || !std::ranges::all_of(list, is_natural))
      bad(fmt::format("has a {} that is not a list of whole numbers", key));
    return list.get<std::vector<std::uint64_t>>();
  }

  const std::string& name_;
  const json& entry_;
  const std::string& path_;
};

/// Arrays must follow each other from the first byte to the last: no gap to hide in, no overlap, no tail.
void require_contiguous(std::vector<Tensor>& tensors, std::string_view data, const std::string& path) {
  std::ranges::sort(tensors, {}, [](const Tensor& t) { return std::pair(t.bytes.data(), t.bytes.size()); });
  const char* next = data.data();
  for (const Tensor& tensor : tensors) {
    if (tensor.bytes.data() != next)
      refuse(path, fmt::format("array '{}' leaves a gap or overlaps the one before it", tensor.name));
    next += tensor.bytes.size();
  }
  const auto rest = static_cast<std::size_t>(data.data() + data.size() - next);
  if (rest > 0) refuse(path, fmt::format("{} bytes follow the last array", rest));
}

json parse_header(std::string_view header, const std::string& path) {
  return parse_strict(header, path + ": not a model file: header", {.depth = 3, .values = 100'000});
}

}  // namespace

std::size_t size_of(DType type) { return entry_of(type).size; }
std::string_view name_of(DType type) { return entry_of(type).name; }

const Tensor* Archive::find(std::string_view name) const {
  const auto found = std::ranges::find(tensors, name, &Tensor::name);
  return found == tensors.end() ? nullptr : &*found;
}

std::uint64_t announced_bytes(std::string_view header, const std::string& path) {
  std::uint64_t bytes = 0;
  const json document = parse_header(header, path);
  for (const auto& [name, entry] : document.items()) {
    if (name == "__metadata__" || !entry.is_object() || !entry.contains("data_offsets")) continue;
    const json& offsets = entry["data_offsets"];
    if (offsets.is_array() && offsets.size() == 2 && offsets[1].is_number_unsigned())
      bytes = std::max(bytes, offsets[1].get<std::uint64_t>());
  }
  return bytes;
}

Archive parse_archive(std::string_view bytes, const std::string& path, std::shared_ptr<const void> owner) {
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length) refuse(path, fmt::format("{} bytes are too few for one", bytes.size()));
  std::memcpy(&length, bytes.data(), sizeof length);
  bytes.remove_prefix(sizeof length);
  if (length > longest_archive_header)
    refuse(path, fmt::format("its first 8 bytes give a header of {} bytes, more than the {} there may be", length,
                             longest_archive_header));
  if (length > bytes.size())
    refuse(path, fmt::format("a header of {} bytes is announced, {} are there: the file is cut", length, bytes.size()));
  const std::string_view header = bytes.substr(0, length), data = bytes.substr(length);
  if (!header.starts_with('{')) refuse(path, "its header does not begin with '{'");

  const json document = parse_header(header, path);
  Archive archive;
  for (const auto& [name, entry] : document.items()) {
    if (name != "__metadata__") {
      archive.tensors.push_back(TensorParser(name, entry, path).parse(data));
      archive.tensors.back().owner = owner;
      continue;
    }
    if (!entry.is_object()) refuse(path, "__metadata__ is not an object");
    for (const auto& [key, value] : entry.items()) {
      if (!value.is_string()) refuse(path, fmt::format("__metadata__ '{}' is not text", key));
      archive.metadata.emplace(key, value.get_ref<const std::string&>());
    }
  }
  require_contiguous(archive.tensors, data, path);
  return archive;
}

}  // namespace fewdim
