#include "fewdim/inputs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "session/read_parts.hpp"
#include "session/stage.hpp"

namespace fewdim {

namespace {

/// Of a regular file; 0 of all else.
std::uint64_t file_bytes(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return 0;
  return static_cast<std::uint64_t>(status.st_size);
}

std::uint64_t physical_memory() {
  return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGE_SIZE));
}

InputSource without_weights(InputSource source) {
  if (!source.weights_column.empty() && source.reading.columns.empty() && !source.is_builtin())
    source.reading.drop.push_back(source.weights_column);
  source.weights.clear();
  source.weights_column.clear();
  return source;
}

/// The numbers, without weights.
Dataset load_numbers(const InputSource& source, Streaming streaming, const SessionContext& context) {
  if (source.is_builtin() && source.paths.size() == 1) return read_builtin(source);
  const bool may = streaming == Streaming::if_needed;
  if (may && wants_stream(source, context.execution))
    if (auto stream = open_stream(source, context)) return *stream;
  InputSource whole = source;
  whole.reading.stream = false;
  try {
    return read_tables(whole, context);
  } catch (const OverMemory& error) {
    if (may && source.is_pipe())
      throw OverMemory(fmt::format("{}; or fit it in one pass with {}", error.marked(), set_option("stream", true)));
    if (may && !source.reading.sparse)
      if (auto stream = open_stream(source, context)) return *stream;
    throw;
  }
}

/// What a table has beside the names that a model knows, for those formats whose readers leave nothing out.
void tell_unused(const Dataset& data, const std::vector<std::string>& names, const SessionContext& context) {
  std::vector<std::string> unused;
  for (const std::string& name : data.column_names)
    if (std::ranges::find(names, name) == names.end()) unused.push_back(name);
  if (unused.empty() || !context.note) return;
  const bool several = unused.size() > 1;
  context.note(
      {data.source,
       {ReadDecision::About::unused, fmt::format("{} that the model does not use {} left out: {}",
                                                 several ? fmt::format("{} columns", unused.size()) : "1 column",
                                                 several ? "were" : "was", fmt::join(unused, ", "))}});
}

Dataset by_name(Dataset data, const std::vector<std::string>& names, bool optional, const SessionContext& context) {
  if (names.empty() || data.column_names.empty() || data.column_names == names) return data;
  const auto there = [&](const std::string& name) {
    return std::ranges::find(data.column_names, name) != data.column_names.end();
  };
  if (optional && !std::ranges::all_of(names, there)) return data;
  Dataset own = columns_by_name(data, names, context.execution);
  tell_unused(data, names, context);
  return own;
}

}  // namespace

std::string InputSource::name() const {
  if (paths.empty()) return {};
  return paths.size() == 1 ? paths.front() : fmt::format("{} and {} more", paths.front(), paths.size() - 1);
}

bool InputSource::is_pipe() const { return std::ranges::find(paths, "-") != paths.end(); }

bool InputSource::is_builtin() const { return !paths.empty() && paths.front().starts_with('@'); }

std::string ReadNote::text() const { return fmt::format("{}: {}", source, decision.text); }

bool wants_stream(const InputSource& source, const Execution& exec) {
  if (source.reading.stream) return true;
  const std::uint64_t limit = exec.memory_limit > 0 ? exec.memory_limit : physical_memory();
  std::uint64_t bytes = 0;
  for (const std::string& path : source.paths) bytes += file_bytes(path);
  // The work needs room as well, and so does joining parts.
  const std::uint64_t room = source.paths.size() > 1 ? limit / 4 : limit / 2;
  return !source.is_builtin() && !source.reading.sparse && bytes > room;
}

std::optional<Dataset> open_stream(const InputSource& source, const SessionContext& context) {
  InputSource streamed = without_weights(source);
  streamed.reading.stream = true;
  SessionContext silent = context;
  silent.execution.progress = {};  // whoever takes the rows reports
  try {
    return read_tables(streamed, silent);
  } catch (const Unsupported&) {
    if (source.reading.stream) throw;
    return std::nullopt;
  }
}

Dataset load_table(const InputSource& source, Streaming streaming, const SessionContext& context) {
  Dataset data = [&] {
    const Stage stage(context, "read");
    return load_numbers(without_weights(source), streaming, context);
  }();
  read_weights(data, source, context);
  return data;
}

Dataset load_columns(const InputSource& source, const std::vector<std::string>& names, Streaming streaming,
                     const SessionContext& context) {
  InputSource known = without_weights(source);
  if (!known.is_builtin()) known.reading.features = names;
  Dataset data = by_name(load_table(known, streaming, context), names, known.reading.features_optional, context);
  read_weights(data, source, context);
  return data;
}

}  // namespace fewdim
