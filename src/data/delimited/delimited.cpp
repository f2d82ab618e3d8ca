#include "data/delimited/delimited.hpp"

#include <fmt/format.h>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "data/delimited/parse.hpp"
#include "data/delimited/scan.hpp"
#include "data/delimited/triangle.hpp"
#include "data/formats.hpp"
#include "data/input/input.hpp"
#include "data/table/block.hpp"

namespace fewdim {

namespace delimited {

namespace {

std::string too_large() {
  return "use " + set_option("stream", true) + ", keep fewer " + option_name("columns") + ", or " +
         raise_option("memory_limit");
}
constexpr std::size_t wave = 256;  // stretches between two reports of progress

/// Where the rows go: into one dense block, into sparse pieces (one a stretch), or nowhere, to find what is wrong.
template <class T>
struct Rows {
  enum class Kind { dense, sparse, none };
  struct Piece {
    std::vector<std::int64_t> ends;  // of the rows, within the piece
    std::vector<std::int32_t> columns;
    std::vector<T> values;
  };

  Kind kind = Kind::dense;
  Index cols = 0;
  T* numbers = nullptr;
  std::vector<Piece> pieces;
  std::vector<std::string> names, labels;

  void append(const T* row, Piece& piece) const {
    for (Index j = 0; j < cols; ++j)
      if (row[j] != T(0)) piece.columns.push_back(static_cast<std::int32_t>(j)), piece.values.push_back(row[j]);
    piece.ends.push_back(static_cast<std::int64_t>(piece.values.size()));
  }
};

/// Parses the stretches in parallel. Of several problems the first in the text is reported, whoever finds it.
template <class T>
class Reader {
 public:
  Reader(const Bytes& bytes, std::string_view rows, const Layout& layout, const Execution& exec)
      : bytes_(bytes), rows_(rows), layout_(layout), exec_(exec), stretches_(find_records(rows, exec)) {
    const char* end = rows_.data() + rows_.size();
    last_lacks_newline_ = end == bytes_.text.data() + bytes_.text.size();
  }

  Index row_count() const { return stretches_.back().first_row + stretches_.back().rows; }
  const std::vector<Stretch>& stretches() const { return stretches_; }

  void read(Rows<T>& rows) {
    for (std::size_t first = 0; first < stretches_.size(); first += wave) {
      const std::size_t count = std::min(wave, stretches_.size() - first);
      parallel_for(exec_, static_cast<Index>(count), [&](Index i) {
        const std::size_t k = first + static_cast<std::size_t>(i);
        if (!first_problem_.before(rows_.data() + stretches_[k].begin)) parse(k, rows);
      });
      if (first_problem_.get()) report_problem(*first_problem_.get(), bytes_.text, 1, layout_, bytes_.path);
      require_sparse_memory(rows);
      report_progress(exec_, "read", static_cast<Index>(stretches_[first + count - 1].end),
                      static_cast<Index>(rows_.size()), "bytes");
    }
  }

 private:
  void parse(std::size_t k, Rows<T>& rows) {
    const Stretch& stretch = stretches_[k];
    const bool has_last = last_lacks_newline_ && stretch.rows > 0 && stretch.first_row + stretch.rows == row_count();
    RecordParser<T> parser(layout_, bytes_.text.data() + bytes_.text.size());
    std::vector<T> scratch(rows.kind == Rows<T>::Kind::dense ? 0 : static_cast<std::size_t>(layout_.cols()));
    const char* p = rows_.data() + stretch.first_record;
    for (Index i = 0; i < stretch.rows; ++i) {
      const Index row = stretch.first_row + i;
      T* target = rows.kind == Rows<T>::Kind::dense ? rows.numbers + row * rows.cols : scratch.data();
      std::string* name = rows.names.empty() ? nullptr : &rows.names[static_cast<std::size_t>(row)];
      std::string* label = rows.labels.empty() ? nullptr : &rows.labels[static_cast<std::size_t>(row)];
      if (has_last && i + 1 == stretch.rows) {
        if (!parse_last(p, target, name, label)) return;
      } else {
        p = parser.parse(p, target, name, label);
        if (!p) return first_problem_.note(parser.problem());
      }
      if (rows.kind == Rows<T>::Kind::sparse) rows.append(target, rows.pieces[k]);
    }
  }

  /// The number of nonzeros is only known as they come.
  void require_sparse_memory(const Rows<T>& rows) const {
    std::uint64_t bytes = 0;
    for (const auto& piece : rows.pieces)
      bytes += piece.values.size() * (sizeof(T) + sizeof(std::int32_t)) + piece.ends.size() * 8;
    require_memory(exec_, bytes, fmt::format("{}: its nonzeros so far", shown_name(bytes_.path)), too_large());
  }

