#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "fewdim/session.hpp"
#include "session/stage.hpp"

namespace fewdim {

namespace {

/// Rows of a large text, from the lines of its first megabyte; -1 for what can't be told.
Index estimated_rows(const std::string& path) {
  struct stat status {};
  if (path == "-" || path.ends_with(".gz") || path.ends_with(".zst") || ::stat(path.c_str(), &status) != 0) return -1;
  constexpr std::size_t sample = std::size_t{1} << 20;
  if (static_cast<std::size_t>(status.st_size) < 8 * sample) return -1;
  std::string head(sample, '\0');
  std::ifstream(path, std::ios::binary).read(head.data(), static_cast<std::streamsize>(sample));
  const auto lines = std::ranges::count(head, '\n');
  return lines == 0 ? -1
                    : static_cast<Index>(static_cast<double>(status.st_size) / static_cast<double>(sample) *
                                         static_cast<double>(lines));
}

Index estimated_rows(const std::vector<std::string>& parts) {
  Index sum = 0;
  for (const std::string& path : parts) {
    const Index rows = estimated_rows(path);
    if (rows < 0) return -1;
    sum += rows;
  }
  return sum;
}

Index counted_rows(RowStream& stream) {
  std::vector<double> rows(static_cast<std::size_t>(std::max<Index>(1, stream.cols()) * 1024));
  Index count = 0;
  while (const Index got = stream.read(rows.data(), 1024)) count += got;
  return count;
}

/// "rows cols entries" after the comments of a Matrix Market file.
std::optional<DataShape> matrix_market_shape(const std::string& path) {
  if (!path.ends_with(".mtx")) return std::nullopt;
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line) || line.find("coordinate") == std::string::npos) return std::nullopt;
  const std::int64_t stored = line.find("symmetric") != std::string::npos ? 2 : 1;  // only one triangle is in the file
  while (std::getline(file, line) && (line.empty() || line[0] == '%')) {
  }
  DataShape shape;
  std::istringstream numbers(line);
  if (!(numbers >> shape.rows >> shape.cols >> shape.nonzeros) || shape.rows < 0 || shape.cols < 0 ||
      shape.nonzeros < 0)
    return std::nullopt;
  shape.nonzeros *= stored;
  return shape;
}

/// By its beginning, or by its header; by all of its rows where neither tells how many there are. False where its kind
/// can't be streamed.
bool measure_stream(MeasuredInput& input, const MethodCard& card, const InputSource& source,
                    const SessionContext& context) {
  const Stage stage(context, "read");
  const std::optional<Dataset> data = open_stream(source, context);
  if (!data) return false;
  DataShape& shape = input.shape = shape_of(*data);
  shape.stream = card.takes.stream && wants_stream(source, context.execution);
  if (shape.rows < 0) {
    shape.rows = estimated_rows(source.paths);
    input.rows_estimated = shape.rows >= 0;
  }
  if (shape.rows < 0 && !(shape.stream && source.is_pipe())) shape.rows = counted_rows(*data->stream());
  return true;
}

void measure_documents(MeasuredInput& input, const MethodCard& card, const InputSource& source,
                       const OptionMap& options, const SessionContext& context) {
  const Stage all(context, "read");
  const auto documents = open_documents(source.paths, source.documents, context.execution);
  const Stage words(context, "words");
  input.shape = card.shape_of_documents(*documents, options, context.execution);
  input.documents = documents->report();
}

}  // namespace

MeasuredInput measure_input(const MethodCard& card, const InputSource& source, const OptionMap& options,
                            const SessionContext& context) {
  MeasuredInput input{.name = source.name()};
  if (card.shape_of_documents) {  // its columns are terms, which are known once they are counted
    measure_documents(input, card, source, options, context);
    return input;
  }
  if (card.takes_text && card.takes_text(options)) {
    input.shape = shape_of(load_lines(source, context));
    return input;
  }
  const bool dense_file = !source.reading.sparse && !source.is_builtin();
  if (dense_file && measure_stream(input, card, source, context)) return input;
  if (source.paths.size() == 1)
    if (const auto shape = matrix_market_shape(source.paths.front())) {
      input.shape = *shape;
      return input;
    }
  input.shape = shape_of(load_table(source, Streaming::never, context));
  return input;
}

}  // namespace fewdim
