#include "solvers/stress/pair_order.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "data/table/block.hpp"
#include "fewdim/error.hpp"

namespace fewdim {

namespace {

constexpr std::uint64_t kSorted = 1 << 18;  // keys that are sorted together

struct Key {
  double value;
  std::uint32_t pair;
  bool operator<(const Key& other) const { return value != other.value ? value < other.value : pair < other.pair; }
};

template <class S>
std::shared_ptr<Key[]> keys_of(const PairDistances<S>& deltas, const Execution& exec) {
  const auto keys = make_large_array<Key>(pair_count(deltas.objects()));
  const PairTiles tiles(deltas.objects());
  parallel_for(exec, tiles.count(), [&](Index number) {
    const auto at = tiles.tile(number);
    std::vector<S> scratch;
    const auto piece = deltas.piece(at.row, at.m, at.col, at.n, scratch);
    for (Index i = at.row; i < at.row + at.m; ++i)
      for (Index j = 0; j < std::min(at.n, i - at.col); ++j) {
        keys[static_cast<std::ptrdiff_t>(pair_place(i, at.col + j))] = {
            static_cast<double>(piece.row(i)[j]), static_cast<std::uint32_t>(i << 16 | (at.col + j))};
      }
  });
  return keys;
}

/// Runs sorted on their own, then merged two by two. The order is total, so that no cut shows in it.
std::shared_ptr<Key[]> sorted(std::shared_ptr<Key[]> keys, std::uint64_t count, const Execution& exec) {
  const auto at = [&](std::uint64_t i) { return static_cast<std::ptrdiff_t>(std::min(i, count)); };
  parallel_for(exec, static_cast<Index>((count + kSorted - 1) / kSorted), [&](Index run) {
    const auto start = static_cast<std::uint64_t>(run) * kSorted;
    std::sort(keys.get() + at(start), keys.get() + at(start + kSorted));
  });
  if (count <= kSorted) return keys;
  auto other = make_large_array<Key>(count);
  for (std::uint64_t length = kSorted; length < count; length *= 2) {
    parallel_for(exec, static_cast<Index>((count + 2 * length - 1) / (2 * length)), [&](Index pair) {
      const auto start = static_cast<std::uint64_t>(pair) * 2 * length;
      const Key *first = keys.get() + at(start), *middle = keys.get() + at(start + length),
                *end = keys.get() + at(start + 2 * length);
      std::merge(first, middle, middle, end, other.get() + at(start));
    });
    std::swap(keys, other);
  }
  return keys;
}

}  // namespace

template <class S>
PairOrder order_pairs(const PairDistances<S>& deltas, const Execution& exec) {
  if (deltas.objects() > PairOrder::most_objects) throw Error(ErrorKind::internal, "order_pairs: too many objects");
  PairOrder out;
  out.count = static_cast<std::uint32_t>(pair_count(deltas.objects()));
  const std::shared_ptr<Key[]> keys = sorted(keys_of(deltas, exec), out.count, exec);
  out.pairs = make_large_array<std::uint32_t>(out.count);
  out.equal.assign(out.count, false);
  for (std::uint32_t r = 0; r < out.count; ++r) {
    out.pairs[r] = keys[r].pair;
    if (r == 0 || keys[r].value != keys[r - 1].value) continue;
    out.equal[r] = true;
    out.ties = true;
  }
  return out;
}

std::uint64_t order_pairs_bytes(Index objects) {
  const std::uint64_t pairs = pair_count(objects);
  return 2 * pairs * sizeof(Key) + pairs / 8;
}

template PairOrder order_pairs(const PairDistances<float>&, const Execution&);
template PairOrder order_pairs(const PairDistances<double>&, const Execution&);

}  // namespace fewdim
