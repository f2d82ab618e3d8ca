#include "fewdim/image_svd.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/blas.hpp"
#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "solvers/eigen/direct.hpp"
#include "vision/image_blocks.hpp"

namespace fewdim {

namespace {

/// A block less its mean: Σ σ u vᵀ.
struct BlockSvd {
  double mean = 0.0;
  Vector<double> values{};  ///< σ, falling
  Matrix<double> u{}, v{};
};

Matrix<double> values_of(const Image& image, const ImageBlock& block) {
  Matrix<double> out(block.height, block.width);
  for (Index y = 0; y < block.height; ++y)
    for (Index x = 0; x < block.width; ++x)
      out(y, x) = double(image.values[static_cast<std::size_t>(
          ((block.top + y) * image.width + block.left + x) * image.channels + block.channel)]);
  return out;
}

/// From the eigenvectors of A Aᵀ or AᵀA, whichever is smaller. Half of the digits are lost in the smallest σ, and far
/// fewer are stored.
BlockSvd decompose_block(const Image& image, const ImageBlock& block, Index most) {
  Matrix<double> a = values_of(image, block);
  BlockSvd out;
  for (Index x = 0; x < a.cols(); ++x)
    for (Index y = 0; y < a.rows(); ++y) out.mean += a(y, x);
  out.mean = double(float(out.mean / double(a.size())));  // as it is stored
  a.array() -= out.mean;
  const bool tall = a.rows() > a.cols();
  const Index n = std::min(a.rows(), a.cols()), count = std::min(most, n);
  Matrix<double> gram = Matrix<double>::Zero(n, n);
  blas::syrk(tall, n, std::max(a.rows(), a.cols()), 1.0, a.data(), a.rows(), 0.0, gram.data(), n);
  const SymmetricEigen eigen = eigen_symmetric(gram, count);
  Index rank = 0;
  const double floor = 1e-13 * std::max(eigen.values[0], 1e-300);
  while (rank < count && eigen.values[rank] > floor) ++rank;
  out.values = eigen.values.head(rank).cwiseSqrt();
  Matrix<double> near = eigen.vectors.leftCols(rank), far(std::max(a.rows(), a.cols()), rank);
  if (rank > 0)
    blas::gemm(!tall, false, far.rows(), rank, n, 1.0, a.data(), a.rows(), near.data(), n, 0.0, far.data(), far.rows());
  for (Index j = 0; j < rank; ++j) far.col(j) /= out.values[j];
  out.u = tall ? far : near;
  out.v = tall ? near : far;
  return out;
}

struct Candidate {
  double gain = 0.0;  ///< σ² a byte
  Index block = 0;
};

class Compressor {
 public:
  Compressor(const Image& image, const ImageSvdOptions& options, const Execution& exec)
      : image_(image),
        options_(options),
        exec_(exec),
        blocks_(image.height, image.width, image.channels, options.block) {
    const ImageBlock first = blocks_[0];
    const auto side = static_cast<std::uint64_t>(std::min(first.height, first.width));
    const std::uint64_t whole = static_cast<std::uint64_t>(image.size()) * 24, work = side * side * 32;
    require_memory(exec, whole + work * static_cast<std::uint64_t>(std::min<Index>(thread_count(exec), blocks_.size())),
                   "the singular vectors of the image", "cut it into blocks with " + set_option("block", 64));
    const Index most = options.components > 0 ? options.components : side_limit;
    parts_.resize(static_cast<std::size_t>(blocks_.size()));
    for (Index begin = 0; begin < blocks_.size(); begin += batch) {
      const Index end = std::min(blocks_.size(), begin + batch);
      parallel_for(exec, end - begin, [&](Index i) {
        parts_[static_cast<std::size_t>(begin + i)] = decompose_block(image, blocks_[begin + i], most);
      });
      report_progress(exec, "decompose", end, blocks_.size(), "blocks");
    }
    order();
  }

  ImageSvd by_components() const { return encode(std::ssize(order_)); }

  /// As few triplets as reach the PSNR of what decode() gives back.
  ImageSvd by_psnr() const {
    const auto reaches = [&](Index count) { return psnr(image_, encode(count).decode(exec_)) >= options_.psnr; };
    Index low = -1, high = std::ssize(order_);
    const double best = psnr(image_, encode(high).decode(exec_));
    if (best < options_.psnr)
      throw InvalidOption("compress", "psnr", fmt::format("{:g}", options_.psnr),
                          fmt::format("is above {:.1f}, the best there is at {} bits a number", best, options_.bits),
                          options_.bits == 8 ? "use " + set_option("bits", 16) : "ask for less", ErrorKind::data);
    while (high - low > 1) {
      const Index middle = low + (high - low) / 2;
      (reaches(middle) ? high : low) = middle;
    }
    return encode(high);
  }

