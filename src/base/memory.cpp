#include "base/memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>

#include "fewdim/error.hpp"

namespace fewdim {

namespace {

std::uint64_t meminfo_available() {
  std::ifstream file("/proc/meminfo");
  std::string key, unit;
  std::uint64_t kilobytes = 0;
  while (file >> key >> kilobytes) {
    if (key == "MemAvailable:") return kilobytes * 1024;
    std::getline(file, unit);
  }
  return std::uint64_t{4} << 30;  // no /proc: assume a small machine
}

/// What a limit on the address space (ulimit -v) leaves.
std::uint64_t address_space_available() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const std::uint64_t used = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return limit.rlim_cur - std::min<std::uint64_t>(limit.rlim_cur, used);
}

}  // namespace

std::uint64_t cgroup_available(const std::string& folder) {
  std::uint64_t limit = 0, used = 0, cached = 0;
  if (!(std::ifstream(folder + "/memory.max") >> limit)) return UINT64_MAX;  // no such file, or the word "max"
  std::ifstream(folder + "/memory.current") >> used;
  std::ifstream stat(folder + "/memory.stat");
  std::string key;
  for (std::uint64_t bytes = 0; stat >> key >> bytes;)
    if (key == "inactive_file" || key == "active_file") cached += bytes;
  used -= std::min(used, cached);
  return limit - std::min(limit, used);
}

std::uint64_t available_memory() {
  return std::min({meminfo_available(), cgroup_available("/sys/fs/cgroup"), address_space_available()});
}

std::uint64_t memory_limit(const Execution& exec) {
  return exec.memory_limit > 0 ? exec.memory_limit : available_memory() / 5 * 4;
}

void require_memory(const Execution& exec, std::uint64_t bytes, std::string_view what, std::string_view remedy) {
  const std::uint64_t limit = memory_limit(exec);
  if (bytes <= limit) return;
  throw OverMemory(
      fmt::format("{} needs {}, the limit is {}; {}", what, format_bytes(bytes), format_bytes(limit), remedy));
}

std::string format_bytes(std::uint64_t bytes) {
  static constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024.0 && unit + 1 < units.size()) value /= 1024.0, ++unit;
  return fmt::format("{:.1f} {}", value, units[unit]);
}

}  // namespace fewdim
