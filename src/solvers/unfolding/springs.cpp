#include "solvers/unfolding/springs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/memory.hpp"
#include "base/parallel.hpp"

namespace fewdim {

namespace {

/// The plan for a matrix with a dense block of size r in place of each entry.
Elimination blown_up(const Elimination& plan, Index r) {
  Elimination out;
  const auto each = [r](const std::vector<std::int32_t>& from, std::vector<std::int32_t>& to) {
    to.reserve(from.size() * static_cast<std::size_t>(r));
    for (const std::int32_t v : from)
      for (Index a = 0; a < r; ++a) to.push_back(static_cast<std::int32_t>(v * r + a));
  };
  each(plan.order, out.order);
  each(plan.position, out.position);
  each(plan.rows, out.rows);
  for (const std::int32_t v : plan.first) out.first.push_back(static_cast<std::int32_t>(v * r));
  for (const std::int64_t v : plan.row_offsets) out.row_offsets.push_back(v * r);
  out.parent = plan.parent;
  const auto square = static_cast<std::uint64_t>(r * r);
  out.nonzeros = plan.nonzeros * r * r;
  out.flops = plan.flops * static_cast<double>(r * r * r);
  out.factor_bytes = plan.factor_bytes * square;
  out.peak_bytes = plan.peak_bytes * square;
  return out;
}

}  // namespace

SpringStiffness::SpringStiffness(const LinkNetwork& network, Index columns, const Execution& exec)
    : net_(network), columns_(columns) {
  const Index n = network.vertices(), r = columns;
  // The pattern of the graph, each row's columns rising, the diagonal among them.
  SparseSymmetric pattern;
  place_.resize(network.targets.size());
  own_.resize(static_cast<std::size_t>(n));
  std::vector<std::pair<std::int32_t, std::int64_t>> row;
  for (Index i = 0; i < n; ++i) {
    const auto from = network.offsets[static_cast<std::size_t>(i)],
               to = network.offsets[static_cast<std::size_t>(i) + 1];
    row.assign(1, {static_cast<std::int32_t>(i), -1});
    for (std::int64_t at = from; at < to; ++at) row.emplace_back(network.targets[static_cast<std::size_t>(at)], at);
    std::ranges::sort(row);
    for (std::size_t k = 0; k < row.size(); ++k) {
      pattern.columns.push_back(row[k].first);
      (row[k].second < 0 ? own_[static_cast<std::size_t>(i)] : place_[static_cast<std::size_t>(row[k].second)]) =
          static_cast<std::int32_t>(k);
    }
    pattern.offsets.push_back(std::ssize(pattern.columns));
  }
  pattern.values.assign(pattern.columns.size(), 1.0);
  elimination_ = blown_up(plan_elimination(pattern, exec), r);
  const auto numbers = static_cast<std::uint64_t>(std::ssize(pattern.columns) * r * r);
  require_memory(exec, elimination_.peak_bytes + numbers * (sizeof(double) + sizeof(std::int32_t)),
                 fmt::format("mvu: the factor for {} objects and {} links in {} columns", n, network.links(), r),
                 "take fewer rows or neighbors");
  for (Index i = 0; i < n; ++i)
    for (Index a = 0; a < r; ++a) {
      for (auto at = static_cast<std::size_t>(pattern.offsets[static_cast<std::size_t>(i)]);
           at < static_cast<std::size_t>(pattern.offsets[static_cast<std::size_t>(i) + 1]); ++at)
        for (Index b = 0; b < r; ++b) matrix_.columns.push_back(static_cast<std::int32_t>(pattern.columns[at] * r + b));
      matrix_.offsets.push_back(std::ssize(matrix_.columns));
    }
  matrix_.values.resize(matrix_.columns.size());
}

bool SpringStiffness::factor(const Vector<double>& kappa, const Vector<double>& sigma, const UnfoldingMap& y,
                             const Execution& exec, double epsilon) {
  const Index n = net_.vertices(), r = columns_;
  constexpr Index kChunk = 512;
  parallel_for(exec, (n + kChunk - 1) / kChunk, [&](Index chunk) {
    for (Index i = chunk * kChunk; i < std::min(n, (chunk + 1) * kChunk); ++i) {
      double* rows = matrix_.values.data() + matrix_.offsets[static_cast<std::size_t>(i * r)];
      const Index width =
          matrix_.offsets[static_cast<std::size_t>(i * r) + 1] - matrix_.offsets[static_cast<std::size_t>(i * r)];
      double* own = rows + own_[static_cast<std::size_t>(i)] * r;
      for (Index a = 0; a < r; ++a)
        for (Index b = 0; b < r; ++b) own[a * width + b] = a == b ? epsilon * net_.weights[i] : 0.0;
      for (auto at = static_cast<std::size_t>(net_.offsets[static_cast<std::size_t>(i)]);
           at < static_cast<std::size_t>(net_.offsets[static_cast<std::size_t>(i) + 1]); ++at) {
        const Index j = net_.targets[at], e = net_.link[at];
        double* other = rows + place_[at] * r;
        for (Index a = 0; a < r; ++a) {
          const double stiff = 2.0 * sigma[e] * (y(i, a) - y(j, a));
          for (Index b = 0; b < r; ++b) {
            const double v = stiff * (y(i, b) - y(j, b)) + (a == b ? kappa[e] : 0.0);
            own[a * width + b] += v;
            other[a * width + b] = -v;
          }
        }
      }
    }
  });
  factor_ = std::make_unique<SparseCholesky>(matrix_, elimination_, 0.0, exec);
  return factor_->positive();
}

void SpringStiffness::solve(const UnfoldingMap& g, UnfoldingMap& out, const Execution& exec) const {
  out = g;
  factor_->solve(Eigen::Map<Matrix<double>>(out.data(), out.size(), 1), exec);
}

}  // namespace fewdim
