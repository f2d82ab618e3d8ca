#pragma once

#include <string_view>
#include <vector>

#include "base/describe.hpp"
#include "fewdim/error.hpp"
#include "fewdim/generate.hpp"

namespace fewdim {

/// "generate: name=swissroll is not one of swiss-roll, s-curve, ...; did you mean swiss-roll?"
[[noreturn]] inline void refuse_name(std::string_view caller, std::string_view name,
                                     const std::vector<GeneratorCard>& cards) {
  const std::string_view shown = name.substr(0, 64);
  std::string bound = "is not one of ";
  std::vector<std::string> names;
  for (const GeneratorCard& card : cards) {
    if (!names.empty()) bound += ", ";
    bound += names.emplace_back(card.name);
  }
  const std::string nearest = nearest_name(shown, names);
  throw InvalidOption(caller, "name", shown, bound, nearest.empty() ? "" : "did you mean " + nearest + "?");
}

}  // namespace fewdim
