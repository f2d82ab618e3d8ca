#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "fewdim/model.hpp"
#include "fewdim/ratings_index.hpp"
#include "models/file/arrays.hpp"

namespace fewdim {

/// Users of a model and what they have rated as arrays of an archive, and the rest in its metadata.
void add_ratings_index(Archive& archive, const RatingsIndex& ratings);
nlohmann::ordered_json ratings_json(const RatingsIndex& ratings);

/// What ratings_json() has written; throws DataError "<what> ...".
RatingsIndex parse_ratings(const nlohmann::json& object, const std::string& what);
void read_ratings_index(ArrayReader& arrays, RatingsIndex& ratings);
/// Throws DataError "<who>: ..." where the parts do not fit each other or the model.
void require_sound(const RatingsIndex& ratings, const Model& model, const std::string& who);

}  // namespace fewdim
