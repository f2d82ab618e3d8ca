#include "solvers/stress/ordinal_disparities.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/clones.hpp"
#include "base/parallel.hpp"
#include "data/table/block.hpp"
#include "solvers/stress/monotone_regression.hpp"

namespace fewdim {

namespace {

constexpr std::uint32_t kChunk = 1 << 16;  // ranks that are pooled together
constexpr std::uint32_t kPiece = 512;      // ranks whose numbers lie on the stack
constexpr Index kLanes = 8;

/// ‖x_i − x_j‖² of pairs; K coordinates, or k where K is 0.
template <int K>
void squared_distances(const double* points, Index k, const std::uint32_t* pairs, std::uint32_t n, double* out) {
  const Index width = K > 0 ? K : k;
  for (std::uint32_t r = 0; r < n; ++r) {
    const double *a = points + PairOrder::first(pairs[r]) * width, *b = points + PairOrder::second(pairs[r]) * width;
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
    const Index i = PairOrder::first(pairs[r]) * width, j = PairOrder::second(pairs[r]) * width;
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
    : objects_(deltas.objects()), tied_(tied), order_(order_pairs(deltas, exec)), count_(order_.count) {
  cut_chunks();
  distances_ = make_large_array<double>(count_);
  sums_ = make_large_array<double>(count_);
  weights_ = make_large_array<Rank>(count_);
}

/// No group of equal dissimilarities is cut.
void OrdinalDisparities::cut_chunks() {
  for (std::uint64_t at = 0; at < count_; at += kChunk) {
    Rank start = std::max(static_cast<Rank>(at), starts_.empty() ? 0 : starts_.back());
    while (start < count_ && order_.equal[start]) ++start;
    starts_.push_back(start);
  }
  starts_.push_back(count_);
}

void OrdinalDisparities::measure(const double* points, Index k, Rank from, Rank to) {
  double* d = distances_.get() + from;
  const Rank *pairs = order_.pairs.get() + from, n = to - from;
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
    const Rank end = order_.group_end(start);
    if (end - start > 1) {
      group.clear();
      for (Rank r = start; r < end; ++r) group.emplace_back(distances_[r], order_.pairs[r]);
      std::sort(group.begin(), group.end());
      for (Rank r = start; r < end; ++r) std::tie(distances_[r], order_.pairs[r]) = group[r - start];
    }
    start = end;
  }
}

Index OrdinalDisparities::pool(Rank from, Rank to) {
  Blocks<Rank> blocks{sums_.get() + from, weights_.get() + from};
  if (!order_.ties || !tied_) {
    if (order_.ties) sort_ties(from, to);
    for (Rank r = from; r < to; ++r) blocks.push(distances_[r], 1);
    return blocks.count;
  }
  for (Rank start = from; start < to;) {
    const Rank end = order_.group_end(start);
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
    const Rank* pairs = order_.pairs.get() + start;
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
      use(PairOrder::first(order_.pairs[r]), PairOrder::second(order_.pairs[r]), fitted, distances_[r]);
  }
}

PairDistances<double> OrdinalDisparities::ranks() {
  for (Rank start = 0; start < count_;) {
    const Rank end = order_.group_end(start);
    const double rank = (static_cast<double>(start) + static_cast<double>(end) + 1.0) / 2.0;
    for (Rank r = start; r < end; ++r)
      distances_[static_cast<std::ptrdiff_t>(pair_place(
          PairOrder::first(order_.pairs[r]), PairOrder::second(order_.pairs[r])))] = rank / static_cast<double>(count_);
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
    if (++r < count_ && order_.equal[r]) return;  // the group goes on
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
    dissimilarity[i] =
        deltas.entry(PairOrder::first(order_.pairs[corner.rank]), PairOrder::second(order_.pairs[corner.rank]));
    disparity[i] = corner.height;
  }
}

#define FEWDIM_INSTANTIATE(S)                                                                       \
  template OrdinalDisparities::OrdinalDisparities(const PairDistances<S>&, bool, const Execution&); \
  template void OrdinalDisparities::knots(const PairDistances<S>&, Index, Vector<double>&, Vector<double>&) const;
FEWDIM_INSTANTIATE(float)
FEWDIM_INSTANTIATE(double)
#undef FEWDIM_INSTANTIATE

}  // namespace fewdim
