#include "data/zip/zip.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include "unit/data/format_helpers.hpp"
#include "unit/data/numpy_samples.hpp"

namespace fewdim {
namespace {

using test::as_bytes, test::expect_message;

template <class T>
std::string number(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof(T)};
}
template <class T>
void overwrite(std::string& text, std::size_t at, T value) {
  text.replace(at, sizeof(T), number(value));
}

std::string deflated(const std::string& content) {
  std::string out(compressBound(content.size()) + 64, '\0');
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

/// An archive of one member "a" by hand. Where fields lie: local header at 0 (30 bytes + name), then the data, then the
/// directory entry, then the end record.
struct Archive {
  std::string packed;
  std::uint64_t size = 0;
  std::uint32_t crc = 0;
  bool deflate = false;
  bool zip64 = false;

  static Archive of(const std::string& content, bool deflate) {
    return {deflate ? deflated(content) : content, content.size(),
            std::uint32_t(crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size())), deflate, false};
  }
  std::size_t directory() const { return 31 + packed.size(); }

  std::string text() const {
    const std::uint16_t method = deflate ? 8 : 0;
    const std::string wide = number<std::uint16_t>(1) + number<std::uint16_t>(24) + number<std::uint64_t>(size) +
                             number<std::uint64_t>(packed.size()) + number<std::uint64_t>(0);
    const std::string extra = zip64 ? wide : "";
    const auto narrow = [&](std::uint64_t value) {
      return number<std::uint32_t>(zip64 ? 0xffffffff : std::uint32_t(value));
    };
    std::string out = "PK\x03\x04" + number<std::uint16_t>(20) + number<std::uint16_t>(0) + number(method) +
                      number<std::uint32_t>(0x210000) + number(crc) + narrow(packed.size()) + narrow(size) +
                      number<std::uint16_t>(1) + number<std::uint16_t>(0) + "a" + packed;
    out += "PK\x01\x02" + number<std::uint16_t>(20) + number<std::uint16_t>(20) + number<std::uint16_t>(0) +
           number(method) + number<std::uint32_t>(0x210000) + number(crc) + narrow(packed.size()) + narrow(size) +
           number<std::uint16_t>(1) + number<std::uint16_t>(std::uint16_t(extra.size())) + number<std::uint16_t>(0) +
           number<std::uint64_t>(0) + narrow(0) + "a" + extra;
    const std::uint64_t length = out.size() - directory();
    if (zip64)
      out += "PK\x06\x06" + number<std::uint64_t>(44) + number<std::uint32_t>(0x2d002d) + number<std::uint64_t>(0) +
             number<std::uint64_t>(1) + number<std::uint64_t>(1) + number(length) + number<std::uint64_t>(directory()) +
             "PK\x06\x07" + number<std::uint32_t>(0) + number<std::uint64_t>(directory() + length) +
             number<std::uint32_t>(1);
    return out + "PK\x05\x06" + number<std::uint32_t>(0) + number<std::uint16_t>(1) + number<std::uint16_t>(1) +
           narrow(length) + narrow(directory()) + number<std::uint16_t>(0);
  }
};

std::string read_first(const std::string& archive, const Execution& exec = {}) {
  const ZipReader zip(as_bytes(archive), "sample");
  return std::string(zip.read(zip.members().at(0), exec).text);
}

TEST(Zip, StoredAndDeflated) {
  for (const bool deflate : {false, true})
    for (const std::string& content : {std::string(), std::string("hello"), std::string(100000, 'x')})
      EXPECT_EQ(read_first(Archive::of(content, deflate).text()), content);
}

TEST(Zip, StoredMembersAreNotCopied) {
  const Bytes bytes = as_bytes(Archive::of("hello", false).text());
  const ZipReader zip(bytes, "sample");
  EXPECT_EQ(zip.read(zip.members()[0], {}).text.data(), bytes.text.data() + 31);
}

TEST(Zip, SizesInZip64Fields) {
  for (const bool deflate : {false, true}) {
    Archive archive = Archive::of("hello", deflate);
    archive.zip64 = true;
    EXPECT_EQ(read_first(archive.text()), "hello");
  }
}

TEST(Zip, ACommentAtTheEnd) {
  std::string archive = Archive::of("hello", false).text();
  const std::string comment = "PK\x05\x06 looks like an end record, but its length leads elsewhere";
  overwrite<std::uint16_t>(archive, archive.size() - 2, std::uint16_t(comment.size()));
  EXPECT_EQ(read_first(archive + comment), "hello");
}

TEST(Zip, ChecksumIsVerified) {
  Archive archive = Archive::of("hello", false);
  archive.packed = "jello";
  expect_message([&] { read_first(archive.text()); },
                 "sample: not a sound zip archive: the checksum of member 'a' is wrong");
}

TEST(Zip, ChecksumOfManyPieces) {
  std::string content(std::size_t{9} << 20, '\0');  // three pieces of the parallel sum
  for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<char>(i * 2654435761u >> 24);
  EXPECT_EQ(read_first(Archive::of(content, false).text()), content);
}

TEST(Zip, DeclaredSizesAreHeldAgainstTheBytes) {
  Archive archive = Archive::of("hello", false);
  archive.size = 6;
  expect_message([&] { read_first(archive.text()); }, "stored member 'a' claims 6 bytes, 5 are there");
  Archive huge = Archive::of("hello", true);
  huge.zip64 = true;
  huge.size = std::uint64_t{1} << 45;
  expect_message([&] { read_first(huge.text()); }, "more than");
  for (const std::uint64_t wrong : {4, 6}) {
    Archive other = Archive::of("hello", true);
    other.size = wrong;
    expect_message([&] { read_first(other.text()); }, "does not unpack to");
  }
}

TEST(Zip, ABombStaysWithinTheMemoryLimit) {
  const std::string bomb = Archive::of(std::string(std::size_t{16} << 20, '\0'), true).text();
  ASSERT_LT(bomb.size(), 20000u);
  Execution exec;
  exec.memory_limit = 1 << 20;
  EXPECT_THROW(read_first(bomb, exec), OverMemory);
  const ZipReader zip(as_bytes(bomb), "sample");
  EXPECT_EQ(zip.peek(zip.members()[0], 100), std::string(100, '\0'));
}

TEST(Zip, OddArchivesAreRefused) {
  const Archive archive = Archive::of("hello", false);
  const std::size_t entry = archive.directory();
  std::string encrypted = archive.text();
  overwrite<std::uint16_t>(encrypted, entry + 8, 1);
  expect_message([&] { read_first(encrypted); }, "encrypted");
  std::string method = archive.text();
  overwrite<std::uint16_t>(method, entry + 10, 14);
  expect_message([&] { read_first(method); }, "packed by method 14");
  expect_message([&] { read_first("junk" + archive.text()); }, "not where the end record says");
  expect_message([&] { read_first(archive.text() + "junk"); }, "its directory is missing");
  expect_message([] { read_first(""); }, "0 bytes are too few");
}

TEST(Zip, MembersMayNotShareBytesOrNames) {
  // Two directory entries for the same bytes: what makes "quine" bombs of overlapping members.
  const Archive archive = Archive::of("hello", false);
  const std::string once = archive.text();
  const std::size_t start = archive.directory(), length = once.size() - 22 - start;
  std::string twice = once.substr(0, start) + once.substr(start, length) + once.substr(start);
  const std::size_t end = twice.size() - 22;
  overwrite<std::uint16_t>(twice, end + 8, 2);
  overwrite<std::uint16_t>(twice, end + 10, 2);
  overwrite<std::uint32_t>(twice, end + 12, std::uint32_t(2 * length));
  expect_message([&] { read_first(twice); }, "share bytes");
}

TEST(Zip, DamagedArchivesGiveAnErrorOrAMember) {
  Archive wide = Archive::of("hello", true);
  wide.zip64 = true;
  for (const std::string& archive :
       {Archive::of("hello", false).text(), Archive::of("hello", true).text(), wide.text()})
    test::expect_sound_when_damaged(archive, [](const Bytes& bytes, const ReadOptions&, const Execution& exec) {
      const ZipReader zip(bytes, "sample");
      for (const ZipMember& member : zip.members()) {
        zip.peek(member, 3);
        EXPECT_EQ(zip.read(member, exec).text, "hello");  // the checksum vouches for it
      }
      return Dataset();
    });
}

TEST(Zip, WrittenMembersAreAlignedAndReadBack) {
  const test::TemporaryFile file;
  OutputFile out(file.path(), true);
  ZipWriter writer(out);
  writer.add("first", [](const ZipWriter::Sink& sink) { sink("ab", 2), sink("c", 1); });
  writer.add("second", [](const ZipWriter::Sink& sink) { sink("defg", 4); });
  writer.finish();
  out.commit();
  const Bytes bytes = as_bytes(file.content());
  const ZipReader zip(bytes, "sample");
  ASSERT_EQ(zip.members().size(), 2u);
  EXPECT_EQ(zip.read(*zip.find("first"), {}).text, "abc");
  EXPECT_EQ(zip.read(*zip.find("second"), {}).text, "defg");
  for (const ZipMember& member : zip.members()) EXPECT_EQ(member.data_offset % 64, 0u);
  EXPECT_EQ(zip.find("third"), nullptr);
}

}  // namespace
}  // namespace fewdim
