#include "options.hpp"

#include <pybind11/stl.h>

#include <string>

#include "calls.hpp"
#include "data.hpp"
#include "fewdim/method.hpp"

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

const char* extension_name(Extension extension) {
  switch (extension) {
    case Extension::exact:
      return "exact";
    case Extension::nystrom:
      return "nystrom";
    case Extension::heuristic:
      return "heuristic";
    case Extension::none:
      break;
  }
  return "none";
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

py::dict card_dict(const MethodCard& card) {
  py::dict can;
  can["transform"] = extension_name(card.capabilities.extension);
  can["inverse"] = card.capabilities.inverse;
  can["sparse"] = card.capabilities.sparse;
  can["stream"] = card.capabilities.stream;
  can["missing"] = card.capabilities.missing;
  can["weights"] = card.capabilities.weights;
  py::list fields;
  for (const OptionField& field : card.fields) fields.append(field_dict(field));
  py::dict found;
  found["name"] = card.name;
  found["title"] = card.title;
  found["citation"] = card.citation;
  found["options"] = fields;
  found["capabilities"] = can;
  return found;
}

py::dict plan_dict(const Plan& plan) {
  py::list considered;
  for (const RouteCost& cost : plan.considered) {
    py::dict route;
    route["route"] = cost.route;
    route["bytes"] = cost.bytes;
    route["passes"] = cost.passes;
    route["flops"] = cost.flops;
    route["seconds"] = cost.seconds;
    route["verdict"] = cost.verdict;
    considered.append(route);
  }
  py::dict found;
  found["route"] = plan.route;
  found["why"] = plan.why;
  found["bytes"] = plan.bytes;
  found["input_bytes"] = plan.input_bytes;
  found["memory_limit"] = plan.memory_limit;
  found["passes"] = plan.passes;
  found["seconds"] = plan.seconds;
  found["considered"] = considered;
  return found;
}

}  // namespace

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
      "The cards of all methods: name, title, citation, options and capabilities.");
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
