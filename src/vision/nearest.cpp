#include "vision/nearest.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"

namespace fewdim {

namespace {

constexpr Index block = 512, queries_a_task = 32;

}  // namespace

NearestPlaces nearest_places(const Matrix<double>& places, const Matrix<double>& queries, bool skip_own,
                             const Execution& exec) {
  NearestPlaces out;
  out.row.assign(static_cast<std::size_t>(queries.rows()), -1);
  out.distance = Vector<double>::Constant(queries.rows(), std::numeric_limits<double>::infinity());
  const Index tasks = (queries.rows() + queries_a_task - 1) / queries_a_task;
  parallel_for(exec, tasks, [&](Index task) {
    std::array<double, block> squares;
    for (Index q = task * queries_a_task; q < std::min(queries.rows(), (task + 1) * queries_a_task); ++q) {
      double best = std::numeric_limits<double>::infinity();
      for (Index first = 0; first < places.rows(); first += block) {
        const Index count = std::min(block, places.rows() - first);
        std::fill_n(squares.begin(), count, 0.0);
        for (Index c = 0; c < places.cols(); ++c) {
          const double* place = &places(first, c);
          const double here = queries(q, c);
          for (Index i = 0; i < count; ++i)
            squares[static_cast<std::size_t>(i)] += (place[i] - here) * (place[i] - here);
        }
        for (Index i = 0; i < count; ++i) {
          if ((skip_own && first + i == q) || !(squares[static_cast<std::size_t>(i)] < best)) continue;
          best = squares[static_cast<std::size_t>(i)];
          out.row[static_cast<std::size_t>(q)] = first + i;
        }
      }
      out.distance[q] = std::sqrt(best);
    }
  });
  return out;
}

}  // namespace fewdim
