#include "data/table/reshape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "data/delimited/write.hpp"
#include "data/input/input.hpp"
#include "data/table/block.hpp"
#include "data/table/column_choice.hpp"

namespace fewdim {

namespace {

constexpr Index copied_rows_a_task = 1024;
std::string too_large() {
  return "use " + set_option("stream", true) + ", keep fewer " + option_name("columns") + ", or " +
         raise_option("memory_limit");
}

template <class Body>
void for_rows(const Execution& exec, Index rows, const Body& body) {
  parallel_for(exec, (rows + copied_rows_a_task - 1) / copied_rows_a_task, [&](Index task) {
    for (Index i = task * copied_rows_a_task; i < std::min(rows, (task + 1) * copied_rows_a_task); ++i) body(i);
  });
}

template <class T>
Dataset select(const DenseView<T>& view, const std::vector<Index>& kept, const Dataset& data, const Execution& exec) {
  const auto cols = static_cast<Index>(kept.size());
  std::vector<Index> neighbors(kept.size());
  std::iota(neighbors.begin(), neighbors.end(), kept[0]);
  if (kept == neighbors)
    return Dataset(
        DenseView<T>{view.data + kept[0] * view.col_stride, view.rows, cols, view.row_stride, view.col_stride},
        std::make_shared<Dataset>(data));
  const std::uint64_t bytes = static_cast<std::uint64_t>(view.rows) * kept.size() * sizeof(T);
  require_memory(exec, bytes, fmt::format("a copy of {} x {}", view.rows, cols), too_large());
  const auto block = make_large_array<T>(static_cast<std::size_t>(view.rows) * kept.size());
  T* const numbers = block.get();
  for_rows(exec, view.rows, [&](Index i) {
    for (Index j = 0; j < cols; ++j) numbers[i * cols + j] = view(i, kept[static_cast<std::size_t>(j)]);
  });
  return Dataset(DenseView<T>{numbers, view.rows, cols, cols, 1}, block);
}

template <class T>
Dataset select(const CsrView<T>& view, const std::vector<Index>& kept, const Dataset&, const Execution&) {
  std::vector<std::int32_t> place(static_cast<std::size_t>(view.cols), -1);
  for (std::size_t k = 0; k < kept.size(); ++k) place[static_cast<std::size_t>(kept[k])] = static_cast<std::int32_t>(k);
  Csr<T> csr;
  csr.rows = view.rows;
  csr.cols = static_cast<Index>(kept.size());
  std::vector<std::pair<std::int32_t, T>> row;
  for (Index i = 0; i < view.rows; ++i) {
    row.clear();
    for (std::int64_t e = view.offsets[i]; e < view.offsets[i + 1]; ++e)
      if (const std::int32_t column = place[static_cast<std::size_t>(view.columns[e])]; column >= 0)
        row.emplace_back(column, view.values[e]);
    std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [column, value] : row) csr.columns.push_back(column), csr.values.push_back(value);
    csr.offsets.push_back(static_cast<std::int64_t>(csr.values.size()));
  }
  return Dataset(std::move(csr));
}

/// Some columns of another stream.
class SelectedStream : public RowStream {
 public:
  SelectedStream(Dataset data, ColumnChoice choice) : data_(std::move(data)), choice_(std::move(choice)) {
    tags_.named = choice_.id >= 0 || inner().tags().named;
    tags_.labeled = choice_.label >= 0 || inner().tags().labeled;
  }
  Index cols() const override { return static_cast<Index>(choice_.kept.size()); }
  std::optional<Index> rows() const override { return inner().rows(); }
  Precision precision() const override { return inner().precision(); }
  bool rewindable() const override { return inner().rewindable(); }
  void rewind() override { inner().rewind(); }
  Index read(double* out, Index max_rows) override { return read_rows(out, max_rows, doubles_); }
  Index read(float* out, Index max_rows) override { return read_rows(out, max_rows, floats_); }
  const RowTags& tags() const override { return tags_; }
  std::string hash() const override { return inner().hash(); }

