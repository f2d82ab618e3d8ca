#include "quality/embedding/same_objects.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fewdim {

void require_same_objects(const Dataset& a, std::string_view a_name, const Dataset& b, std::string_view b_name,
                          std::string_view who) {
  if (a.rows() != b.rows())
    throw DataError(
        fmt::format("{}: {} rows in the {}, and {} in the {}; both must hold the same objects in the same order", who,
                    a.rows(), a_name, b.rows(), b_name));
  if (a.row_names.empty() || b.row_names.empty()) return;
  const auto [here, there] = std::ranges::mismatch(a.row_names, b.row_names);
  if (here != a.row_names.end())
    throw DataError(
        fmt::format("{}: row {} is '{}' in the {}, and '{}' in the {}; both must hold the same objects in the "
                    "same order",
                    who, here - a.row_names.begin() + 1, *here, a_name, *there, b_name));
}

}  // namespace fewdim
