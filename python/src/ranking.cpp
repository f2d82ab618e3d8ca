#include "fewdim/ranking.hpp"

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <string>
#include <utility>

#include "calls.hpp"
#include "data.hpp"
#include "functions.hpp"

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

RankSolver rank_solver_of(const std::string& name) {
  return name == "power"          ? RankSolver::power
         : name == "gauss-seidel" ? RankSolver::gauss_seidel
                                  : RankSolver::automatic;
}

LinkOptions link_options(bool undirected, const std::string& repeats, const std::string& format = "",
                         std::optional<bool> header = {}) {
  LinkOptions o{.undirected = undirected, .header = header};
  o.format = format;
  if (repeats == "first") o.repeats = RepeatedLinks::first;
  if (repeats == "error") o.repeats = RepeatedLinks::error;
  return o;
}

using Ends = py::array_t<std::int32_t, py::array::c_style | py::array::forcecast>;
using Weights = py::array_t<double, py::array::c_style | py::array::forcecast>;

Graph graph_of_links(Index vertices, const Ends& ends, const Weights& weights, std::vector<std::string> names,
                     bool undirected, const std::string& repeats) {
  if (ends.ndim() != 2 || ends.shape(1) != 2 || weights.size() != ends.shape(0))
    throw py::value_error("links are pairs, with one weight each");
  std::vector<DirectedLink> links;
  links.reserve(static_cast<std::size_t>(ends.shape(0)));
  for (py::ssize_t i = 0; i < ends.shape(0); ++i) links.push_back({ends.at(i, 0), ends.at(i, 1), weights.data()[i]});
  return compute(
      {}, [vertices, links = std::move(links), names = std::move(names), o = link_options(undirected, repeats)](
              const Execution& exec) mutable { return Graph{make_links(vertices, links, o, std::move(names), exec)}; });
}

py::dict summary_dict(const Graph& graph) {
  const LinkSummary s = compute({}, [links = graph.links](const Execution& exec) { return summarize(links, exec); });
  py::dict found;
  found["vertices"] = s.vertices;
  found["links"] = s.links;
  found["weighted"] = graph.links.weighted();
  found["undirected"] = graph.links.undirected();
  found["dangling"] = s.dangling;
  found["unlinked"] = s.unlinked;
  found["self_loops"] = s.self_loops;
  found["repeated"] = s.repeated;
  found["strong_components"] = s.strong_components;
  found["largest_strong"] = s.largest_strong;
  found["weak_components"] = s.weak_components;
  found["largest_weak"] = s.largest_weak;
  return found;
}

py::dict pagerank_dict(const Graph& graph, double damping, const std::string& dangling,
                       const std::vector<std::pair<Index, double>>& restart, double tolerance,
                       const std::string& solver, Index most_sweeps, int threads, py::object callback) {
  PagerankOptions o{.damping = damping,
                    .dangling = dangling_of(dangling),
                    .tolerance = tolerance,
                    .most_sweeps = most_sweeps,
                    .solver = rank_solver_of(solver)};
  for (const auto& [vertex, weight] : restart) o.restart.push_back({vertex, weight});
  const PagerankResult r =
      compute(Call{threads, 0, std::move(callback)},
              [links = graph.links, o](const Execution& exec) { return pagerank(links, o, exec); });
  py::dict found;
  found["scores"] = r.scores;
  found["error_bound"] = r.error_bound;
  found["residual"] = r.residual;
  found["converged"] = r.converged;
  found["sweeps"] = r.sweeps;
  found["dangling"] = r.dangling;
  found["solver"] = r.solver == RankSolver::power ? "power" : "gauss-seidel";
  found["rate"] = r.rate;
  found["second_eigenvalue"] = r.second_eigenvalue;
  return found;
}

py::dict hits_dict(const Graph& graph, double tolerance, bool unit, Index most_products, int threads,
                   py::object callback) {
  const HitsOptions o{
      .tolerance = tolerance, .normalization = unit ? ScoreNorm::unit : ScoreNorm::sum, .most_products = most_products};
  const HitsResult r = compute(Call{threads, 0, std::move(callback)},
                               [links = graph.links, o](const Execution& exec) { return hits(links, o, exec); });
  py::dict found;
  found["hubs"] = r.hubs;
  found["authorities"] = r.authorities;
  found["singular_value"] = r.singular_value;
  found["residual"] = r.residual;
  found["gap"] = r.gap;
  found["multiplicity"] = r.multiplicity;
  found["products"] = r.products;
  found["converged"] = r.converged;
  return found;
}

}  // namespace

void bind_ranking(py::module_& module) {
  py::class_<Graph>(module, "Graph", "A directed graph whose vertices can be ranked.")
      .def_static(
          "of_matrix",
          [](const Data& adjacency, bool undirected) {
            return compute({}, [set = adjacency.set, undirected](const Execution& exec) {
              return Graph{make_links(set, {.undirected = undirected}, exec)};
            });
          },
          py::arg("adjacency"), py::arg("undirected") = false)
      .def_static("of_links", &graph_of_links, py::arg("vertices"), py::arg("ends"), py::arg("weights"),
                  py::arg("names"), py::arg("undirected") = false, py::arg("repeats") = "sum")
      .def_static(
          "read",
          [](const std::string& path, bool undirected, const std::string& repeats, const std::string& format,
             std::optional<bool> header) {
            return compute({}, [path, o = link_options(undirected, repeats, format, header)](const Execution& exec) {
              return Graph{read_links(path, o, exec)};
            });
          },
          py::arg("path"), py::arg("undirected") = false, py::arg("repeats") = "sum", py::arg("format") = "",
          py::arg("header") = py::none())
      .def_property_readonly("vertices", [](const Graph& self) { return self.links.vertices(); })
      .def_property_readonly("links", [](const Graph& self) { return self.links.links(); })
      .def_property_readonly("weighted", [](const Graph& self) { return self.links.weighted(); })
      .def_property_readonly("undirected", [](const Graph& self) { return self.links.undirected(); })
      .def("name",
           [](const Graph& self, Index vertex) {
             if (vertex < 0 || vertex >= self.links.vertices()) throw py::index_error("no such vertex");
             return self.links.name(vertex);
           })
      .def("names",
           [](const Graph& self) {
             py::list names;
             for (Index v = 0; v < self.links.vertices(); ++v) names.append(self.links.name(v));
             return names;
           })
      .def("require", [](const Graph& self, const std::string& name) { return self.links.require(name); })
      .def("summary", &summary_dict);
  module.def("pagerank", &pagerank_dict, py::arg("graph"), py::arg("damping"), py::arg("dangling"), py::arg("restart"),
             py::arg("tolerance"), py::arg("solver") = "auto", py::arg("most_sweeps") = 100'000, py::arg("threads") = 0,
             py::arg("callback") = py::none());
  module.def("hits", &hits_dict, py::arg("graph"), py::arg("tolerance"), py::arg("unit"),
             py::arg("most_products") = 20'000, py::arg("threads") = 0, py::arg("callback") = py::none());
  module.def("top_vertices", &top_vertices, py::arg("scores"), py::arg("count"));
}

}  // namespace fewdim::python
