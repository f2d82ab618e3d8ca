#pragma once

#include <string>
#include <vector>

#include "fewdim/dataset.hpp"

namespace fewdim {

/// The hashes of the parts with commas; empty unless every part has one.
std::string joined_hash(const std::vector<std::string>& hashes);

/// The rows of several streams, one stream after the other, with the names and labels that all of them have.
std::shared_ptr<RowStream> joined_stream(std::vector<Dataset> parts);

}  // namespace fewdim
