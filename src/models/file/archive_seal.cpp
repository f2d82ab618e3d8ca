#include <fmt/format.h>

#include <cstdint>
#include <map>

#include "data/hash.hpp"
#include "fewdim/error.hpp"
#include "models/file/archive.hpp"

namespace fewdim {

namespace {

constexpr const char* seal_key = "fewdim-hash";

/// Takes parts with their sizes, so that no byte can move from one to the next unnoticed.
class PartHasher {
 public:
  void add(std::string_view part) {
    add(std::uint64_t{part.size()});
    hasher_.update(part);
  }
  void add(std::uint64_t number) { hasher_.update({reinterpret_cast<const char*>(&number), sizeof number}); }
  std::string text() const { return hasher_.text(); }

 private:
  Hasher hasher_;
};

std::string hash_of_all(const Archive& archive) {
  PartHasher hash;
  hash.add(std::uint64_t{archive.metadata.size() - archive.metadata.count(seal_key)});
  for (const auto& [key, value] : archive.metadata) {
    if (key == seal_key) continue;
    hash.add(key);
    hash.add(value);
  }
  std::map<std::string_view, const Tensor*> by_name;
  for (const Tensor& tensor : archive.tensors) by_name.emplace(tensor.name, &tensor);
  hash.add(std::uint64_t{by_name.size()});
  for (const auto& [name, tensor] : by_name) {
    hash.add(name);
    hash.add(name_of(tensor->type));
    hash.add(std::uint64_t{tensor->shape.size()});
    for (const std::uint64_t extent : tensor->shape) hash.add(extent);
    hash.add(tensor->bytes);
  }
  return hash.text();
}

}  // namespace

std::string hash_of_arrays(const Archive& archive) {
  std::map<std::string_view, std::string_view> by_name;
  for (const Tensor& tensor : archive.tensors) by_name.emplace(tensor.name, tensor.bytes);
  Hasher hasher;
  for (const auto& [name, bytes] : by_name) hasher.update(bytes);
  return hasher.text();
}

void seal(Archive& archive) { archive.metadata[seal_key] = hash_of_all(archive); }

Seal seal_of(const Archive& archive) {
  const auto found = archive.metadata.find(seal_key);
  if (found == archive.metadata.end()) return Seal::none;
  return found->second == hash_of_all(archive) ? Seal::whole : Seal::broken;
}

void require_seal(Seal found, bool must_have, const std::string& path) {
  if (found == Seal::broken)
    throw DataError(
        fmt::format("{}: the file is damaged: its contents are not those that were saved; take another copy, or make "
                    "it again",
                    path));
  if (found == Seal::none && must_have)
    throw DataError(fmt::format(
        "{}: the file is damaged: it has no hash to check its contents by; take another copy, or make it again", path));
}

}  // namespace fewdim
