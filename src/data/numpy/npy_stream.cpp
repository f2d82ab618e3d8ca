#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/memory.hpp"
#include "base/remedy.hpp"
#include "data/hash.hpp"
#include "data/input/file_format.hpp"
#include "data/input/input.hpp"
#include "data/numpy/npy.hpp"

namespace fewdim {

namespace {

/// A file or a pipe read by position; a pipe only forward.
class Source {
 public:
  explicit Source(const std::string& path) : name_(shown_name(path)) {
    descriptor_ = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) throw IoError(fmt::format("{}: can't be opened: {}", name_, std::strerror(errno)));
    struct stat status {};
    if (::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode)) {
      start_ = std::max<off_t>(0, ::lseek(descriptor_, 0, SEEK_CUR));
      size_ = static_cast<std::uint64_t>(std::max<off_t>(0, status.st_size - start_));
      ::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
    }
  }
  ~Source() {
    if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
  }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  const std::string& name() const { return name_; }
  std::optional<std::uint64_t> size() const { return size_; }  ///< of a file

  /// Of the whole input, once it was read from front to back; empty before.
  std::string hash() const { return hashed_ == size_.value_or(end_) ? hasher_.text() : ""; }

  /// Reads `bytes` at `position` (a pipe: the next ones) and returns how many there were before the end.
  std::size_t read(std::uint64_t position, char* out, std::size_t bytes) {
    std::size_t done = 0;
    while (done < bytes) {
      const ssize_t got =
          size_ ? ::pread(descriptor_, out + done, bytes - done, start_ + static_cast<off_t>(position + done))
                : ::read(descriptor_, out + done, bytes - done);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw IoError(fmt::format("{}: can't be read: {}", name_, std::strerror(errno)));
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
    }
    if (position <= hashed_ && position + done > hashed_) {  // what follows the bytes that are hashed already
      const std::uint64_t known = hashed_ - position;
      hasher_.update({out + known, done - known});
      hashed_ = position + done;
    }
    if (done < bytes) end_ = position + done;
    return done;
  }

 private:
  std::string name_;
  int descriptor_ = -1;
  off_t start_ = 0;
  std::optional<std::uint64_t> size_;
  Hasher hasher_;
  std::uint64_t hashed_ = 0, end_ = UINT64_MAX;
};

NpyHeader read_header(Source& source) {
  std::string text(npy_prefix, '\0');
  text.resize(source.read(0, text.data(), npy_prefix));
  const std::size_t size = npy_header_bytes(text, source.name());
  if (size > (std::size_t{1} << 20))
    throw DataError(fmt::format("{}: its .npy header claims {} bytes; it is damaged", source.name(), size));
  if (size > text.size()) {
    const std::size_t had = text.size();
    text.resize(size);
    text.resize(had + source.read(had, text.data() + had, size - had));
  }
  NpyHeader header = parse_npy_header(text, source.name());
  require_numeric(header, source.name());
  if (source.size()) require_data_bytes(header, *source.size() - header.data_offset, source.name());
  return header;
}

class NpyStream : public RowStream {
 public:
  NpyStream(const std::string& path, std::optional<Precision> precision)
      : source_(path), header_(read_header(source_)), precision_(precision.value_or(header_.type.precision())) {
    if (header_.fortran && header_.cols > 1 && !source_.size())
      throw Unsupported(
          fmt::format("{}: a Fortran-ordered array can't be streamed from a pipe; give the file itself, or convert it "
                      "with {}",
                      source_.name(), use_command("convert")));
  }

  Index cols() const override { return header_.cols; }
  std::optional<Index> rows() const override { return header_.rows; }
  Precision precision() const override { return precision_; }
  bool rewindable() const override { return source_.size().has_value(); }
  void rewind() override {
    if (!rewindable()) throw Unsupported(fmt::format("{}: a pipe can be read only once; give a file", source_.name()));
    next_ = 0;
  }
  Index read(double* out, Index max_rows) override { return read_rows(out, max_rows); }
  Index read(float* out, Index max_rows) override { return read_rows(out, max_rows); }
  std::string hash() const override { return source_.hash(); }

 private:
  static constexpr Index buffer_bytes = Index{1} << 20;

  template <class T>
  Index read_rows(T* out, Index max_rows) {
    const Index count = std::min(max_rows, header_.rows - next_);
    if (count <= 0) {
      if (max_rows > 0) require_end();
      return 0;
    }
    if (header_.fortran && header_.cols > 1) {
      gather(out, count);
    } else {
      read_elements(next_ * header_.cols, out, count * header_.cols);
    }
    next_ += count;
    return count;
  }

  /// Elements `first` .. `first + count` in the order of storage.
  template <class T>
  void read_elements(Index first, T* out, Index count) {
    if (header_.type.is<T>()) return fill(first, reinterpret_cast<char*>(out), count);
    buffer_.resize(buffer_bytes);
    const Index most = buffer_bytes / header_.type.size;
    for (Index done = 0; done < count; done += most) {
      const Index length = std::min(most, count - done);
      fill(first + done, buffer_.data(), length);
      const Index good = convert_npy(header_.type, buffer_.data(), out + done, length);
      if (good < length) refuse_integer(header_, first + done + good, source_.name());
    }
  }

  /// Rows of a Fortran array: a piece of each column, eight columns at a time so that whole cache lines are written.
  template <class T>
  void gather(T* out, Index count) {
    constexpr Index together = 8, piece = Index{1} << 14;
    std::vector<T> columns(static_cast<std::size_t>(together * std::min(piece, count)));
    for (Index from = 0; from < count; from += piece) {
      const Index length = std::min(piece, count - from);
      for (Index c = 0; c < header_.cols; c += together) {
        const Index width = std::min(together, header_.cols - c);
        for (Index j = 0; j < width; ++j)
          read_elements(header_.fortran_column(c + j) * header_.rows + next_ + from, columns.data() + j * length,
                        length);
        for (Index i = 0; i < length; ++i)
          for (Index j = 0; j < width; ++j)
            out[(from + i) * header_.cols + c + j] = columns[std::size_t(j * length + i)];
      }
    }
  }

  void fill(Index first, char* out, Index count) {
    const auto size = static_cast<std::uint64_t>(header_.type.size);
    const std::uint64_t position = static_cast<std::uint64_t>(first) * size;
    const std::size_t bytes = static_cast<std::size_t>(count) * size;
    const std::size_t got = source_.read(header_.data_offset + position, out, bytes);
    if (got < bytes) require_data_bytes(header_, position + got, source_.name());
  }

  void require_end() {
    char extra = 0;
    if (!source_.size() && source_.read(header_.data_offset + header_.data_bytes, &extra, 1) > 0)
      throw DataError(fmt::format("{}: goes on after the {} bytes that shape {} takes", source_.name(),
                                  header_.data_bytes, header_.shape_text()));
  }

  Source source_;
  NpyHeader header_;
  Precision precision_;
  Index next_ = 0;
  std::vector<char> buffer_;
};

}  // namespace

Dataset stream_npy(const std::string& path, const ReadOptions& options, const Execution& exec) {
  if (compression_of_name(path) != Compression::none)
    throw Unsupported(fmt::format("{}: a compressed .npy can't be streamed; unpack it, or {}", shown_name(path),
                                  leave_out("stream")));
  auto stream = std::make_shared<NpyStream>(path, options.precision);
  require_memory(exec, static_cast<std::uint64_t>(stream->cols()) * sizeof(double),
                 fmt::format("{}: one row", shown_name(path)), raise_option("memory_limit"));
  return Dataset(std::shared_ptr<RowStream>(std::move(stream)));
}

}  // namespace fewdim
