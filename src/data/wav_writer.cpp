#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "base/describe.hpp"
#include "data/formats.hpp"
#include "data/table/row_blocks.hpp"
#include "data/wav.hpp"
#include "fewdim/error.hpp"

namespace fewdim {

namespace {

void append(std::string& out, std::uint32_t value, int size) {
  for (int i = 0; i < size; ++i) out += static_cast<char>(value >> (8 * i) & 0xFFU);
}

std::string head_text(bool floating, int bits, Index channels, Index rate, Index frames) {
  const auto frame = static_cast<std::uint32_t>(channels * bits / 8);
  const auto length = static_cast<std::uint32_t>(frames) * frame;
  std::string fmt_chunk;
  append(fmt_chunk, floating ? wav::floating : wav::whole, 2);
  append(fmt_chunk, static_cast<std::uint32_t>(channels), 2);
  append(fmt_chunk, static_cast<std::uint32_t>(rate), 4);
  append(fmt_chunk, static_cast<std::uint32_t>(rate) * frame, 4);
  append(fmt_chunk, frame, 2);
  append(fmt_chunk, static_cast<std::uint32_t>(bits), 2);
  if (floating) append(fmt_chunk, 0, 2);
  std::string body = "WAVEfmt ";
  append(body, static_cast<std::uint32_t>(fmt_chunk.size()), 4);
  body += fmt_chunk;
  if (floating) {  // other kinds than PCM say how many frames there are
    body += "fact";
    append(body, 4, 4);
    append(body, static_cast<std::uint32_t>(frames), 4);
  }
  body += "data";
  append(body, length, 4);
  std::string out = "RIFF";
  append(out, static_cast<std::uint32_t>(body.size()) + length + (length & 1U), 4);
  return out + body;
}

template <class T>
std::vector<double> peaks_of(const Dataset& data, const std::string& path) {
  std::vector<double> peaks(static_cast<std::size_t>(data.cols()), 0.0);
  for_each_row_block<T>(data, [&](const T* block, Index rows) {
    for (Index i = 0; i < rows * data.cols(); ++i) {
      double& peak = peaks[static_cast<std::size_t>(i % data.cols())];
      const double size = std::abs(static_cast<double>(block[i]));
      if (!std::isfinite(size)) throw DataError(fmt::format("{}: sound of whole numbers has none for {}", path, size));
      peak = std::max(peak, size);
    }
  });
  return peaks;
}

template <class T>
void write_sound(const Dataset& data, ByteSink& out, const WavWriting& options) {
  const bool floating = options.wav_bits == 0;
  const int bits = floating ? static_cast<int>(8 * sizeof(T)) : options.wav_bits;
  const Index rows = count_rows(data), channels = data.cols();
  const auto frame = static_cast<std::uint64_t>(channels) * static_cast<std::uint64_t>(bits / 8);
  if (channels > 0xFFFF || frame > 0xFFFF ||
      static_cast<std::uint64_t>(rows) > (0xFFFFFFFFU - 64U) / std::max<std::uint64_t>(1, frame))
    throw DataError(
        fmt::format("{}: {} frames of {} channels do not fit a .wav, which holds 4 GiB and frames of 64 KiB; "
                    "use .npy",
                    out.path(), rows, channels));
  out.write(head_text(floating, bits, channels, options.sample_rate, rows));
  const std::vector<double> peaks = floating ? std::vector<double>{} : peaks_of<T>(data, out.path());
  const double full = std::ldexp(1.0, bits - 1);
  Index written = 0;
  std::string piece;
  for_each_row_block<T>(data, [&](const T* block, Index count) {
    written += count;
    if (floating) return out.write(block, static_cast<std::size_t>(count * channels) * sizeof(T));
    piece.clear();
    for (Index i = 0; i < count * channels; ++i) {
      const double peak = peaks[static_cast<std::size_t>(i % channels)];
      const double value = static_cast<double>(block[i]) / (peak > 1.0 ? peak : 1.0);
      const auto whole = static_cast<std::int64_t>(std::clamp(std::nearbyint(value * full), -full, full - 1.0));
      append(piece, static_cast<std::uint32_t>(bits == 8 ? whole + 128 : whole), bits / 8);
    }
    out.write(piece);
  });
  if (written != rows)
    throw DataError(fmt::format("{}: the input gave {} rows where {} were announced", out.path(), written, rows));
  if ((static_cast<std::uint64_t>(rows) * frame & 1U) != 0) out.write(std::string_view("\0", 1));
}

}  // namespace

void write_wav(const Dataset& data, ByteSink& out, const WriteOptions& options) {
  static_assert(std::endian::native == std::endian::little);
  const auto sound = options_from_map<WavWriting>(options.own, "write");
  if (sound.wav_bits != 0 && sound.wav_bits != 8 && sound.wav_bits != 16 && sound.wav_bits != 24 &&
      sound.wav_bits != 32)
    throw InvalidOption("write", "wav_bits", std::to_string(sound.wav_bits), "must be 8, 16, 24 or 32, or 0",
                        "0 keeps the numbers as they are");
  if (data.precision() == Precision::float32) return write_sound<float>(data, out, sound);
  write_sound<double>(data, out, sound);
}

}  // namespace fewdim
