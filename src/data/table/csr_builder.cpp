#include "data/table/csr_builder.hpp"

#include <numeric>

#include "base/parallel.hpp"
#include "data/table/block.hpp"

namespace fewdim {

namespace {

constexpr Index rows_a_task = 4096;

Index row_tasks(Index rows) { return (rows + rows_a_task - 1) / rows_a_task; }

/// Groups of entries that count and place their entries side by side; one counter per row each, so few where rows are
/// many.
std::int64_t group_count(std::uint64_t rows, std::uint64_t entries) {
  return static_cast<std::int64_t>(std::clamp<std::uint64_t>(entries / (2 * rows + 65536), 1, 8));
}

template <class T>
struct RowEntry {
  std::int32_t column;
  T value;
};

/// Sorts one row by column and sums repeats; returns how many entries remain.
template <class T>
std::int64_t order_row(std::int32_t* columns, T* values, std::int64_t count, std::vector<RowEntry<T>>& scratch) {
  const auto end = columns + count;
  if (std::adjacent_find(columns, end, std::greater_equal<>()) == end) return count;
  if (!std::is_sorted(columns, end)) {
    scratch.resize(static_cast<std::size_t>(count));
    for (std::int64_t e = 0; e < count; ++e) scratch[static_cast<std::size_t>(e)] = {columns[e], values[e]};
    std::stable_sort(scratch.begin(), scratch.end(), [](const auto& a, const auto& b) { return a.column < b.column; });
    for (std::int64_t e = 0; e < count; ++e) {
      columns[e] = scratch[static_cast<std::size_t>(e)].column;
      values[e] = scratch[static_cast<std::size_t>(e)].value;
    }
  }
  std::int64_t kept = 0;
  for (std::int64_t e = 1; e < count; ++e) {
    if (columns[e] == columns[kept]) {
      values[kept] += values[e];
    } else {
      ++kept;
      columns[kept] = columns[e];
      values[kept] = values[e];
    }
  }
  return kept + 1;
}

}  // namespace

template <class T>
std::uint64_t csr_builder_bytes(std::uint64_t rows, std::uint64_t entries) {
  const auto groups = static_cast<std::uint64_t>(group_count(rows, entries));
  return entries * (sizeof(T) + sizeof(std::int32_t)) + (rows + 1) * 8 * (1 + groups);
}

bool rows_in_order(Index rows, const std::int64_t* offsets, const std::int32_t* columns, const Execution& exec) {
  std::vector<char> good(static_cast<std::size_t>(row_tasks(rows)), 1);
  parallel_for(exec, row_tasks(rows), [&](Index task) {
    const Index last = std::min(rows, (task + 1) * rows_a_task);
    for (Index i = task * rows_a_task; i < last; ++i) {
      const auto begin = columns + offsets[i], end = columns + offsets[i + 1];
      if (std::adjacent_find(begin, end, std::greater_equal<>()) != end) good[static_cast<std::size_t>(task)] = 0;
    }
  });
  return std::all_of(good.begin(), good.end(), [](char g) { return g != 0; });
}

template <class T>
void order_rows(Index rows, std::int64_t* offsets, std::int32_t* columns, T* values, const Execution& exec) {
  std::vector<std::int64_t> kept(static_cast<std::size_t>(rows));
  parallel_for(exec, row_tasks(rows), [&](Index task) {
    std::vector<RowEntry<T>> scratch;
    const Index last = std::min(rows, (task + 1) * rows_a_task);
    for (Index i = task * rows_a_task; i < last; ++i)
      kept[static_cast<std::size_t>(i)] =
          order_row(columns + offsets[i], values + offsets[i], offsets[i + 1] - offsets[i], scratch);
  });
  if (std::accumulate(kept.begin(), kept.end(), std::int64_t{0}) == offsets[rows]) return;
  std::int64_t next = 0;
  for (Index i = 0; i < rows; ++i) {  // close the gaps that repeats have left
    const std::int64_t from = offsets[i], count = kept[static_cast<std::size_t>(i)];
    std::copy(columns + from, columns + from + count, columns + next);
    std::copy(values + from, values + from + count, values + next);
    offsets[i] = next;
    next += count;
  }
  offsets[rows] = next;
}

namespace {

template <class T>
Dataset finished(Index rows, Index cols, const std::shared_ptr<std::int64_t[]>& offsets,
                 const std::shared_ptr<std::int32_t[]>& columns, const std::shared_ptr<T[]>& values,
                 const Execution& exec) {
  order_rows(rows, offsets.get(), columns.get(), values.get(), exec);
  return {CsrView<T>{rows, cols, offsets.get(), columns.get(), values.get()},
          std::make_shared<CsrParts>(CsrParts{offsets, columns, values})};
}

}  // namespace

template <class T>
Triples<T> Triples<T>::with_room_for(std::size_t entries) {
  return {make_large_array<std::int32_t>(entries), make_large_array<std::int32_t>(entries),
          make_large_array<T>(entries), 0};
}

template <class T>
Dataset csr_from_triples(Index rows, Index cols, const TripleView<T>& entries, const Execution& exec) {
  const auto size = static_cast<std::size_t>(entries.count);
  const auto offsets = make_large_array<std::int64_t>(static_cast<std::size_t>(rows) + 1);
  const auto columns = make_large_array<std::int32_t>(size);
  const auto values = make_large_array<T>(size);

  // A stable counting sort by row: groups of entries, in the order of the input, count and place theirs side by side.
  const std::int64_t groups = group_count(static_cast<std::uint64_t>(rows), size);
  const std::int64_t length = (entries.count + groups - 1) / groups;
  const auto each_entry = [&](Index group, auto&& use) {
    const std::int64_t last = std::min(entries.count, (group + 1) * length);
    for (std::int64_t e = group * length; e < last; ++e) use(static_cast<std::size_t>(entries.rows[e]), e);
  };
  std::vector<std::vector<std::int64_t>> next(static_cast<std::size_t>(groups));
  parallel_for(exec, groups, [&](Index group) {
    auto& counts = next[static_cast<std::size_t>(group)];
    counts.assign(static_cast<std::size_t>(rows), 0);
    each_entry(group, [&](std::size_t row, std::int64_t) { ++counts[row]; });
  });
  std::int64_t place = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
    offsets[i] = place;
    for (auto& counts : next) place += std::exchange(counts[i], place);
  }
  offsets[static_cast<std::size_t>(rows)] = place;
  parallel_for(exec, groups, [&](Index group) {
    auto& places = next[static_cast<std::size_t>(group)];
    each_entry(group, [&](std::size_t row, std::int64_t e) {
      const auto to = static_cast<std::size_t>(places[row]++);
      columns[to] = entries.columns[e];
      values[to] = entries.values[e];
    });
  });
  return finished(rows, cols, offsets, columns, values, exec);
}

