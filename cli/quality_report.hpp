#pragma once

#include <optional>
#include <string>

#include "common.hpp"
#include "fewdim/quality.hpp"

/// A quality report for people and for programs.
namespace fewdim::cli {

/// One line a measure: value, standard error where there is any, meaning.
std::string quality_table(const QualityReport& report, const std::optional<Procrustes>& fit);

Json measures_json(const QualityReport& report);
Json curve_json(const QualityReport& report);
Json procrustes_json(const Procrustes& fit, const std::string& reference);

}  // namespace fewdim::cli
