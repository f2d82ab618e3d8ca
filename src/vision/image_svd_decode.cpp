#include <algorithm>
#include <cmath>

#include "base/blas.hpp"
#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "fewdim/image_svd.hpp"
#include "vision/image_blocks.hpp"

namespace fewdim {

Image ImageSvd::decode(const Execution& exec) const {
  Image out{.height = height, .width = width, .channels = channels, .values = {}};
  require_memory(exec, static_cast<std::uint64_t>(out.size()) * 20, "the decoded image", raise_option("memory_limit"));
  out.values.resize(static_cast<std::size_t>(out.size()));
  const ImageBlocks blocks(height, width, channels, block);
  std::vector<std::size_t> first_step, first_scale;
  std::size_t step = 0, scale = 0;
  for (Index b = 0; b < blocks.size(); ++b) {
    first_step.push_back(step), first_scale.push_back(scale);
    const auto rank = static_cast<std::size_t>(ranks[static_cast<std::size_t>(b)]);
    step += rank * static_cast<std::size_t>((blocks[b].height + blocks[b].width) * bits / 8), scale += 2 * rank;
  }
  const double unit = 1.0 / most_step(bits);
  parallel_for(exec, blocks.size(), [&](Index b) {
    const auto at = static_cast<std::size_t>(b);
    const ImageBlock place = blocks[b];
    const Index rank = ranks[at];
    Matrix<double> u(place.height, rank), v(place.width, rank);
    const std::uint8_t* byte = steps.data() + first_step[at];
    const float* largest = scales.data() + first_scale[at];
    const auto fill = [&](auto&& column) {
      const double size = double(*largest++) * unit;
      for (Index i = 0; i < column.size(); ++i) {
        const int low = *byte++;
        const auto number = bits == 8 ? static_cast<int>(static_cast<std::int8_t>(low))
                                      : static_cast<int>(static_cast<std::int16_t>(low | *byte++ << 8));
        column[i] = number * size;
      }
    };
    for (Index j = 0; j < rank; ++j) fill(u.col(j)), fill(v.col(j));
    Matrix<double> values = Matrix<double>::Constant(place.height, place.width, double(means[at]));
    if (rank > 0)
      blas::gemm(false, true, place.height, place.width, rank, 1.0, u.data(), place.height, v.data(), place.width, 1.0,
                 values.data(), place.height);
    for (Index y = 0; y < place.height; ++y)
      for (Index x = 0; x < place.width; ++x) {
        const double byte_value = std::nearbyint(255.0 * std::clamp(values(y, x), 0.0, 1.0));
        out.values[static_cast<std::size_t>(((place.top + y) * width + place.left + x) * channels + place.channel)] =
            static_cast<float>(byte_value / 255.0);
      }
  });
  return out;
}

JpegPeer jpeg_of_size(const Image& image, std::uint64_t most_bytes) {
  const auto size = [&](int quality) { return jpeg_of(image, quality).size(); };
  int low = 0, high = 101;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (size(middle) <= most_bytes ? low : high) = middle;
  }
  const std::string bytes = jpeg_of(image, std::max(low, 1));
  const Image back = decode_image(
      bytes, "jpeg", {.coloring = image.channels == 1 ? Coloring::gray : Coloring::rgb, .max_pixels = UINT64_MAX});
  return {.quality = low, .bytes = bytes.size(), .psnr = psnr(image, back), .ssim = ssim(image, back)};
}

}  // namespace fewdim
