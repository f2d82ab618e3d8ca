#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "fewdim/text_index.hpp"
#include "models/file/arrays.hpp"

namespace fewdim {

/// The arrays of an index in an archive, and what is no array in its metadata.
void add_index(Archive& archive, const TextIndex& index, Index components);
nlohmann::ordered_json index_json(const TextIndex& index);

/// What index_json() has written; throws DataError "<what> ...".
TextIndex parse_index(const nlohmann::json& object, const std::string& what);
/// Adds the arrays, which stay where they are in the file.
void read_index(ArrayReader& arrays, TextIndex& index);
/// Throws DataError "<who>: ..." where the parts do not fit each other or the map.
void require_sound(const TextIndex& index, Index features, Index components, const std::string& who);

}  // namespace fewdim
