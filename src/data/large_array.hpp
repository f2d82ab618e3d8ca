#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

namespace fewdim {

/// Memory that is not cleared; blocks of several MiB ask for huge pages, as fresh 4 KiB pages are dear.
/// Throws OverMemory where the system has none left.
std::shared_ptr<void> allocate_bytes(std::size_t bytes);

/// Room for n numbers, not cleared.
template <class T>
std::shared_ptr<T[]> make_large_array(std::size_t n) {
  static_assert(std::is_trivially_copyable_v<T>);
  auto memory = allocate_bytes(n * sizeof(T));
  return {memory, static_cast<T*>(memory.get())};
}

}  // namespace fewdim
