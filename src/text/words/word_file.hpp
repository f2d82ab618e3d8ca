#pragma once

#include <string>
#include <vector>

namespace fewdim {

struct WordLine {
  std::string text;
  std::size_t number = 0;  ///< from 1
};

/// Lines of a file of words: without blanks at their ends, without empty ones and those that begin with #. Throws
/// IoError where it can't be read, and DataError, with the place, where it is not UTF-8.
std::vector<WordLine> read_word_lines(const std::string& path);

}  // namespace fewdim
