#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fewdim/image_svd.hpp"
#include "fewdim/plot.hpp"
#include "image_input.hpp"
#include "targets.hpp"
#include "text.hpp"
#include "verb.hpp"

namespace fewdim::cli {

namespace {

std::string decibels(double psnr) { return std::isinf(psnr) ? "exact" : fmt::format("{:.2f}", psnr); }

class Compress {
 public:
  explicit Compress(CLI::App& app) : run_("compress") {
    app.add_option("IMAGE", path_, fmt::format("a {} file", image_titles("or")))->required()->type_name("FILE");
    add_text(app, "-k,--components", components_, "K", "singular triplets of every block and channel [40]", "Rank");
    add_text(app, "--psnr", psnr_, "DB", "as few as reach this peak signal-to-noise ratio", "Rank");
    add_text(app, "--bytes", bytes_, "SIZE", "as many as fit a file of this size, such as 50K", "Rank");
    add_text(app, "--block", block_, "N", "cut the image into squares of this side [the whole is one]", "Rank");
    add_text(app, "--bits", bits_, "8|16", "of each stored number [8]", "Rank");
    add_switch(app, "--gray", gray_, "without colors", "Images");
    add_text(app, "--max-pixels", max_pixels_, "N", "refuse an image that declares more [100000000]", "Images");
    add_text(app, "-o,--output", output_, "FILE", "the compressed image, for decompress", "Output");
    add_text(app, "--strip", strip_, "FILE", "picture of ranks 1, 5, 20, 50 and the image, .png or .svg", "Output");
    run_.declare(app);
  }

  int operator()() {
    const ImageSvdOptions options = parsed_options();
    ImageOptions reading{.max_pixels = parse_pixels(max_pixels_)};
    if (gray_) reading.coloring = Coloring::gray;
    Targets targets(run_);
    targets.add_input(path_);
    targets.add("--output", output_, Targets::Kind::model);
    targets.add("--strip", strip_, Targets::Kind::picture);
    targets.check();
    const Image image = run_.timed("read", [&] { return read_image(path_, reading, run_.execution()); });
    const ImageSvd packed = run_.timed("compress", [&] { return compress_image(image, options, run_.execution()); });
    const Image back = run_.timed("decode", [&] { return packed.decode(run_.execution()); });
    const JpegPeer jpeg = run_.timed("jpeg", [&] { return jpeg_of_size(image, packed.file_bytes()); });
    if (!output_.empty())
      targets.write_with(output_, show_bytes(packed.file_bytes()), [&] { packed.save(output_, run_.force()); });
    if (!strip_.empty()) draw_strip(image, options, targets);
    const double reached = psnr(image, back), similarity = ssim(image, back);
    if (run_.json()) {
      document(image, packed, reached, similarity, jpeg, targets);
      return 0;
    }
    std::vector<std::vector<std::string>> rows{{"as", "bytes", "of pixels", "PSNR dB", "SSIM"}};
    const auto share = [&](std::uint64_t bytes) {
      return fmt::format("{:.1f} %", 100.0 * double(bytes) / double(image.size()));
    };
    rows.push_back({"pixels", show_count(image.size()), "100.0 %", "exact", "1.0000"});
    rows.push_back({rank_words(packed), show_count(static_cast<std::int64_t>(packed.file_bytes())),
                    share(packed.file_bytes()), decibels(reached), fmt::format("{:.4f}", similarity)});
    rows.push_back({jpeg.quality == 0 ? "JPEG, its worst: larger" : fmt::format("JPEG, quality {}", jpeg.quality),
                    show_count(static_cast<std::int64_t>(jpeg.bytes)), share(jpeg.bytes), decibels(jpeg.psnr),
                    fmt::format("{:.4f}", jpeg.ssim)});
    std::string text = fmt::format("{}: {} x {}, {}\n", printable(path_), image.height, image.width,
                                   image.channels == 1 ? "gray" : "color") +
                       table(rows);
    if (jpeg.quality > 0 && jpeg.psnr > reached)
      text += fmt::format("JPEG is better at this size, by {:.1f} dB: a photo's singular vectors are no match for it\n",
                          jpeg.psnr - reached);
    print(text);
    return 0;
  }

 private:
  ImageSvdOptions parsed_options() const {
    ImageSvdOptions options;
    if ((components_.empty() ? 0 : 1) + (psnr_.empty() ? 0 : 1) + (bytes_.empty() ? 0 : 1) > 1)
      throw usage_error("give one of -k, --psnr and --bytes");
    if (!psnr_.empty()) {
      options.psnr = parse_real(psnr_, "--psnr");
      if (!(options.psnr > 0.0)) throw usage_error(fmt::format("--psnr '{}' must be above 0", psnr_));
    } else if (!bytes_.empty()) {
      options.bytes = parse_bytes(bytes_, "--bytes");
      if (options.bytes == 0) throw usage_error("--bytes must be above 0");
    } else {
      options.components = components_.empty() ? 40 : parse_whole(components_, "--components", 1);
    }
    if (!block_.empty()) options.block = parse_whole(block_, "--block", 2);
    if (!bits_.empty() && bits_ != "8" && bits_ != "16")
      throw usage_error(fmt::format("--bits '{}' must be 8 or 16", bits_));
    options.bits = bits_ == "16" ? 16 : 8;
    return options;
  }

