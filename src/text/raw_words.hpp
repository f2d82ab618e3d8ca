#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "text/term_table.hpp"

namespace fewdim {

/// What became of raw words that were seen before: each is folded, stemmed and looked up once. A cache: it forgets
/// everything when it is full, and words come back as they are met.
class RawWords {
 public:
  static constexpr std::int32_t kUnknown = -2;

  /// What is known of the word `text[begin, begin + size)`. Words of up to 15 bytes are compared as two numbers.
  std::int32_t find(std::string_view text, std::size_t begin, std::size_t size) {
    key_ = size <= kShort ? short_key(text, begin, size) : long_key(text.data() + begin, size);
    const std::uint64_t mask = slots_.size() - 1;
    for (at_ = hash(key_) & mask; slots_[at_].value != kUnknown; at_ = (at_ + 1) & mask)
      if (slots_[at_].low == key_.low && slots_[at_].high == key_.high) return slots_[at_].value;
    return kUnknown;
  }

  /// Remembers the word that was asked for last and not known.
  void remember(std::int32_t value);

  std::uint64_t bytes() const { return slots_.capacity() * sizeof(Slot); }

 private:
  static constexpr std::size_t kShort = 15;
  static constexpr std::size_t kMost = std::size_t{1} << 19;

  struct Key {
    std::uint64_t low, high;
  };
  struct Slot {
    std::uint64_t low = 0, high = 0;
    std::int32_t value = kUnknown;
  };

  static std::uint64_t hash(const Key& key) { return spread(key.low ^ key.high * 0x9e3779b97f4a7c15ULL); }

  /// The bytes, zeros, and the size in the last byte.
  static Key short_key(std::string_view text, std::size_t begin, std::size_t size) {
    Key key{};
    if (begin + 16 <= text.size()) {
      std::memcpy(&key, text.data() + begin, 16);
      const std::uint64_t all = ~std::uint64_t{0};
      key.low &= size >= 8 ? all : (std::uint64_t{1} << 8 * size) - 1;
      key.high &= size <= 8 ? 0 : (std::uint64_t{1} << 8 * (size - 8)) - 1;
    } else {
      std::memcpy(&key, text.data() + begin, size);
    }
    key.high |= static_cast<std::uint64_t>(size) << 56;
    return key;
  }
  /// 128 bits of hash stand for a long word; the last byte tells them from short ones. Two of 2^60 words would have to
  /// meet by chance.
  static Key long_key(const char* word, std::size_t size);

  std::vector<Slot> slots_ = std::vector<Slot>(1024);
  std::size_t used_ = 0;
  std::uint64_t at_ = 0;
  Key key_{};
};

}  // namespace fewdim
