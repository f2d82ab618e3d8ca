#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace fewdim {

/// A block of zeros straight from the system, in huge pages where it is large: fresh memory in 4 KiB pages costs
/// more than what is written to it. Throws OverMemory when the system has none.
std::shared_ptr<void> allocate_block(std::size_t bytes);

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
