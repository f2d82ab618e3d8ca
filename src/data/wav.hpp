#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "fewdim/types.hpp"

namespace fewdim {

/// What the head of a file of sound (RIFF WAVE) says, checked against the bytes that are there.
struct WavHeader {
  bool floating = false;
  int bits = 0;  ///< of a sample: 8, 16, 24, 32; floating-point 32, 64
  Index channels = 0;
  Index rate = 0;  ///< frames a second
  std::size_t data_offset = 0;
  Index frames = 0;
};

/// Options of the format itself, for writing.
struct WavWriting {
  int wav_bits = 0;
  Index sample_rate = 8000;
};

template <class Visitor>
void describe(WavWriting& o, Visitor&& field) {
  field(o.wav_bits,
        {.name = "wav_bits",
         .choices = {"8", "16", "24", "32"},
         .help = "of a .wav: whole numbers of that size, a channel beyond 1 scaled down [floating-point as it is]"});
  field(o.sample_rate, {.name = "sample_rate",
                        .minimum = 1,
                        .maximum = 0xFFFFFFFF,
                        .help = "of a .wav: rows a second [that of the input, or 8000]"});
}

/// Codes of the samples.
namespace wav {
constexpr std::uint16_t whole = 1, floating = 3;
}

/// Throws DataError with the name, the byte and what was found there.
WavHeader parse_wav_header(std::string_view bytes, const std::string& name);

}  // namespace fewdim
