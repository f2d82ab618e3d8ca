#include "graph/search/tile_scan.hpp"

#include <bit>
#include <cstring>

#include "base/clones.hpp"

namespace fewdim {

namespace {

/// Positions of the nonzero bytes of a group.
__attribute__((always_inline)) inline Index expand(const std::uint8_t* passed, Index first, std::int32_t* hits) {
  Index count = 0;
  for (Index w = 0; w < kScanGroup; w += 8) {
    std::uint64_t word;
    std::memcpy(&word, passed + w, 8);
    for (; word != 0; word &= word - 1)  // a byte is 0 or 1
      hits[count++] = static_cast<std::int32_t>(first + w + std::countr_zero(word) / 8);
  }
  return count;
}

template <class C>
__attribute__((always_inline)) inline Index scan(const C* tile, Index n, const C* column_add, const C* column_limit,
                                                 C row_limit, C row_add, std::int32_t* hits) {
  Index count = 0;
  for (Index j = 0; j < n; j += kScanGroup) {
    const C *v = tile + j, *add = column_add + j, *limit = column_limit + j;
    int any = 0;
    for (Index s = 0; s < kScanGroup; ++s) any |= (v[s] + add[s] <= row_limit) | (v[s] + row_add <= limit[s]);
    if (any == 0) continue;
    std::uint8_t passed[kScanGroup];
    for (Index s = 0; s < kScanGroup; ++s)
      passed[s] = static_cast<std::uint8_t>((v[s] + add[s] <= row_limit) | (v[s] + row_add <= limit[s]));
    count += expand(passed, j, hits + count);
  }
  return count;
}

}  // namespace

#define FEWDIM_SCAN(C)                                                                                          \
  FEWDIM_CLONES Index scan_row(const C* tile, Index n, const C* column_add, const C* column_limit, C row_limit, \
                               C row_add, std::int32_t* hits) {                                                 \
    return scan(tile, n, column_add, column_limit, row_limit, row_add, hits);                                   \
  }
FEWDIM_SCAN(float)
FEWDIM_SCAN(double)
#undef FEWDIM_SCAN

}  // namespace fewdim
