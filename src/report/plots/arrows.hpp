#pragma once

#include <string>
#include <vector>

#include "fewdim/types.hpp"
#include "report/canvas/frame.hpp"
#include "report/plots/names.hpp"

/// Columns of the data as arrows from the origin, for biplots and correlation circles.
namespace fewdim {

/// Rows of `arrows` (D×2), the longest first; no more than `most`, and none without a length.
std::vector<Index> longest_arrows(const Matrix<double>& arrows, Index most);

/// Refuses arrows that are not D×2, not finite, or not named one by one.
void require_arrows(const Matrix<double>& arrows, const std::vector<std::string>& names, std::string_view what);

/// Draws the chosen arrows, `factor` times as long, and their names beside the tips; returns the names.
std::vector<PlacedName> draw_arrows(Canvas& canvas, const Frame& frame, const Matrix<double>& arrows,
                                    const std::vector<Index>& chosen, const std::vector<std::string>& names,
                                    double factor, Obstacles obstacles);

}  // namespace fewdim
