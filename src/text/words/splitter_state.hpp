#pragma once

#include "text/counts/term_maker.hpp"

namespace fewdim {

struct WordSplitter::State {
  explicit State(WordRules given) : rules(std::move(given)) {}
  PreparedRules rules;
};

}  // namespace fewdim
