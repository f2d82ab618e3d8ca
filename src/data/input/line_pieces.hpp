#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "data/formats.hpp"

namespace fewdim {

/// Thrown by a parser at a place in the text that it can't read.
struct TextFault {
  const char* at;
  std::string what;
};

/// The fault as a DataError: "file:12:5: what", the byte in the line after the line.
[[noreturn]] void throw_at_line(const Bytes& bytes, const TextFault& fault);

/// Cuts text into pieces of whole lines, each of about 1 MiB whatever the thread count.
std::vector<std::string_view> cut_into_pieces(std::string_view text);

/// Pieces that are parsed before the next join.
constexpr std::size_t pieces_a_wave = 32;

/// Runs parse(i, piece) over the pieces side by side, in waves; after a wave join(first, last) is called alone and in
/// order. The first TextFault in the order of the file becomes a DataError.
void parse_pieces(const Bytes& bytes, const std::vector<std::string_view>& pieces, const Execution& exec,
                  const std::function<void(std::size_t, std::string_view)>& parse,
                  const std::function<void(std::size_t first, std::size_t last)>& join);

}  // namespace fewdim
