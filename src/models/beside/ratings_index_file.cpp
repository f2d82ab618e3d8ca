#include "models/beside/ratings_index_file.hpp"

#include <fmt/format.h>

#include <cmath>

#include "models/file/checks.hpp"
#include "models/file/strict_json.hpp"

namespace fewdim {

void add_ratings_index(Archive& archive, const RatingsIndex& ratings) {
  add_texts(archive, "users", ratings.users);
  add_shared(archive, "rated_offsets", SharedArray<std::int64_t>(ratings.offsets));
  add_shared(archive, "rated_items", SharedArray<std::int32_t>(ratings.items));
}

nlohmann::ordered_json ratings_json(const RatingsIndex& ratings) {
  return {{"lowest", ratings.lowest}, {"highest", ratings.highest}};
}

RatingsIndex parse_ratings(const nlohmann::json& object, const std::string& what) {
  JsonFields fields(object, what);
  RatingsIndex ratings;
  ratings.lowest = fields.number("lowest");
  ratings.highest = fields.number("highest");
  fields.done();
  return ratings;
}

void read_ratings_index(ArrayReader& arrays, RatingsIndex& ratings) {
  ratings.users = arrays.texts("users");
  const SharedArray<std::int64_t> offsets = arrays.shared<std::int64_t>("rated_offsets");
  const SharedArray<std::int32_t> items = arrays.shared<std::int32_t>("rated_items");
  ratings.offsets.assign(offsets.begin(), offsets.end());
  ratings.items.assign(items.begin(), items.end());
}

void require_sound(const RatingsIndex& ratings, const Model& model, const std::string& who) {
  require_model(model.is_linear() && model.linear().map.size() > 0 && model.linear().row_fit != RowFit::product, who,
                "its ratings have no map that users are fitted to");
  require_model(model.has_embedding(), who, "its users have no coordinates");
  const Index users = model.embedding().rows();
  require_model(std::ssize(ratings.users) == users && std::ssize(ratings.offsets) == users + 1, who,
                "its users are not as many as their coordinates");
  require_model(std::isfinite(ratings.lowest) && std::isfinite(ratings.highest) && ratings.lowest <= ratings.highest,
                who, "its ratings have no range");
  require_model(ratings.offsets.front() == 0 && ratings.offsets.back() == std::ssize(ratings.items), who,
                "what its users have rated does not end where it should");
  for (std::size_t u = 1; u < ratings.offsets.size(); ++u) {
    require_model(ratings.offsets[u - 1] <= ratings.offsets[u] && ratings.offsets[u] <= std::ssize(ratings.items), who,
                  "what its users have rated does not follow one another");
    for (std::int64_t e = ratings.offsets[u - 1]; e < ratings.offsets[u]; ++e) {
      const auto at = static_cast<std::size_t>(e);
      require_model(ratings.items[at] >= 0 && ratings.items[at] < model.features() &&
                        (e == ratings.offsets[u - 1] || ratings.items[at - 1] < ratings.items[at]),
                    who, "what a user has rated is not a rising list of items");
    }
  }
}

}  // namespace fewdim
