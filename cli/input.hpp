#pragma once

#include "common.hpp"
#include "fewdim/inputs.hpp"
#include "format_options.hpp"

namespace fewdim::cli {

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
  std::string name() const { return InputSource{.paths = paths_}.name(); }  ///< "cells.csv", "cells.csv and 3 more"
  bool is_pipe() const { return InputSource{.paths = paths_}.is_pipe(); }
  bool is_builtin() const { return InputSource{.paths = paths_}.is_builtin(); }
  ReadOptions options() const;
  /// What the library's session reads. Throws where an option was given that a built-in table does not take.
  InputSource source() const { return source(options()); }
  InputSource source(const ReadOptions& options) const;

  /// Reads it. A file that does not fit the memory limit becomes a stream where the work allows that.
  Dataset load(Run& run, Streaming streaming = Streaming::never) const { return load(run, streaming, options()); }
  Dataset load(Run& run, Streaming streaming, const ReadOptions& options) const;
  /// Reads it as lines of text, one string each: the options for tables are refused.
  Dataset load_lines(Run& run) const;
  /// Reads rows for a model that knows these columns: by name where both have names, and what else there is is left
  /// out, which is told.
  Dataset load_columns(Run& run, Streaming streaming, ReadOptions options, const std::vector<std::string>& names,
                       Unknown unknown = Unknown::refused) const;
  /// Throws where an option for tables was given that documents don't have.
  void require_documents() const;
  /// The same for lines of text.
  void require_lines() const;
  const std::string& format() const { return format_; }  ///< as given
  const std::string& header() const { return header_; }  ///< yes, no, or empty

 private:
  std::string first_given() const;  ///< of the options for tables, but for --format and --header; empty: none
  void require_builtin_options() const;

  std::vector<std::string> paths_;
  std::string format_, delimiter_, header_, id_, label_, precision_;
  FormatOptions own_{&FormatCard::read_fields};
  std::vector<std::string> drop_, columns_, na_;
  bool sparse_ = false, stream_ = false;
};

/// "1797 x 64" with what else there is to say: sparse, float32.
std::string show_shape(const Dataset& data);

}  // namespace fewdim::cli
