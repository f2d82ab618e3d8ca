#pragma once

#include <optional>
#include <string>

#include "fewdim/quality.hpp"

namespace fewdim::cli {

/// One line a measure: value, standard error where there is any, meaning.
std::string quality_table(const QualityReport& report, const std::optional<Procrustes>& fit);

}  // namespace fewdim::cli
