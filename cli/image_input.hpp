#pragma once

#include "fewdim/images.hpp"
#include "input.hpp"

namespace fewdim::cli {

/// A size as "HxW", or "HxWx3" where that is allowed.
struct ParsedShape {
  Index height = 0, width = 0, channels = 1;
};
ParsedShape parse_shape(const std::string& text, const std::string& flag, bool color = false);

/// Images to read: folders, image files, an IDX file, or a table whose rows are images.
class ImageInput {
 public:
  /// `fixed`: the shape is a model's, so that --shape, --color and the size of --resize are not asked for.
  void declare(CLI::App& app, const std::string& name, bool fixed);

  const std::vector<std::string>& paths() const { return input_.paths(); }
  bool is_table() const;
  ImageSet load(Run& run) const;
  /// As the images of a model are.
  ImageSet load_like(Run& run, const ParsedShape& shape, double white) const;
  /// One more image of the same kind: by its path.
  ImageSet load_one(Run& run, const std::string& path, const ParsedShape& shape) const;

 private:
  ImageSetOptions set_options() const;
  ImageSet read(Run& run, const ImageSetOptions& options) const;
  ImageSet read_table(Run& run, const ParsedShape& shape, double white) const;

  Input input_;
  std::string shape_, resize_, max_pixels_, white_;
  bool color_ = false, skip_broken_ = false, column_major_ = false, resize_to_model_ = false;
};

std::uint64_t parse_pixels(const std::string& text);

}  // namespace fewdim::cli
