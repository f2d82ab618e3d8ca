#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "fewdim/documents.hpp"
#include "fewdim/export.hpp"
#include "fewdim/inputs.hpp"
#include "fewdim/method.hpp"
#include "fewdim/model.hpp"
#include "fewdim/options.hpp"
#include "fewdim/plan.hpp"
#include "fewdim/remedy.hpp"
#include "fewdim/results.hpp"

/// One session under every front: what is fitted or planned, from the names of files to the result.
namespace fewdim {

/// A model, and what it was fitted on.
struct Fitted {
  Model model;
  Dataset data{};  ///< as the fit took it: a stream where memory was short; of documents only where they came from
  std::optional<DocumentReport> documents{};  ///< what was seen in reading them
};

/// Reads the source as the method takes it under these options, and fits. Data that fit the memory limit may leave too
/// little room for the work: then their rows are taken as they come, if the method can do that.
FEWDIM_API Fitted fit(const MethodCard& card, const InputSource& source, const OptionMap& options = {},
                      const SessionContext& context = {});

/// The two steps of it, for a front that looks at the data in between: a table or lines of text, then the fit.
FEWDIM_API Dataset load_for_fit(const MethodCard& card, const InputSource& source, const OptionMap& options,
                                const SessionContext& context = {});
FEWDIM_API Fitted fit(const MethodCard& card, Dataset data, const InputSource& source, const OptionMap& options,
                      const SessionContext& context);

/// What a plan knows of an input.
struct MeasuredInput {
  std::string name{};  ///< "cells.csv and 3 more"
  DataShape shape{};
  bool rows_estimated = false;  ///< from the beginning of a large text
  std::optional<DocumentReport> documents{};
};

/// How a fit would go.
struct FitPlan {
  std::string method{};
  MeasuredInput input{};
  std::uint64_t input_bytes = 0;  ///< in memory; 0 for a stream
  Plan plan{};
};

/// Looks at as little of the source as tells its shape: the header of .npy and .mtx files, the beginning of a large
/// text.
FEWDIM_API MeasuredInput measure_input(const MethodCard& card, const InputSource& source, const OptionMap& options = {},
                                       const SessionContext& context = {});
/// Throws OverMemory where the program and the data alone are beyond the limit.
FEWDIM_API FitPlan plan(const MethodCard& card, const MeasuredInput& input, const OptionMap& options = {},
                        const SessionContext& context = {});
FEWDIM_API FitPlan plan(const MethodCard& card, const InputSource& source, const OptionMap& options = {},
                        const SessionContext& context = {});

/// One JSON object, on one line, whose words are those of the front.
FEWDIM_API std::string plan_json(const FitPlan& plan, Speech speech = speak_cpp);

}  // namespace fewdim
