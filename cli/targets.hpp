#pragma once

#include <string>
#include <vector>

#include "common.hpp"
#include "fewdim/dataset.hpp"
#include "fewdim/io.hpp"

namespace fewdim::cli {

/// The files a run will write. All are checked before the work starts: a long fit must not end in a refusal.
class Targets {
 public:
  enum class Kind { model, table, picture };

  explicit Targets(Run& run) : run_(run) {}

  /// An empty path is no target. `format`: of a table, where the name does not tell.
  void add(const std::string& flag, const std::string& path, Kind kind, const std::string& format = "");
  void add_input(const std::string& path) { inputs_.push_back(path); }
  /// Throws when two are the same, one exists without --force, a folder is missing, or an ending names no format.
  void check() const;
  bool empty() const { return targets_.empty(); }
  /// Options of the formats' own. Those that are not among them are as the input has them.
  void set_own(OptionMap own) { own_ = std::move(own); }

  /// Writes a table with its names, and says so.
  void write(const Dataset& data, const std::string& path, const std::string& format = "");
  /// The same of a list, whose labels are a column as any other: they keep their name as it is.
  void write_list(const Dataset& data, const std::string& path, const std::string& format = "");
  /// Runs what writes the file, and says so.
  void write_with(const std::string& path, const std::string& what, const std::function<void()>& write);
  /// Names of the files, for a document.
  Json document() const;

 private:
  struct Target {
    std::string flag, path;
    Kind kind;
    std::string format;
  };
  void check_one(const Target& target) const;
  static void check_format(const Target& target);
  void write_with_options(const Dataset& data, const std::string& path, const std::string& format,
                          WriteOptions options);

  Run& run_;
  std::vector<Target> targets_;
  std::vector<std::string> inputs_;
  OptionMap own_;
};

}  // namespace fewdim::cli
