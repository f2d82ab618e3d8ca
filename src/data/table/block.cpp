#include "data/table/block.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "base/memory.hpp"
#include "base/remedy.hpp"
#include "fewdim/error.hpp"

namespace fewdim {

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

std::size_t round_up(std::size_t bytes, std::size_t step) { return (bytes + step - 1) / step * step; }

[[noreturn]] void refuse(std::size_t bytes) {
  throw OverMemory(fmt::format("the system has no {} of memory left; close other programs or use {}",
                               format_bytes(bytes), set_option("stream", true)));
}

char* map_pages(std::size_t bytes) {
  void* pages = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) refuse(bytes);
  return static_cast<char*>(pages);
}

}  // namespace

std::shared_ptr<void> allocate_block(std::size_t count, std::size_t size) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2) refuse(SIZE_MAX);
  if (bytes < 4 * huge_page) {
    void* memory = std::aligned_alloc(64, round_up(bytes + 1, 64));
    if (!memory) refuse(bytes);
    return {memory, std::free};
  }
  // One huge page more than asked for, so that the block can start on a huge page's boundary.
  const std::size_t mapped = round_up(bytes, huge_page) + huge_page;
  char* pages = map_pages(mapped);
  char* aligned = reinterpret_cast<char*>(round_up(reinterpret_cast<std::size_t>(pages), huge_page));
  ::madvise(aligned, mapped - huge_page, MADV_HUGEPAGE);
  return std::shared_ptr<void>(aligned, [pages, mapped](void*) { ::munmap(pages, mapped); });
}

GrowingBlock::~GrowingBlock() {
  if (data_) ::munmap(data_, capacity_);
}

void GrowingBlock::reserve_more(std::size_t bytes) {
  if (room() >= bytes) return;
  const std::size_t wanted = round_up(std::max(size_ + bytes, capacity_ + capacity_ / 2), huge_page);
  if (wanted < size_) refuse(bytes);
  if (!data_) {
    data_ = map_pages(wanted);
  } else {
    void* moved = ::mremap(data_, capacity_, wanted, MREMAP_MAYMOVE);
    if (moved == MAP_FAILED) refuse(wanted);
    data_ = static_cast<char*>(moved);
  }
  capacity_ = wanted;
  ::madvise(data_, capacity_, MADV_HUGEPAGE);
}

void GrowingBlock::drop_front(std::size_t bytes) {
  std::memmove(data_, data_ + bytes, size_ - bytes);
  size_ -= bytes;
}

}  // namespace fewdim