  ImageSvd by_bytes() const {
    Index low = 0, high = std::ssize(order_) + 1;
    const std::uint64_t least = encode(0).file_bytes();
    if (least > options_.bytes)
      throw InvalidOption("compress", "bytes", std::to_string(options_.bytes),
                          fmt::format("is below {}, what a file without any component takes", least),
                          "allow more, or use larger blocks");
    while (high - low > 1) {
      const Index middle = low + (high - low) / 2;
      (encode(middle).file_bytes() <= options_.bytes ? low : high) = middle;
    }
    return encode(low);
  }

 private:
  static constexpr Index batch = 256, side_limit = 1'000'000'000;

  /// Within a block σ falls and a triplet's bytes are the same, so that its triplets keep their order.
  void order() {
    for (Index b = 0; b < blocks_.size(); ++b) {
      const BlockSvd& part = parts_[static_cast<std::size_t>(b)];
      const double bytes = 8.0 + double((blocks_[b].height + blocks_[b].width) * options_.bits / 8);
      for (const double value : part.values) order_.push_back({value * value / bytes, b});
    }
    std::ranges::stable_sort(order_, std::greater{}, &Candidate::gain);
  }

  ImageSvd encode(Index count) const {
    ImageSvd out;
    out.height = image_.height, out.width = image_.width, out.channels = image_.channels;
    out.block = options_.block, out.bits = options_.bits;
    out.ranks.assign(parts_.size(), 0);
    for (Index i = 0; i < count; ++i) ++out.ranks[static_cast<std::size_t>(order_[static_cast<std::size_t>(i)].block)];
    for (std::size_t b = 0; b < parts_.size(); ++b) {
      out.means.push_back(static_cast<float>(parts_[b].mean));
      for (Index j = 0; j < out.ranks[b]; ++j) {
        const double root = std::sqrt(parts_[b].values[j]);
        append(parts_[b].u.col(j) * root, out);
        append(parts_[b].v.col(j) * root, out);
      }
    }
    return out;
  }

  static void append(const Vector<double>& numbers, ImageSvd& out) {
    double largest = 0.0;
    for (const double number : numbers) largest = std::max(largest, std::abs(number));
    const auto scale = static_cast<float>(largest);
    out.scales.push_back(scale);
    for (const double number : numbers) {
      const double ratio = scale > 0.0F ? std::clamp(number / double(scale), -1.0, 1.0) : 0.0;
      const auto step = static_cast<std::uint32_t>(std::lround(ratio * most_step(out.bits)));
      out.steps.push_back(static_cast<std::uint8_t>(step & 0xFFU));
      if (out.bits == 16) out.steps.push_back(static_cast<std::uint8_t>(step >> 8U & 0xFFU));
    }
  }

  const Image& image_;
  const ImageSvdOptions& options_;
  const Execution& exec_;
  ImageBlocks blocks_;
  std::vector<BlockSvd> parts_;
  std::vector<Candidate> order_;
};

void check(const Image& image, const ImageSvdOptions& options) {
  const auto refuse = [](const char* name, const std::string& value, const char* bound, const std::string& remedy) {
    throw InvalidOption("compress", name, value, bound, remedy);
  };
  if (image.size() < 1 || std::ssize(image.values) != image.size())
    throw DataError("compress: the image has no pixels");
  const int targets = (options.components != 0 ? 1 : 0) + (options.psnr != 0.0 ? 1 : 0) + (options.bytes != 0 ? 1 : 0);
  if (targets != 1)
    refuse("target", std::to_string(targets) + " given", "must be one of components, psnr and bytes",
           "give " + set_option("components") + ", " + set_option("psnr") + " or " + set_option("bytes"));
  if (options.components < 0)
    refuse("components", std::to_string(options.components), "must be at least 1", raise_option("components"));
  if (options.psnr != 0.0 && !(options.psnr > 0.0 && options.psnr < 200.0))
    refuse("psnr", fmt::format("{}", options.psnr), "must be above 0 and below 200", "30 to 40 decibels are usual");
  if (options.block != 0 && options.block < 2)
    refuse("block", std::to_string(options.block), "must be at least 2, or 0", "64 is usual");
  if (options.bits != 8 && options.bits != 16)
    refuse("bits", std::to_string(options.bits), "must be 8 or 16", "8 is usual");
}

}  // namespace

ImageSvd compress_image(const Image& image, const ImageSvdOptions& options, const Execution& exec) {
  check(image, options);
  const Compressor compressor(image, options, exec);
  if (options.components > 0) return compressor.by_components();
  return options.psnr > 0.0 ? compressor.by_psnr() : compressor.by_bytes();
}

}  // namespace fewdim
