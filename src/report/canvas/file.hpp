#pragma once

#include <functional>
#include <string>

#include "fewdim/plot.hpp"
#include "report/canvas/canvas.hpp"

namespace fewdim {

struct Sheet {
  double width = 800, height = 600;
  std::string title;  ///< for screen readers
};

/// A sheet of the size asked for, or of this one where none is.
Sheet sheet_of(const PlotSize& asked, double width, double height, const std::string& title);

/// Draws and writes a picture; the file name's ending decides the format.
void save_picture(const std::string& path, bool overwrite, const Sheet& sheet,
                  const std::function<void(Canvas&)>& draw);

[[noreturn]] void refuse_picture(std::string_view parameter, std::string_view value, std::string_view bound,
                                 std::string_view remedy);

}  // namespace fewdim
