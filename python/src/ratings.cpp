#include "fewdim/ratings.hpp"

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <string>
#include <tuple>
#include <utility>

#include "calls.hpp"
#include "data.hpp"
#include "fewdim/rating_trial.hpp"
#include "fewdim/recommend.hpp"
#include "functions.hpp"
#include "models.hpp"
#include "options.hpp"

namespace fewdim::python {

namespace {

using GivenRatings = std::vector<std::tuple<std::string, std::string, double>>;

std::vector<RatedPair> rated_pairs(const GivenRatings& given) {
  std::vector<RatedPair> out;
  for (const auto& [user, item, value] : given) out.push_back({user, item, value});
  return out;
}

py::dict rating_trial(const Data& ratings, const py::dict& options, const py::dict& judged,
                      const std::optional<GivenRatings>& held_out, int threads, std::uint64_t memory_limit,
                      py::object callback) {
  RatingTrialOptions o;
  o.folds = judged["folds"].cast<Index>();
  o.length = judged["length"].cast<Index>();
  o.most_users = judged["most_users"].cast<Index>();
  o.seed = judged["seed"].cast<Seed>();
  if (!judged["relevant"].is_none()) o.relevant = judged["relevant"].cast<double>();
  std::optional<std::vector<RatedPair>> held;
  if (held_out) held = rated_pairs(*held_out);
  const RatingTrial trial = compute(
      Call{threads, memory_limit, std::move(callback)},
      [set = ratings.set, map = option_map(options), o, held = std::move(held)](const Execution& exec) {
        const CompletionOptions completion = completion_options(map);
        return held ? try_completion(set, *held, completion, o, exec) : try_completion(set, completion, o, exec);
      });
  py::list predictors;
  for (const PredictorMeasures& row : trial.predictors)
    predictors.append(py::make_tuple(row.name, row.rmse, row.mae, row.nmae, row.precision, row.recall));
  py::dict found;
  found["fits"] = trial.fits;
  found["ratings"] = trial.ratings;
  found["lists"] = trial.lists;
  found["unknown"] = trial.unknown;
  found["predictors"] = predictors;
  return found;
}

py::list pole_items(const std::vector<Recommendation>& items) {
  py::list list;
  for (const Recommendation& item : items) list.append(py::make_tuple(item.name, item.value));
  return list;
}

}  // namespace

void bind_ratings(py::module_& module) {
  module.def("try_completion", &rating_trial, py::arg("ratings"), py::arg("options"), py::arg("judged"),
             py::arg("held_out") = py::none(), py::arg("threads") = 0, py::arg("memory_limit") = 0,
             py::arg("callback") = py::none());
  module.def(
      "predict_pairs",
      [](const FittedModel& self, const std::vector<std::pair<std::string, std::string>>& pairs) {
        std::vector<RatedPair> asked;
        for (const auto& [user, item] : pairs) asked.push_back({user, item, 0.0});
        const Predictions found = compute(
            {}, [model = self.model, asked = std::move(asked)](const Execution&) { return predict(*model, asked); });
        py::list by;
        for (const PredictedBy one : found.by)
          by.append(one == PredictedBy::both         ? "both"
                    : one == PredictedBy::item_alone ? "item"
                    : one == PredictedBy::user_alone ? "user"
                                                     : "mean");
        return py::make_tuple(found.values, by);
      },
      py::arg("model"), py::arg("pairs"));
  module.def(
      "factor_poles",
      [](const FittedModel& self, Index first, Index count, Index top) {
        py::list list;
        for (const FactorPoles& pole :
             compute({}, [=, model = self.model](const Execution&) { return factor_poles(*model, first, count, top); }))
          list.append(py::make_tuple(pole.name, pole.strength, pole_items(pole.plus), pole_items(pole.minus)));
        return list;
      },
      py::arg("model"), py::arg("first"), py::arg("count"), py::arg("top"));
}

}  // namespace fewdim::python
