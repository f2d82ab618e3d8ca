#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"

namespace fewdim {

/// Bytes the process may still take: the kernel's estimate, or the cgroup's limit where that is lower.
std::uint64_t available_memory();

/// What a cgroup (version 2) still allows, by the files in its folder: its limit less what is used and can't be given
/// back, as the cached files can. All there is where it sets no limit.
std::uint64_t cgroup_available(const std::string& folder);

/// The call's memory limit: the option, or 80 % of what is available.
std::uint64_t memory_limit(const Execution& exec);

/// Throws OverMemory, naming both numbers and the way out, when bytes exceed the call's limit.
void require_memory(const Execution& exec, std::uint64_t bytes, std::string_view what, std::string_view remedy);

/// "1.5 GiB", "12.0 KiB", "512 B".
std::string format_bytes(std::uint64_t bytes);

}  // namespace fewdim
