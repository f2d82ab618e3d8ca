#include <algorithm>
#include <memory>
#include <numeric>

#include "base/index.hpp"
#include "base/parallel.hpp"
#include "fewdim/error.hpp"
#include "operators/sparse_symmetric.hpp"

namespace fewdim {

namespace {

constexpr Index kTasks = 64;                    // ranges of rows, whatever their number
constexpr Index kPieces = 64;                   // of one call of `fill`
constexpr std::int64_t kRoundValues = 1 << 21;  // 16 MiB of pieces at a time

/// Where a vertex occurs: entry `place` of the list of vertices, which belongs to `piece`.
struct Occurrence {
  std::int64_t place;
  std::int32_t piece;
};

/// Per vertex, its occurrences by rising piece.
struct Occurrences {
  std::vector<std::int64_t> offsets;
  std::unique_ptr<Occurrence[]> list;
};

Occurrences occurrences_of(Index size, const PieceLists& pieces) {
  Occurrences out;
  out.offsets.assign(at(size) + 1, 0);
  for (const std::int32_t v : pieces.vertices) {
    if (v < 0 || v >= size) throw Error(ErrorKind::internal, "a piece has a vertex that the matrix has not");
    ++out.offsets[at(v) + 1];
  }
  std::partial_sum(out.offsets.begin(), out.offsets.end(), out.offsets.begin());
  out.list = std::make_unique_for_overwrite<Occurrence[]>(pieces.vertices.size());
  std::vector<std::int64_t> next(out.offsets.begin(), out.offsets.end() - 1);
  for (Index p = 0; p < pieces.count(); ++p)
    for (auto e = pieces.offsets[at(p)]; e < pieces.offsets[at(p) + 1]; ++e)
      out.list[at(next[at(pieces.vertices[at(e)])]++)] = {e, static_cast<std::int32_t>(p)};
  return out;
}

/// The pattern: row v holds the vertices of every piece that has v.
SparseSymmetric pattern_of(Index size, const PieceLists& pieces, const Occurrences& occurrences,
                           const Execution& exec) {
  std::vector<std::vector<std::int32_t>> parts(at(kTasks));
  SparseSymmetric out;
  out.offsets.assign(at(size) + 1, 0);
  parallel_for(exec, kTasks, [&](Index task) {
    const Index first = size * task / kTasks, last = size * (task + 1) / kTasks;
    if (first == last) return;
    auto& part = parts[at(task)];
    std::vector<std::int32_t> seen(at(size), -1);  // the last row that has the column
    for (Index v = first; v < last; ++v) {
      const std::size_t start = part.size();
      for (auto o = occurrences.offsets[at(v)]; o < occurrences.offsets[at(v) + 1]; ++o) {
        const auto p = at(occurrences.list[at(o)].piece);
        for (auto e = pieces.offsets[p]; e < pieces.offsets[p + 1]; ++e) {
          const std::int32_t u = pieces.vertices[at(e)];
          if (seen[at(u)] == v) continue;
          seen[at(u)] = static_cast<std::int32_t>(v);
          part.push_back(u);
        }
      }
      std::sort(part.begin() + static_cast<std::ptrdiff_t>(start), part.end());
      out.offsets[at(v) + 1] = static_cast<std::int64_t>(part.size() - start);
    }
  });
  std::partial_sum(out.offsets.begin(), out.offsets.end(), out.offsets.begin());
  out.columns.resize(at(out.offsets.back()));
  parallel_for(exec, kTasks, [&](Index task) {
    auto& part = parts[at(task)];
    std::copy(part.begin(), part.end(), out.columns.begin() + out.offsets[at(size * task / kTasks)]);
    part = {};
  });
  return out;
}

}  // namespace

std::uint64_t sum_of_pieces_bytes(Index size, const PieceLists& pieces) {
  std::int64_t largest = 0, all = 0;
  for (Index p = 0; p < pieces.count(); ++p) {
    largest = std::max(largest, pieces.size(p) * pieces.size(p));
    all += pieces.size(p) * pieces.size(p);
  }
  return pieces.vertices.size() * sizeof(Occurrence) + at(size) * 4 * sizeof(std::int64_t) +
         at(std::min(all, kRoundValues + kPieces * largest)) * sizeof(double);
}

SparseSymmetric sum_of_pieces(Index size, const PieceLists& pieces, const FillPieces& fill, std::string_view stage,
                              const Execution& exec) {
  const Occurrences occurrences = occurrences_of(size, pieces);
  SparseSymmetric out = pattern_of(size, pieces, occurrences, exec);
  out.values.assign(out.columns.size(), 0.0);
  std::vector<std::int64_t> next(occurrences.offsets.begin(), occurrences.offsets.end() - 1);
  std::vector<std::int64_t> places;  // of the round's pieces among its values
  std::unique_ptr<double[]> values;
  std::int64_t room = 0;
  for (Index first = 0; first < pieces.count();) {
    places.assign(1, 0);
    Index last = first;
    while (last < pieces.count() && (last == first || places.back() < kRoundValues)) {
      places.push_back(places.back() + pieces.size(last) * pieces.size(last));
      ++last;
    }
    if (places.back() > room) room = places.back(), values = std::make_unique_for_overwrite<double[]>(at(room));
    parallel_for(exec, (last - first + kPieces - 1) / kPieces, [&](Index task) {
      const Index from = first + task * kPieces;
      fill(from, std::min(last, from + kPieces), values.get() + places[at(from - first)]);
    });
    parallel_for(exec, kTasks, [&](Index task) {
      const Index begin = size * task / kTasks, end = size * (task + 1) / kTasks;
      if (begin == end) return;
      const auto place_of = std::make_unique_for_overwrite<std::int32_t[]>(at(size));  // in the row; its columns only
      for (Index v = begin; v < end; ++v) {
        std::int64_t& o = next[at(v)];
        if (o == occurrences.offsets[at(v) + 1] || occurrences.list[at(o)].piece >= last) continue;
        const std::int64_t start = out.offsets[at(v)];
        for (auto e = start; e < out.offsets[at(v) + 1]; ++e)
          place_of[at(out.columns[at(e)])] = static_cast<std::int32_t>(e - start);
        double* row = out.values.data() + start;
        const std::int64_t end_of_row = occurrences.offsets[at(v) + 1];
        for (auto ahead = o; ahead < end_of_row && occurrences.list[at(ahead)].piece < last; ++ahead) {
          const Index p = occurrences.list[at(ahead)].piece;  // far from each other in memory: asked for all at once
          __builtin_prefetch(values.get() + places[at(p - first)] +
                             (occurrences.list[at(ahead)].place - pieces.offsets[at(p)]) * pieces.size(p));
          __builtin_prefetch(pieces.vertices.data() + pieces.offsets[at(p)]);
        }
        for (; o < end_of_row && occurrences.list[at(o)].piece < last; ++o) {
          const Index p = occurrences.list[at(o)].piece, m = pieces.size(p);
          const std::int32_t* vertices = pieces.vertices.data() + pieces.offsets[at(p)];
          const double* from =
              values.get() + places[at(p - first)] + (occurrences.list[at(o)].place - pieces.offsets[at(p)]) * m;
          for (Index k = 0; k < m; ++k) row[place_of[at(vertices[k])]] += from[k];
        }
      }
    });
    first = last;
    report_progress(exec, stage, first, pieces.count(), "pieces");
  }
  return out;
}

}  // namespace fewdim
