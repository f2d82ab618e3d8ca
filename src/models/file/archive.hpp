#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fewdim/types.hpp"

/// safetensors: eight bytes with the header's length, a JSON header, raw little-endian arrays in C order.
/// https://github.com/huggingface/safetensors#format
namespace fewdim {

enum class DType { f32, f64, i32, i64, u8 };

std::size_t size_of(DType type);
std::string_view name_of(DType type);  ///< "F32", ...

/// A named array whose bytes lie in the file's mapping, or in the memory of whoever is about to write it.
struct Tensor {
  std::string name;
  DType type = DType::f64;
  std::vector<std::uint64_t> shape;
  std::string_view bytes;
  std::shared_ptr<const void> owner{};  ///< keeps `bytes` alive
};

struct Archive {
  std::map<std::string, std::string> metadata;  ///< safetensors' __metadata__
  std::vector<Tensor> tensors;                  ///< as they lie in the file

  const Tensor* find(std::string_view name) const;
};

/// The longest header a reader has to take; the reference implementation has the same limit.
constexpr std::uint64_t longest_archive_header = 100'000'000;

/// Opens an archive. The file is mapped, not read; nothing is allocated by a size that was not first checked
/// against the file. Throws IoError when it can't be opened, DataError when it is anything but a whole archive.
Archive read_archive(const std::string& path);
/// The same for bytes that are already there; the tensors point into them.
Archive parse_archive(std::string_view bytes, const std::string& path, std::shared_ptr<const void> owner = {});

/// Bytes of data that a whole header, the JSON between the length and the data, announces; 0 where it does so wrongly.
std::uint64_t announced_bytes(std::string_view header, const std::string& path);

/// Writes the arrays with the wide types first, each then lies at a multiple of its element size. Equal archives
/// give equal bytes. The file appears whole or not at all.
void write_archive(const Archive& archive, const std::string& path, bool overwrite);

/// What write_archive() writes.
std::string archive_text(const Archive& archive, const std::string& path);

/// Bytes of the file that write_archive() writes.
std::uint64_t archive_bytes(const Archive& archive);

/// XXH3 of all arrays, in the order of their names: "xxh3:<16 hex digits>". What files of format 1 have, beside their
/// metadata.
std::string hash_of_arrays(const Archive& archive);

/// Adds a hash of all there is to the metadata, under the key "fewdim-hash": of the other metadata, and of every
/// array's name, type, shape and bytes. Places in the file are no part of it: another writer may change them.
void seal(Archive& archive);

enum class Seal { none, whole, broken };
/// Whether the archive has the hash that seal() adds, and it is that of what is there.
Seal seal_of(const Archive& archive);

/// Throws DataError "<path>: the file is damaged ..." for a seal that is broken, or missing where there must be one.
void require_seal(Seal found, bool must_have, const std::string& path);

}  // namespace fewdim
