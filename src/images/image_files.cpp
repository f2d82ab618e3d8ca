#include "images/image_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "data/input/file_format.hpp"
#include "data/input/input.hpp"
#include "fewdim/error.hpp"
#include "images/formats.hpp"

namespace fewdim {

namespace {

namespace fs = std::filesystem;

bool has_image_ending(const fs::path& path) {
  const std::string ending = in_small_letters(path.extension().string());
  return std::ranges::any_of(image_formats(), [&](const ImageFormatCard& card) {
    return std::ranges::find(card.endings, ending) != card.endings.end();
  });
}

/// Links to files count as files; those to folders are not followed, as they may lead back.
void add_folder(const std::string& folder, bool alone, std::vector<ImageFile>& files, ImageSetReport& report) {
  std::vector<ImageFile> found;
  try {
    for (fs::recursive_directory_iterator entries(folder), end; entries != end; ++entries) {
      const fs::path& path = entries->path();
      const bool hidden = path.filename().string().starts_with('.');
      if (entries->is_directory()) {
        if (hidden) entries.disable_recursion_pending();
        continue;
      }
      if (hidden || !entries->is_regular_file()) continue;
      if (!has_image_ending(path)) {
        ++report.other_files;
        continue;
      }
      const fs::path below = path.lexically_relative(folder);
      found.push_back({path.string(), alone ? below.string() : path.string(), below.parent_path().string()});
    }
  } catch (const fs::filesystem_error& error) {
    throw IoError(fmt::format("{}: can't be read: {}", folder, error.code().message()));
  }
  std::ranges::sort(found, {}, &ImageFile::name);
  files.insert(files.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
}

std::string first_bytes(const std::string& path) {
  const auto source = open_source(path);
  std::string head(16, '\0');
  std::size_t filled = 0;
  while (filled < head.size()) {
    const std::size_t got = source->read(head.data() + filled, head.size() - filled);
    if (got == 0) break;
    filled += got;
  }
  head.resize(filled);
  return head;
}

}  // namespace

std::vector<ImageFile> list_image_files(const std::vector<std::string>& paths, ImageSetReport& report) {
  std::vector<ImageFile> files;
  std::error_code unknown;
  for (const std::string& path : paths) {
    if (fs::is_directory(path, unknown))
      add_folder(path, paths.size() == 1, files, report);
    else
      files.push_back({path, path, ""});
  }
  if (!files.empty()) return files;
  const std::string first = paths.empty() ? "images" : paths.front();
  throw DataError(fmt::format(
      "{}: holds no image: {}; give a folder with {} files", first,
      report.other_files == 0 ? "it has no files" : fmt::format("its {} files have other endings", report.other_files),
      image_titles("or")));
}

bool is_idx_file(const std::string& path) { return is_idx(first_bytes(path)); }

bool holds_images(const std::string& path) {
  std::error_code unknown;
  if (fs::is_directory(path, unknown)) return true;
  if (!fs::is_regular_file(path, unknown)) return false;
  try {
    const std::string head = first_bytes(path);
    return is_image(head) || is_idx(head);
  } catch (const DataError&) {  // a broken .gz
    return false;
  }
}

}  // namespace fewdim
