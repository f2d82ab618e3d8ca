#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "fewdim/types.hpp"

namespace fewdim {

/// Where the first byte is that text has not: one that is not UTF-8, or zero. npos where there is none.
std::size_t first_not_text(std::string_view bytes) noexcept;

/// What is wrong at that place, and what to do: "the byte 0xe9 is not UTF-8; ...".
std::string not_text_reason(std::string_view bytes, std::size_t at);

/// Appends the bytes with U+FFFD for each that is not UTF-8 and a blank for each zero; returns how many those were.
Index append_replaced(std::string& out, std::string_view bytes);

/// The code point in UTF-8; U+FFFD for what is none (surrogates, above U+10FFFF) and for zero.
void append_code_point(std::string& out, std::uint32_t code);

/// \r\n and lone \r become \n, in place.
void unify_line_ends(std::string& text);

}  // namespace fewdim
