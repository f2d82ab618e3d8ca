#include "fewdim/recommend.hpp"

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <string>
#include <variant>

#include "functions.hpp"
#include "models.hpp"

namespace fewdim::python {

namespace {

namespace py = pybind11;

/// A place, counted from 0, or a name.
using Key = std::variant<Index, std::string>;

Index in_range(Index place, Index count, const char* what) {
  if (place < 0 || place >= count)
    throw py::index_error(std::string(what) + " " + std::to_string(place) + " is none of the model's " +
                          std::to_string(count));
  return place;
}

void require_users(const Model& model) {
  if (!model.has_embedding()) throw py::value_error("the model has not kept its users; fit it with embedding=True");
}

Index user_at(const Model& model, const Key& key) {
  require_users(model);
  if (const auto* name = std::get_if<std::string>(&key)) return require_user(model, *name);
  return in_range(std::get<Index>(key), model.embedding().rows(), "user");
}

Index item_at(const Model& model, const Key& key) {
  if (const auto* name = std::get_if<std::string>(&key)) return require_item(model, *name);
  return in_range(std::get<Index>(key), model.features(), "item");
}

py::list listed(const Model& model, const std::vector<Recommendation>& found) {
  const bool named = !model.head().feature_names.empty();
  py::list out;
  for (const Recommendation& one : found)
    out.append(py::make_tuple(one.item, named ? py::object(py::str(one.name)) : py::none(), one.value));
  return out;
}

}  // namespace

void bind_recommend(py::module_& module) {
  module.def(
      "predict_ratings",
      [](const FittedModel& self, const std::vector<Key>& users, const std::vector<Key>& items) {
        if (users.size() != items.size())
          throw py::value_error(std::to_string(users.size()) + " users were given for " + std::to_string(items.size()) +
                                " items; give as many of both");
        std::vector<std::pair<Index, Index>> places;
        for (std::size_t i = 0; i < users.size(); ++i)
          places.emplace_back(user_at(*self.model, users[i]), item_at(*self.model, items[i]));
        return predict(*self.model, places);
      },
      py::arg("model"), py::arg("users"), py::arg("items"));
  module.def(
      "recommend_to",
      [](const FittedModel& self, const Key& user, Index count, bool rated) {
        const Index at = user_at(*self.model, user);
        return listed(*self.model, recommend(*self.model, user_place(*self.model, at), count,
                                             rated ? std::vector<std::int32_t>{} : rated_by(*self.model, at)));
      },
      py::arg("model"), py::arg("user"), py::arg("count"), py::arg("rated"));
  module.def(
      "recommend_for",
      [](const FittedModel& self, const std::vector<std::pair<Key, double>>& ratings, Index count, bool rated) {
        std::vector<std::pair<Index, double>> row;
        std::vector<std::int32_t> seen;
        for (const auto& [item, value] : ratings) {
          row.emplace_back(item_at(*self.model, item), value);
          seen.push_back(static_cast<std::int32_t>(row.back().first));
        }
        std::ranges::sort(seen);
        if (std::ranges::adjacent_find(seen) != seen.end()) throw py::value_error("an item is rated twice");
        if (rated) seen.clear();
        return listed(*self.model, recommend(*self.model, fold_in(*self.model, row), count, seen));
      },
      py::arg("model"), py::arg("ratings"), py::arg("count"), py::arg("rated"));
  module.def(
      "similar_items",
      [](const FittedModel& self, const Key& item, Index count) {
        return listed(*self.model, similar_items(*self.model, item_at(*self.model, item), count));
      },
      py::arg("model"), py::arg("item"), py::arg("count"));
}

}  // namespace fewdim::python
