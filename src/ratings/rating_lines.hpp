#pragma once

#include <cmath>
#include <string_view>
#include <vector>

#include "data/formats.hpp"
#include "fewdim/ratings.hpp"
#include "links/name_table.hpp"

/// Lines of ratings.
namespace fewdim {

struct RatingsLayout {
  char delimiter = ',';
  Index step = 1;                        ///< cells from one column to the next: 2 where "::" cuts
  Index user = 0, item = 1, value = -1;  ///< columns; value −1: none
  std::string_view body;                 ///< without the header
  bool header = false;
};

/// One line as its three cells.
struct RatingLine {
  std::string_view user, item;
  double value = 1.0;
};

/// Throws DataError where there is no line, or the columns asked for are not there.
RatingsLayout ratings_layout(const Bytes& bytes, const RatingsOptions& options);
/// Throws TextFault. `needs_value`: else a value that is empty is NaN.
RatingLine rating_line(std::string_view line, const RatingsLayout& layout, bool needs_value);

/// Calls use(line) for every line that is not empty, without its end.
template <class Use>
void each_rating_line(std::string_view text, Use&& use) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    if (!line.empty() && !use(line)) return;
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

}  // namespace fewdim
