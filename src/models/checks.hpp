#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "fewdim/error.hpp"
#include "fewdim/types.hpp"

/// What the shapes ask of their arrays before they trust them.
namespace fewdim {

/// An array is absent, or has as many entries as the model needs.
inline void require_size(Index size, Index expected, const char* name, const std::string& who) {
  if (size != 0 && size != expected)
    throw DataError(fmt::format("{}: '{}' has {} entries, the model needs {}", who, name, size, expected));
}

template <class Array, class Test>
void require_all(const Array& values, const char* name, const char* what, const std::string& who, Test test) {
  for (Index i = 0; i < values.size(); ++i)
    if (!test(values.data()[i]))
      throw DataError(fmt::format("{}: '{}' holds {}, which is not {}", who, name, values.data()[i], what));
}

template <class Array>
void require_all_finite(const Array& values, const char* name, const std::string& who) {
  require_all(values, name, "finite", who, [](double value) { return std::isfinite(value); });
}

}  // namespace fewdim
