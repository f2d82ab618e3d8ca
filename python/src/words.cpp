#include "words.hpp"

#include <pybind11/pybind11.h>

namespace fewdim::python {

namespace {

const char* action_name(Remedy::Action action) {
  switch (action) {
    case Remedy::Action::name:
      return "name";
    case Remedy::Action::is:
      return "is";
    case Remedy::Action::set:
      return "set";
    case Remedy::Action::raise:
      return "raise";
    case Remedy::Action::lower:
      return "lower";
    case Remedy::Action::leave_out:
      return "leave_out";
    case Remedy::Action::command:
      return "command";
    case Remedy::Action::method:
      break;
  }
  return "method";
}

}  // namespace

std::string speak_python(const Remedy& remedy) {
  const pybind11::object say = pybind11::module_::import("fewdim._words").attr("remedy");
  return say(action_name(remedy.action), remedy.option, remedy.value).cast<std::string>();
}

std::string in_python(const std::string& marked) { return spoken(marked, speak_python); }

std::vector<std::string> in_python(const std::vector<std::string>& marked) {
  std::vector<std::string> said;
  for (const std::string& one : marked) said.push_back(in_python(one));
  return said;
}

}  // namespace fewdim::python
