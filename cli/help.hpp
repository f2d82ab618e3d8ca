#pragma once

#include <string>

#include "verb.hpp"

namespace fewdim::cli {

/// The first screen: what it is, an example, the verbs.
std::string overview();
std::string help_of(const Verb& verb);
/// "fewdim pca INPUT [options]"
std::string usage_of(const Verb& verb, const std::vector<Argument>& arguments);

struct ExitCode {
  int code;
  const char* meaning;
};
const std::vector<ExitCode>& exit_codes();

}  // namespace fewdim::cli
