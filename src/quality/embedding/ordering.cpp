#include "quality/embedding/ordering.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace fewdim {

namespace {

constexpr int kDigits = 11;  // three digits of 11, 11 and 10 bits make the 32 of a float
constexpr std::size_t kBuckets = std::size_t{1} << kDigits;
constexpr std::array<int, 3> kShifts{32, 32 + kDigits, 32 + 2 * kDigits};
constexpr Index kFewest = 512;  // where counting to 2,048 thrice pays

std::size_t digit(std::uint64_t item, int shift) { return (item >> shift) & (kBuckets - 1); }

/// By the upper 32 bits, least digit first; stable.
void radix_sort(std::vector<std::uint64_t>& items, std::vector<std::uint64_t>& spare) {
  std::array<std::array<std::uint32_t, kBuckets>, 3> counts{};
  for (const std::uint64_t item : items)
    for (std::size_t pass = 0; pass < 3; ++pass) ++counts[pass][digit(item, kShifts[pass])];
  spare.resize(items.size());
  for (std::size_t pass = 0; pass < 3; ++pass) {
    auto& places = counts[pass];
    if (places[digit(items.front(), kShifts[pass])] == items.size()) continue;  // all alike
    std::uint32_t before = 0;
    for (std::uint32_t& place : places) before += std::exchange(place, before);
    for (const std::uint64_t item : items) spare[places[digit(item, kShifts[pass])]++] = item;
    items.swap(spare);
  }
}

}  // namespace

const std::vector<std::uint32_t>& Ordering::sort(const double* values, Index count, Index left_out) {
  // Rounding to float keeps the order, and a float that is not negative is ordered as its bits are. −0 becomes 0.
  items_.clear();
  for (Index i = 0; i < count; ++i)
    if (i != left_out)
      items_.push_back(std::uint64_t{std::bit_cast<std::uint32_t>(static_cast<float>(values[i] + 0.0))} << 32 |
                       static_cast<std::uint32_t>(i));
  if (std::ssize(items_) < kFewest)
    std::sort(items_.begin(), items_.end());
  else
    radix_sort(items_, spare_);

  order_.resize(items_.size());
  for (std::size_t i = 0; i < items_.size(); ++i) order_[i] = static_cast<std::uint32_t>(items_[i]);
  // Different doubles may have become the same float.
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    return values[a] != values[b] ? values[a] < values[b] : a < b;
  };
  for (std::size_t first = 0, last = 0; first < items_.size(); first = last) {
    for (last = first + 1; last < items_.size() && items_[last] >> 32 == items_[first] >> 32;) ++last;
    if (last - first > 1)
      std::sort(order_.begin() + static_cast<std::ptrdiff_t>(first), order_.begin() + static_cast<std::ptrdiff_t>(last),
                before);
  }
  return order_;
}

}  // namespace fewdim
