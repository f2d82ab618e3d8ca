#include "fewdim/image_svd.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cmath>

#include "fewdim/error.hpp"
#include "models/file/archive.hpp"
#include "support/images.hpp"

namespace fewdim {
namespace {

using test::data_error_of;
using test::smooth_image;

/// With texture, so that singular values fall slowly.
Image textured(Index height, Index width, Index channels) {
  Image image = smooth_image(height, width, channels);
  for (std::size_t i = 0; i < image.values.size(); ++i)
    image.values[i] = static_cast<float>(
        std::lround(255.0 * (0.8 * double(image.values[i]) + 0.1 * (1.0 + std::sin(double(i * i % 977))))) / 255.0);
  return image;
}

/// Mean squared error of the best approximation of rank k of a channel less its mean, from its singular values alone.
double tail(const Image& image, Index k) {
  double sum = 0.0;
  for (Index c = 0; c < image.channels; ++c) {
    Matrix<double> a(image.height, image.width);
    for (Index y = 0; y < image.height; ++y)
      for (Index x = 0; x < image.width; ++x)
        a(y, x) = double(image.values[static_cast<std::size_t>((y * image.width + x) * image.channels + c)]);
    a.array() -= a.mean();
    const Vector<double> values = Eigen::JacobiSVD<Matrix<double>>(a).singularValues();
    sum += values.tail(values.size() - k).squaredNorm();
  }
  return sum / double(image.size());
}

TEST(ImageSvd, ErrorIsTheTailEnergy) {
  const Image image = textured(30, 44, 3);
  for (const Index k : {1, 5, 20}) {
    const Image back = compress_image(image, {.components = k, .bits = 16}).decode();
    const double error = std::pow(10.0, -psnr(image, back) / 10.0);
    // Beside it: rounding to 255ths, a variance of 1/12 of a step; clipping can only help.
    EXPECT_NEAR(error, tail(image, k), 1.2 / (12.0 * 255.0 * 255.0)) << k;
    EXPECT_GT(error, tail(image, k) * 0.99);
  }
}

TEST(ImageSvd, ErrorFallsWithRankAndFullRankIsExact) {
  const Image image = textured(24, 20, 1);
  double last = 0.0;
  for (const Index k : {1, 2, 4, 8, 16}) {
    const double reached = psnr(image, compress_image(image, {.components = k, .bits = 16}).decode());
    EXPECT_GT(reached, last);
    last = reached;
  }
  EXPECT_TRUE(std::isinf(psnr(image, compress_image(image, {.components = 24, .bits = 16}).decode())));
}

TEST(ImageSvd, ShapesOfAllKinds) {
  for (const auto& [height, width] : {std::pair<Index, Index>{1, 1}, {1, 9}, {9, 1}, {13, 5}, {5, 13}})
    for (const Index channels : {1, 3})
      for (const Index block : {0, 2, 4}) {
        const Image image = textured(height, width, channels);
        const Image back = compress_image(image, {.components = 20, .block = block, .bits = 16}).decode();
        EXPECT_EQ(back.values, image.values) << height << "x" << width << " in " << block;
      }
  const Image flat{4, 4, 1, std::vector<float>(16, 0.2F)};
  const ImageSvd packed = compress_image(flat, {.components = 3});
  EXPECT_EQ(packed.decode().values, flat.values);
}

TEST(ImageSvd, TargetsAreMet) {
  const Image image = textured(60, 70, 3);
  for (const Index block : {0, 16})
    for (const double target : {24.0, 28.0}) {  // the means of blocks alone reach 21.6
      const ImageSvd packed = compress_image(image, {.psnr = target, .block = block});
      EXPECT_GE(psnr(image, packed.decode()), target);
      if (block > 0) {
        EXPECT_LT(psnr(image, packed.decode()), target + 1.0);  // one triplet of 60 blocks is far below a decibel
      }
    }
  for (const std::uint64_t bytes : {3000U, 9000U}) {
    const ImageSvd packed = compress_image(image, {.bytes = bytes, .block = 16});
    EXPECT_LE(packed.file_bytes(), bytes);
    EXPECT_GT(packed.file_bytes() + 200, bytes);  // one triplet of a block takes 40, the header moves by 64
  }
  EXPECT_THROW(compress_image(image, {.bytes = 100}), InvalidOption);
  EXPECT_THROW(compress_image(image, {.psnr = 150.0}), InvalidOption);
}

TEST(ImageSvd, BlocksShareATargetByGain) {
  // Half of the picture is flat: nothing is spent there.
  Image image = textured(16, 32, 1);
  for (std::size_t y = 0; y < 16; ++y)
    for (std::size_t x = 0; x < 16; ++x) image.values[y * 32 + x] = 0.4F;
  const ImageSvd packed = compress_image(image, {.psnr = 30.0, .block = 16});
  ASSERT_EQ(packed.ranks.size(), 2U);
  EXPECT_EQ(packed.ranks[0], 0);
  EXPECT_GT(packed.ranks[1], 0);
}

TEST(ImageSvd, SavedAndLoaded) {
  const test::ImageFolder folder;
  const std::string path = folder.path() + "/image.fewdim";
  const Image image = textured(33, 41, 3);
  for (const int bits : {8, 16}) {
    const ImageSvd packed = compress_image(image, {.components = 6, .block = 16, .bits = bits});
    packed.save(path, true);
    EXPECT_EQ(std::filesystem::file_size(path), packed.file_bytes());
    EXPECT_EQ(ImageSvd::load(path).decode().values, packed.decode().values);
  }
  EXPECT_THROW(ImageSvd::load(path, 33 * 41 - 1), DataError);
}

TEST(ImageSvd, EveryPrefixAndFlippedBitIsRefused) {
  const test::ImageFolder folder;
  const std::string path = folder.path() + "/image.fewdim";
  compress_image(textured(6, 7, 1), {.components = 2}).save(path);
  std::ifstream in(path, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(in)), {});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string cut = folder.add("cut.fewdim", whole.substr(0, size));
    EXPECT_THROW(ImageSvd::load(cut), DataError) << size;
  }
  for (std::size_t i = 0; i < whole.size(); ++i)
    for (const std::size_t bit : {i % 8, std::size_t{5}}) {  // bit 5 makes a blank a zero byte
      std::string damaged = whole;
      damaged[i] = static_cast<char>(damaged[i] ^ (1U << bit));
      const std::string file = folder.add("damaged.fewdim", damaged);
      EXPECT_THROW(ImageSvd::load(file), DataError) << "bit " << bit << " of byte " << i;
    }
}

