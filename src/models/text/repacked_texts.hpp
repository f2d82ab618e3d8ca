#pragma once

#include <string>
#include <vector>

#include "fewdim/text_index.hpp"

namespace fewdim {

/// The texts `kept`, whose numbers rise, and then `more`, packed anew. Each frame is unpacked once, whereas operator[]
/// unpacks one for each text.
PackedTexts repacked(const PackedTexts& texts, const std::vector<Index>& kept, const std::vector<std::string>& more);

}  // namespace fewdim
