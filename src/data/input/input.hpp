#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "data/formats.hpp"
#include "fewdim/execution.hpp"

namespace fewdim {

/// Where bytes come from, in order.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills up to `size` bytes and returns how many; 0 at the end only.
  virtual std::size_t read(char* out, std::size_t size) = 0;
  virtual bool rewindable() const = 0;
  virtual void rewind() = 0;  ///< back to the first byte; only where rewindable()
  /// Of the bytes as they are stored, once all of them have been read; empty before.
  virtual std::string hash() const { return {}; }
};

enum class Compression { none, gzip, zstd };

/// By the first bytes, whatever the name says. Four bytes are enough.
Compression compression_of(std::string_view head);

/// Undoes the compression of `inner` as the bytes come; `path` is for messages. Throws OverMemory where the
/// decompressor itself needs more than `memory`: zstd keeps a window of what came before, up to 128 MiB.
std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> inner, Compression kind, const std::string& path,
                                         std::uint64_t memory = UINT64_MAX);

/// A file, or standard input for "-", with its compression undone.
std::unique_ptr<ByteSource> open_source(const std::string& path, std::uint64_t memory = UINT64_MAX);

/// The whole input as it is stored: a file is mapped, a pipe is read to its end (within the memory limit).
Bytes load(const std::string& path, const Execution& exec);

/// The bytes with their compression undone (within the memory limit), or the same bytes when there is none.
Bytes decompress(const Bytes& stored, const Execution& exec);

/// Gives back the memory of the pages that lie wholly in `part` of the bytes, once that is read or copied: what is
/// touched again comes again from the file. Does nothing where the bytes are not a mapped file.
void release_pages(const Bytes& bytes, std::string_view part) noexcept;

/// "standard input" for "-", the path otherwise.
std::string shown_name(const std::string& path);

}  // namespace fewdim
