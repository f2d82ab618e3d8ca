#include "functions.hpp"

#include <pybind11/eigen.h>

#include <string>
#include <utility>

#include "calls.hpp"
#include "data.hpp"
#include "fewdim/choose_k.hpp"
#include "fewdim/gaussian.hpp"
#include "fewdim/quality.hpp"
#include "fewdim/ranking.hpp"
#include "models.hpp"
#include "options.hpp"
#include "words.hpp"

namespace fewdim::python {

namespace {

struct Graph {
  LinkGraph links;
};

Dangling dangling_of(const std::string& name) {
  if (name == "uniform") return Dangling::uniform;
  if (name == "teleport") return Dangling::teleport;
  if (name == "self") return Dangling::self;
  if (name == "error") return Dangling::error;
  throw py::value_error("dangling='" + name + "' must be 'uniform', 'teleport', 'self' or 'error'");
}

void bind_graph(py::module_& module) {
  py::class_<Graph>(module, "Graph", "A directed graph whose vertices can be ranked.")
      .def_static(
          "of_matrix",
          [](const Data& adjacency, bool undirected) {
            return compute({}, [set = adjacency.set, undirected](const Execution& exec) {
              return Graph{make_links(set, {.undirected = undirected}, exec)};
            });
          },
          py::arg("adjacency"), py::arg("undirected") = false)
      .def_static(
          "of_links",
          [](Index vertices, const py::array_t<std::int32_t, py::array::c_style | py::array::forcecast>& ends,
             const py::array_t<double, py::array::c_style | py::array::forcecast>& weights,
             std::vector<std::string> names, bool undirected) {
            if (ends.ndim() != 2 || ends.shape(1) != 2 || weights.size() != ends.shape(0))
              throw py::value_error("links are pairs, with one weight each");
            std::vector<DirectedLink> links;
            links.reserve(static_cast<std::size_t>(ends.shape(0)));
            for (py::ssize_t i = 0; i < ends.shape(0); ++i)
              links.push_back({ends.at(i, 0), ends.at(i, 1), weights.data()[i]});
            return compute({}, [vertices, links = std::move(links), names = std::move(names),
                                undirected](const Execution& exec) mutable {
              return Graph{make_links(vertices, links, {.undirected = undirected}, std::move(names), exec)};
            });
          },
          py::arg("vertices"), py::arg("ends"), py::arg("weights"), py::arg("names"), py::arg("undirected") = false)
      .def_static(
          "read",
          [](const std::string& path, bool undirected) {
            return compute({}, [path, undirected](const Execution& exec) {
              return Graph{read_links(path, {.undirected = undirected}, exec)};
            });
          },
          py::arg("path"), py::arg("undirected") = false)
      .def_property_readonly("vertices", [](const Graph& self) { return self.links.vertices(); })
      .def_property_readonly("links", [](const Graph& self) { return self.links.links(); })
      .def("name", [](const Graph& self, Index vertex) {
        if (vertex < 0 || vertex >= self.links.vertices()) throw py::index_error("no such vertex");
        return self.links.name(vertex);
      });
}

py::dict pagerank_dict(const Graph& graph, double damping, const std::string& dangling,
                       const std::vector<std::pair<Index, double>>& restart, double tolerance, int threads) {
  PagerankOptions o{.damping = damping, .dangling = dangling_of(dangling), .tolerance = tolerance};
  for (const auto& [vertex, weight] : restart) o.restart.push_back({vertex, weight});
  const PagerankResult r = compute(Call{threads, 0, py::none()}, [links = graph.links, o](const Execution& exec) {
    return pagerank(links, o, exec);
  });
  py::dict found;
  found["scores"] = r.scores;
  found["error_bound"] = r.error_bound;
  found["residual"] = r.residual;
  found["converged"] = r.converged;
  found["sweeps"] = r.sweeps;
  found["dangling"] = r.dangling;
  return found;
}

py::dict hits_dict(const Graph& graph, double tolerance, bool unit, int threads) {
  const HitsOptions o{.tolerance = tolerance, .normalization = unit ? ScoreNorm::unit : ScoreNorm::sum};
  const HitsResult r = compute(Call{threads, 0, py::none()},
                               [links = graph.links, o](const Execution& exec) { return hits(links, o, exec); });
  py::dict found;
  found["hubs"] = r.hubs;
  found["authorities"] = r.authorities;
  found["singular_value"] = r.singular_value;
  found["residual"] = r.residual;
  found["gap"] = r.gap;
  found["multiplicity"] = r.multiplicity;
  found["products"] = r.products;
  return found;
}

using MeasureFunction = Measure (*)(const Dataset&, const Dataset&, const QualityOptions&, const Execution&);

py::tuple measure(MeasureFunction function, const Data& original, const Data& embedding, const py::dict& options,
                  int threads) {
  const Measure m = compute(Call{threads, 0, py::none()},
                            [function, a = original.set, b = embedding.set, o = quality_options(option_map(options))](
                                const Execution& exec) { return function(a, b, o, exec); });
  return py::make_tuple(m.value, m.standard_error, in_python(m.note));
}

py::dict quality_dict(const Data& original, const Data& embedding, const py::dict& options, int threads) {
  const QualityReport report = compute(Call{threads, 0, py::none()},
                                       [a = original.set, b = embedding.set, o = quality_options(option_map(options))](
                                           const Execution& exec) { return embedding_quality(a, b, o, exec); });
  py::dict found;
  for (const Measure& m : report.measures) found[py::str(m.name)] = m.value;
  return found;
}

py::dict procrustes_dict(const Data& reference, const Data& other, bool scaling, bool reflection) {
  auto [r, aligned] = compute({}, [a = reference.set, b = other.set, scaling, reflection](const Execution& exec) {
    Procrustes found = procrustes(a, b, {.scaling = scaling, .reflection = reflection}, exec);
    Matrix<double> laid = found.apply(b);
    return std::pair(std::move(found), std::move(laid));
  });
  py::dict found;
  found["rotation"] = r.rotation;
  found["scale"] = r.scale;
  found["shift"] = r.shift;
  found["disparity"] = r.disparity;
  found["rms_error"] = r.rms_error;
  found["aligned"] = aligned;
  return found;
}

py::list advice(const Data& data, bool center, bool scale, Seed seed, std::vector<std::string> criteria, int threads) {
  const ChooseOptions o{.center = center, .scale = scale, .seed = seed, .criteria = std::move(criteria)};
  const auto found = compute(Call{threads, 0, py::none()},
                             [set = data.set, o](const Execution& exec) { return choose_components(set, o, exec); });
  py::list list;
  for (const KAdvice& one : found)
    list.append(py::make_tuple(one.criterion, one.k < 0 ? py::object(py::none()) : py::cast(one.k), one.sentence));
  return list;
}

}  // namespace

void bind_functions(py::module_& module) {
  bind_graph(module);
  module.def("pagerank", &pagerank_dict, py::arg("graph"), py::arg("damping"), py::arg("dangling"), py::arg("restart"),
             py::arg("tolerance"), py::arg("threads"));
  module.def("hits", &hits_dict, py::arg("graph"), py::arg("tolerance"), py::arg("unit"), py::arg("threads"));
  module.def(
      "trustworthiness",
      [](const Data& a, const Data& b, const py::dict& o, int threads) {
        return measure(&trustworthiness, a, b, o, threads);
      },
      py::arg("original"), py::arg("embedding"), py::arg("options"), py::arg("threads"));
  module.def(
      "continuity",
      [](const Data& a, const Data& b, const py::dict& o, int threads) {
        return measure(&continuity, a, b, o, threads);
      },
      py::arg("original"), py::arg("embedding"), py::arg("options"), py::arg("threads"));
  module.def("embedding_quality", &quality_dict, py::arg("original"), py::arg("embedding"), py::arg("options"),
             py::arg("threads"));
  module.def("procrustes", &procrustes_dict, py::arg("reference"), py::arg("other"), py::arg("scaling"),
             py::arg("reflection"));
  module.def(
      "fill",
      [](const FittedModel& self, const Data& data, int threads, std::uint64_t memory_limit) {
        const Filled filled = compute(
            Call{threads, memory_limit, py::none()},
            [model = self.model, set = data.set](const Execution& exec) { return fill_missing(*model, set, exec); });
        const RowMatrix<double> errors = filled.errors;
        return py::make_tuple(array_of(filled.rows),
                              py::array_t<double>({errors.rows(), errors.cols()}, errors.data()));
      },
      py::arg("model"), py::arg("data"), py::arg("threads") = 0, py::arg("memory_limit") = 0);
  module.def(
      "log_likelihoods",
      [](const FittedModel& self, const Data& data, int threads, std::uint64_t memory_limit) {
        const Vector<double> found = compute(
            Call{threads, memory_limit, py::none()},
            [model = self.model, set = data.set](const Execution& exec) { return log_likelihoods(*model, set, exec); });
        return py::array_t<double>(found.size(), found.data());
      },
      py::arg("model"), py::arg("data"), py::arg("threads") = 0, py::arg("memory_limit") = 0);
  module.def(
      "sample_rows",
      [](const FittedModel& self, Index rows, Seed seed, int threads, std::uint64_t memory_limit) {
        return array_of(
            compute(Call{threads, memory_limit, py::none()},
                    [=, model = self.model](const Execution& exec) { return sample(*model, rows, seed, exec); }));
      },
      py::arg("model"), py::arg("rows"), py::arg("seed"), py::arg("threads") = 0, py::arg("memory_limit") = 0);
  module.def("choose_components", &advice, py::arg("data"), py::arg("center"), py::arg("scale"), py::arg("seed"),
             py::arg("criteria"), py::arg("threads"));
}

}  // namespace fewdim::python
