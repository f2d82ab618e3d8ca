#pragma once

#include <string>
#include <vector>

#include "fewdim/types.hpp"
#include "report/canvas/frame.hpp"

namespace fewdim {

struct PointColoring {
  std::vector<Color> colors;  ///< one per label
  Legend legend;
  std::vector<std::int32_t> classes{};  ///< one per label: its entry of the legend; −1: none, other or along the bar
};

/// More classes than there are colors have markers of their own, too: twelve discs, twelve squares, ...
constexpr std::size_t most_colors = colors::classes.size();
/// Beyond these the most frequent keep theirs, and the rest is "other".
constexpr std::size_t most_classes = most_colors * marker_count;

/// Numbers with more than `most_colors` different values go along a color bar; everything else is a class with a
/// color and marker of its own, in natural order ("2" before "10"). Missing labels ("", "NA", "NaN") are gray.
PointColoring color_by(const std::vector<std::string>& labels, const std::string& name);
/// Along a color bar; what is not finite is gray.
PointColoring color_along(const Vector<double>& values, const std::string& name);

/// Digits inside compare as numbers.
bool natural_less(const std::string& a, const std::string& b);

}  // namespace fewdim
