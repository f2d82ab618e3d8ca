#pragma once

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "fewdim/error.hpp"
#include "fewdim/generate.hpp"

namespace fewdim {

/// Levenshtein's distance: insertions, deletions and replacements that turn one name into the other.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] != b[j - 1] ? 1 : 0);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

/// "generate: name=swissroll is not one of swiss-roll, s-curve, ...; did you mean swiss-roll?"
[[noreturn]] inline void refuse_name(std::string_view caller, std::string_view name,
                                     const std::vector<GeneratorCard>& cards) {
  const std::string_view shown = name.substr(0, 64);
  std::string bound = "is not one of ";
  std::string_view nearest;
  std::size_t least = shown.size() + 64;
  for (const GeneratorCard& card : cards) {
    if (&card != &cards.front()) bound += ", ";
    bound += card.name;
    const std::size_t distance = edit_distance(shown, card.name);
    if (distance >= least) continue;
    least = distance;
    nearest = card.name;
  }
  throw InvalidOption(caller, "name", shown, bound, "did you mean " + std::string(nearest) + "?");
}

}  // namespace fewdim
