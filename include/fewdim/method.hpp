#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/model.hpp"
#include "fewdim/options.hpp"
#include "fewdim/plan.hpp"

namespace fewdim {

struct Capabilities {
  Extension extension = Extension::exact;  ///< places new points how
  bool inverse = false;
  bool sparse = false;   ///< takes sparse input without making it dense
  bool stream = false;   ///< takes data larger than memory
  bool missing = false;  ///< takes NaN
  bool weights = false;  ///< takes row weights
};

/// The single declaration of a method: every front end is made from it.
struct MethodCard {
  std::string name;      ///< "pca"
  std::string title;     ///< one line
  std::string citation;  ///< the paper
  std::vector<OptionField> fields;
  Capabilities capabilities;
  Model (*fit)(const Dataset&, const OptionMap&, const Execution&) = nullptr;
  Plan (*plan)(const DataShape&, const OptionMap&, const Execution&) = nullptr;
  /// Whether the data are lines of text under these options, to be read by read_lines(); null: never.
  bool (*takes_text)(const OptionMap&) = nullptr;
};

/// Every method there is, in the order of the documentation.
FEWDIM_API const std::vector<MethodCard>& methods();
/// The card of that name; throws InvalidOption with the nearest name.
FEWDIM_API const MethodCard& method(std::string_view name);

}  // namespace fewdim