TEST(ImageSvd, FilesOfFormat1AreReadAndLaterOnesNeedTheirHash) {
  const test::ImageFolder folder;
  const std::string path = folder.path() + "/image.fewdim";
  const ImageSvd packed = compress_image(textured(6, 7, 1), {.components = 2});
  packed.save(path);
  Archive archive = read_archive(path);
  archive.metadata.erase("fewdim-hash");
  write_archive(archive, folder.path() + "/bare.fewdim", false);
  EXPECT_THROW(ImageSvd::load(folder.path() + "/bare.fewdim"), DataError);
  std::string& text = archive.metadata.at("fewdim-image");
  text.replace(text.find("\"format\":2"), 10, "\"format\":1");
  write_archive(archive, folder.path() + "/old.fewdim", false);
  EXPECT_EQ(ImageSvd::load(folder.path() + "/old.fewdim").decode().values, packed.decode().values);
}

TEST(ImageSvd, SameBitsAtAnyNumberOfThreads) {
  const Image image = textured(50, 40, 3);
  const ImageSvd one = compress_image(image, {.psnr = 25.0, .block = 16}, Execution{.threads = 1});
  for (const int threads : {2, 3}) {
    const ImageSvd other = compress_image(image, {.psnr = 25.0, .block = 16}, Execution{.threads = threads});
    EXPECT_EQ(one.steps, other.steps);
    EXPECT_EQ(one.scales, other.scales);
    EXPECT_EQ(one.decode(Execution{.threads = 1}).values, other.decode(Execution{.threads = threads}).values);
  }
}

TEST(ImageSvd, OptionsAreChecked) {
  const Image image = textured(8, 8, 1);
  EXPECT_THROW(compress_image(image, {}), InvalidOption);
  EXPECT_THROW(compress_image(image, {.components = 2, .psnr = 30.0}), InvalidOption);
  EXPECT_THROW(compress_image(image, {.components = -1}), InvalidOption);
  EXPECT_THROW(compress_image(image, {.components = 2, .block = 1}), InvalidOption);
  EXPECT_THROW(compress_image(image, {.components = 2, .bits = 12}), InvalidOption);
  EXPECT_THROW(compress_image(Image{}, {.components = 2}), DataError);
}

TEST(JpegPeer, IsTheBestThatFits) {
  const Image image = textured(64, 64, 3);
  const JpegPeer peer = jpeg_of_size(image, 3000);
  EXPECT_LE(peer.bytes, 3000U);
  EXPECT_GT(jpeg_of(image, peer.quality + 1).size(), 3000U);
  EXPECT_EQ(peer.psnr, psnr(image, decode_image(jpeg_of(image, peer.quality), "jpeg")));
  EXPECT_EQ(jpeg_of_size(image, 10).quality, 0);
}

}  // namespace
}  // namespace fewdim
