#include <fmt/format.h>

#include <cmath>

#include "data/formats.hpp"
#include "data/number_writer.hpp"
#include "data/table/row_blocks.hpp"

namespace fewdim {

namespace {

void require_writable(const std::string& label, const std::string& path) {
  if (label.empty() || label.find_first_of(" \t\r\n:#") != std::string::npos || label[0] == '+')
    throw Unsupported(
        fmt::format("{}: label {:?} can't be written as svmlight (empty, or with a blank, ':', '#' or '+'); "
                    "write csv, or without labels",
                    path, label));
}

template <class T>
class RowWriter {
 public:
  RowWriter(const Dataset& data, ByteSink& out) : data_(data), path_(out.path()), out_(out) {}

  /// `labels`: of the data set, or of a stream's block, and the row's place in them.
  void start_row(const std::vector<std::string>& labels, Index place) {
    if (labels.empty()) {
      out_.text("0");
    } else {
      const std::string& label = labels.at(static_cast<std::size_t>(place));
      require_writable(label, path_);
      out_.text(label);
    }
    ++row_;
    reached_ = 0;
  }
  void entry(Index column, T value) {
    out_.character(' '), out_.number(column + 1), out_.character(':'), out_.number(value);
    reached_ = column + 1;
  }
  /// A zero in the last column of the first row says how many columns there are, as readers go by the largest index.
  void end_row() {
    if (row_ == 1 && reached_ < data_.cols()) entry(data_.cols() - 1, T{0});
    out_.character('\n');
  }
  void finish() { out_.flush(); }

 private:
  const Dataset& data_;
  const std::string& path_;
  NumberWriter out_;
  Index row_ = 0, reached_ = 0;
};

template <class T>
void write_rows(const Dataset& data, ByteSink& out) {
  RowWriter<T> writer(data, out);
  if (const auto* view = data.sparse<T>()) {
    for (Index i = 0; i < view->rows; ++i) {
      writer.start_row(data.labels, i);
      for (std::int64_t e = view->offsets[i]; e < view->offsets[i + 1]; ++e)
        writer.entry(view->columns[e], view->values[e]);
      writer.end_row();
    }
  } else {
    const Index cols = data.cols();
    const bool tagged = data.is_stream() && data.labels.empty();
    Index first = 0;
    for_each_row_block<T>(data, [&](const T* block, Index rows) {
      for (Index i = 0; i < rows; ++i) {
        writer.start_row(tagged ? data.stream()->tags().labels : data.labels, tagged ? i : first + i);
        for (Index j = 0; j < cols; ++j) {
          const T value = block[i * cols + j];
          if (value != 0 || std::signbit(value)) writer.entry(j, value);  // -0 has bits of its own
        }
        writer.end_row();
      }
      first += rows;
    });
  }
  writer.finish();
}

}  // namespace

void write_svmlight(const Dataset& data, ByteSink& out) {
  if (data.precision() == Precision::float32) return write_rows<float>(data, out);
  write_rows<double>(data, out);
}

}  // namespace fewdim
