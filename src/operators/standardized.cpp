#include "operators/standardized.hpp"

#include <oneapi/tbb/cache_aligned_allocator.h>

#include <algorithm>

#include "base/parallel.hpp"
#include "operators/csr_kernels.hpp"

namespace fewdim {

static_assert(LinearOperator<Standardized>);

namespace {

constexpr Index kMostChunks = 16;

/// Row chunks of about equal numbers of entries, many for each column: every chunk has a sum of its own. Their number
/// depends on the data alone.
std::vector<Index> row_chunks(const std::int64_t* offsets, Index rows, Index cols) {
  const std::int64_t entries = offsets[rows];
  const auto chunks = std::clamp<std::int64_t>(entries / (24 * std::max<Index>(cols, 1)), 1, kMostChunks);
  std::vector<Index> bounds{0};
  for (std::int64_t c = 1; c < chunks; ++c)
    bounds.push_back(std::upper_bound(offsets, offsets + rows, entries * c / chunks) - offsets - 1);
  bounds.push_back(rows);
  return bounds;
}

/// Rows of eight numbers, each in a cache line of its own: straddling two costs a third of the speed.
using Eights = std::vector<double, tbb::cache_aligned_allocator<double>>;

/// Columns of a block, eight at a time, row-major, zero-padded, each row times factor_j.
void pack(ConstBlock<double> x, Index first, const Vector<double>& factor, Eights& out, const Execution& exec) {
  out.resize(static_cast<std::size_t>(x.rows() * kCsrWidth));
  const Index width = std::min(kCsrWidth, x.cols() - first);
  constexpr Index kRows = 2048;
  parallel_for(exec, (x.rows() + kRows - 1) / kRows, [&](Index task) {
    for (Index j = task * kRows; j < std::min(x.rows(), (task + 1) * kRows); ++j)
      for (Index c = 0; c < kCsrWidth; ++c)
        out[static_cast<std::size_t>(j * kCsrWidth + c)] =
            c < width ? x(j, first + c) * (factor.size() > 0 ? factor[j] : 1.0) : 0.0;
  });
}

/// shift = meanᵀ X for a packed X.
std::array<double, kCsrWidth> shift_of(const Vector<double>& mean, const Eights& packed) {
  std::array<double, kCsrWidth> shift{};
  for (Index j = 0; j < mean.size(); ++j)
    for (Index c = 0; c < kCsrWidth; ++c)
      shift[static_cast<std::size_t>(c)] += mean[j] * packed[static_cast<std::size_t>(j * kCsrWidth + c)];
  return shift;
}

/// What one row chunk adds to y, and the sum of its u, for the mean's part.
struct Partial {
  Eights y;
  std::array<double, kCsrWidth> sum{};
};

/// y(:, first..) = factor ∘ (Σ partial.y − mean · Σ partial.sumᵀ), in chunk order.
void gather(const std::vector<Partial>& parts, const Standardization& s, Index first, Block<double> y,
            const Execution& exec) {
  std::array<double, kCsrWidth> sum{};
  for (const auto& part : parts)
    for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += part.sum[c];
  const Index width = std::min(kCsrWidth, y.cols() - first);
  constexpr Index kRows = 2048;
  parallel_for(exec, (y.rows() + kRows - 1) / kRows, [&](Index task) {
    for (Index j = task * kRows; j < std::min(y.rows(), (task + 1) * kRows); ++j) {
      std::array<double, kCsrWidth> values{};
      for (const auto& part : parts)
        for (std::size_t c = 0; c < values.size(); ++c)
          values[c] += part.y[static_cast<std::size_t>(j * kCsrWidth) + c];
      for (Index c = 0; c < width; ++c) {
        double value = values[static_cast<std::size_t>(c)];
        if (s.mean.size() > 0) value -= s.mean[j] * sum[static_cast<std::size_t>(c)];
        y(j, first + c) = value * (s.inverse_scale.size() > 0 ? s.inverse_scale[j] : 1.0);
      }
    }
  });
}

}  // namespace

template <class S>
void Standardized::sparse_normal(const CsrView<S>& a, ConstBlock<double> x, Block<double> y) const {
  const Vector<double> weights = standardization_.root_weights.cwiseAbs2();
  const auto eight_columns = [&](Index first, const std::vector<Index>& bounds, const Execution& exec) {
    Eights packed;
    pack(x, first, standardization_.inverse_scale, packed, exec);
    const auto shift = shift_of(standardization_.mean, packed);
    std::vector<Partial> parts(bounds.size() - 1);
    parallel_for(exec, std::ssize(parts), [&](Index chunk) {
      Partial& part = parts[static_cast<std::size_t>(chunk)];
      part.y.assign(packed.size(), 0.0);
      csr_normal(a, bounds[static_cast<std::size_t>(chunk)], bounds[static_cast<std::size_t>(chunk) + 1], packed.data(),
                 shift.data(), weights.size() > 0 ? weights.data() : nullptr, part.y.data(), part.sum.data());
    });
    gather(parts, standardization_, first, y, exec);
  };
  const Index groups = (x.cols() + kCsrWidth - 1) / kCsrWidth;
  if (groups >= kMostChunks) {  // as many tasks as there could be chunks, and none of them has a sum to share
    const std::vector<Index> whole{0, a.rows};
    parallel_for(exec_, groups, [&](Index g) { eight_columns(g * kCsrWidth, whole, Execution{.threads = 1}); });
    return;
  }
  const auto bounds = row_chunks(a.offsets, a.rows, a.cols);
  for (Index g = 0; g < groups; ++g) eight_columns(g * kCsrWidth, bounds, exec_);
}

template <class S>
void Standardized::sparse_apply(const CsrView<S>& a, ConstBlock<double> x, Block<double> y) const {
  const auto bounds = row_chunks(a.offsets, a.rows, a.cols);
  const auto& roots = standardization_.root_weights;
  Eights rows(static_cast<std::size_t>(a.rows * kCsrWidth));
  Eights packed;
  for (Index first = 0; first < x.cols(); first += kCsrWidth) {
    pack(x, first, standardization_.inverse_scale, packed, exec_);
    const auto shift = shift_of(standardization_.mean, packed);
    parallel_for(exec_, std::ssize(bounds) - 1, [&](Index chunk) {
      csr_apply(a, bounds[static_cast<std::size_t>(chunk)], bounds[static_cast<std::size_t>(chunk) + 1], packed.data(),
                shift.data(), roots.size() > 0 ? roots.data() : nullptr, rows.data());
      for (Index i = bounds[static_cast<std::size_t>(chunk)]; i < bounds[static_cast<std::size_t>(chunk) + 1]; ++i)
        for (Index c = 0; c < std::min(kCsrWidth, x.cols() - first); ++c)
          y(i, first + c) = rows[static_cast<std::size_t>(i * kCsrWidth + c)];
    });
  }
}

template <class S>
void Standardized::sparse_adjoint(const CsrView<S>& a, ConstBlock<double> u, Block<double> y) const {
  const auto bounds = row_chunks(a.offsets, a.rows, a.cols);
  const auto& roots = standardization_.root_weights;
  std::vector<Partial> parts(bounds.size() - 1);
  Eights packed;
  for (Index first = 0; first < u.cols(); first += kCsrWidth) {
    pack(u, first, Vector<double>(), packed, exec_);
    parallel_for(exec_, std::ssize(parts), [&](Index chunk) {
      Partial& part = parts[static_cast<std::size_t>(chunk)];
      part.y.assign(static_cast<std::size_t>(a.cols * kCsrWidth), 0.0);
      part.sum = {};
      csr_adjoint(a, bounds[static_cast<std::size_t>(chunk)], bounds[static_cast<std::size_t>(chunk) + 1],
                  packed.data(), roots.size() > 0 ? roots.data() : nullptr, part.y.data(), part.sum.data());
    });
    gather(parts, standardization_, first, y, exec_);
  }
}

void Standardized::apply(ConstBlock<double> x, Block<double> y) const {
  if (const auto* a = data_.sparse<double>()) return sparse_apply(*a, x, y);
  if (const auto* a = data_.sparse<float>()) return sparse_apply(*a, x, y);
  return in_float() ? dense_apply<float>(x, y) : dense_apply<double>(x, y);
}

void Standardized::apply_adjoint(ConstBlock<double> u, Block<double> y) const {
  if (const auto* a = data_.sparse<double>()) return sparse_adjoint(*a, u, y);
  if (const auto* a = data_.sparse<float>()) return sparse_adjoint(*a, u, y);
  return in_float() ? dense_adjoint<float>(u, y) : dense_adjoint<double>(u, y);
}

void Standardized::apply_normal(ConstBlock<double> x, Block<double> y) const {
  if (const auto* a = data_.sparse<double>()) return sparse_normal(*a, x, y);
  if (const auto* a = data_.sparse<float>()) return sparse_normal(*a, x, y);
  return in_float() ? dense_normal<float>(x, y) : dense_normal<double>(x, y);
}

}  // namespace fewdim
