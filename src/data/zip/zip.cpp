#include "data/zip/zip.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <cstring>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "data/input/input.hpp"
#include "data/table/block.hpp"

namespace fewdim {

namespace {

constexpr std::uint32_t local_signature = 0x04034b50, member_signature = 0x02014b50, end_signature = 0x06054b50;
constexpr std::uint32_t end64_signature = 0x06064b50, locator_signature = 0x07064b50;
constexpr std::size_t local_size = 30, member_size = 46, end_size = 22, end64_size = 56, locator_size = 20;
constexpr std::uint64_t in_zip64 = 0xffffffff;

template <class T>
T number_at(std::string_view text, std::size_t offset) {
  T value{};
  std::memcpy(&value, text.substr(offset, sizeof(T)).data(), sizeof(T));
  return value;
}

/// CRC-32 of a large block, in pieces side by side.
std::uint32_t parallel_crc(std::string_view text, const Execution& exec) {
  constexpr std::size_t piece = std::size_t{4} << 20;
  const std::size_t pieces = (text.size() + piece - 1) / piece;
  std::vector<uLong> parts(pieces);
  parallel_for(exec, static_cast<Index>(pieces), [&](Index p) {
    const std::string_view part = text.substr(static_cast<std::size_t>(p) * piece, piece);
    parts[static_cast<std::size_t>(p)] = crc32_z(0, reinterpret_cast<const Bytef*>(part.data()), part.size());
  });
  uLong sum = 0;
  for (std::size_t p = 0; p < pieces; ++p)
    sum = crc32_combine(sum, parts[p], static_cast<z_off_t>(std::min(piece, text.size() - p * piece)));
  return static_cast<std::uint32_t>(sum);
}

/// Unpacks a raw deflate stream into at most `room` bytes; `complete` says whether both ended together.
std::size_t inflate_into(std::string_view packed, char* out, std::size_t room, bool& complete) {
  z_stream stream{};
  complete = false;
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw OverMemory("zlib has no memory to start with");
  std::size_t used = 0, made = 0;
  int status = Z_OK;
  constexpr std::size_t step = std::size_t{1} << 30;  // zlib counts in 32 bits
  while (status == Z_OK) {
    const std::size_t give = std::min(step, packed.size() - used), take = std::min(step, room - made);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + used));
    stream.avail_in = static_cast<uInt>(give);
    stream.next_out = reinterpret_cast<Bytef*>(out + made);
    stream.avail_out = static_cast<uInt>(take);
    status = inflate(&stream, Z_NO_FLUSH);
    used += give - stream.avail_in;
    made += take - stream.avail_out;
    if (status == Z_OK && give == stream.avail_in && take == stream.avail_out) break;  // nothing moves any more
  }
  inflateEnd(&stream);
  complete = status == Z_STREAM_END && used == packed.size() && made == room;
  return made;
}

}  // namespace

ZipReader::ZipReader(const Bytes& bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {
  read_directory();
  std::vector<const ZipMember*> order;
  for (ZipMember& member : members_) {
    place_data(member);
    order.push_back(&member);
  }
  std::sort(order.begin(), order.end(), [](auto* a, auto* b) { return a->header_offset < b->header_offset; });
  for (std::size_t i = 1; i < order.size(); ++i)
    if (order[i]->header_offset < order[i - 1]->data_offset + order[i - 1]->packed_size)
      fail(fmt::format("members '{}' and '{}' share bytes", order[i - 1]->name, order[i]->name));
  std::sort(order.begin(), order.end(), [](auto* a, auto* b) { return a->name < b->name; });
  for (std::size_t i = 1; i < order.size(); ++i)
    if (order[i]->name == order[i - 1]->name) fail(fmt::format("member '{}' is there twice", order[i]->name));
}

void ZipReader::fail(const std::string& what) const {
  throw DataError(fmt::format("{}: not a sound zip archive: {}", name_, what));
}

void ZipReader::read_directory() {
  const std::string_view text = bytes_.text;
  if (text.size() < end_size) fail(fmt::format("{} bytes are too few for one; cut short?", text.size()));
  // The end record is last, but for a comment of up to 65,535 bytes whose length it gives.
  std::size_t end = text.size() - end_size;
  const std::size_t stop = end > 0xffff ? end - 0xffff : 0;
  while (number_at<std::uint32_t>(text, end) != end_signature ||
         end + end_size + number_at<std::uint16_t>(text, end + 20) != text.size()) {
    if (end == stop) fail("its directory is missing; cut short?");
    --end;
  }
  std::uint64_t count = number_at<std::uint16_t>(text, end + 10), size = number_at<std::uint32_t>(text, end + 12);
  std::uint64_t offset = number_at<std::uint32_t>(text, end + 16);
  std::uint64_t limit = end;
  if (number_at<std::uint32_t>(text, end + 4) != 0 || number_at<std::uint16_t>(text, end + 8) != count)
    fail("it is one part of several");
  if (end >= locator_size && number_at<std::uint32_t>(text, end - locator_size) == locator_signature) {
    const std::uint64_t end64 = number_at<std::uint64_t>(text, end - locator_size + 8);
    if (end - locator_size < end64_size || end64 > end - locator_size - end64_size ||
        number_at<std::uint32_t>(text, end64) != end64_signature)
      fail("its zip64 directory is missing");
    count = number_at<std::uint64_t>(text, end64 + 32);
    size = number_at<std::uint64_t>(text, end64 + 40);
    offset = number_at<std::uint64_t>(text, end64 + 48);
    limit = end64;
  }
  if (offset > limit || size != limit - offset) fail("its directory is not where the end record says");
  if (count > size / member_size) fail(fmt::format("its directory can't hold {} members", count));
  directory_offset_ = offset;
  std::string_view directory = text.substr(offset, size);
  members_.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) read_member(directory);
  if (!directory.empty()) fail("its directory goes on after the last member");
}

