#pragma once

#include <cstddef>
#include <string_view>

namespace fewdim {

/// Bytes of the code point that `text` begins with; 0 where it begins with none. Strict (RFC 3629): no overlong forms,
/// no surrogates, nothing above U+10FFFF.
std::size_t utf8_character(std::string_view text) noexcept;

/// Where the first byte is that is not UTF-8; npos where there is none.
std::size_t first_not_utf8(std::string_view text) noexcept;

}  // namespace fewdim
