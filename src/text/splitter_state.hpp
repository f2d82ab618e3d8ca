#pragma once

#include "text/term_maker.hpp"

namespace fewdim {

struct WordSplitter::State {
  explicit State(WordRules given) : rules(std::move(given)) {}
  PreparedRules rules;
};

}  // namespace fewdim