void ZipReader::read_member(std::string_view& directory) {
  if (directory.size() < member_size || number_at<std::uint32_t>(directory, 0) != member_signature)
    fail("its directory is damaged");
  const std::size_t name_size = number_at<std::uint16_t>(directory, 28),
                    extra_size = number_at<std::uint16_t>(directory, 30);
  const std::size_t whole = member_size + name_size + extra_size + number_at<std::uint16_t>(directory, 32);
  if (directory.size() < whole) fail("its directory is damaged");
  ZipMember member{.name = std::string(directory.substr(member_size, name_size))};
  if (std::any_of(member.name.begin(), member.name.end(), [](unsigned char c) { return c < ' ' || c == 127; }))
    fail("a member's name has control characters");
  const unsigned flags = number_at<std::uint16_t>(directory, 8), method = number_at<std::uint16_t>(directory, 10);
  if ((flags & 0x2041) != 0) fail(fmt::format("member '{}' is encrypted", member.name));
  if (method != 0 && method != 8)
    fail(fmt::format("member '{}' is packed by method {}; only stored and deflated ones can be read", member.name,
                     method));
  member.deflated = method == 8;
  member.crc = number_at<std::uint32_t>(directory, 16);
  member.packed_size = number_at<std::uint32_t>(directory, 20);
  member.size = number_at<std::uint32_t>(directory, 24);
  member.header_offset = number_at<std::uint32_t>(directory, 42);

  // Extra fields: id, size, content. Field 1 holds, in this order, those numbers that did not fit 32 bits.
  std::string_view extra = directory.substr(member_size + name_size, extra_size);
  while (extra.size() >= 4) {
    const std::size_t length = number_at<std::uint16_t>(extra, 2);
    if (length > extra.size() - 4) fail(fmt::format("member '{}' has a damaged extra field", member.name));
    std::string_view field = extra.substr(4, length);
    if (number_at<std::uint16_t>(extra, 0) == 1)
      for (std::uint64_t* value : {&member.size, &member.packed_size, &member.header_offset}) {
        if (*value != in_zip64) continue;
        if (field.size() < 8) fail(fmt::format("member '{}' has a damaged zip64 field", member.name));
        *value = number_at<std::uint64_t>(field, 0);
        field.remove_prefix(8);
      }
    extra.remove_prefix(4 + length);
  }
  members_.push_back(std::move(member));
  directory.remove_prefix(whole);
}

void ZipReader::place_data(ZipMember& member) const {
  const std::string_view text = bytes_.text.substr(0, directory_offset_);
  const auto damaged = [&] { fail(fmt::format("member '{}' is not where the directory says", member.name)); };
  if (member.header_offset > text.size() || text.size() - member.header_offset < local_size) damaged();
  const std::string_view local = text.substr(member.header_offset);
  const std::size_t name_size = number_at<std::uint16_t>(local, 26), extra_size = number_at<std::uint16_t>(local, 28);
  if (number_at<std::uint32_t>(local, 0) != local_signature || local.size() < local_size + name_size + extra_size ||
      local.substr(local_size, name_size) != member.name)
    damaged();
  member.data_offset = member.header_offset + local_size + name_size + extra_size;
  if (member.packed_size > text.size() - member.data_offset)
    fail(fmt::format("member '{}' claims {} bytes, {} are there", member.name, member.packed_size,
                     text.size() - member.data_offset));
  // Deflate packs 258 bytes into two bits at best.
  if (!member.deflated && member.size != member.packed_size)
    fail(fmt::format("stored member '{}' claims {} bytes, {} are there", member.name, member.size, member.packed_size));
  if (member.deflated && member.size / 1032 > member.packed_size)
    fail(fmt::format("member '{}' claims {} bytes, more than {} packed ones can hold", member.name, member.size,
                     member.packed_size));
}

const ZipMember* ZipReader::find(std::string_view name) const {
  for (const ZipMember& member : members_)
    if (member.name == name) return &member;
  return nullptr;
}

Bytes ZipReader::read(const ZipMember& member, const Execution& exec) const {
  const std::string_view packed = bytes_.text.substr(member.data_offset, member.packed_size);
  Bytes content{packed, bytes_.owner, bytes_.path, bytes_.mapped};
  if (member.deflated) {
    require_memory(exec, member.size, fmt::format("{}: unpacking member '{}'", name_, member.name),
                   "raise the limit, or save it as .npy, which is read where it lies");
    const auto memory = make_large_array<char>(member.size);
    bool complete = false;
    const std::size_t made = inflate_into(packed, memory.get(), member.size, complete);
    if (!complete)
      fail(fmt::format("member '{}' does not unpack to the {} bytes it claims (damaged after {})", member.name,
                       member.size, made));
    content = {{memory.get(), member.size}, memory, bytes_.path};
    release_pages(bytes_, packed);
  }
  if (parallel_crc(content.text, exec) != member.crc)
    fail(fmt::format("the checksum of member '{}' is wrong; the file is damaged", member.name));
  return content;
}

std::string ZipReader::peek(const ZipMember& member, std::size_t most) const {
  const std::string_view packed = bytes_.text.substr(member.data_offset, member.packed_size);
  if (!member.deflated) return std::string(packed.substr(0, most));
  std::string start(std::min<std::uint64_t>(most, member.size), '\0');
  bool complete = false;
  start.resize(inflate_into(packed, start.data(), start.size(), complete));
  return start;
}

}  // namespace fewdim
