#include <fmt/format.h>

#include <cmath>

#include "data/formats.hpp"
#include "data/number_writer.hpp"
#include "data/row_blocks.hpp"

namespace fewdim {

namespace {

void require_writable_labels(const Dataset& data, const std::string& path) {
  for (const std::string& label : data.labels)
    if (label.empty() || label.find_first_of(" \t\r\n:#") != std::string::npos || label[0] == '+')
      throw Unsupported(
          fmt::format("{}: label {:?} can't be written as svmlight (empty, or with a blank, ':', '#' or '+'); "
                      "write csv, or without labels",
                      path, label));
  if (!data.labels.empty() && data.rows() >= 0 && Index(data.labels.size()) != data.rows())
    throw DataError(fmt::format("{}: {} labels for {} rows", path, data.labels.size(), data.rows()));
}

template <class T>
class RowWriter {
 public:
  RowWriter(const Dataset& data, OutputFile& out) : data_(data), out_(out) {}

  void start_row() {
    const auto row = static_cast<std::size_t>(row_++);
    out_.text(row < data_.labels.size() ? std::string_view(data_.labels[row]) : "0");
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
  NumberWriter out_;
  Index row_ = 0, reached_ = 0;
};

template <class T>
void write_rows(const Dataset& data, OutputFile& out) {
  RowWriter<T> writer(data, out);
  if (const auto* view = data.sparse<T>()) {
    for (Index i = 0; i < view->rows; ++i) {
      writer.start_row();
      for (std::int64_t e = view->offsets[i]; e < view->offsets[i + 1]; ++e)
        writer.entry(view->columns[e], view->values[e]);
      writer.end_row();
    }
  } else {
    const Index cols = data.cols();
    for_each_row_block<T>(data, [&](const T* block, Index rows) {
      for (Index i = 0; i < rows; ++i) {
        writer.start_row();
        for (Index j = 0; j < cols; ++j) {
          const T value = block[i * cols + j];
          if (value != 0 || std::signbit(value)) writer.entry(j, value);  // -0 has bits of its own
        }
        writer.end_row();
      }
    });
  }
  writer.finish();
}

}  // namespace

void write_svmlight(const Dataset& data, OutputFile& out) {
  require_writable_labels(data, out.path());
  if (data.precision() == Precision::float32) return write_rows<float>(data, out);
  write_rows<double>(data, out);
}

}  // namespace fewdim
