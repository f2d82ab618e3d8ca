#include "models/file/archive.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "fewdim/error.hpp"

namespace fewdim {
namespace {

namespace fs = std::filesystem;

class ArchiveTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() / ("fewdim-archive-" + std::to_string(::getpid()) + "-" + test->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  fs::path folder_;
};

/// A file of that header and that many bytes of data, all zero.
std::string file_of(const std::string& header, std::size_t data) {
  const std::uint64_t length = header.size();
  std::string bytes(reinterpret_cast<const char*>(&length), sizeof length);
  return bytes + header + std::string(data, '\0');
}

std::string message_of(const std::string& bytes) {
  try {
    parse_archive(bytes, "m");
  } catch (const DataError& error) {
    return error.what();
  }
  return "accepted";
}

std::string slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

const std::string f32_of_6 = R"({"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}})";

Archive small_archive() {
  static const std::array<float, 6> narrow{1, 2, 3, 4, 5, 6};
  static const std::array<double, 3> wide{0.1, -0.2, 1e300};
  static const std::array<std::int64_t, 1> whole{-7};
  static const std::array<char, 3> raw{'x', '\0', '\xff'};
  Archive archive;
  archive.metadata = {{"b", "ünï \"quoted\"\n"}, {"a", ""}};
  archive.tensors = {{"raw", DType::u8, {3}, {raw.data(), 3}},
                     {"narrow", DType::f32, {2, 3}, {reinterpret_cast<const char*>(narrow.data()), 24}},
                     {"wide", DType::f64, {3}, {reinterpret_cast<const char*>(wide.data()), 24}},
                     {"scalar", DType::i64, {}, {reinterpret_cast<const char*>(whole.data()), 8}},
                     {"none", DType::f64, {0, 5}, {}}};
  return archive;
}

TEST_F(ArchiveTest, WhatIsWrittenReadsBack) {
  const Archive written = small_archive();
  write_archive(written, path("a"), false);
  const Archive read = read_archive(path("a"));
  EXPECT_EQ(read.metadata, written.metadata);
  ASSERT_EQ(read.tensors.size(), written.tensors.size());
  for (const Tensor& tensor : written.tensors) {
    const Tensor* found = read.find(tensor.name);
    ASSERT_NE(found, nullptr) << tensor.name;
    EXPECT_EQ(found->type, tensor.type);
    EXPECT_EQ(found->shape, tensor.shape);
    EXPECT_EQ(found->bytes, tensor.bytes);
  }
  EXPECT_EQ(read.find("other"), nullptr);
  EXPECT_EQ(hash_of_arrays(read), hash_of_arrays(written));
}

TEST_F(ArchiveTest, EveryArrayLiesAtAMultipleOfItsElementSizeAndTheDataAt64) {
  write_archive(small_archive(), path("a"), false);
  const std::string bytes = slurp(path("a"));
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  EXPECT_EQ((8 + length) % 64, 0u);
  const Archive archive = parse_archive(bytes, "a");
  for (const Tensor& tensor : archive.tensors)
    EXPECT_EQ(static_cast<std::size_t>(tensor.bytes.data() - bytes.data()) % size_of(tensor.type), 0u) << tensor.name;
}

TEST_F(ArchiveTest, EqualArchivesGiveEqualBytes) {
  write_archive(small_archive(), path("a"), false);
  write_archive(small_archive(), path("b"), false);
  EXPECT_EQ(slurp(path("a")), slurp(path("b")));
}

TEST_F(ArchiveTest, AnExistingFileStaysUnlessOverwriteIsAsked) {
  std::ofstream(path("a")) << "precious";
  EXPECT_THROW(write_archive(small_archive(), path("a"), false), IoError);
  EXPECT_EQ(slurp(path("a")), "precious");
  write_archive(small_archive(), path("a"), true);
  EXPECT_NE(read_archive(path("a")).find("wide"), nullptr);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);  // no temporary is left
}

TEST_F(ArchiveTest, ReadsFromAPipe) {
  write_archive(small_archive(), path("a"), false);
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(path("pipe"), std::ios::binary) << slurp(path("a")); });
  const Archive read = read_archive(path("pipe"));
  writer.join();
  EXPECT_EQ(hash_of_arrays(read), hash_of_arrays(small_archive()));
}

TEST_F(ArchiveTest, EndlessAndForeignInputsEndAtOnce) {
  EXPECT_THROW(read_archive("/dev/zero"), DataError);
  EXPECT_THROW(read_archive("/dev/null"), DataError);
  EXPECT_THROW(read_archive(folder_.string()), IoError);
  EXPECT_THROW(read_archive(path("missing")), IoError);
}

