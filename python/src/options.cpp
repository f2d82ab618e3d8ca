#include "options.hpp"

#include <pybind11/stl.h>

#include <string>

#include "calls.hpp"
#include "data.hpp"
#include "fewdim/documents.hpp"
#include "fewdim/formats.hpp"
#include "fewdim/images.hpp"
#include "fewdim/link_graph.hpp"
#include "fewdim/method.hpp"
#include "words.hpp"

namespace fewdim::python {

namespace {

OptionValue option_value(const py::handle& name, const py::handle& value) {
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>();
  if (py::isinstance<py::str>(value)) return value.cast<std::string>();
  if (py::isinstance<py::float_>(value)) return value.cast<double>();
  if (py::isinstance<py::int_>(value)) {
    int beyond = 0;
    const long long whole = PyLong_AsLongLongAndOverflow(value.ptr(), &beyond);
    if (beyond == 0) return static_cast<std::int64_t>(whole);
    return py::str(value).cast<std::string>();  // a large seed travels as its digits
  }
  throw py::type_error(py::str(name).cast<std::string>() + " must be a bool, an int, a float or a str");
}

py::object python_value(const OptionValue& value) {
  return std::visit([](const auto& held) { return py::cast(held); }, value);
}

const char* type_name(OptionField::Type type) {
  switch (type) {
    case OptionField::Type::boolean:
      return "bool";
    case OptionField::Type::integer:
      return "int";
    case OptionField::Type::real:
      return "float";
    case OptionField::Type::choice:
      return "choice";
    case OptionField::Type::components:
      return "components";
    case OptionField::Type::text:
      break;
  }
  return "str";
}

template <class Kind>
std::vector<std::string> words(const EnumSet<Kind>& kinds) {
  std::vector<std::string> out;
  for (const Kind kind : kinds.members()) out.push_back(word_of(kind));
  return out;
}

py::dict field_dict(const OptionField& field) {
  py::dict found;
  found["name"] = field.name;
  found["type"] = type_name(field.type);
  found["default"] = python_value(field.fallback);
  found["minimum"] = field.minimum;
  found["maximum"] = field.maximum;
  found["choices"] = field.choices;
  found["help"] = field.help;
  return found;
}

py::dict input_dict(const MethodInput& takes) {
  py::dict found;
  found["kinds"] = words(takes.kinds);
  found["sparse"] = takes.sparse;
  found["stream"] = takes.stream;
  found["missing"] = word_of(takes.missing);
  found["weights"] = takes.weights;
  found["nonnegative"] = takes.nonnegative;
  return found;
}

py::dict output_dict(const MethodOutput& gives) {
  py::dict found;
  found["extension"] = word_of(gives.extension);
  found["inverse"] = word_of(gives.inverse);
  found["results"] = words(gives.results);
  found["pictures"] = words(gives.pictures);
  found["keeps_distances"] = gives.keeps_distances;
  found["squares"] = gives.squares;
  return found;
}

py::dict card_dict(const MethodCard& card) {
  py::list fields;
  for (const OptionField& field : card.fields) fields.append(field_dict(field));
  py::dict found;
  found["name"] = card.name;
  found["title"] = card.title;
  found["citation"] = card.citation;
  found["task"] = word_of(card.task);
  found["use_when"] = card.use_when;
  found["takes"] = input_dict(card.takes);
  found["gives"] = output_dict(card.gives);
  found["verified_by"] = word_of(card.verified_by);
  found["python_class"] = card.python_class;
  found["page"] = card.page;
  found["options"] = fields;
  return found;
}

/// What every format says; `kind` is what its files hold.
template <class Card>
py::dict format_dict(const char* kind, const Card& card, const std::vector<std::string>& reads,
                     const std::vector<std::string>& writes, bool streams) {
  py::dict found;
  found["kind"] = kind;
  found["name"] = card.name;
  found["about"] = card.about;
  found["endings"] = card.endings;
  found["reads"] = reads;
  found["writes"] = writes;
  found["streams"] = streams;
  return found;
}

py::dict rows_dict(const FormatCard& card) {
  py::dict found = format_dict("rows", card, words(card.reads), words(card.writes), card.stream != nullptr);
  found["title"] = card.title;
  found["keeps"] = words(card.keeps);
  found["writes_compressed"] = card.writes_compressed;
  found["page"] = card.page;
  for (const auto& [name, fields] :
       {std::pair{"read_options", &card.read_fields}, {"write_options", &card.write_fields}}) {
    py::list list;
    for (const OptionField& field : *fields) list.append(field_dict(field));
    found[name] = list;
  }
  return found;
}

py::list format_list() {
  py::list list;
  for (const FormatCard& card : formats()) list.append(rows_dict(card));
  for (const DocumentFormatCard& card : document_formats())
    list.append(format_dict("documents", card, {"documents"}, {}, true));
  for (const LinkFormatCard& card : link_formats()) list.append(format_dict("links", card, {"links"}, {}, false));
  for (const ImageFormatCard& card : image_formats())
    list.append(format_dict("images", card, {"images"},
                            card.writes ? std::vector<std::string>{"images"} : std::vector<std::string>{}, false));
  return list;
}

}  // namespace

py::dict plan_dict(const Plan& plan) {
  py::list considered;
  for (const RouteCost& cost : plan.considered) {
    py::dict route;
    route["route"] = name_of(cost);
    route["bytes"] = cost.bytes;
    route["passes"] = cost.passes;
    route["flops"] = cost.flops;
    route["seconds"] = cost.seconds;
    route["verdict"] = verdict_of(cost, speak_python);
    considered.append(route);
  }
  py::dict found;
  found["route"] = word_of(plan.route);
  found["why"] = words_of(plan.why);
  found["bytes"] = plan.bytes;
  found["input_bytes"] = plan.input_bytes;
  found["memory_limit"] = plan.memory_limit;
  found["passes"] = plan.passes;
  found["seconds"] = plan.seconds;
  found["considered"] = considered;
  return found;
}

OptionMap option_map(const py::dict& options) {
  OptionMap map;
  for (const auto& [name, value] : options)
    if (!value.is_none()) map[name.cast<std::string>()] = option_value(name, value);
  return map;
}

py::dict dict_of(const OptionMap& map) {
  py::dict dict;
  for (const auto& [name, value] : map) dict[py::str(name)] = python_value(value);
  return dict;
}

void bind_methods(py::module_& module) {
  module.def(
      "methods",
      [] {
        py::list cards;
        for (const MethodCard& card : methods()) cards.append(card_dict(card));
        return cards;
      },
      "The cards of all methods: what each is for, takes and gives, and its options.");
  module.def("formats", &format_list, "The cards of all file formats: what each reads, writes and keeps.");
  module.def(
      "plan",
      [](const std::string& name, const Data& data, const py::dict& options, int threads, std::uint64_t memory_limit) {
        const MethodCard& card = method(name);
        Execution exec;
        exec.threads = threads;
        exec.memory_limit = memory_limit;
        return plan_dict(card.plan(shape_of(data.set), option_map(options), exec));
      },
      py::arg("method"), py::arg("data"), py::arg("options") = py::dict(), py::arg("threads") = 0,
      py::arg("memory_limit") = 0, "How a fit would go, and what it would cost.");
}

}  // namespace fewdim::python
