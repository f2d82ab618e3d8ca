#include "ranking/walk.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "data/table/block.hpp"

namespace fewdim {

namespace {

constexpr Index gauss_seidel_stages = 32;

/// A sum with its rounding errors (Neumaier 1974).
class ExactSum {
 public:
  void add(double x) {
    const double sum = sum_ + x;
    rest_ += std::abs(sum_) >= std::abs(x) ? (sum_ - sum) + x : (x - sum) + sum_;
    sum_ = sum;
  }
  double get() const { return sum_ + rest_; }

 private:
  double sum_ = 0.0, rest_ = 0.0;
};

}  // namespace

RankWalk::RankWalk(const LinkGraph& graph, const PagerankOptions& options, const Execution& exec)
    : graph_(graph.view()), options_(options), exec_(exec), blocks_(graph_, gauss_seidel_stages) {
  const auto n = static_cast<std::size_t>(graph_.vertices);
  require_memory(exec, n * 8 * (options.restart.empty() ? 3 : 4), "pagerank: the scores", raise_option("memory_limit"));
  y_ = make_large_array<double>(n);
  next_ = make_large_array<double>(n);
  partial_.resize(static_cast<std::size_t>(blocks_.count()));
  set_restart();
  const double uniform = 1.0 / static_cast<double>(graph_.vertices);
  each_block(0, blocks_.count(), [&](Index b) {
    for (Index v = first(b); v < last(b); ++v) y_[v] = (restart_ ? restart_[v] : uniform) / divisor(v);
  });
  add_up();
}

double RankWalk::power_sweep() {
  const Shares shares = shares_of(1.0);
  each_block(0, blocks_.count(), [&](Index b) { run_block(b, shares, false); });
  std::swap(y_, next_);
  return sum_of(&Partial::change);
}

double RankWalk::gauss_seidel_sweep() {
  for (Index s = 0; s < blocks_.stages(); ++s) {
    const Index begin = blocks_.stage_cuts[static_cast<std::size_t>(s)];
    const Index end = blocks_.stage_cuts[static_cast<std::size_t>(s) + 1];
    const Shares shares = shares_of(sum_of(&Partial::mass));
    each_block(begin, end, [&](Index b) { run_block(b, shares, true); });
    each_block(begin, end,
               [&](Index b) { std::copy(next_.get() + first(b), next_.get() + last(b), y_.get() + first(b)); });
  }
  return sum_of(&Partial::change) / sum_of(&Partial::mass);
}

void RankWalk::step_back() {
  std::swap(y_, next_);
  add_up();
}

void RankWalk::normalize() {
  add_up();
  const double sum = sum_of(&Partial::mass);
  each_block(0, blocks_.count(), [&](Index b) {
    for (Index v = first(b); v < last(b); ++v) y_[v] /= sum;
  });
  add_up();
}

Vector<double> RankWalk::scores() const {
  Vector<double> x(graph_.vertices);
  for (Index v = 0; v < graph_.vertices; ++v) x[v] = y_[v] * divisor(v);
  return x;
}

double RankWalk::exact_sweep() {
  std::vector<double> part(static_cast<std::size_t>(blocks_.count()));
  const auto added_up = [&](const auto& of_vertex) {
    each_block(0, blocks_.count(), [&](Index b) {
      ExactSum sum;
      for (Index v = first(b); v < last(b); ++v) sum.add(of_vertex(v));
      part[static_cast<std::size_t>(b)] = sum.get();
    });
    ExactSum sum;
    for (const double x : part) sum.add(x);
    return sum.get();
  };
  const double d = options_.damping;
  const Shares shares = shares_of(1.0, added_up([&](Index v) { return graph_.outgoing[v] == 0.0 ? y_[v] : 0.0; }));
  const double change = added_up([&](Index v) {
    ExactSum pulled;
    for (std::int64_t e = graph_.offsets[v]; e < graph_.offsets[v + 1]; ++e)
      pulled.add((graph_.weights ? graph_.weights[e] : 1.0) * y_[graph_.sources[e]]);
    double x = d * pulled.get() + shares.all;
    if (restart_) x += shares.restart * restart_[v];
    if (options_.dangling == Dangling::self && graph_.outgoing[v] == 0.0) x += d * y_[v];
    next_[v] = x / divisor(v);
    return std::abs(x - y_[v] * divisor(v));
  });
  std::swap(y_, next_);
  return change;
}

void RankWalk::each_block(Index begin, Index end, const std::function<void(Index)>& use) const {
  parallel_for(exec_, end - begin, [&](Index i) { use(begin + i); });
}

void RankWalk::set_restart() {
  if (options_.restart.empty()) return;
  double sum = 0.0;
  for (const Restart& place : options_.restart) sum += place.weight;
  restart_ = make_large_array<double>(static_cast<std::size_t>(graph_.vertices));
  std::fill_n(restart_.get(), graph_.vertices, 0.0);
  for (const Restart& place : options_.restart) restart_[place.vertex] += place.weight / sum;
}

double RankWalk::sum_of(double Partial::*part) const {
  double sum = 0.0;
  for (const Partial& partial : partial_) sum += partial.*part;
  return sum;
}

RankWalk::Shares RankWalk::shares_of(double mass, double dangling) const {
  const double d = options_.damping, followed = d * dangling;
  double restart = (1.0 - d) * mass, all = 0.0;
  if (options_.dangling == Dangling::teleport) restart += followed;
  if (options_.dangling == Dangling::uniform) all += followed;
  if (!restart_) all += std::exchange(restart, 0.0);
  return {all / static_cast<double>(graph_.vertices), restart};
}

void RankWalk::add_up() {
  each_block(0, blocks_.count(), [&](Index b) {
    Partial sum;
    for (Index v = first(b); v < last(b); ++v) {
      const double x = y_[v] * divisor(v);
      sum.mass += x;
      sum.dangling += graph_.outgoing[v] == 0.0 ? x : 0.0;
    }
    partial_[static_cast<std::size_t>(b)] = sum;
  });
}

template <bool weighted>
void RankWalk::sweep_block(Index b, const Shares& shares, bool solve_self) {
  const double d = options_.damping;
  const double* y = y_.get();
  double* next = next_.get();
  const bool stays = options_.dangling == Dangling::self;
  Partial sum;
  for (Index v = first(b); v < last(b); ++v) {
    double pulled;
    if constexpr (weighted)
      pulled = pull(graph_.sources, graph_.weights, graph_.offsets[v], graph_.offsets[v + 1], y);
    else
      pulled = pull(graph_.sources, graph_.offsets[v], graph_.offsets[v + 1], y);
    const double outgoing = graph_.outgoing[v];
    const bool dangling = outgoing == 0.0;
    const double divide = dangling ? 1.0 : outgoing;
    double x = d * pulled + shares.all;
    if (restart_) x += shares.restart * restart_[v];
    if (stays && dangling) x = solve_self ? x / (1.0 - d) : x + d * y[v];
    const double scaled = x / divide;
    sum.change += std::abs(scaled - y[v]) * divide;
    sum.mass += x;
    sum.dangling += dangling ? x : 0.0;
    next[v] = scaled;
  }
  partial_[static_cast<std::size_t>(b)] = sum;
}

void RankWalk::run_block(Index b, const Shares& shares, bool solve_self) {
  if (graph_.weights)
    sweep_block<true>(b, shares, solve_self);
  else
    sweep_block<false>(b, shares, solve_self);
}

}  // namespace fewdim
