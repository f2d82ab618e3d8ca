#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/model.hpp"
#include "fewdim/ratings.hpp"

/// What a model of ratings says: predictions, recommendations, items alike, what its factors are about.
namespace fewdim {

/// Place of a user or an item; −1: the model does not know it.
FEWDIM_API Index find_user(const Model& model, std::string_view name);
FEWDIM_API Index find_item(const Model& model, std::string_view name);
/// Throws DataError with the nearest name.
FEWDIM_API Index require_user(const Model& model, std::string_view name);
FEWDIM_API Index require_item(const Model& model, std::string_view name);
FEWDIM_API std::string item_name(const Model& model, Index item);

/// What a prediction could be made of.
enum class PredictedBy { both, item_alone, user_alone, mean };

struct Predictions {
  Vector<double> values{};
  std::vector<PredictedBy> by{};
  Index unknown_users = 0, unknown_items = 0;  ///< pairs with one
};
/// Of a user that the model does not know the item's effect alone, of an unknown item the user's, of both the mean.
FEWDIM_API Predictions predict(const Model& model, const std::vector<RatedPair>& pairs);
/// By places of user and item, which must be among the model's.
FEWDIM_API Vector<double> predict(const Model& model, const std::vector<std::pair<Index, Index>>& places);

/// A user's coordinates: of the model, or from a few ratings of items by their place.
FEWDIM_API Vector<double> user_place(const Model& model, Index user);
FEWDIM_API Vector<double> fold_in(const Model& model, const std::vector<std::pair<Index, double>>& ratings);

struct Recommendation {
  Index item = 0;
  std::string name{};
  double value = 0.0;
};
/// Items with the highest predictions, falling; `left_out` in any order.
FEWDIM_API std::vector<Recommendation> recommend(const Model& model, const Vector<double>& place, Index count,
                                                 const std::vector<std::int32_t>& left_out = {});
FEWDIM_API std::vector<std::int32_t> rated_by(const Model& model, Index user);

/// Items whose factors point the same way: value is the cosine.
FEWDIM_API std::vector<Recommendation> similar_items(const Model& model, Index item, Index count);

/// One factor by the items at its ends.
struct FactorPoles {
  std::string name{};
  double strength = 0.0;  ///< standard deviation of its part in predictions, over all users and items
  std::vector<Recommendation> plus{}, minus{};
};
FEWDIM_API std::vector<FactorPoles> factor_poles(const Model& model, Index first, Index count, Index top);

/// The rows with predictions in place of what is missing; what is there stays as it is.
FEWDIM_API Dataset complete_rows(const Model& model, const Dataset& data, const Execution& exec = {});

}  // namespace fewdim