/// Writes that start into a pipe, then zeros until the reader has gone or 64 MiB are through; returns the bytes taken.
std::size_t feed(const std::string& pipe, const std::string& start) {
  const int out = ::open(pipe.c_str(), O_WRONLY);
  std::size_t taken = 0;
  const std::string zeros(1 << 16, '\0');
  for (std::string_view next = start; taken < (std::size_t{64} << 20); next = zeros) {
    const ssize_t written = ::write(out, next.data(), next.size());
    if (written < 0) break;
    taken += static_cast<std::size_t>(written);
  }
  ::close(out);
  return taken;
}

TEST_F(ArchiveTest, APipeThatGoesOnAfterTheLastArrayIsLeft) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  ::signal(SIGPIPE, SIG_IGN);
  std::size_t taken = 0;
  std::thread writer([&] { taken = feed(path("pipe"), file_of(f32_of_6, 24)); });
  EXPECT_THROW(read_archive(path("pipe")), DataError);
  writer.join();
  EXPECT_LT(taken, std::size_t{1} << 20);  // what a pipe holds, and one read
}

TEST_F(ArchiveTest, APipeThatAnnouncesMoreThanMemoryHoldsIsRefusedAtItsHeader) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  ::signal(SIGPIPE, SIG_IGN);
  const std::string header = R"({"a":{"dtype":"U8","shape":[4503599627370496],"data_offsets":[0,4503599627370496]}})";
  std::size_t taken = 0;
  std::thread writer([&] { taken = feed(path("pipe"), file_of(header, 0)); });
  EXPECT_THROW(read_archive(path("pipe")), OverMemory);
  writer.join();
  EXPECT_LT(taken, std::size_t{1} << 20);
}

TEST_F(ArchiveTest, EveryPrefixIsRefused) {
  write_archive(small_archive(), path("a"), false);
  const std::string whole = slurp(path("a"));
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_TRUE(message_of(whole.substr(0, size)).starts_with("m: not a model file: ")) << size;
  EXPECT_EQ(message_of(whole), "accepted");
  EXPECT_EQ(message_of(whole + "x"), "m: not a model file: 1 bytes follow the last array");
}

TEST(Archive, RefusesHeaderLengthsBeyondTheFileAndTheCap) {
  EXPECT_EQ(message_of("1234567"), "m: not a model file: 7 bytes are too few for one");
  EXPECT_EQ(message_of(std::string("\x10\0\0\0\0\0\0\0{}", 10)),
            "m: not a model file: a header of 16 bytes is announced, 2 are there: the file is cut");
  EXPECT_TRUE(message_of(std::string(16, '\xff'))
                  .starts_with("m: not a model file: its first 8 bytes give a header of 184467440737"));
  EXPECT_TRUE(message_of("sepal,petal\n1,2\n").starts_with("m: not a model file: its first 8 bytes give"));
  EXPECT_EQ(message_of(file_of("", 8)), "m: not a model file: its header does not begin with '{'");
  EXPECT_EQ(message_of(file_of(" {}", 0)), "m: not a model file: its header does not begin with '{'");
}

TEST(Archive, TakesThePaddingOfOtherWriters) {
  EXPECT_EQ(message_of(file_of(f32_of_6, 24)), "accepted");
  EXPECT_EQ(message_of(file_of(f32_of_6 + "   ", 24)), "accepted");
  EXPECT_EQ(message_of(file_of("{}", 0)), "accepted");
}

TEST(Archive, RefusesHeadersThatDoNotFitTheData) {
  const auto entry = [](const std::string& name, const std::string& shape, int from, int to,
                        const std::string& dtype = "F32") {
    return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":[" + shape + "],\"data_offsets\":[" +
           std::to_string(from) + "," + std::to_string(to) + "]}";
  };
  const auto said = [](const std::string& entries, std::size_t data) {
    return message_of(file_of("{" + entries + "}", data));
  };
  const std::string refused = "m: not a model file: ";
  EXPECT_EQ(said(entry("a", "6", 0, 24), 23),
            refused + "array 'a' has offsets outside the 23 bytes of data: the file is cut or damaged");
  EXPECT_EQ(said(entry("a", "6", 0, 24), 25), refused + "1 bytes follow the last array");
  EXPECT_EQ(said(entry("a", "6", 24, 0), 24),
            refused + "array 'a' has offsets outside the 24 bytes of data: the file is cut or damaged");
  EXPECT_EQ(said(entry("a", "5", 0, 24), 24), refused + "array 'a' has a shape that does not fit its offsets");
  EXPECT_EQ(said(entry("a", "3", 4, 16), 16), refused + "array 'a' leaves a gap or overlaps the one before it");
  const auto two = [&](int from, int to) { return entry("a", "2", 0, 8) + "," + entry("b", "2", from, to); };
  EXPECT_EQ(said(two(8, 16), 16), "accepted");
  EXPECT_EQ(said(two(12, 20), 20), refused + "array 'b' leaves a gap or overlaps the one before it");
  EXPECT_EQ(said(two(4, 12), 12), refused + "array 'b' leaves a gap or overlaps the one before it");
  EXPECT_EQ(said(two(0, 8), 8), refused + "array 'b' leaves a gap or overlaps the one before it");
}

