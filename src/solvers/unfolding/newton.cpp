#include "solvers/unfolding/newton.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "base/random.hpp"

namespace fewdim {

namespace {

constexpr double kGround = 0.05;          // ε
constexpr double kForcing = 0.1;          // of the residual, in the factor's norm
constexpr double kLeastShift = 0.05;      // δ where some is needed
constexpr double kMostShift = 10.0;       // with it every direction curves up, but for rounding
constexpr Index kGradientSteps = 100;     // of conjugate gradients
constexpr Index kManyInNewton = 20'000;   // in a map: below, threads cost more than they bring
constexpr double kManyNewtonFlops = 1e8;  // of a factor

}  // namespace

double map_product(const UnfoldingMap& a, const UnfoldingMap& b) {
  double sum = 0.0;
  for (Index i = 0; i < a.size(); ++i) sum += a.data()[i] * b.data()[i];
  return sum;
}

StressNewton::StressNewton(const LinkNetwork& network, Index columns, const Execution& exec)
    : net_(network),
      springs_(network, columns, exec),
      exec_(for_work(exec, network.vertices() * columns > kManyInNewton)),
      factor_exec_(for_work(exec, springs_.flops() > kManyNewtonFlops)) {}

bool StressNewton::factor(const Vector<double>& s, const Vector<double>& sigma, const UnfoldingMap& y) {
  s_ = &s;
  sigma_ = &sigma;
  y_ = &y;
  for (double ground = kGround; ground < 1e4; ground *= 100.0)
    if (springs_.factor(s, sigma, y, factor_exec_, ground)) return true;
  return false;
}

void StressNewton::solve(const UnfoldingMap& gradient, UnfoldingMap& p) {
  while (!solve_shifted(gradient, p)) shift_ = std::max(3.0 * shift_, kLeastShift);
  used_ = shift_;
  shift_ = shift_ < 0.4 * kLeastShift ? 0.0 : 0.3 * shift_;
  center_map(net_, p);
}

bool StressNewton::solve_shifted(const UnfoldingMap& gradient, UnfoldingMap& p) {
  p = UnfoldingMap::Zero(gradient.rows(), gradient.cols());
  residual_ = -gradient;
  springs_.solve(residual_, solved_, exec_);
  direction_ = solved_;
  double size = map_product(residual_, solved_);
  const double goal = kForcing * kForcing * size;
  for (Index k = 0; k < kGradientSteps; ++k) {
    apply(direction_, product_);
    const double curve = map_product(direction_, product_);
    if (!(curve > 1e-4 * size)) {
      if (shift_ <= kMostShift) return false;
      if (k == 0) p = direction_;
      return true;
    }
    const double alpha = size / curve;
    flat(p) += alpha * flat(direction_);
    flat(residual_) -= alpha * flat(product_);
    springs_.solve(residual_, solved_, exec_);
    const double next = map_product(residual_, solved_);
    if (next <= goal) break;
    flat(direction_) = flat(solved_) + (next / size) * flat(direction_);
    size = next;
  }
  return true;
}

void StressNewton::apply(const UnfoldingMap& p, UnfoldingMap& out) {
  constexpr Index kChunk = 1024;
  const Index n = p.rows(), r = p.cols();
  link_products(net_, *y_, p, cross_, square_, exec_);
  out.resize(n, r);
  parallel_for(exec_, (n + kChunk - 1) / kChunk, [&](Index chunk) {
    for (Index i = chunk * kChunk; i < std::min(n, (chunk + 1) * kChunk); ++i) {
      const double *pi = p.data() + i * r, *yi = y_->data() + i * r;
      double* to = out.data() + i * r;
      for (Index c = 0; c < r; ++c) to[c] = (shift_ - 1.0) * net_.weights[i] * pi[c];
      for (auto at = static_cast<std::size_t>(net_.offsets[static_cast<std::size_t>(i)]);
           at < static_cast<std::size_t>(net_.offsets[static_cast<std::size_t>(i) + 1]); ++at) {
        const double *pj = p.data() + net_.targets[at] * r, *yj = y_->data() + net_.targets[at] * r;
        const Index e = net_.link[at];
        const double stress = (*s_)[e], pull = 2.0 * (*sigma_)[e] * cross_[e];
        for (Index c = 0; c < r; ++c) to[c] += stress * (pi[c] - pj[c]) + pull * (yi[c] - yj[c]);
      }
    }
  });
}

void StressNewton::soft_direction(Seed seed, std::uint32_t stream, UnfoldingMap& p) {
  const Random random(seed, stream);
  residual_.resize(net_.vertices(), p.cols());
  for (Index i = 0; i < residual_.size(); ++i) residual_.data()[i] = random.normal(static_cast<std::uint64_t>(i));
  springs_.solve(residual_, p, exec_);
  center_map(net_, p);
}

}  // namespace fewdim
