#pragma once

#include "fewdim/export.hpp"

namespace fewdim {

/// The name of the file whose mapped pages hold that address; null where none does. Files are mapped to be read, and
/// one that another program makes shorter meanwhile raises SIGBUS. Safe to call from its handler.
FEWDIM_API const char* mapped_file_at(const void* address) noexcept;

}  // namespace fewdim
