#pragma once

#include <string>
#include <vector>

namespace fewdim {

struct Ticks {
  double step = 0.0;  ///< 1, 2 or 5 times a power of ten; 0 when there is no room for a step
  std::vector<double> at;
  std::vector<std::string> labels;
};

/// Round numbers inside [low, high], at most `most` of them (but never fewer than one).
Ticks nice_ticks(double low, double high, int most);

/// The values that an axis shows.
struct Scale {
  double low = 0.0, high = 1.0;
  double fraction(double value) const;  ///< 0 at low, 1 at high; no overflow at either end of the doubles
};

/// The range of the data with `padding` of its length on both sides; a single value gets a range around it.
Scale padded_scale(double low, double high, double padding);

}  // namespace fewdim
