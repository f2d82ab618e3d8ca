#include "solvers/eigen/outside.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.hpp"
#include "solvers/eigen/blocks.hpp"
#include "solvers/eigen/direct.hpp"
#include "solvers/eigen/krylov.hpp"

namespace fewdim {

namespace {

constexpr std::uint32_t kStream = 5'000'000;

}  // namespace

double lanczos_error(Index size, Index steps, Index starts, double probability) {
  const double each = std::pow(probability, 1.0 / static_cast<double>(starts));
  const double root = std::log(1.648 * std::sqrt(static_cast<double>(std::max<Index>(size, 1))) / each) /
                      static_cast<double>(2 * steps - 1);
  return root * root;
}

OutsideProbe::OutsideProbe(const SymmetricOperator& a, ConstBlock<double> q, bool semidefinite, Seed seed,
                           const Execution& exec)
    : a_(a),
      q_(q),
      semidefinite_(semidefinite),
      seed_(seed),
      exec_(exec),
      found_(-std::numeric_limits<double>::infinity()),
      upper_(std::numeric_limits<double>::infinity()) {
  Matrix<double> start(a.size(), std::min(kStarts, a.size() - q.cols()));
  if (start.cols() <= 0) {
    upper_ = found_;
    return;
  }
  fill_normal<double>(seed, kStream, start);
  for (int pass = 0; pass < 2; ++pass) subtract(q_, project(q_, start, exec), start, exec);
  orthonormalize(q_, start, 0.0, seed, kStream + 1000, exec);
  basis_ = std::move(start);
  pending_ = basis_.cols();
}

void OutsideProbe::step() {
  if (exhausted()) return;
  Matrix<double> w(a_.size(), pending_);
  a_.apply(basis_.middleCols(size_, pending_), w);
  const Index all = size_ + pending_;
  subtract(q_, project(q_, w, exec_), w, exec_);
  Matrix<double> h = project(basis_, w, exec_);
  subtract(basis_, h, w, exec_);
  Matrix<double> t = Matrix<double>::Zero(all, all);
  t.topLeftCorner(size_, size_) = projected_;
  t.rightCols(pending_) = h;
  t.bottomLeftCorner(pending_, size_) = h.topRows(size_).transpose();
  auto corner = t.bottomRightCorner(pending_, pending_);
  corner = (0.5 * (corner + corner.transpose())).eval();
  projected_ = std::move(t);
  products_ += pending_;
  ++steps_;
  size_ = all;
  const Index left = a_.size() - q_.cols() - size_;
  if (left <= 0) {
    pending_ = 0;
    return judge();
  }
  if (w.cols() > left) w.conservativeResize(Eigen::NoChange, left);
  const double scale = std::max(projected_.cwiseAbs().maxCoeff(), 1e-300);
  const auto stream = kStream + 2000 + static_cast<std::uint32_t>(100 * steps_);
  const Matrix<double> b = orthonormalize(basis_, w, 1e-14 * scale, seed_, stream, exec_);
  if (!(b.diagonal().array().abs().minCoeff() > 1e-6 * scale)) {  // what is new or was small has parts in Q
    subtract(q_, project(q_, w, exec_), w, exec_);
    orthonormalize(basis_, w, 1e-3, seed_, stream + 50, exec_);
  }
  pending_ = w.cols();
  basis_.conservativeResize(Eigen::NoChange, size_ + pending_);
  basis_.rightCols(pending_) = w;
  judge();
}

void OutsideProbe::judge() {
  Matrix<double> t = projected_;
  const Vector<double> ritz = eigenvalues_symmetric(t);
  found_ = ritz[0];
  if (exhausted()) {
    upper_ = found_;
    return;
  }
  const double error =
      lanczos_error(a_.size() - q_.cols(), steps_, kStarts, semidefinite_ ? kMissProbability : 0.5 * kMissProbability);
  if (semidefinite_) {  // λ_max − λ_min ≤ λ_max
    if (error < 1.0) upper_ = std::max(found_, 0.0) / (1.0 - error);
  } else if (error < 0.5) {  // both ends are within ε of the spread
    upper_ = found_ + error * (ritz[0] - ritz[ritz.size() - 1]) / (1.0 - 2.0 * error);
  }
}

Matrix<double> OutsideProbe::directions(Index count) const {
  Matrix<double> t = projected_;
  const SymmetricEigen eigen = eigen_symmetric(t, std::min(count, size_));
  Matrix<double> out(a_.size(), eigen.vectors.cols());
  combine(basis_.leftCols(size_), eigen.vectors, out, exec_);
  return out;
}

Outside largest_outside(const SymmetricOperator& a, ConstBlock<double> v, bool semidefinite, double limit, double noise,
                        Seed seed, const Execution& exec) {
  Outside out;
  if (v.cols() >= a.size()) return {.probability = 0.0};
  const SymmetricOperator deflated(a.size(), [&](ConstBlock<double> x, Block<double> y) {
    Matrix<double> inside = x;
    subtract(v, project(v, inside, exec), inside, exec);
    a.apply(inside, y);
    subtract(v, project(v, y, exec), y, exec);
  });
  const KrylovOptions options{.block = OutsideProbe::kStarts,
                              .tolerance = 1e-4,
                              .seed = seed,
                              .stage = "completeness",
                              .least_noise = noise,
                              .semidefinite = semidefinite,
                              .limit = limit};
  const KrylovResult result = krylov_largest(
      deflated, [](const Vector<double>&) { return Index{1}; }, 1, options, exec);
  out.found = result.values.size() > 0 ? result.values[0] : 0.0;
  out.upper = result.first_upper;
  out.probability = result.outside_probability;
  out.products = result.products;
  return out;
}

}  // namespace fewdim