  /// The last record of a text without a newline at its end: parsed in a copy that has one.
  bool parse_last(const char* p, T* target, std::string* name, std::string* label) {
    std::string copy(p, static_cast<std::size_t>(rows_.data() + rows_.size() - p));
    copy += '\n';
    RecordParser<T> parser(layout_, copy.data() + copy.size());
    if (parser.parse(copy.data(), target, name, label)) return true;
    Problem problem = parser.problem();
    problem.at = p + (problem.at - copy.data());
    problem.record = p;
    first_problem_.note(problem);
    return false;
  }

  const Bytes& bytes_;
  std::string_view rows_;
  const Layout& layout_;
  const Execution& exec_;
  std::vector<Stretch> stretches_;
  bool last_lacks_newline_ = false;
  FirstProblem first_problem_;
};

template <class T>
Dataset join(Rows<T>& rows, Index row_count) {
  Csr<T> csr;
  csr.rows = row_count;
  csr.cols = rows.cols;
  std::size_t nonzeros = 0;
  for (const auto& piece : rows.pieces) nonzeros += piece.values.size();
  csr.offsets.reserve(static_cast<std::size_t>(row_count) + 1);
  csr.columns.reserve(nonzeros);
  csr.values.reserve(nonzeros);
  for (auto& piece : rows.pieces) {
    const auto base = static_cast<std::int64_t>(csr.values.size());
    for (const std::int64_t end : piece.ends) csr.offsets.push_back(base + end);
    csr.columns.insert(csr.columns.end(), piece.columns.begin(), piece.columns.end());
    csr.values.insert(csr.values.end(), piece.values.begin(), piece.values.end());
    piece = {};
  }
  return Dataset(std::move(csr));
}

template <class T>
Dataset read_rows(const Bytes& bytes, const Layout& layout, const ReadOptions& options, const Execution& exec) {
  using Kind = typename Rows<T>::Kind;
  const std::string_view text = without_blank_end(bytes.text.substr(layout.data_begin), layout.delimiter);
  Reader<T> reader(bytes, text, layout, exec);
  const Index count = reader.row_count();
  Rows<T> rows;
  rows.cols = layout.cols();
  // Every field takes a byte at least, its delimiter or newline. A text too short for that has a faulty record:
  // find it before memory is asked for.
  if (static_cast<std::uint64_t>(layout.fields) > (text.size() + 1) / static_cast<std::uint64_t>(count)) {
    rows.kind = Kind::none;
    reader.read(rows);
  }
  const std::uint64_t cells = static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(rows.cols);
  const std::uint64_t strings = static_cast<std::uint64_t>(count) * sizeof(std::string) *
                                static_cast<std::uint64_t>((layout.choice.id >= 0) + (layout.choice.label >= 0));
  const std::uint64_t bytes_needed = strings + (options.sparse ? 0 : cells * sizeof(T));
  require_memory(exec, bytes_needed, fmt::format("{}: a table of {} x {}", shown_name(bytes.path), count, rows.cols),
                 too_large());
  if (layout.choice.id >= 0) rows.names.resize(static_cast<std::size_t>(count));
  if (layout.choice.label >= 0) rows.labels.resize(static_cast<std::size_t>(count));

  Dataset data;
  if (options.sparse) {
    rows.kind = Kind::sparse;
    rows.pieces.resize(reader.stretches().size());
    reader.read(rows);
    data = join(rows, count);
  } else {
    const auto block = make_large_array<T>(cells);
    rows.numbers = block.get();
    reader.read(rows);
    data = Dataset(DenseView<T>{rows.numbers, count, rows.cols, rows.cols, 1}, block);
  }
  data.row_names = std::move(rows.names);
  data.labels = std::move(rows.labels);
  set_names(data, layout);
  return data;
}

}  // namespace

}  // namespace delimited

Dataset parse_delimited(const Bytes& bytes, const ReadOptions& options, const Execution& exec,
                        ReadDecisions* decisions) {
  delimited::refuse_binary(bytes.text, bytes.path);
  const delimited::Sample sample = *delimited::take_sample(bytes.text, true, bytes.path);
  delimited::require_layout_memory(sample, options, bytes.path, exec);
  if (auto triangle = delimited::parse_triangle(bytes, sample, options, exec)) return *std::move(triangle);
  const delimited::Layout layout = delimited::decide_layout(sample, options, bytes.path);
  if (decisions) decisions->insert(decisions->end(), layout.decisions.begin(), layout.decisions.end());
  if (options.precision == Precision::float32) return delimited::read_rows<float>(bytes, layout, options, exec);
  return delimited::read_rows<double>(bytes, layout, options, exec);
}

}  // namespace fewdim
