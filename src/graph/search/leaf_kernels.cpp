#include "graph/search/leaf_kernels.hpp"

#include <cmath>
#include <limits>

#include "base/clones.hpp"

// Loops over the eight lanes have no branches: compilers make one instruction of each. Which rows are near can't be
// foreseen, and a wrong guess costs as much as all eight.
namespace fewdim {

FEWDIM_CLONES void squares_to_box(const double* leaf, const double* box, Index cols, double* out) {
  double sums[kLeaf] = {};
  for (Index j = 0; j < cols; ++j)
    for (Index q = 0; q < kLeaf; ++q) {
      const double x = leaf[j * kLeaf + q], below = box[2 * j] - x, above = x - box[2 * j + 1];
      const double beyond = below > above ? below : above, outside = beyond > 0.0 ? beyond : 0.0;
      sums[q] += outside * outside;
    }
  for (Index q = 0; q < kLeaf; ++q) out[q] = sums[q];
}

FEWDIM_CLONES void squares_to_rows(const double* row, const double* leaf, Index cols, double* out) {
  double sums[kLeaf] = {};
  for (Index j = 0; j < cols; ++j)
    for (Index l = 0; l < kLeaf; ++l) {
      const double difference = row[j * kLeaf] - leaf[j * kLeaf + l];
      sums[l] += difference * difference;
    }
  for (Index l = 0; l < kLeaf; ++l) out[l] = sums[l];
}

FEWDIM_CLONES void put_in_place(const double* queries, const double* leaf, Index rows, Index cols, bool same, Index k,
                                double* least, double* out) {
  for (Index l = 0; l < rows; ++l) {
    double sums[kLeaf] = {};
    for (Index j = 0; j < cols; ++j)
      for (Index q = 0; q < kLeaf; ++q) {
        const double difference = queries[j * kLeaf + q] - leaf[j * kLeaf + l];
        sums[q] += difference * difference;
      }
    if (same) sums[l] = std::numeric_limits<double>::infinity();
    for (Index i = k - 1; i > 0; --i)  // an insertion, from the end
      for (Index q = 0; q < kLeaf; ++q) {
        const double here = least[i * kLeaf + q], before = least[(i - 1) * kLeaf + q];
        const double lower = sums[q] < here ? sums[q] : here;
        least[i * kLeaf + q] = lower > before ? lower : before;
      }
    for (Index q = 0; q < kLeaf; ++q) least[q] = sums[q] < least[q] ? sums[q] : least[q];
    for (Index q = 0; q < kLeaf; ++q) out[l * kLeaf + q] = sums[q];
  }
}

FEWDIM_CLONES void find_places(const double* squares, const std::int32_t* names, Index rows, const double* least,
                               Index k, const double* limit, std::int32_t* out, std::int32_t* counts) {
  for (Index l = 0; l < rows; ++l) {
    const double* square = squares + l * kLeaf;
    std::int64_t within[kLeaf], places[kLeaf] = {}, any = 0;
    for (Index q = 0; q < kLeaf; ++q) {
      within[q] = square[q] <= limit[q] ? 1 : 0;
      any += within[q];
    }
    if (any == 0) continue;
    for (Index i = 0; i < k; ++i)
      for (Index q = 0; q < kLeaf; ++q) places[q] += least[i * kLeaf + q] < square[q] ? 1 : 0;
    for (Index q = 0; q < kLeaf; ++q) {
      const Index place = within[q] != 0 ? places[q] : k;  // the last line is for those beyond
      out[place * kLeaf + q] = names[l];
      counts[q] += static_cast<std::int32_t>(within[q]);
    }
  }
}

FEWDIM_CLONES unsigned take_roots(Index k, double* least) {
  double equal[kLeaf] = {};
  for (Index i = 0; i < k; ++i)
    for (Index q = 0; q < kLeaf; ++q) least[i * kLeaf + q] = std::sqrt(least[i * kLeaf + q]);
  for (Index i = 1; i < k; ++i)
    for (Index q = 0; q < kLeaf; ++q) equal[q] += least[i * kLeaf + q] > least[(i - 1) * kLeaf + q] ? 0.0 : 1.0;
  unsigned out = 0;
  for (Index q = 0; q < kLeaf; ++q) out |= (equal[q] > 0.0 ? 1U : 0U) << q;
  return out;
}

}  // namespace fewdim
