#pragma once

#include <string>
#include <string_view>

namespace fewdim {

/// "xxh3:" and the 16 hexadecimal digits of the bytes' XXH3 (64 bits, seed 0), as `xxhsum -H3` prints them.
std::string hash_of(std::string_view bytes);

}  // namespace fewdim
