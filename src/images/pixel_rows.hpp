#pragma once

#include <string>

#include "fewdim/images.hpp"

namespace fewdim {

/// What the header of an image file declares.
struct SampleLayout {
  std::uint64_t height = 0, width = 0;
  int samples = 1;            ///< of a pixel: 1 gray, 2 gray and opacity, 3 RGB, 4 RGB and opacity
  std::uint32_t most = 255;   ///< the sample that stands for white, or for opaque; at most 65535
  std::uint64_t scratch = 0;  ///< bytes that the decoder takes beside the result
};

/// Refuses more pixels than the options allow (DataError), and what does not fit memory, decoder and result together
/// (OverMemory). A decoder that allocates by what a header declares asks this first.
void require_room(const SampleLayout& layout, const std::string& name, const ImageOptions& options,
                  const Execution& exec);

/// a × b, or the largest number where that is too large.
std::uint64_t product_or_most(std::uint64_t a, std::uint64_t b);

/// Bytes that resize() takes beside the image that it is given.
std::uint64_t resize_bytes(const Image& image, Index height, Index width);

/// Takes the rows of an image as they are decoded, and makes values of 0 to 1 of them. All arithmetic is in whole
/// numbers up to one division: equal pixels give equal bits, whatever format they came in.
class PixelRows {
 public:
  /// Asks require_room() before anything is allocated.
  PixelRows(const SampleLayout& layout, const std::string& name, const ImageOptions& options, const Execution& exec);

  void set(Index y, const std::uint16_t* samples);
  void set(Index y, const std::uint8_t* samples);
  Image take() { return std::move(image_); }

 private:
  template <class Sample>
  void convert(Index y, const Sample* samples);

  SampleLayout layout_;
  Image image_;
};

}  // namespace fewdim
