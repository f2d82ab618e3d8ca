#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace fewdim {

/// What became of raw words that were seen before: each is folded, stemmed and looked up once. A cache: it forgets
/// everything when it is full, and words come back as they are met.
class RawWords {
 public:
  static constexpr std::int32_t kUnknown = -2;

  /// `any_case`: words that differ in the case of ASCII letters only are one; not so in Turkish, where I is not i.
  explicit RawWords(bool any_case) : case_bits_(any_case ? 0x8080808080808080ULL : 0) {}

  /// A word of up to 15 bytes: the bytes, zeros, and the size in the last byte. A longer one: 120 bits of its hash.
  struct Key {
    std::uint64_t low, high, hash;
  };
  Key key_of(std::string_view text, std::size_t begin, std::size_t size) const {
    Key key = size <= kShort ? short_key(text, begin, size) : long_key(text.data() + begin, size);
    __extension__ using Wide = unsigned __int128;
    const Wide product =
        static_cast<Wide>(key.low ^ 0xa0761d6478bd642fULL) * (key.high ^ 0xe7037ed1a0b428dbULL);  // as wyhash mixes
    key.hash = static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
    return key;
  }

  void prefetch(const Key& key) const { __builtin_prefetch(&slots_[key.hash & (slots_.size() - 1)]); }

  std::int32_t find(const Key& key) const {
    const std::uint64_t mask = slots_.size() - 1;
    for (std::uint64_t at = key.hash & mask;; at = (at + 1) & mask) {
      const Slot& slot = slots_[at];
      if (slot.low == key.low && slot.high == key.high) return slot.value;
      if (slot.value == kUnknown) return kUnknown;
    }
  }

  /// Remembers a word that is not known.
  void remember(const Key& key, std::int32_t value);

  std::uint64_t bytes() const { return slots_.capacity() * sizeof(Slot); }

 private:
  static constexpr std::size_t kShort = 15;
  static constexpr std::size_t kMost = std::size_t{1} << 19;

  struct alignas(32) Slot {
    std::uint64_t low = 0, high = 0;
    std::uint64_t hash = 0;
    std::int32_t value = kUnknown;
  };

  /// Eight bytes with ASCII capitals made small: the high bit of a byte says that it is one.
  std::uint64_t small(std::uint64_t bytes) const {
    constexpr std::uint64_t ones = 0x0101010101010101ULL;
    const std::uint64_t low = bytes & 0x7f * ones;
    const std::uint64_t from_a = low + (0x80 - 'A') * ones, after_z = low + (0x7f - 'Z') * ones;
    return bytes | (from_a & ~after_z & ~bytes & case_bits_) >> 2;
  }
  Key short_key(std::string_view text, std::size_t begin, std::size_t size) const {
    Key key{};
    if (begin + 16 <= text.size()) {
      std::memcpy(&key, text.data() + begin, 16);
      const std::uint64_t all = ~std::uint64_t{0};
      key.low &= size >= 8 ? all : (std::uint64_t{1} << 8 * size) - 1;
      key.high &= size <= 8 ? 0 : (std::uint64_t{1} << 8 * (size - 8)) - 1;
    } else {
      std::memcpy(&key, text.data() + begin, size);
    }
    key.low = small(key.low);
    key.high = small(key.high) | static_cast<std::uint64_t>(size) << 56;
    return key;
  }
  static Key long_key(const char* word, std::size_t size);
  void place(const Slot& slot);

  std::vector<Slot> slots_ = std::vector<Slot>(1024);
  std::size_t used_ = 0;
  std::uint64_t case_bits_;
};

}  // namespace fewdim
