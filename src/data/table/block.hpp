#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <type_traits>

namespace fewdim {

/// Room for `count` things of `size` bytes, not cleared: on the heap where it is small, else straight from the system
/// and in huge pages, as fresh 4 KiB pages cost more than what is written to them. Throws OverMemory when the system
/// has none.
std::shared_ptr<void> allocate_block(std::size_t count, std::size_t size);

/// Room for `count` numbers, not cleared.
template <class T>
std::shared_ptr<T[]> make_large_array(std::size_t count) {
  static_assert(std::is_trivially_copyable_v<T>);
  auto block = allocate_block(count, sizeof(T));
  return {block, static_cast<T*>(block.get())};
}

/// Bytes that arrive in an unknown number. Growth moves page tables, not bytes.
class GrowingBlock {
 public:
  GrowingBlock() = default;
  ~GrowingBlock();
  GrowingBlock(const GrowingBlock&) = delete;
  GrowingBlock& operator=(const GrowingBlock&) = delete;

  /// Room for at least `bytes` more at end(); throws OverMemory when the system has none.
  void reserve_more(std::size_t bytes);
  char* end() { return data_ + size_; }
  std::size_t room() const { return capacity_ - size_; }
  void grow(std::size_t bytes) { size_ += bytes; }  ///< after writing that many at end()
  void drop_front(std::size_t bytes);               ///< moves the rest to the front
  void clear() { size_ = 0; }
  std::string_view text() const { return {data_, size_}; }

 private:
  char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace fewdim
