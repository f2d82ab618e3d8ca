#include "solvers/ratings/row_regression.hpp"

#include <algorithm>
#include <cmath>

namespace fewdim {

namespace {

constexpr Index kPanel = 64;  // entries that are multiplied together: 16 KiB at rank 32

AlignedNumbers zeros(Index count) { return AlignedNumbers(static_cast<std::size_t>(count), 0.0); }

}  // namespace

Matrix<double> gram_of(const LaneTable& table) {
  const Index width = table.width(), k = table.cols();
  AlignedNumbers gram = zeros(width * width), sums = zeros(2 * width), extra = zeros(2 * kPanel);
  for (Index first = 0; first < table.rows(); first += kPanel)
    add_row_products(table.row(first), table.row(first), extra.data(), std::min(kPanel, table.rows() - first), width,
                     gram.data(), width, sums.data());
  Matrix<double> out(k, k);
  for (Index i = 0; i < k; ++i)
    for (Index j = i; j < k; ++j) out(i, j) = out(j, i) = gram[static_cast<std::size_t>(i * width + j)];
  return out;
}

RowFitter::RowFitter(const RowDesign& design)
    : design_(design),
      width_(design.table.width()),
      size_(whole_lanes(design.unknowns())),
      gram_(zeros(width_ * width_)),
      sums_(zeros(2 * width_)),
      left_(zeros(design.implicit ? kPanel * width_ : 0)),
      right_(zeros(kPanel * width_)),
      extra_(zeros(2 * kPanel)),
      system_(zeros(size_ * size_)),
      answer_(zeros(size_)),
      rhs_(Vector<double>::Zero(size_)) {}

template <class U>
const double* RowFitter::fit(const std::int32_t* columns, const U* values, Index count) {
  std::fill(gram_.begin(), gram_.end(), 0.0);
  std::fill(sums_.begin(), sums_.end(), 0.0);
  targets_ = squares_ = least_ = weights_ = 0.0;
  entries_ = count;
  const bool shifted = design_.shift.size() > 0;
  for (Index first = 0; first < count; first += kPanel) {
    const Index entries = std::min(kPanel, count - first);
    gather_rows(design_.table.row(0), width_, columns + first, entries, right_.data());
    for (Index e = 0; e < entries; ++e) {
      const Index j = columns[first + e];
      const double x = static_cast<double>(values[first + e]);
      double* const extra = extra_.data() + 2 * e;
      if (design_.implicit) {
        const double more = x > 0.0 ? design_.confidence * x : 0.0, weight = x > 0.0 ? 1.0 + more : 0.0;
        for (Index c = 0; c < width_; ++c)
          left_[static_cast<std::size_t>(e * width_ + c)] = more * right_[static_cast<std::size_t>(e * width_ + c)];
        extra[0] = weight, extra[1] = 0.0;
        squares_ += weight;
      } else {
        const double target = shifted ? x - design_.shift[j] : x;
        extra[0] = target, extra[1] = 1.0;
        targets_ += target, weights_ += 1.0, squares_ += target * target;
      }
    }
    add_row_products(design_.implicit ? left_.data() : right_.data(), right_.data(), extra_.data(), entries, width_,
                     gram_.data(), width_, sums_.data());
  }
  std::fill(answer_.begin(), answer_.end(), 0.0);
  rhs_.setZero();
  if (count == 0) return answer_.data();
  const Index k = design_.table.cols();
  std::copy_n(sums_.data(), k, rhs_.data());
  if (design_.constant) rhs_[k] = targets_;
  // Without a ridge, few entries leave directions open: a touch of one takes the answer of about least length.
  for (double lift = 0.0; lift < 1.0; lift = lift == 0.0 ? 1e-12 : 100.0 * lift) {
    assemble(lift);
    std::copy_n(rhs_.data(), size_, answer_.data());
    if (solve_positive(system_.data(), size_, answer_.data())) break;
  }
  least_ = squares_;
  for (Index c = 0; c < design_.unknowns(); ++c) least_ -= rhs_[c] * answer_[static_cast<std::size_t>(c)];
  return answer_.data();
}

/// Diagonals are raised by that share of themselves.
void RowFitter::assemble(double lift) {
  const Index k = design_.table.cols(), n = design_.unknowns();
  for (Index i = 0; i < width_; ++i)
    std::copy_n(gram_.data() + i * width_ + i, width_ - i, system_.data() + i * size_ + i);
  if (design_.implicit)
    for (Index i = 0; i < k; ++i)
      for (Index j = i; j < k; ++j) system_[static_cast<std::size_t>(i * size_ + j)] += design_.gram(i, j);
  if (design_.constant) {
    for (Index i = 0; i < k; ++i)
      system_[static_cast<std::size_t>(i * size_ + k)] = sums_[static_cast<std::size_t>(width_ + i)];
    system_[static_cast<std::size_t>(k * size_ + k)] = weights_;
  }
  const double times = design_.by_count ? static_cast<double>(entries_) : 1.0;
  for (Index i = 0; i < size_; ++i) {
    double& diagonal = system_[static_cast<std::size_t>(i * size_ + i)];
    for (Index j = i / kLane * kLane; j < i; ++j) system_[static_cast<std::size_t>(i * size_ + j)] = 0.0;
    for (Index j = std::max(i + 1, n); j < size_; ++j) system_[static_cast<std::size_t>(i * size_ + j)] = 0.0;
    if (i >= n) {
      diagonal = 1.0;
      continue;
    }
    if (design_.ridge.size() > 0) diagonal += times * design_.ridge[i];
    diagonal += lift > 0.0 ? lift * (diagonal > 0.0 ? diagonal : 1.0) : 0.0;
  }
}

double RowFitter::residual_at(const double* y, double* squares) {
  assemble(0.0);
  const Index n = design_.unknowns(), k = design_.table.cols();
  for (Index i = 0; i < n; ++i) {
    double sum = -rhs_[i];
    for (Index j = 0; j < n; ++j)
      sum += system_[static_cast<std::size_t>(std::min(i, j) * size_ + std::max(i, j))] * y[j];
    squares[i] += sum * sum;
  }
  double lengths = weights_;
  for (Index i = 0; i < k; ++i)
    lengths += gram_[static_cast<std::size_t>(i * width_ + i)] + (design_.implicit ? design_.gram(i, i) : 0.0);
  return squares_ * lengths;
}

template const double* RowFitter::fit<double>(const std::int32_t*, const double*, Index);
template const double* RowFitter::fit<float>(const std::int32_t*, const float*, Index);

}  // namespace fewdim
