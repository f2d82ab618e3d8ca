#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "fewdim/error.hpp"
#include "fewdim/model.hpp"

/// What the shapes ask of their arrays before they trust them.
namespace fewdim {

inline void require_model(bool right, const std::string& who, const char* what) {
  if (!right) throw DataError(fmt::format("{}: not a model file: {}", who, what));
}

/// An array is absent, or has as many entries as the model needs.
inline void require_size(Index size, Index expected, const char* name, const std::string& who) {
  if (size != 0 && size != expected)
    throw DataError(fmt::format("{}: '{}' has {} entries, the model needs {}", who, name, size, expected));
}

/// What every shape has for each component.
inline void require_components(const Model::Head& head, const Spectrum& spectrum, Index components,
                               const std::string& who) {
  require_size(spectrum.explained_variance.size(), components, "explained_variance", who);
  require_size(spectrum.explained_variance_ratio.size(), components, "explained_variance_ratio", who);
  const Vector<double>& all = spectrum.all_eigenvalues;
  if (all.size() > 0 && all.size() < components)
    throw DataError(fmt::format("{}: 'all_eigenvalues' has {} entries for {} components", who, all.size(), components));
  for (Index i = 0; i < all.size(); ++i)
    if (!std::isfinite(all[i]) || (i > 0 && all[i] > all[i - 1]))
      throw DataError(fmt::format("{}: 'all_eigenvalues' holds {} at place {}, and must fall", who, all[i], i + 1));
  require_size(std::ssize(head.component_names), components, "component_names", who);
  require_size(head.certificate.residuals.size(), components, "residuals", who);
  require_size(head.certificate.value_bounds.size(), components, "value_bounds", who);
  require_size(head.certificate.angle_bounds.size(), components, "angle_bounds", who);
  require_size(std::ssize(head.certificate.groups), components, "groups", who);
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

/// Row numbers from 0 to `end` − 1, each above the one before.
inline void require_rising(const std::vector<std::int32_t>& rows, Index end, const char* what, const std::string& who) {
  std::int32_t last = -1;
  for (const std::int32_t row : rows) {
    if (row <= last || row >= end)
      throw DataError(fmt::format("{}: {} holds {}, which does not rise from 0 to {}", who, what, row, end - 1));
    last = row;
  }
}

}  // namespace fewdim
