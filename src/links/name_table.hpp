#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace fewdim {

/// Numbers names in the order they come: open addressing, the hash kept beside the number. The text must outlive it.
class NameTable {
 public:
  NameTable() : slots_(64) {}

  std::int32_t number_of(std::string_view name) { return number_of(name, hash(name)); }

  std::int32_t number_of(std::string_view name, std::uint64_t hash) {
    if (2 * names_.size() >= slots_.size()) grow();
    const std::uint64_t mask = slots_.size() - 1;
    for (std::uint64_t at = hash & mask;; at = (at + 1) & mask) {
      Slot& slot = slots_[at];
      if (slot.number < 0) {
        slot = {hash, static_cast<std::int32_t>(names_.size())};
        names_.push_back(name);
        hashes_.push_back(hash);
        return slot.number;
      }
      if (slot.hash == hash && names_[static_cast<std::size_t>(slot.number)] == name) return slot.number;
    }
  }

  const std::vector<std::string_view>& names() const { return names_; }
  std::uint64_t hash_at(std::size_t number) const { return hashes_[number]; }
  void clear() {
    names_.clear(), hashes_.clear();
    std::fill(slots_.begin(), slots_.end(), Slot{});
  }

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::int32_t number = -1;
  };

  static std::uint64_t hash(std::string_view name) {
    // The standard library's hash is good in all its bits; low ones are used.
    return std::hash<std::string_view>{}(name);
  }

  void grow() {
    std::vector<Slot> larger(slots_.size() * 4);
    const std::uint64_t mask = larger.size() - 1;
    for (const Slot& slot : slots_) {
      if (slot.number < 0) continue;
      std::uint64_t at = slot.hash & mask;
      while (larger[at].number >= 0) at = (at + 1) & mask;
      larger[at] = slot;
    }
    slots_ = std::move(larger);
  }

  std::vector<Slot> slots_;
  std::vector<std::string_view> names_;
  std::vector<std::uint64_t> hashes_;
};

}  // namespace fewdim
