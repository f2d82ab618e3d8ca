#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fewdim/dataset.hpp"
#include "fewdim/documents.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/io.hpp"

/// What every front does with an input before the work begins: the command line, a server of pages, a job on a cluster.
namespace fewdim {

/// What to read, and how.
struct FEWDIM_API InputSource {
  /// Files, "-" for standard input, or one built-in table such as "@iris". Several files are parts of one table, one
  /// below the other.
  std::vector<std::string> paths{};
  ReadOptions reading{};         ///< of tables; `stream` asks for a stream, where the work can take one
  DocumentOptions documents{};   ///< where the method takes documents
  std::string weights{};         ///< a table of one column: how much each row counts
  std::string weights_column{};  ///< the same from a column of the input, which is left out of the numbers

  std::string name() const;  ///< "cells.csv", "cells.csv and 3 more"
  bool is_pipe() const;      ///< standard input, or one of its parts is
  bool is_builtin() const;   ///< "@iris"
};

/// What was decided in reading, and of which file: a front should tell its user.
struct FEWDIM_API ReadNote {
  std::string source{};  ///< "cells.csv", "standard input"
  ReadDecision decision{};

  std::string text() const;  ///< "cells.csv: the first line is a header; ...", with remedies as marks
};

/// What a front gives to the work, and hears from it.
struct SessionContext {
  Execution execution{};  ///< its memory limit is that of the whole process
  std::function<void(const ReadNote&)> note{};
  /// After a stage has ended, also by an exception: "read", "fit"; a stage may come several times.
  std::function<void(std::string_view stage, double seconds)> spent{};
};

/// May the work take rows as they come?
enum class Streaming { never, if_needed };

/// Reads the table, with the weights that the source names. Where the work may take a stream, it becomes one when that
/// is asked for or when it would not fit the memory limit.
FEWDIM_API Dataset load_table(const InputSource& source, Streaming streaming = Streaming::never,
                              const SessionContext& context = {});
/// The same for a model that knows these columns: by name where both have names. Others are left out, which is told.
/// Where a name is missing, DataError says which; with `reading.features_optional` all go by their places instead.
FEWDIM_API Dataset load_columns(const InputSource& source, const std::vector<std::string>& names,
                                Streaming streaming = Streaming::never, const SessionContext& context = {});
/// Reads lines of text, one string each; how tables are read does not matter.
FEWDIM_API Dataset load_lines(const InputSource& source, const SessionContext& context = {});
/// The table as a stream, without its weights. Nothing where its kind can't be streamed, unless a stream was asked for:
/// then Unsupported says why.
FEWDIM_API std::optional<Dataset> open_stream(const InputSource& source, const SessionContext& context = {});
/// Is a stream asked for, or are the files too large for the limit (or the machine) beside the work?
FEWDIM_API bool wants_stream(const InputSource& source, const Execution& exec = {});

/// Reads the weights that the source names, if any, into its data.
FEWDIM_API void read_weights(Dataset& data, const InputSource& source, const SessionContext& context = {});
/// Reads one file, and tells what was decided by looking.
FEWDIM_API Dataset read_and_tell(const std::string& path, const ReadOptions& options, const SessionContext& context);

/// Parts of one table, one below the other: all in memory, or all streams. Throws DataError when their columns differ,
/// by number or, where both have names, by name.
FEWDIM_API Dataset join_rows(std::vector<Dataset> parts);

/// With what the memory limit leaves beside the program itself and data that lie in memory. Throws OverMemory, whose
/// message begins with `who`, where that is nothing.
FEWDIM_API Execution execution_beside(const Dataset& data, const Execution& exec, std::string_view who);

}  // namespace fewdim
