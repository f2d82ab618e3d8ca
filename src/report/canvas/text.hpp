#pragma once

#include <string>
#include <string_view>

namespace fewdim {

/// Code points of a UTF-8 text; bytes that are not UTF-8 and control characters come out as U+FFFD, tabs and line
/// breaks as blanks.
std::u32string decode_utf8(std::string_view text);
std::string encode_utf8(std::u32string_view text);

}  // namespace fewdim
