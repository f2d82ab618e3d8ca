#include "solvers/ordinal_disparities.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "data/block.hpp"
#include "fewdim/error.hpp"
#include "solvers/monotone_regression.hpp"

namespace fewdim {

namespace {

constexpr std::uint32_t kChunk = 1 << 16;   // ranks that are pooled together
constexpr std::uint64_t kSorted = 1 << 18;  // keys that are sorted together

struct Key {
  double value;
  std::uint32_t place;
  bool operator<(const Key& other) const { return value != other.value ? value < other.value : place < other.place; }
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
        const std::uint64_t place = pair_place(i, at.col + j);
        keys[static_cast<std::ptrdiff_t>(place)] = {static_cast<double>(piece.row(i)[j]),
                                                    static_cast<std::uint32_t>(place)};
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
OrdinalDisparities::OrdinalDisparities(const PairDistances<S>& deltas, bool tied, const Execution& exec)
    : objects_(deltas.objects()), tied_(tied), count_(static_cast<Rank>(pair_count(deltas.objects()))) {
  if (pair_count(objects_) > UINT32_MAX) throw Error(ErrorKind::internal, "ordinal_disparities: too many pairs");
  std::shared_ptr<Key[]> keys = sorted(keys_of(deltas, exec), count_, exec);
  order_ = make_large_array<Rank>(count_);
  equal_.assign(count_, false);
  for (Rank r = 0; r < count_; ++r) {
    order_[r] = keys[r].place;
    if (r > 0) equal_[r] = keys[r].value == keys[r - 1].value;
  }
  keys.reset();
  cut_chunks();
  values_ = make_large_array<double>(count_);
  sums_ = make_large_array<double>(count_);
  weights_ = make_large_array<Rank>(count_);
}

OrdinalDisparities::Rank OrdinalDisparities::group_end(Rank start) const {
  Rank end = start + 1;
  while (end < count_ && equal_[end]) ++end;
  return end;
}

/// No group of equal dissimilarities is cut.
void OrdinalDisparities::cut_chunks() {
  for (std::uint64_t at = 0; at < count_; at += kChunk) {
    Rank start = std::max(static_cast<Rank>(at), starts_.empty() ? 0 : starts_.back());
    while (start < count_ && equal_[start]) ++start;
    starts_.push_back(start);
  }
  starts_.push_back(count_);
}

Index OrdinalDisparities::fit_chunk(Rank from, Rank to) {
  Blocks<Rank> blocks{sums_.get() + from, weights_.get() + from};
  for (Rank start = from; start < to;) {
    const Rank end = group_end(start);
    if (tied_) {
      double sum = 0.0;
      for (Rank r = start; r < end; ++r) sum += values_[order_[r]];
      blocks.push(sum, end - start);
    } else {
      if (end - start > 1)  // within a tie the order of the distances is free: theirs is the best
        std::sort(order_.get() + start, order_.get() + end,
                  [&](Rank a, Rank b) { return values_[a] != values_[b] ? values_[a] < values_[b] : a < b; });
      for (Rank r = start; r < end; ++r) blocks.push(values_[order_[r]], 1);
    }
    start = end;
  }
  return blocks.count;
}

OrdinalDisparities::Fit OrdinalDisparities::fit(const Execution& exec) {
  const Index chunks = std::ssize(starts_) - 1;
  std::vector<Index> blocks_in(static_cast<std::size_t>(chunks));
  parallel_for(exec, chunks, [&](Index c) {
    const auto at = static_cast<std::size_t>(c);
    blocks_in[at] = fit_chunk(starts_[at], starts_[at + 1]);
  });
  Blocks<Rank> all{sums_.get(), weights_.get()};
  for (std::size_t c = 0; c < blocks_in.size(); ++c)
    for (Index b = 0; b < blocks_in[c]; ++b) {
      const auto from = static_cast<std::ptrdiff_t>(starts_[c]) + b;
      all.push(sums_[from], weights_[from]);
    }
  // The block in which each chunk starts, and the rank at which that block ends.
  std::vector<std::pair<Index, std::uint64_t>> first(static_cast<std::size_t>(chunks));
  std::uint64_t end = 0;
  std::size_t chunk = 0;
  for (Index b = 0; b < all.count; ++b) {
    end += weights_[b];
    for (; chunk < first.size() && starts_[chunk] < end; ++chunk) first[chunk] = {b, end};
  }
  std::vector<Fit> parts(static_cast<std::size_t>(chunks));
  parallel_for(exec, chunks, [&](Index c) {
    const auto at = static_cast<std::size_t>(c);
    auto [block, block_end] = first[at];
    if (starts_[at] == starts_[at + 1]) return;
    Fit& part = parts[at];
    double fitted = all.mean(block);
    for (Rank r = starts_[at]; r < starts_[at + 1]; ++r) {
      if (r == block_end) {
        block_end += weights_[++block];
        fitted = all.mean(block);
      }
      const double miss = fitted - values_[order_[r]];
      part.residual += miss * miss;
      part.square += fitted * fitted;
      values_[order_[r]] = fitted;
    }
  });
  Fit out;
  for (const Fit& part : parts) {
    out.residual += part.residual;
    out.square += part.square;
  }
  return out;
}

void OrdinalDisparities::set_ranks() {
  for (Rank start = 0; start < count_;) {
    const Rank end = group_end(start);
    const double rank = (static_cast<double>(start) + static_cast<double>(end) + 1.0) / 2.0;
    for (Rank r = start; r < end; ++r) values_[order_[r]] = rank / static_cast<double>(count_);
    start = end;
  }
}

template <class S>
void OrdinalDisparities::knots(const PairDistances<S>& deltas, Index most, Vector<double>& dissimilarity,
                               Vector<double>& disparity) const {
  struct Corner {
    Rank rank;
    double height;
  };
  std::vector<Corner> corners;  // both ends of each level stretch
  Rank last = 0;
  for (Rank start = 0; start < count_;) {
    const Rank end = group_end(start);
    double sum = 0.0;
    for (Rank r = start; r < end; ++r) sum += values_[order_[r]];
    const double height = end - start == 1 ? sum : sum / static_cast<double>(end - start);
    if (corners.empty() || height > corners.back().height) {
      if (!corners.empty() && corners.back().rank != last) corners.push_back({last, corners.back().height});
      corners.push_back({start, height});
    }
    last = start;
    start = end;
  }
  if (!corners.empty() && corners.back().rank != last) corners.push_back({last, corners.back().height});
  const auto there = static_cast<Index>(corners.size());
  const Index kept = std::min(there, most);
  dissimilarity.resize(kept);
  disparity.resize(kept);
  for (Index i = 0; i < kept; ++i) {
    const Index from = kept == there ? i : i * (there - 1) / (kept - 1);
    const Corner& corner = corners[static_cast<std::size_t>(from)];
    const auto [a, b] = pair_at(order_[corner.rank]);
    dissimilarity[i] = deltas.entry(a, b);
    disparity[i] = corner.height;
  }
}

std::uint64_t OrdinalDisparities::bytes(Index objects) {
  const std::uint64_t pairs = pair_count(objects);
  return 2 * pairs * sizeof(Key) + pairs / 8;  // two runs of keys; what stays is less
}

#define FEWDIM_INSTANTIATE(S)                                                                       \
  template OrdinalDisparities::OrdinalDisparities(const PairDistances<S>&, bool, const Execution&); \
  template void OrdinalDisparities::knots(const PairDistances<S>&, Index, Vector<double>&, Vector<double>&) const;
FEWDIM_INSTANTIATE(float)
FEWDIM_INSTANTIATE(double)

}  // namespace fewdim