  static std::string rank_words(const ImageSvd& packed) {
    const auto [least, most] = std::ranges::minmax_element(packed.ranks);
    return *least == *most ? fmt::format("SVD, rank {}", *least) : fmt::format("SVD, ranks {} to {}", *least, *most);
  }

  void draw_strip(const Image& image, const ImageSvdOptions& options, Targets& targets) {
    constexpr Index ranks[] = {1, 5, 20, 50};
    ImageGrid grid;
    grid.height = image.height, grid.width = image.width, grid.channels = image.channels;
    grid.images.resize(std::ssize(ranks) + 1, image.size());
    grid.columns = grid.images.rows();
    grid.longest_side = 240;
    const auto put = [&](Index row, const Image& shown) {
      for (Index j = 0; j < image.size(); ++j) grid.images(row, j) = double(shown.values[static_cast<std::size_t>(j)]);
    };
    for (Index i = 0; i < std::ssize(ranks); ++i) {
      const ImageSvd packed = compress_image(
          image, {.components = ranks[i], .block = options.block, .bits = options.bits}, run_.execution());
      const Image back = packed.decode(run_.execution());
      put(i, back);
      grid.captions.push_back(
          fmt::format("rank {}\n{} dB, {}", ranks[i], decibels(psnr(image, back)), show_bytes(packed.file_bytes())));
    }
    put(std::ssize(ranks), image);
    grid.captions.push_back(
        fmt::format("the image\n{} of pixels", show_bytes(static_cast<std::uint64_t>(image.size()))));
    targets.write_with(strip_, "ranks 1, 5, 20, 50", [&] { plot(grid, strip_, run_.force()); });
  }

  void document(const Image& image, const ImageSvd& packed, double reached, double similarity, const JpegPeer& jpeg,
                const Targets& targets) {
    const auto finite = [](double value) { return std::isfinite(value) ? Json(value) : Json(); };
    run_.print_document(
        {{"input", path_},
         {"height", image.height},
         {"width", image.width},
         {"channels", image.channels},
         {"block", packed.block},
         {"bits", packed.bits},
         {"ranks", packed.ranks.size() <= 1000 ? numbers(packed.ranks) : Json()},
         {"bytes", packed.file_bytes()},
         {"psnr", finite(reached)},
         {"ssim", similarity},
         {"jpeg", {{"quality", jpeg.quality}, {"bytes", jpeg.bytes}, {"psnr", finite(jpeg.psnr)}, {"ssim", jpeg.ssim}}},
         {"outputs", targets.document()}});
  }

  Run run_;
  std::string path_, components_, psnr_, bytes_, block_, bits_, max_pixels_, output_, strip_;
  bool gray_ = false;
};

class Decompress {
 public:
  explicit Decompress(CLI::App& app) : run_("decompress") {
    app.add_option("FILE", path_, "an image that compress has made")->required()->type_name("FILE");
    add_text(app, "-o,--output", output_, "FILE", "the image, .png", "Output")->required();
    add_text(app, "--max-pixels", max_pixels_, "N", "refuse an image that declares more [100000000]", "Images");
    run_.declare(app);
  }

  int operator()() {
    if (!output_.ends_with(".png")) throw usage_error(fmt::format("--output '{}' must end in .png", output_));
    Targets targets(run_);
    targets.add_input(path_);
    targets.add("--output", output_, Targets::Kind::picture);
    targets.check();
    const ImageSvd packed = run_.timed("load", [&] { return ImageSvd::load(path_, parse_pixels(max_pixels_)); });
    const Image image = run_.timed("decode", [&] { return packed.decode(run_.execution()); });
    targets.write_with(output_, fmt::format("{} x {}", image.height, image.width),
                       [&] { write_image(image, output_, run_.force()); });
    if (run_.json())
      run_.print_document({{"height", image.height},
                           {"width", image.width},
                           {"channels", image.channels},
                           {"outputs", targets.document()}});
    return 0;
  }

 private:
  Run run_;
  std::string path_, output_, max_pixels_;
};

}  // namespace

Verb compress_verb() {
  return {.name = "compress",
          .group = "Images",
          .title = "Store an image by its largest singular triplets",
          .text =
              "Each channel is a matrix; the best approximation of rank k is that of its k largest singular values "
              "(Eckart & Young 1936). Shows bytes, PSNR and SSIM, and beside them a JPEG of that size.",
          .examples = {{"fewdim compress photo.jpg -k 40 -o photo.fewdim --strip ranks.png", "rank 40 a channel"},
                       {"fewdim compress photo.jpg --psnr 35 --block 64 -o photo.fewdim", "by quality, in blocks"},
                       {"fewdim decompress photo.fewdim -o photo.png", "and back"}},
          .declare = [](CLI::App& app) -> Action {
            const auto work = std::make_shared<Compress>(app);
            return [work] { return (*work)(); };
          }};
}

Verb decompress_verb() {
  return {.name = "decompress",
          .group = "Images",
          .title = "Make a PNG of a compressed image",
          .text = "",
          .examples = {{"fewdim decompress photo.fewdim -o photo.png", "what compress has stored"}},
          .declare = [](CLI::App& app) -> Action {
            const auto work = std::make_shared<Decompress>(app);
            return [work] { return (*work)(); };
          }};
}

}  // namespace fewdim::cli
