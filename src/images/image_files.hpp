#pragma once

#include <string>
#include <vector>

#include "fewdim/images.hpp"

namespace fewdim {

struct ImageFile {
  std::string path;
  std::string name;   ///< below its folder
  std::string label;  ///< the folder below the one that was given; empty for others
};

/// The files that paths stand for, those of a folder sorted by name. Counts the files that are passed over.
std::vector<ImageFile> list_image_files(const std::vector<std::string>& paths, ImageSetReport& report);

/// The set that one IDX file holds.
ImageSet read_idx_images(const std::string& path, const ImageSetOptions& options, const Execution& exec);
/// Whether a file, its compression undone, begins as IDX.
bool is_idx_file(const std::string& path);

}  // namespace fewdim
