#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/types.hpp"

namespace fewdim {

/// Pixels from the top, row by row; 0 is black, 1 is white.
struct Image {
  Index height = 0, width = 0;
  Index channels = 1;  ///< 1: gray, 3: red, green and blue of a pixel side by side
  std::vector<float> values{};

  Index size() const { return height * width * channels; }
};

/// What becomes of colors. Gray is Rec. 601 luma, 0.299 R + 0.587 G + 0.114 B, of the values as they are stored.
enum class Coloring { as_stored, gray, rgb };

struct ImageOptions {
  Coloring coloring = Coloring::as_stored;
  std::uint64_t max_pixels = 100'000'000;  ///< height×width that a file may declare: checked before it is decoded
};

struct EncodedImage;

/// The single declaration of a file format of images.
struct ImageFormatCard {
  std::string name{};                  ///< "pnm"
  std::string title{};                 ///< in messages: "PGM, PPM"
  std::string about{};                 ///< a few words for a list
  std::vector<std::string> endings{};  ///< of the files that are taken from folders, in small letters
  bool writes = false;
  bool (*recognize)(std::string_view head) = nullptr;  ///< whether a file begins so
  Image (*decode)(const EncodedImage&, const ImageOptions&, const Execution&) = nullptr;
};

/// Every one there is.
FEWDIM_API const std::vector<ImageFormatCard>& image_formats();
/// "PNG, JPEG, PGM, PPM or BMP"; `word` is what stands before the last: "or", "nor".
FEWDIM_API std::string image_titles(std::string_view word);

/// PNG, JPEG, PGM and PPM (P2, P3, P5, P6) or BMP (uncompressed), known by their first bytes whatever their name is.
/// 8 and 16 bits a sample become value/largest; what is transparent shows white; a JPEG is turned as its EXIF
/// orientation says. Throws IoError where a file can't be read, DataError "<file>: ..." where it is no whole image.
FEWDIM_API Image read_image(const std::string& path, const ImageOptions& options = {}, const Execution& exec = {});
/// The same of bytes that are in memory; `name` is for messages.
FEWDIM_API Image decode_image(std::string_view bytes, const std::string& name, const ImageOptions& options = {},
                              const Execution& exec = {});
/// Whether bytes begin as an image does that decode_image() takes.
FEWDIM_API bool is_image(std::string_view head);

FEWDIM_API Image with_coloring(Image image, Coloring coloring);

/// Each side alone: the mean of what a new pixel covers where it shrinks, straight lines between the centers of pixels
/// where it grows.
FEWDIM_API Image resize(const Image& image, Index height, Index width);

/// The bytes of a PNG or a baseline JPEG file of 8 bits a sample. Values are rounded; outside of 0 to 1 they are cut.
FEWDIM_API std::string png_of(const Image& image);
FEWDIM_API std::string jpeg_of(const Image& image, int quality);  ///< 1 to 100; colors at half resolution
/// A PNG file; it appears whole or not at all.
FEWDIM_API void write_image(const Image& image, const std::string& path, bool overwrite = false);

/// Peak signal-to-noise ratio in decibels, 10 log₁₀(1/mean squared difference); infinite for equal images.
FEWDIM_API double psnr(const Image& a, const Image& b);
/// Mean structural similarity of gray values (Wang et al. 2004): windows of 11×11 weighted by a gaussian of sd 1.5,
/// where they fit; smaller windows for smaller images.
FEWDIM_API double ssim(const Image& a, const Image& b);

struct ImageSetOptions {
  Coloring coloring = Coloring::gray;  ///< as_stored: all must be the same
  std::uint64_t max_pixels = 100'000'000;
  /// Height and width that images are brought to; none: they must be equal.
  std::optional<std::pair<Index, Index>> size{};
  bool skip_broken = false;  ///< images that can't be decoded are left out and counted instead of refused
  Precision precision = Precision::float32;
};

struct ImageSetReport {
  Index other_files = 0;  ///< of folders: files without the ending of an image
  Index broken = 0;       ///< left out under skip_broken
  Index resized = 0;
  std::string first_broken{};  ///< its message, as Error::marked() has it
};

/// Images as rows of a data set, values 0 to 1. Row names are file names (in a folder: the path below it), or numbers
/// from 1 for IDX; labels are the sub-folders' names, or those of the IDX label file.
struct FEWDIM_API ImageSet {
  Dataset rows;
  Index height = 0, width = 0, channels = 1;
  double white = 1.0;  ///< the number that stands for white
  ImageSetReport report{};

  Image image(Index row) const;  ///< white is 1 there
};

/// Folders (all images below, sorted by name), image files, or one IDX file (images N×H×W or N×H×W×3, rows N×D; .gz
/// too). Unsigned bytes of IDX become value/255, other types stay as they are. An IDX file of labels beside it
/// (train-images-idx3-ubyte, train-labels-idx1-ubyte) is read, too.
FEWDIM_API ImageSet read_images(const std::vector<std::string>& paths, const ImageSetOptions& options = {},
                                const Execution& exec = {});

/// Whether a path is a folder, or a file that begins as an image or IDX does: something for read_images().
FEWDIM_API bool holds_images(const std::string& path);

}  // namespace fewdim
