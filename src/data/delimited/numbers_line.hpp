#pragma once

#include <string>
#include <vector>

#include "data/delimited/census.hpp"

namespace fewdim::delimited {

/// What the numbers of a first line are: values like those below, names of the columns, or it can't be told.
enum class Verdict { data, header, open };
struct Judged {
  Verdict verdict = Verdict::data;
  std::string reason;  ///< of a header, or why it is open
};

/// Judges the numbers of the first line over `columns` by those below. `named`: text in that line speaks for a header.
Judged judge_numbers(const Census& census, const std::vector<Column>& below, const std::vector<std::size_t>& columns,
                     bool named);

}  // namespace fewdim::delimited
