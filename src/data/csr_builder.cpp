#include "data/csr_builder.hpp"

#include <numeric>

#include "base/parallel.hpp"
#include "data/large_array.hpp"

namespace fewdim {

namespace {

constexpr Index rows_a_task = 4096;

Index row_tasks(Index rows) { return (rows + rows_a_task - 1) / rows_a_task; }

/// Groups of pieces that count and place their entries side by side; one counter per row each, so few where rows are
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

template <class T>
Dataset csr_from_triples(Index rows, Index cols, const std::vector<TripleView<T>>& pieces, const Execution& exec) {
  std::int64_t entries = 0;
  for (const auto& piece : pieces) entries += piece.count;
  const auto size = static_cast<std::size_t>(entries);
  const auto offsets = make_large_array<std::int64_t>(static_cast<std::size_t>(rows) + 1);
  const auto columns = make_large_array<std::int32_t>(size);
  const auto values = make_large_array<T>(size);

  // A stable counting sort by row. Group g holds the pieces first_piece[g] .. first_piece[g+1], about equally many
  // entries.
  const std::int64_t groups = group_count(static_cast<std::uint64_t>(rows), size);
  std::vector<std::size_t> first_piece{0};
  std::int64_t seen = 0;
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    seen += pieces[p].count;
    while (std::int64_t(first_piece.size()) < groups && seen * groups >= entries * std::int64_t(first_piece.size()))
      first_piece.push_back(p + 1);
  }
  first_piece.resize(static_cast<std::size_t>(groups) + 1, pieces.size());
  first_piece.back() = pieces.size();

  std::vector<std::vector<std::int64_t>> next(static_cast<std::size_t>(groups));
  const auto each_entry = [&](Index g, auto&& use) {
    for (std::size_t p = first_piece[std::size_t(g)]; p < first_piece[std::size_t(g) + 1]; ++p)
      for (std::int64_t e = 0; e < pieces[p].count; ++e) use(pieces[p], e);
  };
  parallel_for(exec, groups, [&](Index g) {
    auto& counts = next[std::size_t(g)];
    counts.assign(static_cast<std::size_t>(rows), 0);
    each_entry(g, [&](const TripleView<T>& piece, std::int64_t e) { ++counts[std::size_t(piece.rows[e])]; });
  });
  std::int64_t place = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
    offsets[i] = place;
    for (auto& counts : next) place += std::exchange(counts[i], place);
  }
  offsets[static_cast<std::size_t>(rows)] = place;
  parallel_for(exec, groups, [&](Index g) {
    auto& places = next[std::size_t(g)];
    each_entry(g, [&](const TripleView<T>& piece, std::int64_t e) {
      const auto to = static_cast<std::size_t>(places[std::size_t(piece.rows[e])]++);
      columns[to] = piece.columns[e];
      values[to] = piece.values[e];
    });
  });
  order_rows(rows, offsets.get(), columns.get(), values.get(), exec);
  return {CsrView<T>{rows, cols, offsets.get(), columns.get(), values.get()},
          std::make_shared<CsrParts>(CsrParts{offsets, columns, values})};
}

template std::uint64_t csr_builder_bytes<float>(std::uint64_t, std::uint64_t);
template std::uint64_t csr_builder_bytes<double>(std::uint64_t, std::uint64_t);
template void order_rows(Index, std::int64_t*, std::int32_t*, float*, const Execution&);
template void order_rows(Index, std::int64_t*, std::int32_t*, double*, const Execution&);
template Dataset csr_from_triples(Index, Index, const std::vector<TripleView<float>>&, const Execution&);
template Dataset csr_from_triples(Index, Index, const std::vector<TripleView<double>>&, const Execution&);

}  // namespace fewdim
