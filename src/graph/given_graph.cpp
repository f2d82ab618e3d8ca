#include <fmt/format.h>

#include <cmath>

#include "data/table/checks.hpp"
#include "graph/connect.hpp"

namespace fewdim {

namespace {

struct Half {
  std::int32_t target = 0;
  double length = 0.0;
};

/// Throws unless the length is finite and at least 0.
void require_length(double length, Index i, Index j, std::string_view who) {
  if (length >= 0.0 && std::isfinite(length)) return;
  throw DataError(fmt::format("{}: the edge between {} and {} has the length {}; lengths are numbers of 0 or more", who,
                              i + 1, j + 1, length));
}

}  // namespace

template <class T>
NeighborGraph given_graph(const CsrView<T>& lengths, Disconnected disconnected, std::string_view who,
                          const Execution&) {
  if (lengths.rows != lengths.cols)
    throw DataError(fmt::format("{}: a graph must be a square matrix of lengths; this one is {}x{}", who, lengths.rows,
                                lengths.cols));
  if (lengths.rows < 2)
    throw DataError(fmt::format("{}: a neighbor graph needs at least 2 rows; there is {}", who, lengths.rows));
  validate_csr(lengths, who);
  std::vector<std::vector<Half>> rows(static_cast<std::size_t>(lengths.rows));
  for (Index i = 0; i < lengths.rows; ++i)
    for (std::int64_t e = lengths.offsets[i]; e < lengths.offsets[i + 1]; ++e) {
      const std::int32_t j = lengths.columns[e];
      if (i == j) continue;
      const auto length = static_cast<double>(lengths.values[e]);
      require_length(length, i, j, who);
      rows[static_cast<std::size_t>(i)].push_back({j, length});
      rows[static_cast<std::size_t>(j)].push_back({static_cast<std::int32_t>(i), length});
    }
  // Two lengths of one edge may differ by rounding alone, of the type or of printing.
  const double rounding = sizeof(T) == 4 ? 1e-5 : 1e-9;
  NeighborGraph graph;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto& row = rows[i];
    std::sort(row.begin(), row.end(), [](const Half& a, const Half& b) {
      return std::pair(a.target, a.length) < std::pair(b.target, b.length);
    });
    for (std::size_t e = 0; e < row.size(); ++e) {
      if (e == 0 || row[e].target != row[e - 1].target) {  // the lesser of two, from both ends
        graph.targets.push_back(row[e].target);
        graph.lengths.push_back(row[e].length);
        continue;
      }
      if (row[e].length - row[e - 1].length <= rounding * row[e].length) continue;
      throw DataError(fmt::format(
          "{}: the edge between {} and {} has two lengths, {} and {}; give each edge once, or the same both ways", who,
          std::min<Index>(static_cast<Index>(i), row[e].target) + 1,
          std::max<Index>(static_cast<Index>(i), row[e].target) + 1, row[e - 1].length, row[e].length));
    }
    graph.offsets.push_back(std::ssize(graph.targets));
  }
  return connect(std::move(graph), {.disconnected = disconnected}, {}, who);
}

template NeighborGraph given_graph(const CsrView<float>&, Disconnected, std::string_view, const Execution&);
template NeighborGraph given_graph(const CsrView<double>&, Disconnected, std::string_view, const Execution&);

}  // namespace fewdim
