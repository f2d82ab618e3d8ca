#pragma once

#include <cstddef>

#include "fewdim/types.hpp"

namespace fewdim {

/// An index as the standard containers subscript by: v[at(i)].
constexpr std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace fewdim
