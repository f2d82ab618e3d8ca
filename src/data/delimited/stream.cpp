#include <fmt/format.h>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "data/delimited/delimited.hpp"
#include "data/delimited/parse.hpp"
#include "data/delimited/scan.hpp"
#include "data/formats.hpp"
#include "data/input/input.hpp"
#include "data/table/block.hpp"
#include "fewdim/error.hpp"

namespace fewdim {

namespace delimited {

namespace {

constexpr std::size_t block_size = std::size_t{4} << 20;  // of text at a time
constexpr std::size_t task_size = std::size_t{64} << 10;  // of text for one task

/// Rows of delimited text, parsed block by block.
class DelimitedStream : public RowStream {
 public:
  DelimitedStream(std::string path, const ReadOptions& options, const Execution& exec)
      : path_(std::move(path)),
        exec_(exec),
        limit_(memory_limit(exec)),
        precision_(options.precision.value_or(Precision::float64)),
        source_(open_source(path_, limit_)) {
    std::optional<Sample> sample;
    for (std::size_t wanted = block_size; !sample; wanted *= 2) {
      fetch(wanted);
      refuse_binary(buffer_.text(), path_);
      sample = take_sample(buffer_.text(), at_end_, path_);
    }
    require_layout_memory(*sample, options, path_, exec_);
    layout_ = decide_layout(*sample, options, path_);
    tags_.named = layout_.choice.id >= 0;
    tags_.labeled = layout_.choice.label >= 0;
    skip_to_rows();
  }

  const Layout& layout() const { return layout_; }
  Index cols() const override { return layout_.cols(); }
  std::optional<Index> rows() const override { return rows_; }
  Precision precision() const override { return precision_; }
  bool rewindable() const override { return source_->rewindable(); }
  Index read(double* out, Index max_rows) override { return read_rows(out, max_rows); }
  Index read(float* out, Index max_rows) override { return read_rows(out, max_rows); }
  const RowTags& tags() const override { return tags_; }
  std::string hash() const override { return source_->hash(); }

  void rewind() override {
    if (!rewindable())
      throw Unsupported(fmt::format("{}: a pipe can't be read twice; save it to a file first", shown_name(path_)));
    source_->rewind();
    buffer_.clear();
    starts_.clear();
    next_ = 0;
    delivered_ = 0;
    at_end_ = false;
    fetch(layout_.data_begin);
    skip_to_rows();
  }

 private:
  /// Reads on until the buffer holds that many bytes, or all there are. Throws OverMemory before one record takes more
  /// than half of the limit: its numbers need room, too.
  void fetch(std::size_t wanted) {
    const std::size_t most = std::max<std::uint64_t>(limit_ / 2, block_size);
    while (!at_end_ && buffer_.text().size() < wanted) {
      const std::size_t size = buffer_.text().size();
      if (size >= most) refuse_long_record();
      buffer_.reserve_more(std::min(std::max(wanted - size, std::size_t{64} << 10), most - size));
      const std::size_t got = source_->read(buffer_.end(), std::min(buffer_.room(), most - size));
      buffer_.grow(got);
      at_end_ = got == 0;
    }
  }

  [[noreturn]] void refuse_long_record() const {
    const std::string_view text = buffer_.text();
    const Index line = first_line_ + line_at(text, complete_records(text)) - 1;
    throw OverMemory(fmt::format(
        "{}:{}: a record of more than {}, half of the memory limit of {}; check its quotes and line ends, or {}",
        shown_name(path_), line, format_bytes(limit_ / 2), format_bytes(limit_), raise_option("memory_limit")));
  }

  [[noreturn]] void refuse_change() const {
    throw DataError(
        fmt::format("{}: changed while it was read; let its writer finish, then start again", shown_name(path_)));
  }

  void skip_to_rows() {
    if (buffer_.text().size() < layout_.data_begin) refuse_change();
    first_line_ = line_at(buffer_.text(), layout_.data_begin);
    buffer_.drop_front(layout_.data_begin);
  }

