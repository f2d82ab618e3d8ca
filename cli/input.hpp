#pragma once

#include <functional>

#include "common.hpp"
#include "fewdim/io.hpp"
#include "format_options.hpp"

namespace fewdim::cli {

/// May the work take rows as they come?
enum class Streaming { never, if_needed };

/// Names of a table that lacks those wanted: refused, or taken by their places?
enum class Unknown { refused, taken };

/// A table to read: its name, or the names of its parts, and the options that say how.
class Input {
 public:
  struct Declared {
    std::string name = "INPUT";
    std::string help = "a file, - for standard input, or a built-in table: @ten-points, @iris, @digits";
    bool columns = true;    ///< --columns chooses columns; false where that name is taken
    bool stream = false;    ///< has --stream
    bool optional = false;  ///< may be left out
    bool parts = false;     ///< several files may be given: parts of one table, one below the other
  };
  void declare(CLI::App& app, const Declared& what);
  void declare(CLI::App& app) { declare(app, Declared{}); }

  /// What is read instead of the word on the line, by the same options.
  void set_path(std::string path) { paths_ = {std::move(path)}; }

  const std::vector<std::string>& paths() const { return paths_; }
  std::string name() const;  ///< "cells.csv", "cells.csv and 3 more"
  bool is_pipe() const;      ///< or one of its parts is
  bool is_builtin() const { return paths_.front().starts_with('@'); }
  ReadOptions options() const;

  /// Reads it. A file that does not fit the memory limit becomes a stream where the work allows that.
  Dataset load(Run& run, Streaming streaming = Streaming::never) const { return load(run, streaming, options()); }
  Dataset load(Run& run, Streaming streaming, ReadOptions options) const;
  /// Reads it as lines of text, one string each: the options for tables are refused.
  Dataset load_lines(Run& run) const;
  /// Reads rows for a model that knows these columns: by name where both have names, and what else there is is left
  /// out, which is told.
  Dataset load_columns(Run& run, Streaming streaming, ReadOptions options, const std::vector<std::string>& names,
                       Unknown unknown = Unknown::refused) const;
  /// Throws where an option for tables was given that documents don't have.
  void require_documents() const;
  const std::string& format() const { return format_; }  ///< as given
  const std::string& header() const { return header_; }  ///< yes, no, or empty
  /// As a stream, or nothing where its kind can't be streamed.
  std::optional<Dataset> open_stream(Run& run, ReadOptions options) const;
  bool wants_stream(const Run& run) const;  ///< asked for, or too large for the limit

 private:
  Dataset builtin() const;
  std::string first_given() const;  ///< of the options for tables, but for --format and --header; empty: none
  Dataset read_parts(const std::function<Dataset(const std::string& path)>& read_one) const;
  Dataset read_parts(const ReadOptions& options, Run& run, const Execution& exec) const;

  std::vector<std::string> paths_;
  std::string format_, delimiter_, header_, id_, label_, precision_;
  FormatOptions own_{&FormatCard::read_fields};
  std::vector<std::string> drop_, columns_, na_;
  bool sparse_ = false, stream_ = false;
};

/// Reads one file, and tells what was decided by looking.
Dataset read_and_tell(const std::string& path, const ReadOptions& options, Run& run, const Execution& exec);

/// "1797 x 64" with what else there is to say: sparse, float32.
std::string show_shape(const Dataset& data);

}  // namespace fewdim::cli
