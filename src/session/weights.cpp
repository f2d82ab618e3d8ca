#include <fmt/format.h>

#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "fewdim/inputs.hpp"
#include "session/stage.hpp"

namespace fewdim {

namespace {

Dataset weights_file(const InputSource& source, const SessionContext& context) {
  const Stage stage(context, "read");
  return read_and_tell(source.weights, {.precision = Precision::float64}, context);
}

Dataset weights_column(const InputSource& source, const SessionContext& context) {
  if (source.is_pipe() || source.is_builtin())
    throw Error(ErrorKind::usage, fmt::format("{} reads the file a second time, which needs a file; use {}",
                                              option_name("weights_column"), set_option("weights", "FILE")));
  InputSource column{.paths = source.paths, .reading = source.reading};
  column.reading.columns = {source.weights_column};
  column.reading.drop.clear();
  column.reading.features.clear();
  column.reading.label = "none";
  column.reading.stream = column.reading.sparse = false;
  column.reading.precision = Precision::float64;
  return load_table(column, Streaming::never, context);
}

}  // namespace

void read_weights(Dataset& data, const InputSource& source, const SessionContext& context) {
  if (source.weights.empty() && source.weights_column.empty()) return;
  if (!source.weights.empty() && !source.weights_column.empty())
    throw Error(ErrorKind::usage, fmt::format("{} and {} say the same twice; give one", option_name("weights"),
                                              option_name("weights_column")));
  const bool own_file = source.weights_column.empty();
  const Dataset table = own_file ? weights_file(source, context) : weights_column(source, context);
  const std::string path = own_file ? source.weights : source.name();
  if (table.cols() != 1)
    throw DataError(fmt::format("{}: weights are one column, and these are {}; choose one with {}", path, table.cols(),
                                set_option("weights_column")));
  if (data.rows() >= 0 && table.rows() != data.rows())
    throw DataError(fmt::format("{}: {} weights for {} rows; give one per row", path, table.rows(), data.rows()));
  data.weights = table.matrix<double>().col(0);
}

}  // namespace fewdim
