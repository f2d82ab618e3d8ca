#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "fewdim/types.hpp"

/// Small matters of text.
namespace fewdim {

/// "1,797"
inline std::string with_commas(Index number) {
  std::string digits = std::to_string(number);
  for (std::ptrdiff_t at = std::ssize(digits) - 3; at > (number < 0 ? 1 : 0); at -= 3)
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  return digits;
}

/// "a, b or c"
inline std::string one_of_words(const std::vector<std::string>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i)
    out += fmt::format("{}{}", i == 0 ? "" : i + 1 < words.size() ? ", " : " or ", words[i]);
  return out;
}

/// "cells.csv" of "data/cells.csv": a folder would fill the line.
inline std::string file_name_of(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

}  // namespace fewdim
