#include "features/random_map.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "features/random_normals.hpp"

namespace fewdim {

namespace {

constexpr std::uint32_t normal_stream = 0x52500001, sparse_stream = 0x52500002, sign_stream = 0x52500003,
                        row_stream = 0x52500004;
constexpr Index task_rows = 64;

std::uint64_t counter(Index feature, Index number) {
  return (static_cast<std::uint64_t>(feature) << 32) + static_cast<std::uint64_t>(number);
}

/// Calls visit(c, negative) for the entries of feature j that are not 0, in order. The gaps between them are geometric,
/// so that zeros cost nothing.
template <class Visit>
void walk_row(const RandomMap& map, const Random& random, Index j, Visit visit) {
  const double log_zero = std::log1p(-map.density);  // −∞ where no entry is 0: every gap is 0 then
  const auto k = static_cast<double>(map.components);
  double c = 0.0;
  for (Index t = 0;; t += 2, c += 1.0) {
    c += std::floor(std::log(random.uniform(counter(j, t))) / log_zero);
    if (!(c < k)) return;
    visit(static_cast<std::int32_t>(c), random.below(counter(j, t + 1), 2) == 1);
  }
}

double sparse_factor(const RandomMap& map) {
  return 1.0 / std::sqrt(map.density * static_cast<double>(map.components));
}

}  // namespace

template <class T>
void draw_rows(const RandomMap& map, Index first, Index count, T* out, const Execution& exec) {
  const Index k = map.components;
  const Random sparse(map.seed, sparse_stream);
  const double normal_factor = 1.0 / std::sqrt(static_cast<double>(k));
  const HadamardDraw hadamard = map.kind == ProjectionKind::hadamard ? draw_hadamard(map) : HadamardDraw{};
  const T factor = static_cast<T>(map.kind == ProjectionKind::sparse ? sparse_factor(map) : hadamard.factor);
  const auto draw_row = [&](Index j, T* row) {
    if (map.kind == ProjectionKind::gaussian) return fill_normal_row(map.seed, normal_stream, j, normal_factor, row, k);
    std::fill_n(row, k, T(0));
    if (map.kind == ProjectionKind::sparse)
      return walk_row(map, sparse, j, [&](std::int32_t c, bool negative) { row[c] = negative ? -factor : factor; });
    for (Index c = 0; c < k; ++c) {
      const auto shared = static_cast<std::uint64_t>(j & hadamard.rows[static_cast<std::size_t>(c)]);
      const bool odd = (std::popcount(shared) & 1) != 0, turned = hadamard.signs[static_cast<std::size_t>(j)] < 0;
      row[c] = odd != turned ? -factor : factor;
    }
  };
  parallel_for(exec, (count + task_rows - 1) / task_rows, [&](Index task) {
    for (Index i = task * task_rows; i < std::min(count, (task + 1) * task_rows); ++i) draw_row(first + i, out + i * k);
  });
}

SignedLists draw_lists(const RandomMap& map, const Execution& exec) {
  const Random random(map.seed, sparse_stream);
  const Index tasks = (map.features + task_rows - 1) / task_rows;
  struct Part {
    std::vector<std::int64_t> counts;
    std::vector<std::int32_t> entries;
  };
  std::vector<Part> parts(static_cast<std::size_t>(tasks));
  parallel_for(exec, tasks, [&](Index task) {
    Part& part = parts[static_cast<std::size_t>(task)];
    std::vector<std::int32_t> minus;
    for (Index j = task * task_rows; j < std::min(map.features, (task + 1) * task_rows); ++j) {
      const auto before = std::ssize(part.entries);
      minus.clear();
      walk_row(map, random, j, [&](std::int32_t c, bool negative) { (negative ? minus : part.entries).push_back(c); });
      part.counts.push_back(std::ssize(part.entries) - before);
      part.counts.push_back(std::ssize(minus));
      part.entries.insert(part.entries.end(), minus.begin(), minus.end());
    }
  });
  SignedLists lists;
  lists.factor = sparse_factor(map);
  lists.offsets.push_back(0);
  for (const Part& part : parts) {
    for (const std::int64_t count : part.counts) lists.offsets.push_back(lists.offsets.back() + count);
    lists.entries.insert(lists.entries.end(), part.entries.begin(), part.entries.end());
  }
  return lists;
}

HadamardDraw draw_hadamard(const RandomMap& map) {
  HadamardDraw draw;
  draw.padded = static_cast<Index>(std::bit_ceil(static_cast<std::uint64_t>(map.features)));
  draw.factor = 1.0 / std::sqrt(static_cast<double>(map.components));
  draw.rows = draw_without_replacement(draw.padded, map.components, map.seed, row_stream);
  const Random random(map.seed, sign_stream);
  for (Index j = 0; j < map.features; ++j)
    draw.signs.push_back(random.below(static_cast<std::uint64_t>(j), 2) == 1 ? -1 : 1);
  return draw;
}

template void draw_rows(const RandomMap&, Index, Index, float*, const Execution&);
template void draw_rows(const RandomMap&, Index, Index, double*, const Execution&);

}  // namespace fewdim
