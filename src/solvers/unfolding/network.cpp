#include "solvers/unfolding/network.hpp"

#include <algorithm>
#include <numeric>

#include "base/parallel.hpp"

namespace fewdim {

namespace {

constexpr Index kLinks = 4096, kVertices = 1024;  // in a task

template <class Task>
void by_chunks(Index count, Index chunk, const Execution& exec, const Task& task) {
  parallel_for(exec, (count + chunk - 1) / chunk,
               [&](Index number) { task(number * chunk, std::min(count, (number + 1) * chunk)); });
}

double distance_square(const double* a, const double* b, Index columns) {
  double sums[4] = {};
  for (Index c = 0; c < columns; c += 4)
    for (Index k = 0; k < 4; ++k) {
      const double d = a[c + k] - b[c + k];
      sums[k] += d * d;
    }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

LinkNetwork::LinkNetwork(Index vertices, std::span<const Link> given, Vector<double> vertex_weights)
    : squares(std::ssize(given)), weights(std::move(vertex_weights)) {
  for (Index i = 0; i < vertices; ++i) total += weights[i];
  offsets.assign(static_cast<std::size_t>(vertices) + 1, 0);
  for (const Link& l : given) {
    squares[std::ssize(first)] = l.length * l.length;
    first.push_back(l.first);
    second.push_back(l.second);
    ++offsets[static_cast<std::size_t>(l.first) + 1];
    ++offsets[static_cast<std::size_t>(l.second) + 1];
  }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  targets.resize(2 * given.size());
  link.resize(2 * given.size());
  std::vector<std::int64_t> at(offsets.begin(), offsets.end() - 1);
  for (std::size_t e = 0; e < given.size(); ++e)
    for (const auto& [from, to] : {std::pair{first[e], second[e]}, std::pair{second[e], first[e]}}) {
      const auto place = static_cast<std::size_t>(at[static_cast<std::size_t>(from)]++);
      targets[place] = to;
      link[place] = static_cast<std::int32_t>(e);
    }
}

void center_map(const LinkNetwork& network, UnfoldingMap& y) {
  Vector<double> mean = Vector<double>::Zero(y.cols());
  for (Index i = 0; i < y.rows(); ++i)
    for (Index c = 0; c < y.cols(); ++c) mean[c] += network.weights[i] * y(i, c);
  mean /= network.total;
  for (Index i = 0; i < y.rows(); ++i)
    for (Index c = 0; c < y.cols(); ++c) y(i, c) -= mean[c];
}

double map_variance(const LinkNetwork& network, const UnfoldingMap& y) {
  double sum = 0.0;
  for (Index i = 0; i < y.rows(); ++i) {
    double square = 0.0;
    for (Index c = 0; c < y.cols(); ++c) square += y(i, c) * y(i, c);
    sum += network.weights[i] * square;
  }
  return sum;
}

void link_squares(const LinkNetwork& network, const UnfoldingMap& y, Vector<double>& out, const Execution& exec) {
  const Index r = y.cols();
  out.resize(network.links());
  by_chunks(network.links(), kLinks, exec, [&](Index from, Index to) {
    for (Index e = from; e < to; ++e) {
      const auto at = static_cast<std::size_t>(e);
      out[e] = distance_square(y.data() + network.first[at] * r, y.data() + network.second[at] * r, r);
    }
  });
}

void link_products(const LinkNetwork& network, const UnfoldingMap& y, const UnfoldingMap& p, Vector<double>& cross,
                   Vector<double>& square, const Execution& exec) {
  const Index r = y.cols();
  cross.resize(network.links());
  square.resize(network.links());
  by_chunks(network.links(), kLinks, exec, [&](Index from, Index to) {
    for (Index e = from; e < to; ++e) {
      const auto at = static_cast<std::size_t>(e);
      const double *yi = y.data() + network.first[at] * r, *yj = y.data() + network.second[at] * r;
      const double *pi = p.data() + network.first[at] * r, *pj = p.data() + network.second[at] * r;
      double a[4] = {}, b[4] = {};
      for (Index c = 0; c < r; c += 4)
        for (Index k = 0; k < 4; ++k) {
          const double d = pi[c + k] - pj[c + k];
          a[k] += (yi[c + k] - yj[c + k]) * d;
          b[k] += d * d;
        }
      cross[e] = (a[0] + a[1]) + (a[2] + a[3]);
      square[e] = (b[0] + b[1]) + (b[2] + b[3]);
    }
  });
}

void stress_forces(const LinkNetwork& network, const Vector<double>& s, const UnfoldingMap& y, UnfoldingMap& out,
                   const Execution& exec) {
  const Index r = y.cols();
  out.resize(y.rows(), r);
  by_chunks(y.rows(), kVertices, exec, [&](Index from, Index to) {
    for (Index i = from; i < to; ++i) {
      const double* yi = y.data() + i * r;
      double* g = out.data() + i * r;
      for (Index c = 0; c < r; ++c) g[c] = -network.weights[i] * yi[c];
      for (auto at = static_cast<std::size_t>(network.offsets[static_cast<std::size_t>(i)]);
           at < static_cast<std::size_t>(network.offsets[static_cast<std::size_t>(i) + 1]); ++at) {
        const double* yj = y.data() + network.targets[at] * r;
        const double stress = s[network.link[at]];
        for (Index c = 0; c < r; c += 4)
          for (Index k = 0; k < 4; ++k) g[c + k] += stress * (yi[c + k] - yj[c + k]);
      }
    }
  });
}

}  // namespace fewdim
