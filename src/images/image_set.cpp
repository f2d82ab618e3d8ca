#include <fmt/format.h>

#include <exception>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "data/hash.hpp"
#include "data/input/input.hpp"
#include "fewdim/error.hpp"
#include "fewdim/images.hpp"
#include "images/image_files.hpp"
#include "images/pixel_rows.hpp"

namespace fewdim {

namespace {

constexpr Index batch = 256;  // files between two reports of progress

struct Decoded {
  Image image{};
  std::string hash{};
  bool resized = false;
};

/// The images of files as rows, each decoded by a task of its own.
template <class T>
class SetReader {
 public:
  SetReader(std::vector<ImageFile> files, const ImageSetOptions& options, const Execution& exec, ImageSetReport report)
      : files_(std::move(files)),
        options_(options),
        exec_(exec),
        limit_(memory_limit(exec)),
        errors_(files_.size()),
        hashes_(files_.size()),
        alone_(files_.size(), 0) {
    set_.report = std::move(report);
  }

  ImageSet read() {
    find_shape();
    const Index count = std::ssize(files_), pixels = set_.height * set_.width * set_.channels;
    require_memory(exec_, static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(pixels) * sizeof(T),
                   fmt::format("{} images of {} numbers", count, pixels),
                   "make them smaller with " + set_option("size", "HxW"));
    rows_.resize(count, pixels);
    resized_.assign(files_.size(), 0);
    for (Index first = 0; first < count; first += batch) {
      const Index end = std::min(count, first + batch);
      const Execution part = share(std::min<Index>(thread_count(exec_), end - first));
      parallel_for(exec_, end - first, [&](Index i) { decode_row(first + i, part); });
      for (Index i = first; i < end; ++i) {
        if (alone_[static_cast<std::size_t>(i)] != 0) decode_row(i, share(1));
        if (errors_[static_cast<std::size_t>(i)]) judge(i);
      }
      report_progress(exec_, "read", end, count, "images");
    }
    return finish();
  }

 private:
  /// With the limit that is left beside the rows, for one of so many images that are decoded side by side.
  Execution share(Index at_once) const {
    Execution out = exec_;
    const std::uint64_t rows = static_cast<std::uint64_t>(rows_.size()) * sizeof(T);
    out.memory_limit =
        std::max<std::uint64_t>(1, (limit_ - std::min(limit_, rows)) / static_cast<std::uint64_t>(at_once));
    return out;
  }

  Decoded decode(const ImageFile& file, const Execution& exec) const {
    const Bytes bytes = load(file.path, exec);
    Decoded out;
    out.hash = hash_of(bytes.text);
    out.image = decode_image(bytes.text, shown_name(file.path),
                             {.coloring = options_.coloring, .max_pixels = options_.max_pixels}, exec);
    if (options_.size && (out.image.height != options_.size->first || out.image.width != options_.size->second)) {
      const auto [height, width] = *options_.size;
      require_memory(exec, out.image.values.size() * sizeof(float) + resize_bytes(out.image, height, width),
                     fmt::format("{}: bringing it to {}x{}", shown_name(file.path), height, width),
                     "give a smaller " + set_option("size") + ", or " + raise_option("memory_limit"));
      out.image = resize(out.image, height, width);
      out.resized = true;
    }
    return out;
  }

  /// That of the first image that can be decoded.
  void find_shape() {
    for (const ImageFile& file : files_) {
      try {
        const Image image = decode(file, share(1)).image;
        set_.height = image.height, set_.width = image.width, set_.channels = image.channels;
        first_ = file.path;
        return;
      } catch (const DataError& error) {
        if (!options_.skip_broken) throw;
        if (&file == &files_.back())
          throw DataError(fmt::format("none of {} images can be decoded; the last: {}", files_.size(), error.marked()));
      }
    }
  }

