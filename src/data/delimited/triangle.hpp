#pragma once

#include <optional>

#include "data/delimited/delimited.hpp"
#include "data/formats.hpp"

namespace fewdim::delimited {

/// A triangle of numbers, as people write distances down: each line one cell longer than the one before, with or
/// without the zeros of the diagonal, a name before each line, and a line of names above. The square matrix with NaN
/// right of the diagonal, and the names; nothing where the sample is of another form.
std::optional<Dataset> parse_triangle(const Bytes& bytes, const Sample& sample, const ReadOptions& options,
                                      const Execution& exec);

}  // namespace fewdim::delimited
