#include "quality/embedding/rank_measures.hpp"

#include <algorithm>
#include <cmath>

namespace fewdim {

namespace {

/// Evenly spaced in log K from 1 to `last`, or all of them where they are few.
std::vector<Index> log_spaced(Index last, Index most) {
  std::vector<Index> out;
  for (Index i = 0; i < std::min(last, most); ++i) {
    const double along = most > 1 ? static_cast<double>(i) / static_cast<double>(most - 1) : 0.0;
    const Index k = last <= most ? i + 1 : static_cast<Index>(std::llround(std::pow(static_cast<double>(last), along)));
    if (out.empty() || k > out.back()) out.push_back(k);
  }
  return out;
}

}  // namespace

RankMeasures::RankMeasures(Index rows, Index neighbors)
    : rows_(rows), neighbors_(neighbors), ladder_(log_spaced(rows - 2, RankRow::most_points)) {
  step_.resize(static_cast<std::size_t>(rows));
  std::size_t step = 0;
  for (Index m = 1; m < rows; ++m) {
    while (step < ladder_.size() && ladder_[step] < m) ++step;
    step_[static_cast<std::size_t>(m)] = static_cast<std::uint8_t>(step);
  }
  // The area is Σ_K R(K)/K over Σ_K 1/K, K = 1 .. N−2 (Lee, Peluffo-Ordóñez & Verleysen 2015). Each m counts in Q(K) of
  // every K ≥ m, which makes Σ_{K≥m} (N−1)/(K²(N−1−K)); the part of −K/(K(N−1−K)) adds up to −Σ 1/K.
  area_weights_.assign(static_cast<std::size_t>(rows), 0.0);
  double harmonic = 0.0, tail = 0.0;
  for (Index k = rows - 2; k >= 1; --k) {
    const auto size = static_cast<double>(k);
    harmonic += 1.0 / size;
    tail += static_cast<double>(rows - 1) / (size * size * static_cast<double>(rows - 1 - k));
    area_weights_[static_cast<std::size_t>(k)] = tail;
  }
  for (double& weight : area_weights_) weight /= harmonic;
}

double RankMeasures::beyond_chance(Index neighbors, double kept) const {
  const auto k = static_cast<double>(neighbors), others = static_cast<double>(rows_ - 1);
  return (others * kept - k) / (others - k);
}

RankRow RankMeasures::row(Index i, const double* original, const double* embedding, Scratch& scratch) const {
  const auto& nearest = scratch.original.sort(original, rows_, i);
  const auto& near = scratch.embedding.sort(embedding, rows_, i);
  scratch.ranks.resize(static_cast<std::size_t>(rows_));
  for (std::size_t p = 0; p < nearest.size(); ++p) scratch.ranks[nearest[p]] = static_cast<std::uint32_t>(p + 1);

  const auto k = static_cast<std::uint32_t>(neighbors_);
  std::array<std::uint32_t, RankRow::most_points + 1> counts{};
  std::uint64_t intruders = 0, lost = 0;
  std::uint32_t kept = 0;
  double area = -1.0;
  for (std::size_t p = 0; p < near.size(); ++p) {
    const auto here = static_cast<std::uint32_t>(p + 1);
    const std::uint32_t there = scratch.ranks[near[p]], larger = std::max(here, there);
    ++counts[step_[larger]];
    area += area_weights_[larger];
    if (larger <= k) ++kept;
    if (here <= k && there > k) intruders += there - k;
    if (there <= k && here > k) lost += here - k;
  }
  // The largest penalty there can be, for K < N/2, is K(2N−3K−1)/2.
  const double n = static_cast<double>(rows_), size = static_cast<double>(neighbors_);
  const double penalty = 2.0 / (size * (2.0 * n - 3.0 * size - 1.0));
  RankRow out;
  out.trustworthiness = 1.0 - penalty * static_cast<double>(intruders);
  out.continuity = 1.0 - penalty * static_cast<double>(lost);
  out.kept = static_cast<double>(kept) / size;
  out.area = area;
  out.collapsed = embedding[near.front()] == 0.0 && original[nearest.front()] > 0.0;
  std::uint32_t within = 0;
  for (std::size_t p = 0; p < ladder_.size(); ++p) out.within[p] = within += counts[p];
  return out;
}

}  // namespace fewdim
