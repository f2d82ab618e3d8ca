#include "data/input/input.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "unit/data/format_helpers.hpp"
#include "unit/data/text_files.hpp"

namespace fewdim {
namespace {

using text_files::bytes_of;
using text_files::Folder;
using text_files::gzip;
using text_files::message_of;
using text_files::zstd;

std::string read_all(ByteSource& source, std::size_t step) {
  std::string all, piece(step, '\0');
  for (std::size_t got; (got = source.read(piece.data(), step)) > 0;) all.append(piece, 0, got);
  return all;
}

std::string sample_text(std::size_t lines) {
  std::string text;
  for (std::size_t i = 0; i < lines; ++i) text += std::to_string(i * i * 7919 % 100003) + ",\n";
  return text;
}

TEST(Input, LoadsSmallAndLargeFiles) {
  const Folder folder;
  for (const std::size_t lines : {0, 1, 10, 20000}) {  // the last is mapped
    const std::string text = sample_text(lines), path = folder.write("x", text);
    EXPECT_EQ(load(path, {}).text, text);
    EXPECT_EQ(read_all(*open_source(path), 1000), text);
  }
}

TEST(Input, ReleasedPagesLeaveMemoryAndComeBack) {
  const std::string text = sample_text(1000000);  // about 6.9 MB
  const test::TemporaryFile file(text);
  const std::int64_t before = test::resident_file_bytes();
  const Bytes bytes = load(file.path(), {});
  ASSERT_TRUE(bytes.mapped);
  ASSERT_EQ(bytes.text, text);
  EXPECT_GT(test::resident_file_bytes() - before, 6000000);
  release_pages(bytes, bytes.text.substr(100));  // not from a page's start
  EXPECT_LT(test::resident_file_bytes() - before, 1000000);
  EXPECT_EQ(bytes.text, text);
}

TEST(Input, ReleaseLeavesOwnMemoryAlone) {
  const std::string text = sample_text(100000);
  const Bytes bytes = decompress(bytes_of(gzip(text)), {});  // pages of our own would come back as zeros
  release_pages(bytes, bytes.text);
  EXPECT_EQ(bytes.text, text);
}

TEST(Input, MissingFoldersAndForbiddenFiles) {
  const Folder folder;
  const std::string missing = folder.path("none.csv");
  EXPECT_EQ(message_of<IoError>([&] { load(missing, {}); }), missing + ": can't be opened: No such file or directory");
  EXPECT_EQ(message_of<IoError>([&] { load(folder.path(""), {}); }), folder.path("") + ": is a folder; give a file");
  const std::string forbidden = folder.write("secret.csv", "1\n");
  ::chmod(forbidden.c_str(), 0);
  if (::access(forbidden.c_str(), R_OK) == 0) GTEST_SKIP() << "this user may read everything";
  EXPECT_EQ(message_of<IoError>([&] { load(forbidden, {}); }), forbidden + ": can't be opened: Permission denied");
}

TEST(Input, UndoesCompressionByContent) {
  const std::string text = sample_text(5000), half = text.substr(0, text.size() / 2),
                    rest = text.substr(text.size() / 2);
  for (const std::string& packed : {gzip(text), zstd(text), gzip(half) + gzip(rest), zstd(half) + zstd(rest),
                                    gzip(half) + gzip(rest) + std::string(1000, '\0'),
                                    std::string("\x50\x2a\x4d\x18\x03\0\0\0abc", 11) + zstd(text)}) {
    EXPECT_EQ(decompress(bytes_of(packed), {}).text, text);
    const Folder folder;
    const auto source = open_source(folder.write("no_ending", packed));
    EXPECT_EQ(read_all(*source, 777), text);
    ASSERT_TRUE(source->rewindable());
    source->rewind();
    EXPECT_EQ(read_all(*source, 100000), text);
  }
  EXPECT_EQ(decompress(bytes_of(text), {}).text, text);
  EXPECT_EQ(decompress(bytes_of(gzip("")), {}).text, "");
  EXPECT_EQ(decompress(bytes_of(zstd("")), {}).text, "");
}

TEST(Input, EveryPrefixOfCompressedDataIsACleanError) {
  const std::string text = sample_text(50);
  for (const std::string& packed : {gzip(text), zstd(text)})
    for (std::size_t length = 4; length < packed.size(); ++length) {
      const std::string message = message_of<DataError>([&] { decompress(bytes_of(packed.substr(0, length)), {}); });
      EXPECT_NE(message.find("truncated"), std::string::npos) << length << ": " << message;
    }
}

TEST(Input, EveryChangedByteIsFoundOrHarmless) {
  const std::string text = sample_text(50);
  const std::string packed = gzip(text);
  int found = 0;
  for (std::size_t at = 4; at < packed.size(); ++at) {
    std::string changed = packed;
    changed[at] = static_cast<char>(changed[at] ^ 0x55);
    try {
      EXPECT_EQ(decompress(bytes_of(changed), {}).text, text) << at;  // bytes of the header that mean nothing
    } catch (const DataError&) {
      ++found;
    }
  }
  EXPECT_GT(found, static_cast<int>(packed.size()) - 20);
  EXPECT_EQ(message_of<DataError>([&] { decompress(bytes_of(packed + "tail"), {}); }),
            "t.csv: damaged gzip data near byte " + std::to_string(packed.size()) +
                ": bytes that are not gzip follow the data; fetch the file again");
}

TEST(Input, DecompressionStopsAtTheMemoryLimit) {
  const std::string zeros(std::size_t{40} << 20, '0');
  for (const std::string& packed : {gzip(zeros), zstd(zeros)})
    EXPECT_EQ(
        message_of<OverMemory>([&] { decompress(bytes_of(packed), {.memory_limit = 1 << 20}); }),
        "t.csv: decompressed it holds more than the memory limit of 1.0 MiB; use --stream, or raise --memory-limit");
}

TEST(Input, TheWindowOfZstdIsHeldAgainstTheMemoryLimit) {
  const std::string text(1000, '7');
  const std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> state(::ZSTD_createCCtx(), ::ZSTD_freeCCtx);
  ::ZSTD_CCtx_setParameter(state.get(), ZSTD_c_windowLog, 26);
  std::string packed(10'000, '\0');
  ZSTD_inBuffer input{text.data(), text.size(), 0};
  ZSTD_outBuffer output{packed.data(), packed.size(), 0};
  while (input.pos < input.size) ::ZSTD_compressStream2(state.get(), &output, &input, ZSTD_e_continue);  // size unknown
  ASSERT_EQ(::ZSTD_compressStream2(state.get(), &output, &input, ZSTD_e_end), 0u);
  packed.resize(output.pos);
  const Folder folder;
  const std::string path = folder.write("t.csv.zst", packed);
  EXPECT_EQ(read_all(*open_source(path, std::uint64_t{200} << 20), 1000), text);
  EXPECT_EQ(message_of<OverMemory>([&] {
              read_all(*open_source(path, std::uint64_t{100} << 20), 1000);
            }).substr(0, path.size() + 50),
            path + ": its zstd window is larger than the 32.0 MiB that");
}

TEST(Input, ReadsNamedPipes) {
  const Folder folder;
  const std::string path = folder.path("pipe"), text = sample_text(30000);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  for (const bool whole : {true, false}) {
    std::thread writer([&] { std::ofstream(path, std::ios::binary) << gzip(text); });
    if (whole) {
      EXPECT_EQ(decompress(load(path, {}), {}).text, text);
    } else {
      const auto source = open_source(path);
      EXPECT_FALSE(source->rewindable());
      EXPECT_EQ(read_all(*source, 4096), text);
    }
    writer.join();
  }
}

/// Puts a file in the place of standard input for as long as it lives.
class StandardInput {
 public:
  explicit StandardInput(int descriptor) : before_(::dup(STDIN_FILENO)) {
    ::dup2(descriptor, STDIN_FILENO);
    ::close(descriptor);
  }
  ~StandardInput() {
    ::dup2(before_, STDIN_FILENO);
    ::close(before_);
  }

 private:
  int before_;
};

TEST(Input, ReadsStandardInput) {
  const Folder folder;
  const std::string text = sample_text(20000), path = folder.write("x", text);
  {
    const StandardInput redirected(::open(path.c_str(), O_RDONLY));
    EXPECT_EQ(load("-", {}).text, text);
    const auto source = open_source("-");
    EXPECT_TRUE(source->rewindable());
    EXPECT_EQ(read_all(*source, 5000), text);
    source->rewind();
    EXPECT_EQ(read_all(*source, 5000), text);
  }
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::thread writer([&] {
    EXPECT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
    ::close(ends[1]);
  });
  {
    const StandardInput piped(ends[0]);
    EXPECT_EQ(load("-", {}).text, text);
  }
  writer.join();
  EXPECT_EQ(shown_name("-"), "standard input");
}

}  // namespace
}  // namespace fewdim
