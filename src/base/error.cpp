#include "fewdim/error.hpp"

#include <fmt/format.h>

#include "base/remedy.hpp"

namespace fewdim {

namespace {

std::string compose(std::string_view method, std::string_view parameter, std::string_view value, std::string_view bound,
                    std::string_view remedy) {
  std::string text = method.empty() ? std::string() : fmt::format("{}: ", method);
  text += fmt::format("{} {}", option_is(parameter, value), bound);
  if (!remedy.empty()) text += fmt::format("; {}", remedy);
  return text;
}

}  // namespace

Error::Error(ErrorKind kind, const std::string& marked)
    : std::runtime_error(spoken(marked)), kind_(kind), marked_(marked) {}

InvalidOption::InvalidOption(std::string_view method, std::string_view parameter, std::string_view value,
                             std::string_view bound, std::string_view remedy, ErrorKind kind)
    : Error(kind, compose(method, parameter, value, bound, remedy)),
      parameter_(parameter),
      value_(value),
      bound_(bound),
      remedy_(remedy) {}

}  // namespace fewdim
