#include "text/words/raw_words.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace fewdim {

RawWords::Key RawWords::long_key(const char* word, std::size_t size) {
  const XXH128_hash_t hash = XXH3_128bits(word, size);
  return {hash.low64, hash.high64 | std::uint64_t{0xff} << 56, 0};
}

void RawWords::place(const Slot& slot) {
  const std::uint64_t mask = slots_.size() - 1;
  std::uint64_t at = slot.hash & mask;
  while (slots_[at].value != kUnknown) at = (at + 1) & mask;
  slots_[at] = slot;
}

void RawWords::remember(const Key& key, std::int32_t value) {
  if (++used_ > kMost) {
    slots_.assign(slots_.size(), Slot{});
    used_ = 1;
  } else if (used_ * 2 > slots_.size()) {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.value != kUnknown) place(slot);
  }
  place({key.low, key.high, key.hash, value});
}

}  // namespace fewdim
