#include "solvers/ordinal_disparities.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/clones.hpp"
#include "base/parallel.hpp"
#include "data/block.hpp"
#include "fewdim/error.hpp"
#include "solvers/monotone_regression.hpp"

namespace fewdim {

namespace {

constexpr std::uint32_t kChunk = 1 << 16;   // ranks that are pooled together
constexpr std::uint64_t kSorted = 1 << 18;  // keys that are sorted together

constexpr std::uint32_t kPiece = 512;  // ranks whose numbers lie on the stack
constexpr Index kLanes = 8;

constexpr Index first_of(std::uint32_t pair) { return static_cast<Index>(pair >> 16); }
constexpr Index second_of(std::uint32_t pair) { return static_cast<Index>(pair & 0xffff); }

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

/// ‖x_i − x_j‖² of pairs; K coordinates, or k where K is 0.
template <int K>
void squared_distances(const double* points, Index k, const std::uint32_t* pairs, std::uint32_t n, double* out) {
  const Index width = K > 0 ? K : k;
  for (std::uint32_t r = 0; r < n; ++r) {
    const double *a = points + first_of(pairs[r]) * width, *b = points + second_of(pairs[r]) * width;
    double sum = 0.0;
    for (Index c = 0; c < width; ++c) sum += (a[c] - b[c]) * (a[c] - b[c]);
    out[r] = sum;
  }
}

/// Adds ratio (x_i − x_j) to row i of the image, and takes it from row j.
template <int K>
void pull_pairs(const double* points, Index k, const std::uint32_t* pairs, const double* ratio, std::uint32_t n,
                double* image) {
  const Index width = K > 0 ? K : k;
  for (std::uint32_t r = 0; r < n; ++r) {
    const Index i = first_of(pairs[r]) * width, j = second_of(pairs[r]) * width;
    for (Index c = 0; c < width; ++c) {
      const double step = ratio[r] * (points[i + c] - points[j + c]);
      image[i + c] += step;
      image[j + c] -= step;
    }
  }
}

FEWDIM_CLONES void take_roots(double* d, std::uint32_t n) {
  for (std::uint32_t r = 0; r < n; ++r) d[r] = std::sqrt(d[r]);
}

/// a/b, and 0 where b is.
FEWDIM_CLONES void divide(const double* a, const double* b, std::uint32_t n, double* out) {
  for (std::uint32_t r = 0; r < n; ++r) {
    const double safe = b[r] > 0.0 ? b[r] : 1.0;
    const double quotient = a[r] / safe;
    out[r] = b[r] > 0.0 ? quotient : 0.0;
  }
}

}  // namespace

template <class S>
OrdinalDisparities::OrdinalDisparities(const PairDistances<S>& deltas, bool tied, const Execution& exec)
    : objects_(deltas.objects()), tied_(tied) {
  if (objects_ > most_objects) throw Error(ErrorKind::internal, "ordinal_disparities: too many objects");
  count_ = static_cast<Rank>(pair_count(objects_));
  std::shared_ptr<Key[]> keys = sorted(keys_of(deltas, exec), count_, exec);
  order_ = make_large_array<Rank>(count_);
  equal_.assign(count_, false);
  for (Rank r = 0; r < count_; ++r) {
    order_[r] = keys[r].pair;
    if (r == 0 || keys[r].value != keys[r - 1].value) continue;
    equal_[r] = true;
    ties_ = true;
  }
  keys.reset();
  cut_chunks();
  distances_ = make_large_array<double>(count_);
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

void OrdinalDisparities::measure(const double* points, Index k, Rank from, Rank to) {
  double* d = distances_.get() + from;
  const Rank *pairs = order_.get() + from, n = to - from;
  if (k == 2)
    squared_distances<2>(points, 2, pairs, n, d);
  else if (k == 3)
    squared_distances<3>(points, 3, pairs, n, d);
  else
    squared_distances<0>(points, k, pairs, n, d);
  take_roots(d, n);
}

/// Within a tie the order of the disparities is free: that of the distances is the best.
void OrdinalDisparities::sort_ties(Rank from, Rank to) {
  std::vector<std::pair<double, Rank>> group;
  for (Rank start = from; start < to;) {
    const Rank end = group_end(start);
    if (end - start > 1) {
      group.clear();
      for (Rank r = start; r < end; ++r) group.emplace_back(distances_[r], order_[r]);
      std::sort(group.begin(), group.end());
      for (Rank r = start; r < end; ++r) std::tie(distances_[r], order_[r]) = group[r - start];
    }
    start = end;
  }
}

Index OrdinalDisparities::pool(Rank from, Rank to) {
  Blocks<Rank> blocks{sums_.get() + from, weights_.get() + from};
  if (!ties_ || !tied_) {
    if (ties_) sort_ties(from, to);
    for (Rank r = from; r < to; ++r) blocks.push(distances_[r], 1);
    return blocks.count;
  }
  for (Rank start = from; start < to;) {
    const Rank end = group_end(start);
    double sum = 0.0;
    for (Rank r = start; r < end; ++r) sum += distances_[r];
    blocks.push(sum, end - start);
    start = end;
  }
  return blocks.count;
}

void OrdinalDisparities::pull(const double* points, Index k, Rank from, Rank to, Index block, std::uint64_t block_end,
                              double* image, Sums& sums) const {
  double fitted[kPiece], ratio[kPiece];
  const Blocks<Rank> all{sums_.get(), weights_.get(), blocks_};
  double value = all.mean(block);
  for (Rank start = from; start < to;) {
    const Rank n = std::min(kPiece, to - start);
    for (Rank r = 0; r < n; ++r) {
      if (start + r == block_end) {
        block_end += weights_[++block];
        value = all.mean(block);
      }
      fitted[r] = value;
    }
    const double* d = distances_.get() + start;
    divide(fitted, d, n, ratio);
    for (Rank r = 0; r < n; ++r) {
      const double miss = fitted[r] - d[r];
      sums.residual += miss * miss;
      sums.fitted += fitted[r] * fitted[r];
      sums.square += d[r] * d[r];
      sums.cross += fitted[r] * d[r];
    }
    const Rank* pairs = order_.get() + start;
    if (k == 2)
      pull_pairs<2>(points, 2, pairs, ratio, n, image);
    else if (k == 3)
      pull_pairs<3>(points, 3, pairs, ratio, n, image);
    else
      pull_pairs<0>(points, k, pairs, ratio, n, image);
    start += n;
  }
}

OrdinalDisparities::Sums OrdinalDisparities::evaluate(const Matrix<double>& x, Matrix<double>& image,
                                                      const Execution& exec) {
  const Index chunks = std::ssize(starts_) - 1, k = x.cols();
  const RowMatrix<double> points = x;
  std::vector<Index> blocks_in(static_cast<std::size_t>(chunks));
  parallel_for(exec, chunks, [&](Index c) {
    const auto at = static_cast<std::size_t>(c);
    measure(points.data(), k, starts_[at], starts_[at + 1]);
    blocks_in[at] = pool(starts_[at], starts_[at + 1]);
  });
  Blocks<Rank> all{sums_.get(), weights_.get()};
  for (std::size_t c = 0; c < blocks_in.size(); ++c)
    for (Index b = 0; b < blocks_in[c]; ++b) {
      const auto from = static_cast<std::ptrdiff_t>(starts_[c]) + b;
      all.push(sums_[from], weights_[from]);
    }
  blocks_ = all.count;
  // The block in which each chunk starts, and the rank at which that block ends.
  std::vector<std::pair<Index, std::uint64_t>> first(static_cast<std::size_t>(chunks));
  std::uint64_t end = 0;
  std::size_t chunk = 0;
  for (Index b = 0; b < blocks_; ++b) {
    end += weights_[b];
    for (; chunk < first.size() && starts_[chunk] < end; ++chunk) first[chunk] = {b, end};
  }
  std::vector<Sums> parts(kLanes);
  std::vector<RowMatrix<double>> images(kLanes);
  parallel_for(exec, std::min(kLanes, chunks), [&](Index lane) {
    RowMatrix<double>& own = images[static_cast<std::size_t>(lane)];
    own = RowMatrix<double>::Zero(x.rows(), k);
    for (auto c = static_cast<std::size_t>(lane); c < first.size(); c += kLanes)
      if (starts_[c] < starts_[c + 1])
        pull(points.data(), k, starts_[c], starts_[c + 1], first[c].first, first[c].second, own.data(),
             parts[static_cast<std::size_t>(lane)]);
  });
  Sums out;
  for (const Sums& part : parts) {
    out.residual += part.residual;
    out.fitted += part.fitted;
    out.square += part.square;
    out.cross += part.cross;
  }
  for (std::size_t lane = 1; lane < images.size(); ++lane)
    if (images[lane].size() > 0) images[0] += images[lane];
  image = images[0] / static_cast<double>(x.rows());
  return out;
}

void OrdinalDisparities::for_each(const std::function<void(Index, Index, double, double)>& use) const {
  const Blocks<Rank> all{sums_.get(), weights_.get(), blocks_};
  Rank r = 0;
  for (Index b = 0; b < blocks_; ++b) {
    const double fitted = all.mean(b);
    for (const Rank end = r + weights_[b]; r < end; ++r)
      use(first_of(order_[r]), second_of(order_[r]), fitted, distances_[r]);
  }
}

PairDistances<double> OrdinalDisparities::ranks() {
  for (Rank start = 0; start < count_;) {
    const Rank end = group_end(start);
    const double rank = (static_cast<double>(start) + static_cast<double>(end) + 1.0) / 2.0;
    for (Rank r = start; r < end; ++r)
      distances_[static_cast<std::ptrdiff_t>(pair_place(first_of(order_[r]), second_of(order_[r])))] =
          rank / static_cast<double>(count_);
    start = end;
  }
  return PairDistances<double>::packed(objects_, distances_);
}

template <class S>
void OrdinalDisparities::knots(const PairDistances<S>& deltas, Index most, Vector<double>& dissimilarity,
                               Vector<double>& disparity) const {
  struct Corner {
    Rank rank;
    double height;
  };
  std::vector<Corner> corners;  // both ends of each level stretch
  Rank r = 0, group = 0, last = 0;
  double sum = 0.0;
  for_each([&](Index, Index, double fitted, double) {
    sum += fitted;
    if (++r < count_ && equal_[r]) return;  // the group goes on
    const double height = r - group == 1 ? sum : sum / static_cast<double>(r - group);
    if (corners.empty() || height > corners.back().height) {
      if (!corners.empty() && corners.back().rank != last) corners.push_back({last, corners.back().height});
      corners.push_back({group, height});
    }
    last = std::exchange(group, r);
    sum = 0.0;
  });
  if (!corners.empty() && corners.back().rank != last) corners.push_back({last, corners.back().height});
  const auto there = static_cast<Index>(corners.size());
  const Index kept = std::min(there, most);
  dissimilarity.resize(kept);
  disparity.resize(kept);
  for (Index i = 0; i < kept; ++i) {
    const Index from = kept == there ? i : i * (there - 1) / (kept - 1);
    const Corner& corner = corners[static_cast<std::size_t>(from)];
    dissimilarity[i] = deltas.entry(first_of(order_[corner.rank]), second_of(order_[corner.rank]));
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
