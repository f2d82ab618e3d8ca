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

/// Throws DataError with the name, the byte and what was found there.
WavHeader parse_wav_header(std::string_view bytes, const std::string& name);

}  // namespace fewdim
