#pragma once

#include <algorithm>

#include "fewdim/image_svd.hpp"

namespace fewdim {

/// A rectangle of one channel.
struct ImageBlock {
  Index top = 0, left = 0, height = 0, width = 0, channel = 0;
};

/// An image cut into squares, row by row, each with its channels; those at the right and the bottom may be smaller.
class ImageBlocks {
 public:
  ImageBlocks(Index height, Index width, Index channels, Index side)
      : height_(height),
        width_(width),
        channels_(channels),
        side_(side == 0 ? std::max(height, width) : side),
        across_((width + side_ - 1) / side_) {}

  Index size() const { return (height_ + side_ - 1) / side_ * across_ * channels_; }
  ImageBlock operator[](Index i) const {
    const Index place = i / channels_, top = place / across_ * side_, left = place % across_ * side_;
    return {top, left, std::min(side_, height_ - top), std::min(side_, width_ - left), i % channels_};
  }

 private:
  Index height_, width_, channels_, side_, across_;
};

/// The largest step of a number of so many bits.
constexpr double most_step(int bits) { return bits == 8 ? 127.0 : 32767.0; }

}  // namespace fewdim
