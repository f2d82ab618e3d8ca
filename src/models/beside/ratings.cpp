#include <fmt/format.h>

#include <cmath>

#include "models/beside/beside.hpp"
#include "models/file/checks.hpp"

namespace fewdim {

void describe(RatingsIndex& ratings, ModelFields& f) {
  f.value("lowest", ratings.lowest);
  f.value("highest", ratings.highest);
  f.texts("users", ratings.users);
  f.integers("rated_offsets", ratings.offsets);
  f.integers("rated_items", ratings.items);
}

void require_sound(const RatingsIndex& ratings, const Model& model, const std::string& who) {
  require_model(model.as<LinearModel>() && model.linear().map.size() > 0 && model.linear().row_fit != RowFit::product,
                who, "its ratings have no map that users are fitted to");
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