  void decode_row(Index i, const Execution& exec) {
    const auto at = static_cast<std::size_t>(i);
    errors_[at] = nullptr;
    alone_[at] = 0;
    try {
      const Decoded decoded = decode(files_[at], exec);
      const Image& image = decoded.image;
      hashes_[at] = decoded.hash;
      resized_[at] = decoded.resized ? 1 : 0;
      if (image.height != set_.height || image.width != set_.width)
        throw Error(ErrorKind::data,
                    fmt::format("{}: is {}x{}, and {} is {}x{}; bring all to one size with {}", files_[at].path,
                                image.height, image.width, first_, set_.height, set_.width,
                                set_option("size", fmt::format("{}x{}", set_.height, set_.width))));
      if (image.channels != set_.channels)
        throw Error(ErrorKind::data, fmt::format("{}: is {}, and {} is not; use {} or {} for all", files_[at].path,
                                                 image.channels == 1 ? "gray" : "colored", first_,
                                                 set_option("coloring", "rgb"), set_option("coloring", "gray")));
      for (Index j = 0; j < rows_.cols(); ++j) rows_(i, j) = static_cast<T>(image.values[static_cast<std::size_t>(j)]);
    } catch (const OverMemory&) {  // too much beside others: once more when they are done
      errors_[at] = std::current_exception();
      alone_[at] = 1;
    } catch (...) {
      errors_[at] = std::current_exception();
    }
  }

  /// Only what can't be decoded may be left out; a size that differs is a matter of the user's.
  void judge(Index i) {
    try {
      std::rethrow_exception(errors_[static_cast<std::size_t>(i)]);
    } catch (const DataError& error) {
      if (!options_.skip_broken) throw;
      if (set_.report.broken++ == 0) set_.report.first_broken = error.marked();
    }
  }

  ImageSet finish() {
    Hasher hasher;
    std::vector<std::string> names, labels;
    bool labeled = false;
    Index kept = 0;
    for (std::size_t i = 0; i < files_.size(); ++i) {
      if (errors_[i]) continue;
      if (kept != static_cast<Index>(i)) rows_.row(kept) = rows_.row(static_cast<Index>(i));
      ++kept;
      names.push_back(files_[i].name);
      labels.push_back(files_[i].label);
      labeled = labeled || !files_[i].label.empty();
      hasher.update(hashes_[i]);
      set_.report.resized += resized_[i];
    }
    if (kept < rows_.rows()) rows_.conservativeResize(kept, rows_.cols());
    set_.rows = Dataset(std::move(rows_));
    set_.rows.row_names = std::move(names);
    set_.rows.row_names_header = "image";
    if (labeled) set_.rows.labels = std::move(labels), set_.rows.label_name = "folder";
    set_.rows.hash = hasher.text();
    return std::move(set_);
  }

  std::vector<ImageFile> files_;
  const ImageSetOptions& options_;
  const Execution& exec_;
  std::uint64_t limit_;
  std::vector<std::exception_ptr> errors_;
  std::vector<std::string> hashes_;
  std::vector<char> alone_;  // to be decoded without others beside it
  std::vector<char> resized_;
  std::string first_;
  RowMatrix<T> rows_;
  ImageSet set_;
};

}  // namespace

Image ImageSet::image(Index row) const {
  Image out{.height = height, .width = width, .channels = channels, .values = {}};
  out.values.resize(static_cast<std::size_t>(rows.cols()));
  for (Index j = 0; j < rows.cols(); ++j) {
    const double value =
        rows.dense<float>() != nullptr ? double((*rows.dense<float>())(row, j)) : (*rows.dense<double>())(row, j);
    out.values[static_cast<std::size_t>(j)] = static_cast<float>(value / white);
  }
  return out;
}

ImageSet read_images(const std::vector<std::string>& paths, const ImageSetOptions& options, const Execution& exec) {
  if (options.size && (options.size->first < 1 || options.size->second < 1))
    throw InvalidOption("images", "size", fmt::format("{}x{}", options.size->first, options.size->second),
                        "must be at least 1x1", "give height and width");
  ImageSetReport report;
  const std::vector<ImageFile> files = list_image_files(paths, report);
  ImageSet set;
  if (files.size() == 1 && is_idx_file(files.front().path))
    set = read_idx_images(files.front().path, options, exec);
  else if (options.precision == Precision::float32)
    set = SetReader<float>(files, options, exec, report).read();
  else
    set = SetReader<double>(files, options, exec, report).read();
  set.rows.source = paths.size() == 1 ? paths.front() : fmt::format("{} and {} more", paths.front(), paths.size() - 1);
  return set;
}

}  // namespace fewdim
