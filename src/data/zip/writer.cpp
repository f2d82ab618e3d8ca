#include <zlib.h>

#include "data/zip/zip.hpp"

namespace fewdim {

namespace {

constexpr std::uint64_t fits32 = 0xfffffffe;

/// CRC-32 goes on over more bytes. (zlib starts anew when given a null pointer, even for no bytes.)
uLong more_crc(uLong crc, const void* data, std::size_t size) {
  return size == 0 ? crc : crc32_z(crc, static_cast<const Bytef*>(data), size);
}

template <class T>
void put(std::string& text, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) text.push_back(static_cast<char>(std::uint64_t{value} >> (8 * i)));
}

/// The fields that a local header and a directory entry share, from "version needed" to the length of the name.
void put_common(std::string& text, const ZipMember& member, bool wide) {
  put<std::uint16_t>(text, wide ? 45 : 20);  // version needed: 4.5 has zip64
  put<std::uint16_t>(text, 0);               // flags
  put<std::uint16_t>(text, 0);               // stored
  put<std::uint16_t>(text, 0);               // midnight
  put<std::uint16_t>(text, 0x21);            // 1 January 1980, the epoch of zip and what NumPy writes
  put<std::uint32_t>(text, member.crc);
  put<std::uint32_t>(text, static_cast<std::uint32_t>(wide ? 0xffffffff : member.size));
  put<std::uint32_t>(text, static_cast<std::uint32_t>(wide ? 0xffffffff : member.size));
  put<std::uint16_t>(text, static_cast<std::uint16_t>(member.name.size()));
}

std::string local_header(const ZipMember& member) {
  const bool wide = member.size > fits32;
  std::string extra;
  if (wide) {
    put<std::uint16_t>(extra, 1);
    put<std::uint16_t>(extra, 16);
    put<std::uint64_t>(extra, member.size);
    put<std::uint64_t>(extra, member.size);
  }
  // Field 0xd935 (known from Android's zipalign): the alignment, then zeros.
  const std::uint64_t start = member.header_offset + 30 + member.name.size() + extra.size() + 6;
  const std::uint64_t zeros = (64 - start % 64) % 64;
  put<std::uint16_t>(extra, 0xd935);
  put<std::uint16_t>(extra, static_cast<std::uint16_t>(2 + zeros));
  put<std::uint16_t>(extra, 64);
  extra.append(zeros, '\0');

  std::string header;
  put<std::uint32_t>(header, 0x04034b50);
  put_common(header, member, wide);
  put<std::uint16_t>(header, static_cast<std::uint16_t>(extra.size()));
  return header + member.name + extra;
}

std::string directory_entry(const ZipMember& member) {
  const bool wide = member.size > fits32, far = member.header_offset > fits32;
  std::string extra;
  if (wide || far) {
    put<std::uint16_t>(extra, 1);
    put<std::uint16_t>(extra, static_cast<std::uint16_t>((wide ? 16 : 0) + (far ? 8 : 0)));
    if (wide) put<std::uint64_t>(extra, member.size), put<std::uint64_t>(extra, member.size);
    if (far) put<std::uint64_t>(extra, member.header_offset);
  }
  std::string entry;
  put<std::uint32_t>(entry, 0x02014b50);
  put<std::uint16_t>(entry, 0x0300 | 45);  // made by: Unix, 4.5
  put_common(entry, member, wide);
  put<std::uint16_t>(entry, static_cast<std::uint16_t>(extra.size()));
  put<std::uint16_t>(entry, 0);            // no comment
  put<std::uint16_t>(entry, 0);            // on the first disk
  put<std::uint16_t>(entry, 0);            // not text
  put<std::uint32_t>(entry, 0600u << 16);  // rw-------, as NumPy writes
  put<std::uint32_t>(entry, static_cast<std::uint32_t>(far ? 0xffffffff : member.header_offset));
  return entry + member.name + extra;
}

}  // namespace

void ZipWriter::write(const std::string& text) {
  out_.write(text);
  position_ += text.size();
}

void ZipWriter::add(const std::string& name, const std::function<void(const Sink&)>& produce) {
  ZipMember member{.name = name, .header_offset = position_};
  uLong crc = 0;
  produce([&](const void* data, std::size_t size) {
    crc = more_crc(crc, data, size);
    member.size += size;
  });
  member.crc = static_cast<std::uint32_t>(crc);
  write(local_header(member));
  std::uint64_t written = 0;
  crc = 0;
  produce([&](const void* data, std::size_t size) {
    crc = more_crc(crc, data, size);
    out_.write(data, size);
    written += size;
  });
  if (written != member.size || static_cast<std::uint32_t>(crc) != member.crc)
    throw DataError(out_.path() + ": the data changed while they were written; write them again");
  position_ += written;
  members_.push_back(std::move(member));
}

void ZipWriter::finish() {
  const std::uint64_t offset = position_;
  for (const ZipMember& member : members_) write(directory_entry(member));
  const std::uint64_t size = position_ - offset, count = members_.size();
  const bool wide = offset > fits32;
  std::string end;
  if (wide) {
    put<std::uint32_t>(end, 0x06064b50);
    put<std::uint64_t>(end, 44);  // bytes of this record that follow
    put<std::uint16_t>(end, 0x0300 | 45);
    put<std::uint16_t>(end, 45);
    put<std::uint64_t>(end, 0);  // this disk and the directory's
    put<std::uint64_t>(end, count);
    put<std::uint64_t>(end, count);
    put<std::uint64_t>(end, size);
    put<std::uint64_t>(end, offset);
    put<std::uint32_t>(end, 0x07064b50);
    put<std::uint32_t>(end, 0);
    put<std::uint64_t>(end, position_);
    put<std::uint32_t>(end, 1);
  }
  put<std::uint32_t>(end, 0x06054b50);
  put<std::uint32_t>(end, 0);
  put<std::uint16_t>(end, static_cast<std::uint16_t>(count));
  put<std::uint16_t>(end, static_cast<std::uint16_t>(count));
  put<std::uint32_t>(end, static_cast<std::uint32_t>(size));
  put<std::uint32_t>(end, static_cast<std::uint32_t>(wide ? 0xffffffff : offset));
  put<std::uint16_t>(end, 0);
  write(end);
}

}  // namespace fewdim
