#pragma once

#include <string_view>
#include <vector>

#include "fewdim/execution.hpp"
#include "fewdim/types.hpp"

namespace fewdim::delimited {

/// A stretch of the rows' text, and the records whose preceding newline lies in it (the first stretch has the first
/// record, too).
struct Stretch {
  std::size_t begin = 0, end = 0;
  Index first_row = 0, rows = 0;
  std::size_t first_record = 0;  ///< where the first of its records starts
};

/// Cuts the rows' text (no newline at its end) into stretches of a fixed size and finds their records in parallel. A
/// newline between quotes does not end a record: quotes are counted, and each stretch learns from those before it
/// whether it starts between quotes.
std::vector<Stretch> find_records(std::string_view rows, const Execution& exec);

/// Where each record of the text starts, and behind them where the last one ends. The text ends with a newline.
std::vector<const char*> record_starts(std::string_view text, const Execution& exec);

/// Length of the text up to and with the last newline outside quotes; 0 when there is none. Starts outside quotes.
std::size_t complete_records(std::string_view text);

}  // namespace fewdim::delimited
