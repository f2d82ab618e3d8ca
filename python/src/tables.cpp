#include <pybind11/stl.h>

#include <algorithm>
#include <string>
#include <utility>

#include "calls.hpp"
#include "data.hpp"
#include "fewdim/formats.hpp"
#include "fewdim/generate.hpp"
#include "fewdim/io.hpp"
#include "fewdim/ratings.hpp"
#include "functions.hpp"
#include "words.hpp"

namespace fewdim::python {

namespace {

/// An entry of a dictionary of options, where it is there and not None.
template <class T>
void take(const py::dict& options, const char* name, T& target) {
  if (options.contains(name) && !options[name].is_none()) target = options[name].cast<T>();
}

/// Options of the format itself: a wish that it does not have is refused by the engine.
template <class T>
void take_own(const py::dict& options, const char* name, OptionMap& own) {
  if (options.contains(name) && !options[name].is_none()) own[name] = options[name].cast<T>();
}

std::optional<bool> optional_flag(const py::dict& options, const char* name) {
  if (!options.contains(name) || options[name].is_none()) return {};
  return options[name].cast<bool>();
}

char delimiter_of(const py::dict& options) {
  std::string text;
  take(options, "delimiter", text);
  return text.empty() ? '\0' : text[0];
}

ReadOptions read_options(const py::dict& given) {
  ReadOptions o;
  std::vector<std::string> words;
  bool single = false;
  take(given, "format", o.format);
  o.delimiter = delimiter_of(given);
  o.header = optional_flag(given, "header");
  take(given, "id", o.id);
  take(given, "label", o.label);
  take(given, "drop", o.drop);
  take(given, "columns", o.columns);
  take(given, "na", words);
  o.na_words.insert(o.na_words.end(), words.begin(), words.end());
  if (std::string array; take(given, "array", array), !array.empty()) o.own["array"] = array;
  if (given.contains("single") && !given["single"].is_none()) {
    take(given, "single", single);
    o.precision = single ? Precision::float32 : Precision::float64;
  }
  take(given, "sparse", o.sparse);
  take(given, "stream", o.stream);
  return o;
}

RatingsOptions ratings_options(const py::dict& given) {
  RatingsOptions o;
  o.delimiter = delimiter_of(given);
  o.header = optional_flag(given, "header");
  take(given, "user_column", o.user_column);
  take(given, "item_column", o.item_column);
  take(given, "value_column", o.value_column);
  std::string repeated = "refuse";
  take(given, "repeated", repeated);
  o.repeated = repeated == "mean"    ? RepeatedRatings::mean
               : repeated == "first" ? RepeatedRatings::first
               : repeated == "last"  ? RepeatedRatings::last
                                     : RepeatedRatings::refuse;
  return o;
}

py::tuple read_table(const std::string& path, const py::dict& options, int threads, std::uint64_t memory_limit,
                     py::object callback) {
  auto [set, decisions] =
      compute(Call{threads, memory_limit, std::move(callback)}, [path, o = read_options(options)](const Execution& e) {
        std::vector<ReadDecision> made;
        Execution exec = e;
        if (o.stream) exec.progress = {};  // a stream keeps it, and outlives this call, whose callback is gone then
        Dataset data = read(path, o, exec, &made);
        return std::pair(std::move(data), std::move(made));
      });
  py::list said;
  for (const ReadDecision& decision : decisions) said.append(in_python(decision.text));
  return py::make_tuple(Data{std::move(set)}, said);
}

void write_table(const Data& data, const std::string& path, const py::dict& options, int threads,
                 std::uint64_t memory_limit) {
  WriteOptions o;
  take(options, "format", o.format);
  take(options, "overwrite", o.overwrite);
  take(options, "header", o.header);
  take(options, "names", o.names);
  take_own<std::int64_t>(options, "wav_bits", o.own);
  take_own<std::int64_t>(options, "sample_rate", o.own);
  take(options, "label_mark", o.label_mark);
  run(Call{threads, memory_limit, py::none()},
      [set = data.set, path, o](const Execution& exec) { write(set, path, o, exec); });
}

/// Rows a second of a file of sound; 0 where it is none.
Index sample_rate_of_file(const std::string& path) {
  const OptionMap settings = settings_of_file(path);
  const auto found = settings.find("sample_rate");
  return found == settings.end() ? 0 : std::get<std::int64_t>(found->second);
}

py::dict table_parts(const Data& data) {
  py::dict found;
  found["row_names"] = data.set.row_names;
  found["column_names"] = data.set.column_names;
  found["labels"] = data.set.labels;
  found["row_names_header"] = data.set.row_names_header;
  found["label_name"] = data.set.label_name;
  found["source"] = data.set.source;
  found["hash"] = data.set.input_hash();
  return found;
}

Data with_parts(const Data& data, std::vector<std::string> labels, std::string label_name, std::string header) {
  if (!labels.empty() && std::ssize(labels) != data.set.rows())
    throw py::value_error(std::to_string(labels.size()) + " labels were given for " + std::to_string(data.set.rows()) +
                          " rows");
  Data out = data;
  out.set.labels = std::move(labels);
  out.set.label_name = std::move(label_name);
  out.set.row_names_header = std::move(header);
  return out;
}

template <class T>
py::tuple sparse_parts(const CsrView<T>& x, const py::object& owner) {
  return py::make_tuple(array_view(x.offsets, {x.rows + 1}, {1}, owner),
                        array_view(x.columns, {x.nonzeros()}, {1}, owner),
                        array_view(x.values, {x.nonzeros()}, {1}, owner));
}

/// Dense: one array; sparse: offsets, columns and values. They belong to the data, and can't be written to.
py::object table_numbers(const py::object& self) {
  const Dataset& set = self.cast<const Data&>().set;
  if (const auto* x = set.dense<double>())
    return array_view(x->data, {x->rows, x->cols}, {x->row_stride, x->col_stride}, self);
  if (const auto* x = set.dense<float>())
    return array_view(x->data, {x->rows, x->cols}, {x->row_stride, x->col_stride}, self);
  if (const auto* x = set.sparse<double>()) return sparse_parts(*x, self);
  if (const auto* x = set.sparse<float>()) return sparse_parts(*x, self);
  throw py::type_error("rows that come as a stream are not in memory; read them without stream=True");
}

Data generated(const std::string& name, Index rows, Index cols, double noise, Index rank, Index clusters, Seed seed) {
  return {compute({}, [=](const Execution&) {
    return generate(name,
                    {.rows = rows, .cols = cols, .noise = noise, .rank = rank, .clusters = clusters, .seed = seed});
  })};
}

py::dict cards_dict(const std::vector<GeneratorCard>& cards) {
  py::dict found;
  for (const GeneratorCard& card : cards) found[py::str(card.name)] = card.help;
  return found;
}

}  // namespace

void bind_tables(py::module_& module) {
  module.def("read_table", &read_table, py::arg("path"), py::arg("options"), py::arg("threads") = 0,
             py::arg("memory_limit") = 0, py::arg("callback") = py::none());
  module.def("write_table", &write_table, py::arg("data"), py::arg("path"), py::arg("options"), py::arg("threads") = 0,
             py::arg("memory_limit") = 0);
  module.def("table_parts", &table_parts, py::arg("data"));
  module.def("with_parts", &with_parts, py::arg("data"), py::arg("labels"), py::arg("label_name"),
             py::arg("row_names_header"));
  module.def("table_numbers", &table_numbers, py::arg("data"));
  module.def(
      "copy_data", [](const Data& data) { return Data(data); }, py::arg("data"));
  module.def(
      "columns_by_name",
      [](const Data& data, const std::vector<std::string>& names) {
        return Data{
            compute({}, [set = data.set, names](const Execution& e) { return columns_by_name(set, names, e); })};
      },
      py::arg("data"), py::arg("names"));
  module.def("sample_rate_of", &sample_rate_of_file, py::arg("path"));
  module.def("generate", &generated, py::arg("name"), py::arg("rows"), py::arg("cols"), py::arg("noise"),
             py::arg("rank"), py::arg("clusters"), py::arg("seed"));
  module.def(
      "builtin_table",
      [](const std::string& name) {
        Dataset data = builtin_table(name);
        data.source = "@" + name;  // as the command line names it
        return Data{std::move(data)};
      },
      py::arg("name"));
  module.def("generators", [] { return cards_dict(generators()); });
  module.def("builtin_tables", [] { return cards_dict(builtin_tables()); });
  module.def(
      "read_ratings",
      [](const std::string& path, const py::dict& options, int threads, std::uint64_t memory_limit) {
        return Data{
            compute(Call{threads, memory_limit, py::none()},
                    [path, o = ratings_options(options)](const Execution& e) { return read_ratings(path, o, e); })};
      },
      py::arg("path"), py::arg("options"), py::arg("threads") = 0, py::arg("memory_limit") = 0);
  module.def(
      "read_rated_pairs",
      [](const std::string& path, const py::dict& options) {
        py::list list;
        for (const RatedPair& pair : compute(
                 {}, [path, o = ratings_options(options)](const Execution& e) { return read_rated_pairs(path, o, e); }))
          list.append(py::make_tuple(pair.user, pair.item, pair.value));
        return list;
      },
      py::arg("path"), py::arg("options"));
}

}  // namespace fewdim::python
