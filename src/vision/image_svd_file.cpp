#include <fmt/format.h>

#include <cmath>

#include "base/remedy.hpp"
#include "data/input/input.hpp"
#include "fewdim/error.hpp"
#include "fewdim/image_svd.hpp"
#include "fewdim/text_index.hpp"
#include "models/file/arrays.hpp"
#include "models/file/strict_json.hpp"
#include "vision/image_blocks.hpp"

namespace fewdim {

namespace {

constexpr const char* metadata_key = "fewdim-image";
constexpr int image_format = 2;  ///< since 2 the archive is sealed: seal() in models/file/archive.hpp

/// Names are short: they are a part of the file's bytes.
Archive archive_of(const ImageSvd& image) {
  Archive archive;
  archive.metadata[metadata_key] =
      nlohmann::ordered_json{{"format", image_format},     {"height", image.height}, {"width", image.width},
                             {"channels", image.channels}, {"block", image.block},   {"bits", image.bits}}
          .dump();
  const auto add = [&](const char* name, const auto& numbers, DType type) {
    if (numbers.empty()) return;
    archive.tensors.push_back(
        {.name = name,
         .type = type,
         .shape = {numbers.size()},
         .bytes = {reinterpret_cast<const char*>(numbers.data()), numbers.size() * size_of(type)}});
  };
  add("ranks", image.ranks, DType::i32);
  add("means", image.means, DType::f32);
  add("scales", image.scales, DType::f32);
  add("steps", image.steps, DType::u8);
  seal(archive);
  return archive;
}

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw DataError(fmt::format("{}: not a compressed image: {}", path, what));
}

void require_sound(const ImageSvd& image, std::uint64_t max_pixels, const std::string& path) {
  constexpr Index longest = 1'000'000'000;
  if (image.height < 1 || image.width < 1 || image.height > longest || image.width > longest ||
      (image.channels != 1 && image.channels != 3) || image.block < 0 || image.block > longest)
    refuse(path, "it has no shape");
  if (static_cast<std::uint64_t>(image.height) * static_cast<std::uint64_t>(image.width) > max_pixels)
    throw DataError(fmt::format("{}: declares {}x{} pixels, more than the {} allowed; {} if it is meant", path,
                                image.height, image.width, max_pixels, raise_option("max_pixels")));
  if (image.bits != 8 && image.bits != 16) refuse(path, fmt::format("its numbers have {} bits", image.bits));
  const ImageBlocks blocks(image.height, image.width, image.channels, image.block);
  if (std::ssize(image.ranks) != blocks.size() || std::ssize(image.means) != blocks.size())
    refuse(path, fmt::format("it has {} ranks and {} means for {} blocks", image.ranks.size(), image.means.size(),
                             blocks.size()));
  std::uint64_t triplets = 0, steps = 0;
  for (Index b = 0; b < blocks.size(); ++b) {
    const Index rank = image.ranks[static_cast<std::size_t>(b)];
    if (rank < 0 || rank > std::min(blocks[b].height, blocks[b].width))
      refuse(path, fmt::format("block {} has rank {}, more than its sides", b + 1, rank));
    triplets += static_cast<std::uint64_t>(rank);
    steps += static_cast<std::uint64_t>(rank * (blocks[b].height + blocks[b].width) * image.bits / 8);
  }
  if (image.scales.size() != 2 * triplets || image.steps.size() != steps)
    refuse(path, "its numbers are not as many as its ranks say");
  for (const auto* list : {&image.means, &image.scales})
    for (const float number : *list)
      if (!std::isfinite(number) || std::abs(number) > 1e6F)
        refuse(path, fmt::format("it holds the number {}", number));
}

}  // namespace

std::uint64_t ImageSvd::file_bytes() const { return archive_bytes(archive_of(*this)); }

void ImageSvd::save(const std::string& path, bool overwrite) const {
  write_archive(archive_of(*this), path, overwrite);
}

ImageSvd ImageSvd::load(const std::string& path, std::uint64_t max_pixels) {
  const Archive archive = read_archive(path);
  const std::string name = shown_name(path);
  const auto text = archive.metadata.find(metadata_key);
  if (text == archive.metadata.end())
    refuse(name, archive.metadata.contains("fewdim") ? "it is a model; use " + use_command("inspect")
                                                     : "its metadata has no 'fewdim-image'");
  const Seal found = seal_of(archive);
  require_seal(found, false, name);
  const std::string what = name + ": not a compressed image: its metadata";
  const nlohmann::json document = parse_strict(text->second, what, {.depth = 2, .values = 100});
  JsonFields fields(document, what);
  const std::uint64_t format = fields.natural("format");
  if (format > image_format)
    throw DataError(fmt::format("{}: its format {} is newer than the {} this fewdim knows; use a newer fewdim", name,
                                format, image_format));
  require_seal(found, format > 1, name);
  ImageSvd image;
  image.height = fields.index("height");
  image.width = fields.index("width");
  image.channels = fields.index("channels");
  image.block = fields.index("block");
  image.bits = static_cast<int>(std::min<Index>(fields.index("bits"), 99));
  fields.done();
  ArrayReader arrays(archive, name);
  image.ranks = arrays.integers("ranks", 1);
  const SharedArray<float> means = arrays.shared<float>("means"), scales = arrays.shared<float>("scales");
  const SharedArray<char> steps = arrays.shared<char>("steps");
  arrays.done();
  image.means.assign(means.begin(), means.end());
  image.scales.assign(scales.begin(), scales.end());
  image.steps.assign(steps.begin(), steps.end());
  require_sound(image, max_pixels, name);
  return image;
}

}  // namespace fewdim
