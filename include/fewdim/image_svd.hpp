#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/images.hpp"

namespace fewdim {

struct ImageSvdOptions {
  // One of these three; the others are 0.
  Index components = 0;     ///< singular triplets of every block and channel
  double psnr = 0.0;        ///< as few as reach it, in decibels
  std::uint64_t bytes = 0;  ///< as many as fit a file of that size
  Index block = 0;          ///< side of square blocks; 0: the whole image is one
  int bits = 8;             ///< of each stored number: 8 or 16, in steps of its vector's largest
};

/// One image as singular triplets: each block of each channel is its mean plus Σ σ u vᵀ.
class FEWDIM_API ImageSvd {
 public:
  Index height = 0, width = 0, channels = 1;
  Index block = 0;
  int bits = 8;
  std::vector<std::int32_t> ranks{};  ///< by block (row by row), then channel
  std::vector<float> means{};         ///< the same
  /// Of each triplet: the largest entry of √σ u and of √σ v, each of which stands for the largest step.
  std::vector<float> scales{};
  std::vector<std::uint8_t> steps{};  ///< u then v of each triplet; two bytes a number where bits are 16, low one first

  Image decode(const Execution& exec = {}) const;
  std::uint64_t file_bytes() const;  ///< of the file that save() writes
  void save(const std::string& path, bool overwrite = false) const;
  /// Throws DataError "<path>: ..." for anything that is not such a file. `max_pixels`: as ImageOptions has it.
  static ImageSvd load(const std::string& path, std::uint64_t max_pixels = 100'000'000);
};

/// Where several blocks or channels share a target, triplets are taken in the order of σ² per byte.
FEWDIM_API ImageSvd compress_image(const Image& image, const ImageSvdOptions& options, const Execution& exec = {});

/// The best JPEG file of libjpeg that is not larger.
struct JpegPeer {
  int quality = 0;  ///< 0: even the worst is larger
  std::uint64_t bytes = 0;
  double psnr = 0.0, ssim = 0.0;
};
FEWDIM_API JpegPeer jpeg_of_size(const Image& image, std::uint64_t most_bytes);

}  // namespace fewdim
