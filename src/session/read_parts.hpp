#pragma once

#include "fewdim/inputs.hpp"

namespace fewdim {

/// The files of a source as one table, in memory or as a stream, as its options say.
Dataset read_tables(const InputSource& source, const SessionContext& context);

/// The built-in table that it names.
Dataset read_builtin(const InputSource& source);

}  // namespace fewdim