template <class T>
Dataset csr_from_triples(Index rows, Index cols, Triples<T>&& entries, const Execution& exec) {
  const std::int32_t* numbers = entries.rows.get();
  if (!std::is_sorted(numbers, numbers + entries.count)) return csr_from_triples(rows, cols, entries.view(), exec);
  const auto offsets = make_large_array<std::int64_t>(static_cast<std::size_t>(rows) + 1);
  std::int64_t e = 0;
  for (Index i = 0; i <= rows; ++i) {  // offsets[i]: the first entry whose row is i or later
    while (e < entries.count && numbers[e] < i) ++e;
    offsets[static_cast<std::size_t>(i)] = e;
  }
  entries.rows.reset();
  return finished(rows, cols, offsets, entries.columns, entries.values, exec);
}

template std::uint64_t csr_builder_bytes<float>(std::uint64_t, std::uint64_t);
template std::uint64_t csr_builder_bytes<double>(std::uint64_t, std::uint64_t);
template void order_rows(Index, std::int64_t*, std::int32_t*, float*, const Execution&);
template void order_rows(Index, std::int64_t*, std::int32_t*, double*, const Execution&);
template struct Triples<float>;
template struct Triples<double>;
template Dataset csr_from_triples(Index, Index, const TripleView<float>&, const Execution&);
template Dataset csr_from_triples(Index, Index, const TripleView<double>&, const Execution&);
template Dataset csr_from_triples(Index, Index, Triples<float>&&, const Execution&);
template Dataset csr_from_triples(Index, Index, Triples<double>&&, const Execution&);

}  // namespace fewdim
