#include "data/wav.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "base/describe.hpp"
#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "data/formats.hpp"
#include "data/input/input.hpp"
#include "data/table/row_blocks.hpp"
#include "fewdim/error.hpp"

namespace fewdim {

namespace {

constexpr std::uint16_t kExtensible = 0xFFFE;
constexpr std::uint32_t kUnknown = 0xFFFFFFFF;  // what a program writes that can't go back to the head
/// The rest of the identifiers whose first two bytes are the code of the samples (RFC 2361).
constexpr unsigned char kSubformat[] = {0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x80,
                                        0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71};

std::uint32_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint32_t value = 0;
  for (std::size_t i = size; i-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

[[noreturn]] void refuse(const std::string& name, std::size_t at, const std::string& what) {
  throw DataError(fmt::format("{}: byte {}: {}", name, at + 1, what));
}

void parse_samples(std::string_view bytes, std::size_t at, std::uint32_t size, const std::string& name,
                   WavHeader& out) {
  if (size < 16) refuse(name, at, fmt::format("a 'fmt ' chunk of {} bytes; it has 16 at least", size));
  std::uint32_t code = number_at(bytes, at, 2);
  if (code == kExtensible) {
    if (size < 40) refuse(name, at, fmt::format("an extensible 'fmt ' chunk of {} bytes; it has 40", size));
    if (std::memcmp(bytes.data() + at + 26, kSubformat, sizeof kSubformat) != 0)
      refuse(name, at + 24, "samples of an unknown kind; use PCM or floating-point");
    code = number_at(bytes, at + 24, 2);
  }
  if (code != wav::whole && code != wav::floating)
    refuse(name, at, fmt::format("samples are compressed (code {}); convert the file to PCM", code));
  out.floating = code == wav::floating;
  out.channels = number_at(bytes, at + 2, 2);
  out.rate = number_at(bytes, at + 4, 4);
  out.bits = static_cast<int>(number_at(bytes, at + 14, 2));
  const bool known = out.floating ? out.bits == 32 || out.bits == 64
                                  : out.bits == 8 || out.bits == 16 || out.bits == 24 || out.bits == 32;
  if (!known)
    refuse(name, at + 14,
           fmt::format("{}-bit {} samples; PCM of 8, 16, 24, 32 and floating-point of 32, 64 bits are read", out.bits,
                       out.floating ? "floating-point" : "PCM"));
  if (out.channels < 1) refuse(name, at + 2, "no channels");
  if (out.rate < 1) refuse(name, at + 4, "a sample rate of 0");
  const Index block = number_at(bytes, at + 12, 2);
  if (block != out.channels * out.bits / 8)
    refuse(name, at + 12,
           fmt::format("a frame of {} bytes, and {} channels of {} bits take {}", block, out.channels, out.bits,
                       out.channels * out.bits / 8));
}

void parse_data(std::string_view bytes, std::size_t at, std::uint32_t size, const std::string& name, WavHeader& out) {
  const std::size_t there = bytes.size() - at;
  const std::size_t length = size == kUnknown ? there : size;
  if (length > there)
    refuse(name, at,
           fmt::format("the sound has {} bytes by its head, and {} are there; the file is cut off", length, there));
  const auto frame = static_cast<std::size_t>(out.channels * out.bits / 8);
  if (length % frame != 0)
    refuse(name, at, fmt::format("{} bytes of sound are no whole number of frames of {}", length, frame));
  out.data_offset = at;
  out.frames = static_cast<Index>(length / frame);
}

template <class Whole>
Whole whole_at(const char* from, int bytes) {
  std::uint32_t value = 0;
  for (int i = bytes; i-- > 0;) value = value << 8U | static_cast<unsigned char>(from[i]);
  return static_cast<Whole>(value << (32 - 8 * bytes));  // the sign bit on top
}

/// 8-bit samples are unsigned around 128; all others signed. Full scale is 1.
template <class T>
T sample(const WavHeader& h, const char* from) {
  if (h.floating && h.bits == 32) {
    float value = 0;
    std::memcpy(&value, from, sizeof value);
    return static_cast<T>(value);
  }
  if (h.floating) {
    double value = 0;
    std::memcpy(&value, from, sizeof value);
    return static_cast<T>(value);
  }
  if (h.bits == 8) return static_cast<T>((static_cast<double>(static_cast<unsigned char>(*from)) - 128.0) / 128.0);
  return static_cast<T>(static_cast<double>(whole_at<std::int32_t>(from, h.bits / 8)) * 0x1p-31);
}

template <class T>
Dataset samples_as(const WavHeader& h, const Bytes& bytes, const Execution& exec) {
  constexpr Index piece = 1 << 16;
  const Index count = h.frames * h.channels, width = h.bits / 8;
  require_memory(exec, static_cast<std::uint64_t>(count) * sizeof(T), shown_name(bytes.path) + ": its samples",
                 "cut the file");
  const auto out = std::make_shared_for_overwrite<T[]>(static_cast<std::size_t>(count));
  const char* raw = bytes.text.data() + h.data_offset;
  parallel_for(exec, (count + piece - 1) / piece, [&](Index p) {
    for (Index i = p * piece; i < std::min(count, (p + 1) * piece); ++i)
      out[static_cast<std::size_t>(i)] = sample<T>(h, raw + i * width);
  });
  Dataset data(DenseView<T>{out.get(), h.frames, h.channels, h.channels, 1}, out);
  for (Index c = 1; c <= h.channels; ++c) data.column_names.push_back(fmt::format("channel{}", c));
  return data;
}

}  // namespace

WavHeader parse_wav_header(std::string_view bytes, const std::string& name) {
  if (bytes.size() < 12 || !bytes.starts_with("RIFF") || bytes.substr(8, 4) != "WAVE")
    throw DataError(fmt::format("{}: not a .wav file: it begins with no RIFF WAVE head", name));
  WavHeader out;
  for (std::size_t at = 12; at + 8 <= bytes.size();) {
    const std::string_view kind = bytes.substr(at, 4);
    const std::uint32_t size = number_at(bytes, at + 4, 4);
    const std::size_t begin = at + 8;
    if (kind == "data") {
      if (out.channels == 0) refuse(name, at, "sound before the 'fmt ' chunk that describes it");
      parse_data(bytes, begin, size, name, out);
      return out;
    }
    if (size > bytes.size() - begin)
      refuse(name, at,
             fmt::format("a chunk of {} bytes, and {} are left; the file is cut off", size, bytes.size() - begin));
    if (kind == "fmt ") {
      if (out.channels != 0) refuse(name, at, "a second 'fmt ' chunk");
      parse_samples(bytes, begin, size, name, out);
    }
    at = begin + size + (size & 1U);  // chunks begin at even bytes
  }
  throw DataError(fmt::format("{}: not a .wav file: it has no 'data' chunk; the file may be cut off", name));
}

Dataset parse_wav(const Bytes& bytes, const ReadOptions& options, const Execution& exec) {
  const WavHeader header = parse_wav_header(bytes.text, shown_name(bytes.path));
  // Up to 24 bits are exact in float32.
  const bool single = header.floating ? header.bits == 32 : header.bits <= 24;
  const Precision precision = options.precision.value_or(single ? Precision::float32 : Precision::float64);
  return precision == Precision::float32 ? samples_as<float>(header, bytes, exec)
                                         : samples_as<double>(header, bytes, exec);
}

FormatCard wav_format() {
  return {.name = "wav",
          .title = "WAV",
          .about = "sound: a row a moment, a column a channel",
          .endings = {".wav"},
          .binary = true,
          .reads = {RowKind::sound},
          .writes = {RowKind::sound},
          .write_fields = fields_of<WavWriting>(),
          .page = "docs/formats.md#wav",
          .recognize =
              [](std::string_view head) { return head.starts_with("RIFF") && head.substr(0, 12).ends_with("WAVE"); },
          .read = [](const Bytes& bytes, const ReadOptions& options, const Execution& exec,
                     ReadDecisions*) { return parse_wav(bytes, options, exec); },
          .write = [](const Dataset& data, ByteSink& out, const WriteOptions& options,
                      const Execution&) { write_wav(data, out, options); },
          .settings = [](const std::string& path) -> OptionMap {
            if (path == "-") return {};
            const Bytes bytes = decompress(load(path, {}), {});
            return {{"sample_rate", parse_wav_header(bytes.text, shown_name(path)).rate}};
          }};
}

}  // namespace fewdim
