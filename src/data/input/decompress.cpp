#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "base/memory.hpp"
#include "base/remedy.hpp"
#include "data/input/input.hpp"
#include "fewdim/error.hpp"

namespace fewdim {

namespace {

constexpr std::size_t buffer_size = std::size_t{256} << 10;

/// What both decompressors share: the compressed bytes at hand, and how a damaged file is reported.
class DecompressingSource : public ByteSource {
 public:
  DecompressingSource(std::unique_ptr<ByteSource> inner, std::string path)
      : inner_(std::move(inner)), path_(std::move(path)), buffer_(buffer_size) {}
  bool rewindable() const override { return inner_->rewindable(); }
  std::string hash() const override { return inner_->hash(); }

 protected:
  /// The compressed bytes not used yet, with at least one in them unless the input is at its end.
  std::string_view available() {
    if (begin_ == end_) {
      begin_ = 0;
      end_ = inner_->read(buffer_.data(), buffer_.size());
      taken_ += end_;
    }
    return {buffer_.data() + begin_, end_ - begin_};
  }
  void use(std::size_t count) { begin_ += count; }
  const std::string& path() const { return path_; }
  void restart() {
    inner_->rewind();
    begin_ = end_ = taken_ = 0;
  }
  [[noreturn]] void truncated(const char* kind) const {
    throw DataError(fmt::format("{}: the {} data end early, after {} bytes; the file is truncated, fetch it again",
                                shown_name(path_), kind, taken_));
  }
  [[noreturn]] void damaged(const char* kind, const char* reason) const {
    throw DataError(fmt::format("{}: damaged {} data near byte {}: {}; fetch the file again", shown_name(path_), kind,
                                taken_ - (end_ - begin_), reason ? reason : "no reason given"));
  }

 private:
  std::unique_ptr<ByteSource> inner_;
  std::string path_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0, taken_ = 0;
};

/// gzip: members one after another make one stream (RFC 1952); zeros after the last are padding.
class GzipSource : public DecompressingSource {
 public:
  GzipSource(std::unique_ptr<ByteSource> inner, const std::string& path) : DecompressingSource(std::move(inner), path) {
    if (::inflateInit2(&state_, 15 + 16) != Z_OK) throw OverMemory("gzip: no memory for the decompressor");
  }
  ~GzipSource() override { ::inflateEnd(&state_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  std::size_t read(char* out, std::size_t size) override {
    constexpr std::size_t most = std::size_t{1} << 30;  // zlib counts in 32 bits
    state_.next_out = reinterpret_cast<Bytef*>(out);
    state_.avail_out = static_cast<uInt>(std::min(size, most));
    while (state_.avail_out > 0 && state_.next_out == reinterpret_cast<Bytef*>(out)) {
      if (between_members_ && !next_member()) break;
      const std::string_view input = available();
      if (input.empty()) truncated("gzip");
      state_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
      state_.avail_in = static_cast<uInt>(input.size());
      const int result = ::inflate(&state_, Z_NO_FLUSH);
      use(input.size() - state_.avail_in);
      if (result == Z_STREAM_END)
        between_members_ = true;
      else if (result != Z_OK && result != Z_BUF_ERROR)
        damaged("gzip", state_.msg);
    }
    return static_cast<std::size_t>(reinterpret_cast<char*>(state_.next_out) - out);
  }

  void rewind() override {
    restart();
    ::inflateReset(&state_);
    between_members_ = false;
  }

 private:
  bool next_member() {
    for (std::string_view input = available(); !input.empty(); input = available()) {
      if (input[0] == '\x1f') {
        ::inflateReset(&state_);
        between_members_ = false;
        return true;
      }
      if (input[0] != '\0') damaged("gzip", "bytes that are not gzip follow the data");
      use(1);
    }
    return false;
  }

  z_stream state_{};
  bool between_members_ = false;
};

/// zstd: frames one after another make one stream (RFC 8878).
class ZstdSource : public DecompressingSource {
 public:
  ZstdSource(std::unique_ptr<ByteSource> inner, const std::string& path, std::uint64_t memory)
      : DecompressingSource(std::move(inner), path), state_(::ZSTD_createDCtx(), ::ZSTD_freeDCtx) {
    if (!state_) throw OverMemory("zstd: no memory for the decompressor");
    constexpr int least = 23, most = 27;  // 8 MiB, which every decoder should take (RFC 8878), and zstd's own limit
    window_log_ = std::clamp(static_cast<int>(std::bit_width(memory / 2)) - 1, least, most);
    ::ZSTD_DCtx_setParameter(state_.get(), ZSTD_d_windowLogMax, window_log_);
  }

  std::size_t read(char* out, std::size_t size) override {
    ZSTD_outBuffer output{out, size, 0};
    while (output.pos == 0 && size > 0) {
      const std::string_view bytes = available();
      if (bytes.empty() && !inside_frame_) break;
      // At the end of the input the decoder may still hold output back: ask once more before giving up.
      ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
      const std::size_t result = ::ZSTD_decompressStream(state_.get(), &output, &input);
      if (::ZSTD_isError(result) && ::ZSTD_getErrorCode(result) == ZSTD_error_frameParameter_windowTooLarge)
        throw OverMemory(fmt::format(
            "{}: its zstd window is larger than the {} that the memory limit leaves for it (zstd itself allows 128 "
            "MiB); {}, or compress it again without zstd's long mode",
            shown_name(path()), format_bytes(std::uint64_t{1} << window_log_), raise_option("memory_limit")));
      if (::ZSTD_isError(result)) damaged("zstd", ::ZSTD_getErrorName(result));
      use(input.pos);
      inside_frame_ = result != 0;
      if (bytes.empty() && output.pos == 0) truncated("zstd");
    }
    return output.pos;
  }

  void rewind() override {
    restart();
    ::ZSTD_DCtx_reset(state_.get(), ZSTD_reset_session_only);
    inside_frame_ = false;
  }

 private:
  std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> state_;
  bool inside_frame_ = false;
  int window_log_ = 0;
};

}  // namespace

std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> inner, Compression kind, const std::string& path,
                                         std::uint64_t memory) {
  if (kind == Compression::gzip) return std::make_unique<GzipSource>(std::move(inner), path);
  if (kind == Compression::zstd) return std::make_unique<ZstdSource>(std::move(inner), path, memory);
  return inner;
}

}  // namespace fewdim
