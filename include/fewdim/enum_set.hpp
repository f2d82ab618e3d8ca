#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace fewdim {

/// A set of enumerators, whose values are 0 to 63.
template <class E>
class EnumSet {
 public:
  constexpr EnumSet() = default;
  constexpr EnumSet(std::initializer_list<E> members) {
    for (const E member : members) add(member);
  }

  constexpr void add(E member) { bits_ |= bit(member); }
  constexpr bool has(E member) const { return (bits_ & bit(member)) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  /// In the order of their declaration.
  std::vector<E> members() const {
    std::vector<E> out;
    for (int value = 0; value < 64; ++value)
      if (has(static_cast<E>(value))) out.push_back(static_cast<E>(value));
    return out;
  }
  constexpr bool operator==(const EnumSet&) const = default;

 private:
  static constexpr std::uint64_t bit(E member) { return std::uint64_t{1} << static_cast<unsigned>(member); }

  std::uint64_t bits_ = 0;
};

}  // namespace fewdim
