#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fewdim/export.hpp"
#include "fewdim/types.hpp"

namespace fewdim {

/// What the number of a diagnostic counts.
enum class Unit {
  none,      ///< a number without one, or of a matrix of the method's own
  count,     ///< things
  share,     ///< of 1
  length,    ///< the data's own unit
  variance,  ///< its square
  nats       ///< a logarithm of a likelihood
};

/// A measure of a fit, by name. What its number means is said once, in the table of all of them
/// (src/models/diagnostics.cpp); model files keep name and value alone.
struct FEWDIM_API Diagnostic {
  /// With the unit and the meaning that the table has for the name; none and empty where it has none, as for a name of
  /// a newer version.
  Diagnostic(std::string its_name, double its_value);

  std::string name;
  double value;
  Unit unit = Unit::none;
  std::string meaning{};  ///< one phrase

  bool operator==(const Diagnostic&) const = default;
};

/// Null where the fit has no such measure.
FEWDIM_API const Diagnostic* find_diagnostic(const std::vector<Diagnostic>& diagnostics, std::string_view name);

/// Names that are asked for.
namespace diagnostic {

inline constexpr const char* explained = "explained";              ///< nmf: share of the squares that all parts explain
inline constexpr const char* next_eigenvalue = "next_eigenvalue";  ///< after the last that is kept
inline constexpr const char* mean_value = "mean";                  ///< complete: of the values
inline constexpr const char* documents = "documents";              ///< lsi: of an index
/// isomap: of its map in so many dimensions; "residual_variance_2".
FEWDIM_API std::string residual_variance(Index dimensions);

}  // namespace diagnostic

}  // namespace fewdim
