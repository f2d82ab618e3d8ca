#pragma once

#include <string>

#include "report/canvas/canvas.hpp"

namespace fewdim {

/// The bytes of a PNG file; the same pixels give the same bytes. `pixels_per_meter` 0: not said.
std::string encode_png(const Pixels& pixels, unsigned pixels_per_meter = 0);

std::string base64(std::string_view bytes);

}  // namespace fewdim
