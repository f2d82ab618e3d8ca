#include "base/mappings.hpp"

#include <sys/mman.h>

#include <array>
#include <atomic>
#include <cstdint>

#include "fewdim/mapped_files.hpp"

namespace fewdim {

namespace {

/// What a signal handler reads: plain atomics, no lock. `begin` is set last and cleared first.
struct Slot {
  std::atomic<bool> taken{false};
  std::atomic<std::uintptr_t> begin{0}, end{0};
  std::atomic<const char*> name{nullptr};
};

constexpr std::size_t slot_count = 1024;  // files mapped at a time that can be named
std::array<Slot, slot_count> slots;

Slot* free_slot() {
  for (Slot& slot : slots) {
    bool free = false;
    if (slot.taken.compare_exchange_strong(free, true)) return &slot;
  }
  return nullptr;
}

class Mapping {
 public:
  Mapping(void* pages, std::size_t size, const std::string& name)
      : pages_(pages), size_(size), name_(name), slot_(free_slot()) {
    if (slot_ == nullptr) return;
    slot_->name = name_.c_str();
    slot_->end = reinterpret_cast<std::uintptr_t>(pages) + size;
    slot_->begin = reinterpret_cast<std::uintptr_t>(pages);
  }
  ~Mapping() {
    if (slot_ != nullptr) {
      slot_->begin = 0;
      slot_->end = 0;
      slot_->name = nullptr;
      slot_->taken = false;
    }
    ::munmap(pages_, size_);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

 private:
  void* pages_;
  std::size_t size_;
  std::string name_;
  Slot* slot_;
};

}  // namespace

std::shared_ptr<const void> map_file(int descriptor, std::size_t size, const std::string& name) {
  void* pages = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (pages == MAP_FAILED) return nullptr;
  auto mapping = std::make_shared<Mapping>(pages, size, name);
  return {std::move(mapping), pages};
}

const char* mapped_file_at(const void* address) noexcept {
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  for (const Slot& slot : slots) {
    const std::uintptr_t begin = slot.begin;
    if (begin != 0 && place >= begin && place < slot.end) return slot.name;
  }
  return nullptr;
}

}  // namespace fewdim