TEST(Archive, RefusesShapesWhoseProductLeaves64Bits) {
  const auto with_shape = [](const std::string& shape, const std::string& offsets) {
    return message_of(file_of(R"({"a":{"dtype":"F64","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}", 8));
  };
  const std::string misfit = "m: not a model file: array 'a' has a shape that does not fit its offsets";
  EXPECT_EQ(with_shape("[1]", "[0,8]"), "accepted");
  EXPECT_EQ(with_shape("[4294967296,4294967296]", "[0,8]"), misfit);  // 2^67 bytes
  EXPECT_EQ(with_shape("[2305843009213693953]", "[0,8]"), misfit);    // (2^61 + 1) * 8 = 8 modulo 2^64
  EXPECT_EQ(with_shape("[18446744073709551615,18446744073709551615]", "[0,8]"), misfit);
  const std::string not_whole = "m: not a model file: array 'a' has a shape that is not a list of whole numbers";
  EXPECT_EQ(with_shape("[-1]", "[0,8]"), not_whole);
  EXPECT_EQ(with_shape("[1.0]", "[0,8]"), not_whole);
  EXPECT_EQ(with_shape("[18446744073709551616]", "[0,8]"), not_whole);  // 2^64 parses as a real number
  EXPECT_EQ(with_shape("1", "[0,8]"), not_whole);
  EXPECT_EQ(with_shape("[\"1\"]", "[0,8]"), not_whole);
  EXPECT_NE(with_shape("[1]", "[0,8,8]"), "accepted");
  EXPECT_NE(with_shape("[1]", "[0]"), "accepted");
  EXPECT_NE(with_shape("[1]", "[-8,0]"), "accepted");
  EXPECT_NE(with_shape("[1]", "[0,18446744073709551615]"), "accepted");
}

TEST(Archive, RefusesOtherKeysTypesAndDuplicates) {
  const auto said = [](const std::string& header) { return message_of(file_of(header, 4)); };
  const std::string good = R"("dtype":"F32","shape":[1],"data_offsets":[0,4])";
  EXPECT_EQ(said("{\"a\":{" + good + "}}"), "accepted");
  EXPECT_EQ(said("{\"a\":{" + good + ",\"extra\":1}}"),
            "m: not a model file: array 'a' needs exactly dtype, shape and data_offsets");
  EXPECT_EQ(said(R"({"a":{"dtype":"F32","shape":[1],"data_offset":[0,4]}})"),
            "m: not a model file: array 'a' has no data_offsets");
  EXPECT_EQ(said("{\"a\":{" + good + "},\"a\":{" + good + "}}"),
            "m: not a model file: header: the key 'a' appears twice");
  EXPECT_EQ(said("{\"a\":{" + good + ",\"shape\":[1]}}"), "m: not a model file: header: the key 'shape' appears twice");
  EXPECT_EQ(said("{\"a\":[" + std::string(1000, '[')), "m: not a model file: header: nested deeper than 3");
  EXPECT_NE(said("{\"a\":7}"), "accepted");
  EXPECT_NE(said("{\"a\":null}"), "accepted");
  for (const char* dtype : {"\"F16\"", "\"f32\"", "\"\"", "32", "null", "[\"F32\"]"})
    EXPECT_EQ(said(R"({"a":{"dtype":)" + std::string(dtype) + R"(,"shape":[1],"data_offsets":[0,4]}})"),
              "m: not a model file: array 'a' has a dtype other than F32, F64, I64 and U8");
  EXPECT_EQ(said("{\"__metadata__\":{\"k\":1},\"a\":{" + good + "}}"),
            "m: not a model file: __metadata__ 'k' is not text");
  EXPECT_EQ(said("{\"__metadata__\":[],\"a\":{" + good + "}}"), "m: not a model file: __metadata__ is not an object");
}

}  // namespace
}  // namespace fewdim
