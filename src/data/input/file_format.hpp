#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/input/input.hpp"

namespace fewdim {

/// The compression that the name's end asks for.
Compression compression_of_name(const std::string& path);

/// Whether the name, without the ending of a compression, ends in one of these, in any case of letters.
bool has_ending(const std::string& path, const std::vector<std::string>& endings);

/// "a, b or c"; `word` is what stands before the last: "or", "and".
std::string listed(const std::vector<std::string>& things, std::string_view word);

/// The bytes in small letters: those of ASCII.
std::string in_small_letters(std::string_view text);

}  // namespace fewdim
