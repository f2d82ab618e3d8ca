#include <algorithm>
#include <array>
#include <numeric>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/spill.hpp"
#include "text/counts/term_counting.hpp"

namespace fewdim {

namespace {

/// A chunk with the columns that its lane's terms have, and its first row.
struct Part {
  CountChunk& chunk;
  const std::vector<std::int32_t>& columns;
  std::size_t first_row = 0;

  std::int32_t column(std::int32_t term) const { return columns[static_cast<std::size_t>(term)]; }
};

/// The sizes of rows, each one place after its own.
void size_rows(const Part& part, std::span<std::int64_t> offsets) {
  std::int64_t* length = nullptr;
  part.chunk.each([&](Index document,
                      std::uint64_t) { length = &offsets[part.first_row + static_cast<std::size_t>(document) + 1]; },
                  [&](std::int32_t term, std::uint64_t) { *length += part.column(term) >= 0; });
}

void fill_rows(const Part& part, CountRows& matrix) {
  std::vector<std::uint64_t> row;  // column and count
  auto at = static_cast<std::size_t>(matrix.offsets[part.first_row]);
  const auto flush = [&] {
    std::sort(row.begin(), row.end());
    for (const std::uint64_t entry : row) {
      matrix.columns[at] = static_cast<std::int32_t>(entry >> 32);
      matrix.values[at++] = static_cast<float>(entry & 0xffffffffU);
    }
    row.clear();
  };
  part.chunk.each([&](Index, std::uint64_t) { flush(); },
                  [&](std::int32_t term, std::uint64_t count) {
                    const std::int32_t column = part.column(term);
                    if (column >= 0) row.push_back(static_cast<std::uint64_t>(column) << 32 | count);
                  });
  flush();
}

}  // namespace

CountRows TermCounting::matrix(const MergedCounts& merged, const std::vector<std::int32_t>& columns, Index cols,
                               bool last, const Execution& exec) {
  std::vector<std::vector<std::int32_t>> lane_columns = merged.maps;
  for (std::vector<std::int32_t>& lane : lane_columns)
    for (std::int32_t& id : lane) id = columns[static_cast<std::size_t>(id)];
  std::vector<Part> parts;
  std::size_t rows = 0;
  for (CountChunk& chunk : store_.chunks()) {
    parts.push_back({chunk, lane_columns[chunk.lane], rows});
    rows += static_cast<std::size_t>(chunk.documents);
  }
  CountRows matrix;
  matrix.rows = static_cast<Index>(rows);
  matrix.cols = cols;
  Room<std::int64_t> offsets = room_for_array<std::int64_t>(rows + 1, false);
  matrix.offsets = offsets.numbers;
  parallel_for(exec, std::ssize(parts),
               [&](Index i) { size_rows(parts[static_cast<std::size_t>(i)], matrix.offsets); });
  std::partial_sum(matrix.offsets.begin(), matrix.offsets.end(), matrix.offsets.begin());
  const auto entries = static_cast<std::size_t>(matrix.offsets.back());
  // Beside them there will be the same once more, by terms.
  matrix.on_disk = 2 * entries * (sizeof(std::int32_t) + sizeof(float)) > memory_limit(exec) / 2;
  Room<std::int32_t> places = room_for_array<std::int32_t>(entries, matrix.on_disk);
  Room<float> values = room_for_array<float>(entries, matrix.on_disk);
  matrix.columns = places.numbers;
  matrix.values = values.numbers;
  matrix.owner = std::make_shared<std::array<std::shared_ptr<void>, 3>>(
      std::array{std::move(offsets.owner), std::move(places.owner), std::move(values.owner)});
  parallel_for(exec, std::ssize(parts), [&](Index i) {
    Part& part = parts[static_cast<std::size_t>(i)];
    fill_rows(part, matrix);
    if (last) part.chunk.bytes = {};
  });
  if (last) store_ = {};
  return matrix;
}

}  // namespace fewdim
