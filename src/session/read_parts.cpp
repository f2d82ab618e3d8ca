#include "session/read_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "fewdim/generate.hpp"
#include "session/stage.hpp"

namespace fewdim {

namespace {

void require_paths(const InputSource& source) {
  if (source.paths.empty())
    throw Error(ErrorKind::usage,
                "there is nothing to read: name a file, - for standard input, or a built-in table such as @iris");
}

void require_parts(const InputSource& source) {
  require_paths(source);
  for (const std::string& path : source.paths) {
    if (path.starts_with('@'))
      throw Error(ErrorKind::usage, fmt::format("{} is a built-in table: it can't be a part of another", path));
    if (path == "-" && std::ranges::count(source.paths, path) > 1)
      throw Error(ErrorKind::usage, "standard input (-) can be read once; name it once");
  }
}

/// A built-in table is what it is: an option for other inputs would be passed over in silence.
void require_plain_reading(const InputSource& source) {
  ReadOptions plain;
  const ReadOptions& given = source.reading;
  const bool other = given.format != plain.format || given.delimiter != plain.delimiter || given.header ||
                     given.stream || given.sparse || !given.id.empty() || !given.label.empty() || !given.drop.empty() ||
                     !given.columns.empty() || !given.features.empty() || !given.own.empty() ||
                     given.na_words != plain.na_words;
  if (!other) return;
  throw Error(ErrorKind::usage,
              fmt::format("{} is a built-in table: of the reading options it takes {} only; write it to a file with {} "
                          "first",
                          source.name(), option_name("precision"), use_command("generate")));
}

Dataset in_single_precision(const Dataset& data) {
  Dataset single(RowMatrix<float>(data.matrix<float>()));
  single.row_names = data.row_names;
  single.row_names_header = data.row_names_header;
  single.column_names = data.column_names;
  single.labels = data.labels;
  single.label_name = data.label_name;
  return single;
}

}  // namespace

Dataset read_and_tell(const std::string& path, const ReadOptions& options, const SessionContext& context) {
  std::vector<ReadDecision> decisions;
  Dataset data = read(path, options, context.execution, &decisions);
  if (context.note)
    for (ReadDecision& decision : decisions) context.note({path == "-" ? "standard input" : path, std::move(decision)});
  return data;
}

Dataset read_builtin(const InputSource& source) {
  require_plain_reading(source);
  const std::string& name = source.paths.front();
  Dataset data = builtin_table(name.substr(1));
  if (source.reading.precision == Precision::float32) data = in_single_precision(data);
  data.source = name;
  return data;
}

Dataset read_tables(const InputSource& source, const SessionContext& context) {
  require_parts(source);
  std::vector<Dataset> parts;
  for (const std::string& path : source.paths) parts.push_back(read_and_tell(path, source.reading, context));
  return join_rows(std::move(parts));
}

Dataset load_lines(const InputSource& source, const SessionContext& context) {
  if (source.is_builtin())
    throw Error(ErrorKind::usage,
                fmt::format("{} is a table of numbers; give a file with one string a line", source.paths.front()));
  const Stage stage(context, "read");
  require_parts(source);
  std::vector<Dataset> parts;
  for (const std::string& path : source.paths) parts.push_back(read_lines(path, context.execution));
  return join_rows(std::move(parts));
}

}  // namespace fewdim
