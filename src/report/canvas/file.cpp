#include "report/canvas/file.hpp"

#include <fmt/format.h>

#include <cctype>

#include "base/output_file.hpp"
#include "fewdim/error.hpp"
#include "report/canvas/raster_canvas.hpp"
#include "report/canvas/svg.hpp"

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

Sheet sheet_of(const PlotSize& asked, double width, double height, const std::string& title) {
  constexpr int least_width = 400, least_height = 300, most = 4000;
  constexpr std::int64_t most_together = 4'000'000;  // a PNG's pixels take 64 bytes each while they are drawn on
  if (asked.width == 0 && asked.height == 0) return {width, height, title};
  const auto [w, h] = asked;
  if (w < least_width || h < least_height || w > most || h > most || std::int64_t{w} * h > most_together)
    refuse_picture(
        "size", fmt::format("{}x{}", w, h),
        fmt::format("must be {}x{} to {}x{}, and 4 million together at most", least_width, least_height, most, most),
        "a PNG has twice as many pixels each way");
  return {static_cast<double>(w), static_cast<double>(h), title};
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
