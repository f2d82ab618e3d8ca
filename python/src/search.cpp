#include "fewdim/search.hpp"

#include <pybind11/stl.h>

#include <string>

#include "calls.hpp"
#include "fewdim/text_index.hpp"
#include "functions.hpp"
#include "models.hpp"

namespace fewdim::python {

namespace {

py::list pairs_of(const std::vector<ScorePart>& reasons) {
  py::list pairs;
  for (const ScorePart& reason : reasons) pairs.append(py::make_tuple(reason.name, reason.part));
  return pairs;
}

py::dict topic_dict(const Topic& topic) {
  py::dict one;
  one["component"] = topic.component;
  one["singular_value"] = topic.singular_value;
  one["share"] = topic.share;
  one["terms"] = pairs_of(topic.plus.terms);
  one["documents"] = pairs_of(topic.plus.documents);
  one["opposite_terms"] = pairs_of(topic.minus.terms);
  one["opposite_documents"] = pairs_of(topic.minus.documents);
  return one;
}

}  // namespace

void bind_search(py::module_& module) {
  module.def(
      "near_terms",
      [](const FittedModel& self, const std::string& words, Index count) {
        const auto found = compute({}, [model = self.model, words, count](const Execution& exec) {
          return near_terms(*model, words, count, exec);
        });
        py::list terms;
        for (const NearTerm& near : found) terms.append(py::make_tuple(near.term, near.cosine, near.documents));
        return terms;
      },
      py::arg("model"), py::arg("words"), py::arg("count"));
  module.def(
      "topics",
      [](const FittedModel& self, Index first, Index count, Index top) {
        py::list list;
        for (const Topic& topic : compute({}, [=, model = self.model](const Execution& exec) {
               return topics(*model, first, count, top, exec);
             }))
          list.append(topic_dict(topic));
        return list;
      },
      py::arg("model"), py::arg("first"), py::arg("count"), py::arg("top"));
  module.def(
      "terms",
      [](const FittedModel& self) {
        py::list terms;
        const StringList& list = self.model->index().terms;
        for (Index i = 0; i < list.size(); ++i) terms.append(std::string(list[i]));
        return terms;
      },
      py::arg("model"));
}

}  // namespace fewdim::python
