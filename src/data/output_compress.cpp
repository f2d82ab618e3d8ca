#include "data/output_compress.hpp"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <vector>

#include "fewdim/error.hpp"

namespace fewdim {

namespace {

constexpr std::size_t buffer_size = std::size_t{256} << 10;

class GzipOutput : public CompressedOutput {
 public:
  explicit GzipOutput(ByteSink& out) : out_(out), buffer_(buffer_size) {
    if (::deflateInit2(&state_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
      throw OverMemory("gzip: no memory for the compressor");
  }
  ~GzipOutput() override { ::deflateEnd(&state_); }
  GzipOutput(const GzipOutput&) = delete;
  GzipOutput& operator=(const GzipOutput&) = delete;

  using ByteSink::write;
  void write(const void* data, std::size_t size) override {
    std::string_view text(static_cast<const char*>(data), size);
    constexpr std::size_t most = std::size_t{1} << 30;  // zlib counts in 32 bits
    for (; !text.empty(); text.remove_prefix(std::min(text.size(), most))) compress(text.substr(0, most), Z_NO_FLUSH);
  }
  const std::string& path() const override { return out_.path(); }
  void finish() override { compress({}, Z_FINISH); }

 private:
  void compress(std::string_view text, int flush) {
    state_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    state_.avail_in = static_cast<uInt>(text.size());
    do {
      state_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
      state_.avail_out = static_cast<uInt>(buffer_.size());
      ::deflate(&state_, flush);
      out_.write(buffer_.data(), buffer_.size() - state_.avail_out);
    } while (state_.avail_out == 0);
  }

  ByteSink& out_;
  std::vector<char> buffer_;
  z_stream state_{};
};

class ZstdOutput : public CompressedOutput {
 public:
  explicit ZstdOutput(ByteSink& out) : out_(out), buffer_(buffer_size), state_(::ZSTD_createCCtx(), ::ZSTD_freeCCtx) {
    if (!state_) throw OverMemory("zstd: no memory for the compressor");
    ::ZSTD_CCtx_setParameter(state_.get(), ZSTD_c_checksumFlag, 1);
  }
  using ByteSink::write;
  void write(const void* data, std::size_t size) override {
    compress({static_cast<const char*>(data), size}, ZSTD_e_continue);
  }
  const std::string& path() const override { return out_.path(); }
  void finish() override { compress({}, ZSTD_e_end); }

 private:
  void compress(std::string_view text, ZSTD_EndDirective mode) {
    ZSTD_inBuffer input{text.data(), text.size(), 0};
    for (std::size_t left = 1; left > 0;) {
      ZSTD_outBuffer output{buffer_.data(), buffer_.size(), 0};
      left = ::ZSTD_compressStream2(state_.get(), &output, &input, mode);
      if (::ZSTD_isError(left)) throw IoError(fmt::format("{}: zstd: {}", out_.path(), ::ZSTD_getErrorName(left)));
      out_.write(buffer_.data(), output.pos);
      if (mode == ZSTD_e_continue && input.pos == input.size) break;
    }
  }

  ByteSink& out_;
  std::vector<char> buffer_;
  std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> state_;
};

}  // namespace

std::unique_ptr<CompressedOutput> compressed_output(ByteSink& out, Compression kind) {
  if (kind == Compression::gzip) return std::make_unique<GzipOutput>(out);
  return std::make_unique<ZstdOutput>(out);
}

}  // namespace fewdim
