#include <gtest/gtest.h>
#include <zlib.h>

#include "fewdim/error.hpp"
#include "support/images.hpp"

namespace fewdim {
namespace {

using test::byte_pattern;
using test::data_error_of;
using test::idx;
using test::ImageFolder;
using test::pgm;

std::string gzipped(const std::string& text) {
  std::string out(compressBound(text.size()) + 64, '\0');
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

/// A gray picture of 2x3 in which every pixel is `value`.
std::string flat(std::uint8_t value) { return pgm(2, 3, std::vector<std::uint8_t>(6, value)); }

TEST(ImageSet, FolderGivesRowsNamesAndLabels) {
  const ImageFolder folder;
  folder.add("zoe/2.pgm", flat(51));
  folder.add("zoe/10.pgm", flat(102));
  folder.add("adam/x.PGM", flat(255));
  folder.add("adam/notes.txt", "no image");
  folder.add("adam/.hidden.pgm", "no image");
  const ImageSet set = read_images({folder.path()});
  EXPECT_EQ(set.rows.row_names, (std::vector<std::string>{"adam/x.PGM", "zoe/10.pgm", "zoe/2.pgm"}));
  EXPECT_EQ(set.rows.labels, (std::vector<std::string>{"adam", "zoe", "zoe"}));
  EXPECT_EQ(set.height, 2);
  EXPECT_EQ(set.width, 3);
  EXPECT_EQ(set.report.other_files, 1);
  ASSERT_EQ(set.rows.rows(), 3);
  EXPECT_EQ(set.rows.precision(), Precision::float32);
  EXPECT_FLOAT_EQ((*set.rows.dense<float>())(1, 0), 0.4F);  // 102 of 255
  EXPECT_FLOAT_EQ((*set.rows.dense<float>())(2, 5), 0.2F);
  EXPECT_EQ(set.image(0).values, std::vector<float>(6, 1.0F));
}

TEST(ImageSet, SameBitsAtAnyNumberOfThreads) {
  const ImageFolder folder;
  for (int i = 0; i < 40; ++i) folder.add(std::to_string(i) + ".png", png_of(test::smooth_image(8 + i % 5, 9)));
  const auto read_at = [&](int threads) {
    return read_images({folder.path()}, {.size = std::pair<Index, Index>{7, 13}}, Execution{.threads = threads});
  };
  const ImageSet one = read_at(1);
  EXPECT_EQ(one.report.resized, 40);
  for (const int threads : {2, 3}) {
    const ImageSet other = read_at(threads);
    EXPECT_EQ(one.rows.matrix<float>(), other.rows.matrix<float>());
    EXPECT_EQ(one.rows.hash, other.rows.hash);
  }
}

TEST(ImageSet, MixedSizesAreRefusedByName) {
  const ImageFolder folder;
  folder.add("a.pgm", flat(1));
  const std::string other = folder.add("b.pgm", pgm(3, 3, byte_pattern(3, 3)));
  const std::string message = data_error_of([&] { read_images({folder.path()}); });
  EXPECT_NE(message.find(other + ": is 3x3"), std::string::npos) << message;
  EXPECT_NE(message.find("--resize 2x3"), std::string::npos) << message;
  // A size that differs is not broken.
  EXPECT_FALSE(data_error_of([&] { read_images({folder.path()}, {.skip_broken = true}); }).empty());
}

TEST(ImageSet, BrokenImagesStopUnlessSkipped) {
  const ImageFolder folder;
  folder.add("a.png", "no image at all");
  folder.add("b.pgm", flat(1));
  folder.add("c.pgm", flat(2).substr(0, 20));
  folder.add("d.pgm", flat(3));
  EXPECT_NE(data_error_of([&] { read_images({folder.path()}); }).find("a.png"), std::string::npos);
  const ImageSet set = read_images({folder.path()}, {.skip_broken = true, .precision = Precision::float64});
  EXPECT_EQ(set.report.broken, 2);
  EXPECT_NE(set.report.first_broken.find("a.png"), std::string::npos);
  EXPECT_EQ(set.rows.row_names, (std::vector<std::string>{"b.pgm", "d.pgm"}));
  EXPECT_TRUE(set.rows.labels.empty());
  EXPECT_FLOAT_EQ(float((*set.rows.dense<double>())(1, 0)), float(3.0 / 255.0));
  const ImageFolder empty;
  EXPECT_NE(data_error_of([&] { read_images({empty.path()}); }).find("no image"), std::string::npos);
}

TEST(ImageSet, AllBrokenIsAnError) {
  const ImageFolder folder;
  folder.add("a.png", "x");
  folder.add("b.png", "y");
  EXPECT_NE(data_error_of([&] { read_images({folder.path()}, {.skip_broken = true}); }).find("none of 2"),
            std::string::npos);
}

TEST(ImageSet, TheMemoryLimitHoldsForAllTogether) {
  const ImageFolder folder;
  for (int i = 0; i < 6; ++i) folder.add("box/" + std::to_string(i) + ".png", png_of(test::smooth_image(200, 300)));
  const std::uint64_t rows = 6 * 200 * 300 * sizeof(float), one = 200 * 300 * sizeof(float);
  const auto with = [&](std::uint64_t limit, ImageSetOptions options = {}) {
    return read_images({folder.path() + "/box"}, options, Execution{.threads = 4, .memory_limit = limit}).rows.rows();
  };
  // Too little for four at a time, enough for one after the other beside the rows.
  EXPECT_EQ(with(rows + one + 100'000), 6);
  EXPECT_THROW(with(rows + one / 2), OverMemory);
  EXPECT_THROW(with(rows - 1), OverMemory);
  // What images are brought to is not made before it is known to fit.
  EXPECT_THROW(with(std::uint64_t{100} << 20, {.size = std::pair<Index, Index>{40'000, 40'000}}), OverMemory);
}

TEST(Idx, TheMemoryLimitCountsWhatIsUnpacked) {
  const ImageFolder folder;
  const std::string file = folder.add("images.idx.gz", gzipped(idx({100, 100, 100}, std::string(1'000'000, '\1'))));
  const auto with = [&](std::uint64_t limit) {
    return read_images({file}, {}, Execution{.memory_limit = limit}).rows.rows();
  };
  EXPECT_EQ(with(5'100'000), 100);  // 1 MB of bytes, 4 MB of numbers
  EXPECT_THROW(with(4'900'000), OverMemory);
  EXPECT_THROW(with(500'000), OverMemory);
}

TEST(Idx, SameNumbersAsPgmAndPng) {
  const ImageFolder folder;
  const auto bytes = byte_pattern(2, 4 * 5);  // two images of 4x5
  const auto half = static_cast<std::ptrdiff_t>(20);
  const std::vector<std::uint8_t> first(bytes.begin(), bytes.begin() + half), second(bytes.begin() + half, bytes.end());
  folder.add("images/1.pgm", pgm(4, 5, first));
  folder.add("images/2.pgm", pgm(4, 5, second));
  folder.add("png/1.png", png_of(decode_image(pgm(4, 5, first), "first")));
  folder.add("png/2.png", png_of(decode_image(pgm(4, 5, second), "second")));
  const std::string file = folder.add("two-images-idx3-ubyte.gz", gzipped(idx({2, 4, 5}, test::text_of(bytes))));
  folder.add("two-labels-idx1-ubyte", idx({2}, std::string("\7\0", 2)));
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    const ImageSetOptions options{.precision = precision};
    const ImageSet set = read_images({file}, options);
    EXPECT_EQ(set.height, 4);
    EXPECT_EQ(set.width, 5);
    EXPECT_EQ(set.rows.labels, (std::vector<std::string>{"7", "0"}));
    EXPECT_EQ(set.rows.row_names, (std::vector<std::string>{"1", "2"}));
    EXPECT_EQ(set.rows.matrix<double>(), read_images({folder.path() + "/images"}, options).rows.matrix<double>());
    EXPECT_EQ(set.rows.matrix<double>(), read_images({folder.path() + "/png"}, options).rows.matrix<double>());
  }
  EXPECT_TRUE(holds_images(file));
  EXPECT_TRUE(holds_images(folder.path()));
  EXPECT_FALSE(holds_images(folder.add("table.csv", "1,2\n3,4\n")));
}

TEST(Idx, OtherShapesAndTypes) {
  const ImageFolder folder;
  const auto read = [&](const std::string& bytes, const ImageSetOptions& options = {}) {
    return read_images({folder.add("file.idx", bytes)}, options);
  };
  // Rows without a shape: one line of pixels each.
  const ImageSet rows = read(idx({2, 3}, "\1\2\3\4\5\6"));
  EXPECT_EQ(rows.height, 1);
  EXPECT_EQ(rows.width, 3);
  // Color: gray unless asked for.
  const std::string red = idx({1, 1, 1, 3}, std::string("\xff\0\0", 3));
  EXPECT_EQ(read(red).rows.matrix<float>(), Matrix<float>::Constant(1, 1, 0.299F));
  EXPECT_EQ(read(red, {.coloring = Coloring::rgb}).channels, 3);
  // Real and signed numbers stay as they are: 1.5F is 0x3FC00000; −2 as 16 bits is FFFE.
  EXPECT_EQ(read(idx({1, 1, 1}, std::string("\x3f\xc0\0\0", 4), 0x0D)).rows.matrix<double>()(0, 0), 1.5);
  EXPECT_EQ(read(idx({1, 1, 1}, "\xff\xfe", 0x0B)).rows.matrix<double>()(0, 0), -2.0);
}

TEST(Idx, BadFilesAreRefused) {
  const ImageFolder folder;
  const auto refused = [&](const std::string& bytes) {
    const std::string path = folder.add("file.idx", bytes);
    return data_error_of([&] { read_images({path}); });
  };
  EXPECT_NE(refused(idx({2, 2, 2}, "1234567")).find("2x2x2"), std::string::npos);
  EXPECT_NE(refused(idx({2, 2, 2}, "123456789")).find("2x2x2"), std::string::npos);
  EXPECT_NE(refused(idx({0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 3}, "1")).find("damaged IDX"), std::string::npos);
  EXPECT_NE(refused(idx({4}, "1234")).find("labels"), std::string::npos);
  EXPECT_NE(refused(idx({0, 2, 2}, "")).find("no image"), std::string::npos);
  EXPECT_NE(refused(idx({1, 1, 1, 1, 1}, "1")).find("no images"), std::string::npos);
  const std::string whole = idx({1, 2, 2}, "1234");
  for (std::size_t size = 0; size < whole.size(); ++size) EXPECT_FALSE(refused(whole.substr(0, size)).empty()) << size;
  // Labels beside it, but another number of them.
  folder.add("some-labels-idx1-ubyte", idx({3}, "123"));
  const std::string path = folder.add("some-images-idx3-ubyte", whole);
  EXPECT_NE(data_error_of([&] { read_images({path}); }).find("3 labels"), std::string::npos);
  const std::string packed = gzipped(idx({1, 2, 2}, "1234"));
  const std::string cut = folder.add("cut.gz", packed.substr(0, packed.size() - 6));
  EXPECT_FALSE(data_error_of([&] { read_images({cut}); }).empty());
}

}  // namespace
}  // namespace fewdim
