#pragma once

#include <string>
#include <vector>

#include "fewdim/remedy.hpp"

namespace fewdim::python {

/// A remedy in the words of fewdim._words: those of the parameters that the caller has. Needs the interpreter's lock.
std::string speak_python(const Remedy& remedy);

/// A message of the engine with all of its remedies said so.
std::string in_python(const std::string& marked);
std::vector<std::string> in_python(const std::vector<std::string>& marked);

}  // namespace fewdim::python
