#include <fmt/format.h>

#include "base/memory.hpp"
#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "links/storage.hpp"

namespace fewdim {

namespace {

/// Calls use(i, j, value) for every entry of the matrix that is not 0.
template <class Use>
void each_entry(const Dataset& data, Use&& use) {
  const auto dense = [&](const auto& view) {
    for (Index i = 0; i < view.rows; ++i)
      for (Index j = 0; j < view.cols; ++j)
        if (const auto value = static_cast<double>(view(i, j)); value != 0.0) use(i, j, value);
  };
  const auto sparse = [&](const auto& view) {
    for (Index i = 0; i < view.rows; ++i)
      for (std::int64_t e = view.offsets[i]; e < view.offsets[i + 1]; ++e)
        if (const auto value = static_cast<double>(view.values[e]); value != 0.0) use(i, Index{view.columns[e]}, value);
  };
  if (const auto* view = data.dense<double>()) return dense(*view);
  if (const auto* view = data.dense<float>()) return dense(*view);
  if (const auto* view = data.sparse<double>()) return sparse(*view);
  if (const auto* view = data.sparse<float>()) return sparse(*view);
  throw DataError("an adjacency matrix is a table of numbers in memory");
}

}  // namespace

LinkGraph make_links(const Dataset& adjacency, const LinkOptions& options, const Execution& exec) {
  const std::string source = adjacency.source.empty() ? "adjacency matrix" : adjacency.source;
  const Index vertices = adjacency.rows();
  if (vertices != adjacency.cols())
    throw DataError(
        fmt::format("{}: {} x {} numbers; an adjacency matrix is square, with a row and a column for each vertex",
                    source, vertices, adjacency.cols()));
  require_vertex_count(static_cast<std::uint64_t>(vertices), source);
  VertexNames names{adjacency.row_names.empty() ? adjacency.column_names : adjacency.row_names, {}, 0};
  if (names.texts.empty()) names.first = 1;  // rows of a matrix are counted from 1
  std::size_t count = 0;
  each_entry(adjacency, [&](Index i, Index j, double weight) {
    if (const std::string fault = weight_fault(weight); !fault.empty())
      throw DataError(fmt::format("{}: row {}, column {}: {}", source, i + 1, j + 1, fault));
    ++count;
  });
  require_memory(exec, count * 16, fmt::format("{}: a list of its links", source), raise_option("memory_limit"));
  LinkList list = LinkList::with_room_for(count, true);
  each_entry(adjacency, [&](Index i, Index j, double weight) {
    list.from[list.count] = static_cast<std::int32_t>(i);
    list.to[list.count] = static_cast<std::int32_t>(j);
    list.weights[list.count++] = weight;
  });
  return build_links(vertices, std::move(list), options, std::move(names), source, exec);
}

}  // namespace fewdim
