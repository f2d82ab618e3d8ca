#include "report/plot_file.hpp"

#include <cctype>

#include "base/output_file.hpp"
#include "fewdim/error.hpp"
#include "report/raster_canvas.hpp"
#include "report/svg.hpp"

namespace fewdim {

namespace {

bool ends_in(const std::string& path, std::string_view ending) {
  if (path.size() <= ending.size()) return false;
  return std::equal(ending.begin(), ending.end(), path.end() - static_cast<std::ptrdiff_t>(ending.size()),
                    [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
}

}  // namespace

void refuse_picture(std::string_view parameter, std::string_view value, std::string_view bound,
                    std::string_view remedy) {
  throw InvalidOption("plot", parameter, value, bound, remedy);
}

void save_picture(const std::string& path, bool overwrite, const Sheet& sheet,
                  const std::function<void(Canvas&)>& draw) {
  const bool svg = ends_in(path, ".svg");
  if (!svg && !ends_in(path, ".png"))
    refuse_picture("file", path, "must end in .svg or .png", "the ending decides the kind of picture");
  OutputFile file(path, overwrite);  // before the work: refuses early
  std::unique_ptr<Canvas> canvas;
  if (svg)
    canvas = std::make_unique<SvgCanvas>(sheet.width, sheet.height, sheet.title);
  else
    canvas = std::make_unique<RasterCanvas>(sheet.width, sheet.height);
  draw(*canvas);
  file.write(canvas->finish());
  file.commit();
}

}  // namespace fewdim
