#pragma once

#include <string>

namespace fewdim {

/// A path as messages show it.
inline std::string input_name(const std::string& path) { return path == "-" ? "standard input" : path; }

}  // namespace fewdim
