#pragma once

#include <cstdint>
#include <string_view>

#include "fewdim/dataset.hpp"
#include "fewdim/error.hpp"
#include "fewdim/execution.hpp"

namespace fewdim {

/// Memory of the program itself: its code, its threads' stacks, small buffers.
inline constexpr std::uint64_t own_bytes = std::uint64_t{16} << 20;

/// What the limit leaves beside the program and so many bytes of data. Throws OverMemory where that is nothing.
Execution execution_beside(std::uint64_t data_bytes, bool streamed, const Execution& exec, std::string_view who);

/// The work knows what is left of the limit; the user knows what was asked for.
OverMemory with_shares(const OverMemory& error, const Dataset& data, const Execution& exec);

}  // namespace fewdim
