#include "fewdim/error.hpp"

#include <fmt/format.h>

namespace fewdim {

namespace {

std::string compose(std::string_view method, std::string_view parameter, std::string_view value, std::string_view bound,
                    std::string_view remedy) {
  std::string text = method.empty() ? std::string() : fmt::format("{}: ", method);
  text += fmt::format("{}={} {}", parameter, value, bound);
  if (!remedy.empty()) text += fmt::format("; {}", remedy);
  return text;
}

}  // namespace

InvalidOption::InvalidOption(std::string_view method, std::string_view parameter, std::string_view value,
                             std::string_view bound, std::string_view remedy, ErrorKind kind)
    : Error(kind, compose(method, parameter, value, bound, remedy)),
      parameter_(parameter),
      value_(value),
      bound_(bound),
      remedy_(remedy) {}

}  // namespace fewdim
