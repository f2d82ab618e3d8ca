#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "data/formats.hpp"

/// Zip archives as numpy.savez writes them (PKWARE APPNOTE 6.3.10): stored or deflated members, zip64.
namespace fewdim {

struct ZipMember {
  std::string name;
  bool deflated = false;
  std::uint32_t crc = 0;
  std::uint64_t packed_size = 0;
  std::uint64_t size = 0;
  std::uint64_t header_offset = 0;
  std::uint64_t data_offset = 0;
};

/// Reads an archive by its central directory. Opening checks every offset and size against the bytes that are there,
/// and that no two members share bytes; nothing is unpacked.
class ZipReader {
 public:
  ZipReader(const Bytes& bytes, std::string name);

  const std::vector<ZipMember>& members() const { return members_; }
  const ZipMember* find(std::string_view name) const;

  /// A member's content, its CRC-32 verified: a view into the archive when it is stored, unpacked otherwise.
  Bytes read(const ZipMember& member, const Execution& exec) const;
  /// Its first bytes, up to `most`, unverified.
  std::string peek(const ZipMember& member, std::size_t most) const;

 private:
  void read_directory();
  void read_member(std::string_view& directory);
  void place_data(ZipMember& member) const;
  [[noreturn]] void fail(const std::string& what) const;

  Bytes bytes_;
  std::string name_;
  std::uint64_t directory_offset_ = 0;
  std::vector<ZipMember> members_;
};

/// Writes stored members. The same content gives the same bytes: times are fixed. Each member's content starts at a
/// multiple of 64, so that arrays in it can be used where they lie.
class ZipWriter {
 public:
  explicit ZipWriter(ByteSink& out) : out_(out) {}

  using Sink = std::function<void(const void* data, std::size_t size)>;
  /// `produce` hands the content to its sink. It is called twice (size and CRC-32 come first in the file), and must
  /// give the same bytes both times.
  void add(const std::string& name, const std::function<void(const Sink&)>& produce);
  void finish();

 private:
  void write(const std::string& text);

  ByteSink& out_;
  std::uint64_t position_ = 0;
  std::vector<ZipMember> members_;
};

}  // namespace fewdim
