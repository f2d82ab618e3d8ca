#pragma once

#include <string>

#include "data/delimited/census.hpp"

namespace fewdim::delimited {

/// What the first record is.
struct FirstLine {
  bool header = false;
  std::string text;  ///< what to tell of that; empty where it is plain, as names over numbers are
};

/// Decides whether the first record is a header; throws DataError where that can't be told. delimited_header.cpp has
/// the rules.
FirstLine judge_first_line(const Census& census, const std::string& path);

}  // namespace fewdim::delimited
