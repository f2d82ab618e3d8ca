#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "fewdim/io.hpp"

namespace fewdim::delimited {

/// Appends the shortest text that reads back to the same bits. Whole numbers are written without an exponent.
void append_number(std::string& out, double value);
void append_number(std::string& out, float value);

/// Hands the table over as delimited text, piece by piece in order. The pieces do not depend on the thread count.
void format_table(const Dataset& data, char delimiter, const WriteOptions& options, const Execution& exec,
                  const std::function<void(std::string_view)>& sink);

}  // namespace fewdim::delimited
