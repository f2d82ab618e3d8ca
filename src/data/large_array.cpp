#include "data/large_array.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstdlib>

#include "base/memory.hpp"
#include "fewdim/error.hpp"

namespace fewdim {

std::shared_ptr<void> allocate_bytes(std::size_t bytes) {
  constexpr std::size_t huge_page = std::size_t{2} << 20;
  const bool large = bytes >= 4 * huge_page;
  const std::size_t unit = large ? huge_page : 64;
  const std::size_t rounded = (bytes / unit + 1) * unit;
  void* memory = rounded > bytes ? std::aligned_alloc(unit, rounded) : nullptr;
  if (memory == nullptr) throw OverMemory(fmt::format("the system refuses {} of memory", format_bytes(bytes)));
  if (large) ::madvise(memory, rounded, MADV_HUGEPAGE);
  return {memory, std::free};
}

}  // namespace fewdim
