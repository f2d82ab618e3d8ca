#include "weights.hpp"

#include <fmt/format.h>

namespace fewdim::cli {

void RowWeights::declare(CLI::App& app) {
  if (!taken_) return;
  add_text(app, "--weights", file_, "FILE", "how much each row counts: a table of one column [1 each]", "Reading");
  add_text(app, "--weights-column", column_, "COLUMN",
           "the same from a column of the input, which is left out of the fit", "Reading");
}

ReadOptions RowWeights::without_column(ReadOptions options) const {
  if (!column_.empty() && options.columns.empty()) options.drop.push_back(column_);
  return options;
}

void RowWeights::read_into(Dataset& data, const Input& input, Run& run) const {
  if (file_.empty() && column_.empty()) return;
  if (!file_.empty() && !column_.empty())
    throw usage_error("--weights and --weights-column say the same twice; give one");
  if (!column_.empty() && (input.is_pipe() || input.is_builtin()))
    throw usage_error("--weights-column reads the file a second time, which needs a file; use --weights FILE");
  ReadOptions options;
  if (!column_.empty()) {
    options = input.options();
    options.columns = {column_};
    options.drop.clear();
    options.label = "none";
  }
  options.stream = options.sparse = false;
  options.precision = Precision::float64;
  const std::string path = column_.empty() ? file_ : input.name();
  const Dataset table = column_.empty()
                            ? run.timed("read", [&] { return read_and_tell(path, options, run, run.execution()); })
                            : input.load(run, Streaming::never, options);
  if (table.cols() != 1)
    throw DataError(fmt::format("{}: weights are one column, and these are {}; choose one with --weights-column", path,
                                table.cols()));
  if (data.rows() >= 0 && table.rows() != data.rows())
    throw DataError(fmt::format("{}: {} weights for {} rows; give one per row", path, table.rows(), data.rows()));
  data.weights = table.matrix<double>().col(0);
}

}  // namespace fewdim::cli
