#include "image_input.hpp"

#include <fmt/format.h>

#include "fewdim/faces.hpp"
#include "text.hpp"

namespace fewdim::cli {

namespace {

constexpr const char* image_group = "Images";

}  // namespace

ParsedShape parse_shape(const std::string& text, const std::string& flag, bool color) {
  const std::vector<std::string> sides = split_at(text, 'x');
  if (sides.size() != 2 && !(color && sides.size() == 3 && (sides[2] == "1" || sides[2] == "3")))
    throw usage_error(fmt::format("{} '{}' must be height and width, such as 64x64{}", flag, text,
                                  color ? ", or 64x64x3 in color" : ""));
  ParsedShape shape{parse_whole(sides[0], flag, 1), parse_whole(sides[1], flag, 1), 1};
  if (sides.size() == 3 && sides[2] == "3") shape.channels = 3;
  return shape;
}

std::uint64_t parse_pixels(const std::string& text) {
  return text.empty() ? ImageOptions{}.max_pixels : static_cast<std::uint64_t>(parse_whole(text, "--max-pixels", 1));
}

void ImageInput::declare(CLI::App& app, const std::string& name, bool fixed) {
  input_.declare(app,
                 {.name = name,
                  .help = fmt::format("a folder of {} images (folders in it are labels), image files, an IDX file, or "
                                      "a table whose rows are images, such as @digits",
                                      image_titles("or")),
                  .parts = true});
  if (fixed) {
    add_switch(app, "--resize", resize_to_model_, "bring images to the size of the model's", image_group);
  } else {
    add_text(app, "--shape", shape_, "HxW", "of a table: height and width of a row's image; HxWx3 in color",
             image_group);
    add_text(app, "--resize", resize_, "HxW", "bring images to this size [they must be equal]", image_group);
    add_switch(app, "--color", color_, "keep colors: red, green and blue [gray: Rec. 601 luma]", image_group);
    add_text(app, "--white", white_, "X", "of a table: the number that stands for white [the largest there is]",
             image_group);
  }
  add_switch(app, "--column-major", column_major_, "of a table: rows hold one column of pixels after the other",
             image_group);
  add_switch(app, "--skip-broken", skip_broken_, "leave images out that can't be decoded", image_group);
  add_text(app, "--max-pixels", max_pixels_, "N", "refuse images that declare more, before decoding [100000000]",
           image_group);
}

bool ImageInput::is_table() const {
  return input_.is_builtin() ||
         (input_.paths().size() == 1 && !holds_images(input_.paths().front()) &&
          format_of_name(input_.paths().front()) != nullptr) ||
         input_.paths().front() == "-";
}

ImageSetOptions ImageInput::set_options() const {
  ImageSetOptions options;
  options.max_pixels = parse_pixels(max_pixels_);
  options.skip_broken = skip_broken_;
  options.precision = input_.options().precision.value_or(Precision::float32);
  if (color_) options.coloring = Coloring::rgb;
  if (!resize_.empty()) {
    const ParsedShape size = parse_shape(resize_, "--resize");
    options.size = {size.height, size.width};
  }
  return options;
}

ImageSet ImageInput::read(Run& run, const ImageSetOptions& options) const {
  ImageSet set = run.timed("read", [&] { return read_images(input_.paths(), options, run.execution()); });
  const ImageSetReport& report = set.report;
  if (report.other_files > 0)
    run.say(fmt::format("passed over {} files without the ending of an image", show_count(report.other_files)));
  if (report.broken > 0)
    run.warn(fmt::format("left out {} broken images; the first: {}", show_count(report.broken), report.first_broken));
  return set;
}

ImageSet ImageInput::read_table(Run& run, const ParsedShape& shape, double white) const {
  const Dataset table = input_.load(run);
  return images_of_table(table, shape.height, shape.width, shape.channels, column_major_, white);
}

ImageSet ImageInput::load(Run& run) const {
  if (is_table()) {
    if (!resize_.empty() || color_) throw usage_error("--resize and --color are for image files; a table has --shape");
    if (shape_.empty())
      throw usage_error(fmt::format("{} is a table: say how its rows are images, with --shape HxW", input_.name()));
    return read_table(run, parse_shape(shape_, "--shape", true), white_.empty() ? 0.0 : parse_real(white_, "--white"));
  }
  if (!shape_.empty() || column_major_ || !white_.empty())
    throw usage_error("--shape, --column-major and --white are for tables; images have their own");
  return read(run, set_options());
}

ImageSet ImageInput::load_like(Run& run, const ParsedShape& shape, double white) const {
  if (is_table()) return read_table(run, shape, white);
  ImageSetOptions options = set_options();
  options.coloring = shape.channels == 3 ? Coloring::rgb : Coloring::gray;
  if (resize_to_model_) options.size = {shape.height, shape.width};
  ImageSet set = read(run, options);
  if (set.height != shape.height || set.width != shape.width)
    throw DataError(fmt::format("{}: is {}x{}, and the model's images are {}x{}; use --resize", set.rows.source,
                                set.height, set.width, shape.height, shape.width));
  return set;
}

ImageSet ImageInput::load_one(Run& run, const std::string& path, const ParsedShape& shape) const {
  ImageSetOptions options = set_options();
  options.coloring = shape.channels == 3 ? Coloring::rgb : Coloring::gray;
  ImageSet set = run.timed("read", [&] { return read_images({path}, options, run.execution()); });
  if (set.height != shape.height || set.width != shape.width)
    throw DataError(
        fmt::format("{}: is {}x{}, and the images are {}x{}", path, set.height, set.width, shape.height, shape.width));
  return set;
}

}  // namespace fewdim::cli
