#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "fewdim/export.hpp"
#include "fewdim/types.hpp"

namespace fewdim {

/// How many components to keep: a number (50), a share of the total variance (0.95), or a named criterion.
struct FEWDIM_API Components {
  enum class Kind { count, share, criterion };

  Components(int n) : count(n) {}                                                        // NOLINT: `.components = 50`
  Components(Index n) : count(n) {}                                                      // NOLINT
  Components(double share_of_variance) : kind(Kind::share), share(share_of_variance) {}  // NOLINT: `= 0.95`
  Components(std::string name) : kind(Kind::criterion), criterion(std::move(name)) {}    // NOLINT: `= "minka"`
  Components(const char* name) : Components(std::string(name)) {}                        // NOLINT

  /// "50", "0.95", "95%", "all", "auto", "auto:minka"; throws InvalidOption naming what it takes.
  static Components parse(const std::string& text);
  std::string text() const;  ///< parse(text()) gives the same back
  bool operator==(const Components&) const = default;

  static constexpr Index all = -1;  ///< as a count: every component there is

  Kind kind = Kind::count;
  Index count = 2;
  double share = 0.0;
  std::string criterion{};
};

/// As the default of a number: it is chosen from the data, and the fit says how. On the command line it is `auto`.
inline constexpr double from_data = std::numeric_limits<double>::quiet_NaN();

/// An option's value as text-free data: what a saved model, the command line and Python exchange.
using OptionValue = std::variant<bool, std::int64_t, double, std::string>;
using OptionMap = std::map<std::string, OptionValue, std::less<>>;

/// One option of a method, declared once: flags, help, validation, saved JSON and docs are made from it.
struct OptionField {
  enum class Type { boolean, integer, real, choice, text, components };

  std::string name{};  ///< "components", "row_weights": the command line shows it as --row-weights
  char flag = '\0';    ///< short flag, or none
  Type type = Type::text;
  OptionValue fallback{};
  std::optional<double> minimum{};
  std::optional<double> maximum{};
  std::vector<std::string> choices{};
  std::string help{};
};

}  // namespace fewdim
