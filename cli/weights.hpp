#pragma once

#include "fewdim/method.hpp"
#include "input.hpp"

namespace fewdim::cli {

/// How much each row counts, for methods whose card says they take that: a file of its own, or a column of the input.
class RowWeights {
 public:
  explicit RowWeights(const MethodCard& card) : taken_(card.takes.weights) {}
  RowWeights() = default;  ///< where any method's weights are asked for

  void declare(CLI::App& app);
  const std::string& file() const { return file_; }
  /// The options for the input without the column of weights.
  ReadOptions without_column(ReadOptions options) const;
  void read_into(Dataset& data, const Input& input, Run& run) const;

 private:
  bool taken_ = true;
  std::string file_, column_;
};

}  // namespace fewdim::cli