 private:
  RowStream& inner() const { return *data_.stream(); }

  template <class T>
  Index read_rows(T* out, Index max_rows, std::vector<T>& buffer) {
    const Index width = inner().cols(), tile = std::max<Index>(1, 65536 / std::max<Index>(1, width));
    buffer.resize(static_cast<std::size_t>(tile * width));
    tags_.names.clear(), tags_.labels.clear();
    Index done = 0;
    for (Index got; done < max_rows && (got = inner().read(buffer.data(), std::min(tile, max_rows - done))) > 0;
         done += got) {
      for (Index i = 0; i < got; ++i) {
        const T* row = buffer.data() + i * width;
        for (Index j = 0; j < cols(); ++j)
          out[(done + i) * cols() + j] = row[choice_.kept[static_cast<std::size_t>(j)]];
        if (choice_.id >= 0) delimited::append_number(tags_.names.emplace_back(), row[choice_.id]);
        if (choice_.label >= 0) delimited::append_number(tags_.labels.emplace_back(), row[choice_.label]);
      }
      const RowTags& tags = inner().tags();
      if (choice_.id < 0 && tags.named) append(tags_.names, tags.names);
      if (choice_.label < 0 && tags.labeled) append(tags_.labels, tags.labels);
    }
    return done;
  }
  static void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
    to.insert(to.end(), from.begin(), from.end());
  }

  Dataset data_;
  ColumnChoice choice_;
  RowTags tags_;
  std::vector<double> doubles_;
  std::vector<float> floats_;
};

template <class T>
T entry(const DenseView<T>& view, Index i, Index j) {
  return view(i, j);
}
template <class T>
T entry(const CsrView<T>& view, Index i, Index j) {
  const auto* begin = view.columns + view.offsets[i];
  const auto* end = view.columns + view.offsets[i + 1];
  const auto* found = std::lower_bound(begin, end, j);
  return found != end && *found == j ? view.values[found - view.columns] : T(0);
}

/// A column's numbers as words: "3", "0.5".
template <class View>
std::vector<std::string> words_of(const View& view, Index column) {
  std::vector<std::string> words(static_cast<std::size_t>(view.rows));
  for (Index i = 0; i < view.rows; ++i)
    delimited::append_number(words[static_cast<std::size_t>(i)], entry(view, i, column));
  return words;
}

template <class View>
Dataset select_from(const View& view, const ColumnChoice& choice, const Dataset& data, const Execution& exec) {
  Dataset selected = select(view, choice.kept, data, exec);
  selected.row_names = choice.id >= 0 ? words_of(view, choice.id) : data.row_names;
  selected.labels = choice.label >= 0 ? words_of(view, choice.label) : data.labels;
  return selected;
}

template <class T>
Dataset make_sparse(const DenseView<T>& view, const Execution& exec) {
  Csr<T> csr;
  csr.rows = view.rows;
  csr.cols = view.cols;
  csr.offsets.assign(static_cast<std::size_t>(view.rows) + 1, 0);
  for_rows(exec, view.rows, [&](Index i) {
    std::int64_t count = 0;
    for (Index j = 0; j < view.cols; ++j) count += view(i, j) != T(0);
    csr.offsets[static_cast<std::size_t>(i) + 1] = count;
  });
  std::partial_sum(csr.offsets.begin(), csr.offsets.end(), csr.offsets.begin());
  const auto nonzeros = static_cast<std::size_t>(csr.offsets.back());
  require_memory(exec, nonzeros * (sizeof(T) + sizeof(std::int32_t)), fmt::format("{} nonzeros", nonzeros),
                 too_large());
  csr.columns.resize(nonzeros);
  csr.values.resize(nonzeros);
  for_rows(exec, view.rows, [&](Index i) {
    auto next = static_cast<std::size_t>(csr.offsets[static_cast<std::size_t>(i)]);
    for (Index j = 0; j < view.cols; ++j)
      if (view(i, j) != T(0)) csr.columns[next] = static_cast<std::int32_t>(j), csr.values[next++] = view(i, j);
  });
  return Dataset(std::move(csr));
}

