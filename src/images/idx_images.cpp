#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "data/hash.hpp"
#include "data/input/input.hpp"
#include "fewdim/error.hpp"
#include "images/formats.hpp"
#include "images/image_files.hpp"
#include "images/pixel_rows.hpp"

namespace fewdim {

namespace {

namespace fs = std::filesystem;

constexpr unsigned char unsigned_bytes = 0x08;

struct IdxFile {
  Bytes stored, plain;
  IdxArray array;
};

IdxFile open_idx(const std::string& path, const Execution& exec) {
  IdxFile file;
  file.stored = load(path, exec);
  file.plain = decompress(file.stored, exec);
  file.array = parse_idx(file.plain.text, shown_name(path));
  return file;
}

/// "train-images-idx3-ubyte.gz": "train-labels-idx1-ubyte", with or without .gz. Empty where there is none.
std::string label_file(const std::string& path) {
  const fs::path place(path);
  std::string name = place.filename().string();
  const auto replace = [&](const std::string& from, const std::string& to) {
    const std::size_t at = name.rfind(from);
    if (at != std::string::npos) name.replace(at, from.size(), to);
    return at != std::string::npos;
  };
  if (!replace("images", "labels")) return {};
  replace("idx3", "idx1") || replace("idx4", "idx1") || replace("idx2", "idx1");
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  std::error_code unknown;
  for (const char* ending : {"", ".gz"})
    if (const fs::path file = place.parent_path() / (name + ending); fs::is_regular_file(file, unknown))
      return file.string();
  return {};
}

std::vector<std::string> read_labels(const std::string& path, std::uint64_t count, const Execution& exec) {
  const IdxFile file = open_idx(path, exec);
  if (file.array.sizes.size() != 1 || file.array.sizes[0] != count)
    throw DataError(
        fmt::format("{}: holds {} labels, and there are {} images", path, fmt::join(file.array.sizes, "x"), count));
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < count; ++i) labels.push_back(fmt::format("{}", idx_number(file.array, i)));
  return labels;
}

/// Height, width and channels of one image.
void set_shape(ImageSet& set, const IdxArray& array, const std::string& path) {
  const auto size = [&](std::size_t i) { return static_cast<Index>(array.sizes[i]); };
  if (array.sizes.size() < 2)
    throw DataError(fmt::format("{}: holds {} single numbers, such as labels; give the file of the images", path,
                                fmt::join(array.sizes, "x")));
  if (array.sizes.size() > 4 || (array.sizes.size() == 4 && array.sizes[3] != 1 && array.sizes[3] != 3))
    throw DataError(
        fmt::format("{}: holds {} numbers: no images N x H x W, or N x H x W x 3", path, fmt::join(array.sizes, "x")));
  if (std::ranges::find(array.sizes, 0U) != array.sizes.end())
    throw DataError(fmt::format("{}: holds {} numbers: no image", path, fmt::join(array.sizes, "x")));
  set.height = array.sizes.size() == 2 ? 1 : size(1);
  set.width = array.sizes.size() == 2 ? size(1) : size(2);
  set.channels = array.sizes.size() == 4 ? size(3) : 1;
}

/// `taken`: bytes that the file's content takes in memory.
template <class T>
Dataset read_rows(const IdxArray& array, ImageSet& set, const ImageSetOptions& options, std::uint64_t taken,
                  const Execution& exec) {
  const auto count = static_cast<Index>(array.sizes[0]);
  const Index stored = set.height * set.width * set.channels, stored_channels = set.channels;
  const Index height = set.height, width = set.width;
  if (options.coloring == Coloring::gray) set.channels = 1;
  if (options.coloring == Coloring::rgb) set.channels = 3;
  if (options.size) std::tie(set.height, set.width) = *options.size;
  const bool resized = set.height != height || set.width != width;
  const Index pixels = set.height * set.width * set.channels;
  const bool plain = !resized && set.channels == stored_channels;
  // An image that is changed: its numbers, those in other colors, what resizing takes.
  const Image shape{.height = height, .width = width, .channels = set.channels, .values = {}};
  const std::uint64_t changed = plain ? 0
                                      : 4 * static_cast<std::uint64_t>(stored + shape.size()) +
                                            (resized ? resize_bytes(shape, set.height, set.width) : 0);
  const std::uint64_t rows_bytes = product_or_most(static_cast<std::uint64_t>(count),
                                                   product_or_most(static_cast<std::uint64_t>(pixels), sizeof(T)));
  const std::uint64_t most = UINT64_MAX / 4;
  require_memory(exec,
                 std::min(rows_bytes, most) + taken +
                     std::min(most, product_or_most(changed, static_cast<std::uint64_t>(thread_count(exec)))),
                 fmt::format("{} images of {} numbers", count, pixels),
                 "make them smaller with " + set_option("size", "HxW"));
  if (resized) set.report.resized = count;
  T bytes[256];
  for (int v = 0; v < 256; ++v) bytes[v] = static_cast<T>(static_cast<float>(v / 255.0));  // as of any other image
  RowMatrix<T> rows(count, pixels);
  constexpr Index block = 1024;
  for (Index first = 0; first < count; first += block * 8) {
    const Index end = std::min(count, first + block * 8);
    parallel_for(exec, (end - first + block - 1) / block, [&](Index task) {
      for (Index i = first + task * block; i < std::min(end, first + (task + 1) * block); ++i) {
        Image image{height, width, stored_channels, std::vector<float>(plain ? 0 : static_cast<std::size_t>(stored))};
        for (Index j = 0; j < stored; ++j) {
          const auto at = static_cast<std::size_t>(i * stored + j);
          const T value = array.type == unsigned_bytes ? bytes[static_cast<unsigned char>(array.numbers[at])]
                                                       : static_cast<T>(idx_number(array, at));
          if (plain)
            rows(i, j) = value;
          else
            image.values[static_cast<std::size_t>(j)] = static_cast<float>(value);
        }
        if (plain) continue;
        image = with_coloring(std::move(image), options.coloring);
        if (resized) image = resize(image, set.height, set.width);
        for (Index j = 0; j < pixels; ++j) rows(i, j) = static_cast<T>(image.values[static_cast<std::size_t>(j)]);
      }
    });
    report_progress(exec, "read", end, count, "images");
  }
  return Dataset(std::move(rows));
}

}  // namespace

ImageSet read_idx_images(const std::string& path, const ImageSetOptions& options, const Execution& exec) {
  const IdxFile file = open_idx(path, exec);
  ImageSet set;
  set_shape(set, file.array, shown_name(path));
  const std::uint64_t pixels = static_cast<std::uint64_t>(set.height) * static_cast<std::uint64_t>(set.width);
  if (pixels > options.max_pixels)
    throw DataError(fmt::format("{}: declares images of {}x{} pixels, more than the {} allowed; {} if it is meant",
                                path, set.height, set.width, options.max_pixels, raise_option("max_pixels")));
  const std::uint64_t taken = file.plain.mapped ? 0 : file.plain.text.size();
  set.rows = options.precision == Precision::float32 ? read_rows<float>(file.array, set, options, taken, exec)
                                                     : read_rows<double>(file.array, set, options, taken, exec);
  for (Index i = 0; i < set.rows.rows(); ++i) set.rows.row_names.push_back(std::to_string(i + 1));
  set.rows.row_names_header = "image";
  if (const std::string labels = label_file(path); !labels.empty()) {
    set.rows.labels = read_labels(labels, file.array.sizes[0], exec);
    set.rows.label_name = "label";
  }
  set.rows.hash = hash_of(file.stored.text);
  return set;
}

}  // namespace fewdim