  /// Drops the block that is used up and finds the records of the next; false at the end.
  bool next_block() {
    if (!starts_.empty()) {
      const auto used = static_cast<std::size_t>(starts_.back() - buffer_.text().data());
      first_line_ += line_at(buffer_.text(), used) - 1;
      buffer_.drop_front(used);
      starts_.clear();
      next_ = 0;
    }
    for (std::size_t wanted = block_size;; wanted = buffer_.text().size() * 2) {
      fetch(wanted);
      // Blank lines stay back until it is known whether rows follow them.
      std::string_view text = buffer_.text();
      if (!at_end_) text = text.substr(0, complete_records(text));
      text = without_blank_end(text, layout_.delimiter);
      if (!text.empty() && text.size() == buffer_.text().size()) {  // the last record has no newline: give it one
        buffer_.reserve_more(1);
        *buffer_.end() = '\n';
        buffer_.grow(1);
        text = buffer_.text().substr(0, text.size());
      }
      if (!text.empty()) {
        starts_ = record_starts(buffer_.text().substr(0, text.size() + 1), exec_);
        return true;
      }
      if (at_end_) return false;
    }
  }

  template <class T>
  Index read_rows(T* out, Index max_rows) {
    Index done = 0;
    while (done < max_rows) {
      if (next_ + 1 >= starts_.size() && !next_block()) {
        if (rows_.value_or(delivered_ + done) != delivered_ + done) refuse_change();
        rows_ = delivered_ + done;
        break;
      }
      const std::size_t count = std::min(static_cast<std::size_t>(max_rows - done), starts_.size() - 1 - next_);
      parse(next_, count, done, out + done * cols());
      next_ += count;
      done += static_cast<Index>(count);
      if (rows_ && delivered_ + done > *rows_) refuse_change();  // callers have room for the rows of the first pass
    }
    make_room(done);
    delivered_ += done;
    if (done > 0) report_progress(exec_, "read", delivered_, rows_.value_or(0), "rows");
    return done;
  }

  /// Room for the names and labels of that many rows.
  void make_room(Index rows) {
    if (tags_.named) tags_.names.resize(static_cast<std::size_t>(rows));
    if (tags_.labeled) tags_.labels.resize(static_cast<std::size_t>(rows));
  }

  /// Parses `count` records from the given one on, in tasks of whole records; `row` is the first's place in this read.
  template <class T>
  void parse(std::size_t first, std::size_t count, Index row, T* out) {
    make_room(row + static_cast<Index>(count));
    std::string* const names = tags_.named ? tags_.names.data() + row : nullptr;
    std::string* const labels = tags_.labeled ? tags_.labels.data() + row : nullptr;
    const char* const end = starts_.back();
    const auto bytes = static_cast<std::size_t>(starts_[first + count] - starts_[first]);
    const std::size_t each = std::max<std::size_t>(1, count * task_size / std::max(bytes, task_size));
    const std::size_t tasks = (count + each - 1) / each;
    FirstProblem problem;
    parallel_for(exec_, static_cast<Index>(tasks), [&](Index task) {
      const std::size_t from = static_cast<std::size_t>(task) * each;
      RecordParser<T> parser(layout_, end);
      for (std::size_t i = from; i < std::min(from + each, count); ++i) {
        if (problem.before(starts_[first + i])) return;
        if (!parser.parse(starts_[first + i], out + static_cast<Index>(i) * cols(), names ? names + i : nullptr,
                          labels ? labels + i : nullptr))
          return problem.note(parser.problem());
      }
    });
    if (problem.get()) report_problem(*problem.get(), buffer_.text(), first_line_, layout_, path_);
  }

  std::string path_;
  Execution exec_;
  std::uint64_t limit_;
  Precision precision_;
  std::unique_ptr<ByteSource> source_;
  Layout layout_;
  RowTags tags_;
  GrowingBlock buffer_;
  std::vector<const char*> starts_;  // of the block's records, and its end
  std::size_t next_ = 0;
  Index first_line_ = 1;  // of the buffer
  Index delivered_ = 0;
  std::optional<Index> rows_;
  bool at_end_ = false;
};

}  // namespace

}  // namespace delimited

Dataset stream_delimited(const std::string& path, const ReadOptions& options, const Execution& exec,
                         ReadDecisions* decisions) {
  auto stream = std::make_shared<delimited::DelimitedStream>(path, options, exec);
  const ReadDecisions& made = stream->layout().decisions;
  if (decisions) decisions->insert(decisions->end(), made.begin(), made.end());
  Dataset data{std::shared_ptr<RowStream>(stream)};
  delimited::set_names(data, stream->layout());
  return data;
}

}  // namespace fewdim