void copy_names(const Dataset& from, Dataset& to) {
  to.row_names = from.row_names;
  to.column_names = from.column_names;
  to.row_names_header = from.row_names_header;
  to.labels = from.labels;
  to.label_name = from.label_name;
}

}  // namespace

namespace {

Dataset selected(const Dataset& data, const ColumnChoice& choice, const Execution& exec) {
  Dataset selected;
  if (const auto* view = data.dense<double>()) selected = select_from(*view, choice, data, exec);
  if (const auto* view = data.dense<float>()) selected = select_from(*view, choice, data, exec);
  if (const auto* view = data.sparse<double>()) selected = select_from(*view, choice, data, exec);
  if (const auto* view = data.sparse<float>()) selected = select_from(*view, choice, data, exec);
  if (data.is_stream()) selected = Dataset(std::make_shared<SelectedStream>(data, choice));
  selected.row_names_header = data.row_names_header;
  selected.label_name = data.label_name;
  selected.weights = data.weights;
  selected.source = data.source;
  selected.hash = data.hash;
  if (data.column_names.empty()) return selected;
  const auto name = [&](Index column) { return data.column_names[static_cast<std::size_t>(column)]; };
  for (const Index column : choice.kept) selected.column_names.push_back(name(column));
  if (choice.id >= 0) selected.row_names_header = name(choice.id);
  if (choice.label >= 0) selected.label_name = name(choice.label);
  return selected;
}

}  // namespace

Dataset select_columns(Dataset data, const ReadOptions& options, const std::string& path, const Execution& exec) {
  const auto asked = [](const std::string& column) { return !column.empty() && column != "none"; };
  const bool features = !options.features.empty() && !data.column_names.empty();
  if (!asked(options.id) && !asked(options.label) && options.drop.empty() && options.columns.empty() && !features)
    return data;
  const ColumnChoice choice = choose_columns(data.column_names, data.cols(), options, {}, path);
  if (choice.kept.empty())
    throw DataError(fmt::format("{}: no column is left; keep one out of {}, {} and {}", shown_name(path),
                                option_name("id"), option_name("label"), option_name("drop")));
  return selected(data, choice, exec);
}

std::optional<Dataset> own_columns(const Dataset& data, const std::vector<std::string>& names, std::string_view who,
                                   const Execution& exec) {
  const std::vector<std::string>& there = data.column_names;
  if (names.empty() || there.empty() || std::ssize(there) != data.cols() || there == names) return {};
  const NameMatch match = match_names(there, names);
  require_match(match, there, std::string(who));
  std::vector<Index> in_order(there.size());
  std::iota(in_order.begin(), in_order.end(), Index{0});
  if (match.places == in_order) return {};  // they differ by bytes that are not UTF-8
  ColumnChoice choice;
  choice.kept = match.places;
  return selected(data, choice, exec);
}

Dataset columns_by_name(const Dataset& data, const std::vector<std::string>& names, const Execution& exec) {
  const std::string who = data.source.empty() ? "the table" : shown_name(data.source);
  std::optional<Dataset> own = own_columns(data, names, who, exec);
  return own ? *std::move(own) : data;
}

Dataset to_sparse(Dataset data, const Execution& exec) {
  if (!data.is_dense()) return data;
  if (data.cols() > INT32_MAX)
    throw Unsupported(
        fmt::format("{} columns are more than the 2147483647 that sparse rows can have; {}, or keep fewer {}",
                    data.cols(), leave_out("sparse"), option_name("columns")));
  Dataset sparse =
      data.dense<double>() ? make_sparse(*data.dense<double>(), exec) : make_sparse(*data.dense<float>(), exec);
  copy_names(data, sparse);
  return sparse;
}

}  // namespace fewdim
