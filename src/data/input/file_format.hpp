#pragma once

#include <string>
#include <string_view>

#include "data/input/input.hpp"
#include "fewdim/io.hpp"

namespace fewdim {

/// By the first bytes; delimited text (csv) when nothing else fits.
Format format_of_content(std::string_view head);

/// The compression that the name's end asks for.
Compression compression_of_name(const std::string& path);

/// "NumPy .npy", "Matrix Market", ... for messages.
const char* format_name(Format format);

}  // namespace fewdim
