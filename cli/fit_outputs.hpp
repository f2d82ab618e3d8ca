#pragma once

#include <deque>

#include "common.hpp"
#include "fewdim/method.hpp"
#include "targets.hpp"

namespace fewdim::cli {

/// Outputs that other methods have: not in the help, and refused with the names of those that there are.
class OtherOutputs {
 public:
  void declare(CLI::App& app, const std::string& flag);
  /// Throws a usage error where one was given.
  void refuse(const std::string& method, const std::vector<std::string>& own) const;

 private:
  struct Other {
    std::string flag, value;
    const CLI::Option* option = nullptr;
  };
  std::deque<Other> others_;  // a deque: CLI11 keeps the addresses
};

/// What a fit can leave behind, each in a file of its own: what the method's card says it gives.
class FitOutputs {
 public:
  explicit FitOutputs(const MethodCard& card) : card_(card) {}

  /// `uses`: of the model, for its help.
  void declare(CLI::App& app, const char* uses = "transform, inverse, inspect and verify");
  void add_to(Targets& targets) const;
  /// The flag of an output that needs the rows once more, or empty.
  std::string needs_rows() const;

  void write(const Model& model, const Dataset& data, Run& run, Targets& targets) const;

 private:
  void write_rows(const Model& model, const Dataset& data, Run& run, Targets& targets) const;
  void write_streamed(const Model& model, const Dataset& data, Run& run, Targets& targets) const;
  void draw(const Model& model, const Dataset& scores, Run& run, Targets& targets) const;

  const MethodCard& card_;
  OtherOutputs others_;
  std::vector<std::string> own_;  // flags, for the words of a refusal
  std::string model_, scores_, to_, plot_, axes_ = "1,2", scree_, shepard_, loadings_, left_, right_, spectrum_,
                                           row_stats_, column_stats_, approximate_;
};

}  // namespace fewdim::cli
