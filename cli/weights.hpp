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
  /// The source with the weights that were given for it.
  InputSource weigh(InputSource source) const;

 private:
  bool taken_ = true;
  std::string file_, column_;
};

}  // namespace fewdim::cli
