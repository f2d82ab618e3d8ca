#pragma once

#include <string>
#include <vector>

#include "report/plot_frame.hpp"

namespace fewdim {

struct Coloring {
  std::vector<Color> colors;  ///< one per label
  Legend legend;
};

/// More classes than there are colors: the most frequent keep theirs, the rest is "other".
constexpr std::size_t most_classes = colors::classes.size();

/// Numbers with more than `most_classes` different values go along a color bar; everything else is a class with a
/// color of its own, in natural order ("2" before "10"). Missing labels ("", "NA", "NaN") are gray.
Coloring color_by(const std::vector<std::string>& labels, const std::string& name);

/// Digits inside compare as numbers.
bool natural_less(const std::string& a, const std::string& b);

}  // namespace fewdim
