#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/remedy.hpp"
#include "fewdim/inputs.hpp"
#include "session/joined_stream.hpp"

namespace fewdim {

namespace {

/// Names that both have, with commas, as an option takes them; empty where there are none.
std::string shared_names(const Dataset& a, const Dataset& b) {
  std::vector<std::string> shared;
  for (const std::string& name : a.column_names)
    if (std::ranges::find(b.column_names, name) != b.column_names.end()) shared.push_back(name);
  return shared.empty() || shared.size() > 20 ? "" : fmt::format("{}", fmt::join(shared, ","));
}

/// `first`: of those with names, if any has them. A part without, such as `split` makes, is taken by its place.
void require_same_columns(const Dataset& first, const Dataset& part) {
  const bool named = !first.column_names.empty() && !part.column_names.empty();
  if (part.cols() == first.cols() && (!named || part.column_names == first.column_names)) return;
  const std::string shared = named ? shared_names(first, part) : "";
  const std::string remedy = shared.empty()
                                 ? "parts of one table have the same columns"
                                 : fmt::format("take those that both have with {}", set_option("columns", shared));
  if (part.cols() != first.cols())
    throw DataError(fmt::format("{}: has {} columns, and {} has {}; {}", part.source, part.cols(), first.source,
                                first.cols(), remedy));
  const auto [here, there] = std::ranges::mismatch(part.column_names, first.column_names);
  throw DataError(fmt::format("{}: column {} is '{}', and in {} it is '{}'; {}", part.source,
                              here - part.column_names.begin() + 1, *here, first.source, *there, remedy));
}

/// Parts whose columns have the same names in another order are put into the order of the first.
void put_in_order(const std::vector<std::string>& names, Dataset& part) {
  if (part.column_names == names) return;
  std::vector<std::string> here = part.column_names, there = names;
  std::ranges::sort(here);
  std::ranges::sort(there);
  if (here == there) part = columns_by_name(part, names);
}

template <class T>
Dataset join_dense(std::vector<Dataset>& parts, Index rows) {
  RowMatrix<T> all(rows, parts.front().cols());
  Index at = 0;
  for (Dataset& part : parts) {
    const auto copy = [&](const auto* view) {
      if (!view) return;
      for (Index i = 0; i < view->rows; ++i)
        for (Index j = 0; j < view->cols; ++j) all(at + i, j) = static_cast<T>((*view)(i, j));
    };
    copy(part.dense<double>());
    copy(part.dense<float>());
    at += part.rows();
    part = Dataset();  // its memory is free from here on
  }
  return Dataset(std::move(all));
}

template <class T>
Dataset join_sparse(const std::vector<Dataset>& parts, Index rows) {
  Csr<T> all;
  all.rows = rows;
  all.cols = parts.front().cols();
  const auto append = [&](const auto* view) {
    if (!view) return;
    const std::int64_t before = all.offsets.back();
    for (Index i = 1; i <= view->rows; ++i) all.offsets.push_back(before + view->offsets[i]);
    all.columns.insert(all.columns.end(), view->columns, view->columns + view->nonzeros());
    for (std::int64_t e = 0; e < view->nonzeros(); ++e) all.values.push_back(static_cast<T>(view->values[e]));
  };
  for (const Dataset& part : parts) {
    append(part.sparse<double>());
    append(part.sparse<float>());
  }
  return Dataset(std::move(all));
}

const Dataset& first_with_names(const std::vector<Dataset>& parts) {
  const auto named = std::ranges::find_if(parts, [](const Dataset& part) { return !part.column_names.empty(); });
  return named == parts.end() ? parts.front() : *named;
}

/// Names and labels of the rows, when every part has them.
void join_names(Dataset& table, const std::vector<Dataset>& parts) {
  const auto all_have = [&](auto member) {
    return std::ranges::all_of(parts, [&](const Dataset& part) { return !(part.*member).empty(); });
  };
  const auto append = [&](auto member) {
    if (!all_have(member)) return;
    for (const Dataset& part : parts)
      (table.*member).insert((table.*member).end(), (part.*member).begin(), (part.*member).end());
  };
  append(&Dataset::row_names);
  append(&Dataset::labels);
  table.row_names_header = parts.front().row_names_header;
  table.label_name = parts.front().label_name;
  table.column_names = first_with_names(parts).column_names;
  std::vector<std::string> hashes;
  for (const Dataset& part : parts) hashes.push_back(part.hash);
  table.hash = joined_hash(hashes);
  table.source = fmt::format("{} and {} more", parts.front().source, parts.size() - 1);
}

Dataset join_texts(std::vector<Dataset>& parts) {
  std::vector<std::string> all;
  for (Dataset& part : parts) std::ranges::move(part.texts, std::back_inserter(all));
  return Dataset::of_texts(std::move(all));
}

Dataset join_in_memory(std::vector<Dataset>& parts) {
  if (parts.front().is_text()) return join_texts(parts);
  Index rows = 0;
  bool single = true, sparse = true;
  for (const Dataset& part : parts) {
    rows += part.rows();
    single = single && part.precision() == Precision::float32;
    sparse = sparse && part.is_sparse();
    if (part.is_sparse() != parts.front().is_sparse())
      throw DataError(fmt::format("{}: is {}, and {} is not; {} makes all of them sparse", part.source,
                                  part.is_sparse() ? "sparse" : "dense", parts.front().source,
                                  set_option("sparse", true)));
  }
  if (sparse) return single ? join_sparse<float>(parts, rows) : join_sparse<double>(parts, rows);
  return single ? join_dense<float>(parts, rows) : join_dense<double>(parts, rows);
}

}  // namespace

Dataset join_rows(std::vector<Dataset> parts) {
  if (parts.size() == 1) return std::move(parts.front());
  const std::vector<std::string> order = first_with_names(parts).column_names;
  for (Dataset& part : parts) put_in_order(order, part);
  for (const Dataset& part : parts) require_same_columns(first_with_names(parts), part);
  Dataset names;
  join_names(names, parts);
  Dataset table = parts.front().is_stream() ? Dataset(joined_stream(parts)) : join_in_memory(parts);
  table.row_names = std::move(names.row_names);
  table.row_names_header = std::move(names.row_names_header);
  table.labels = std::move(names.labels);
  table.label_name = std::move(names.label_name);
  table.column_names = std::move(names.column_names);
  table.hash = std::move(names.hash);
  table.source = std::move(names.source);
  return table;
}

}  // namespace fewdim
