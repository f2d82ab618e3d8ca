#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/options.hpp"

namespace fewdim {

struct ReadOptions {
  /// The name of a format, as formats() lists them: "csv", "npy". Empty: by the name of the file (a trailing .gz or
  /// .zst is undone first), then by the content.
  std::string format{};
  char delimiter = '\0';         ///< '\0': sniffed among , ; tab | and blanks
  std::optional<bool> header{};  ///< unset: detected
  std::string id{};              ///< column (name or 1-based number) with the row names; "": detected; "none": none
  std::string label{};  ///< column with a class per row, kept out of the numbers; "": one that is named label or
                        ///< label:NAME, as write() names it; "none": none
  std::vector<std::string> drop{};     ///< columns to leave out (names or 1-based numbers)
  std::vector<std::string> columns{};  ///< columns to keep, in this order
  /// The columns that a model knows: where the input has names, these are taken by name in this order and the others
  /// left out; where it has none, they go by their places.
  std::vector<std::string> features{};
  bool features_optional = false;  ///< where a name is missing, all go by their places instead of being refused
  /// Words that stand for a missing value.
  std::vector<std::string> na_words{"", "NA", "N/A", "NaN", "nan", "NAN", "null", "NULL", "?", ".", "#N/A", "None"};
  OptionMap own{};  ///< options of the format itself, as its card lists them: {"array", "X"} of an .npz
  std::optional<Precision> precision{};  ///< unset: what the file has (text is float64)
  bool sparse = false;                   ///< turn dense input into sparse rows
  bool stream = false;                   ///< deliver a RowStream instead of reading it all
};

/// What a reader decided by looking, where the input could also have been meant otherwise.
struct ReadDecision {
  enum class About { header, row_names, label, unused };
  About about = About::header;
  std::string text;  ///< one line for people, and the option that settles it otherwise, which spoken() says
};

/// Reads a data set from a file, or from standard input when path is "-". A number in text that is too large for the
/// precision is bad data and refused (infinity is spelled inf), one too small is 0. What was decided by looking is
/// added to `decisions`; a front should tell its user.
FEWDIM_API Dataset read(const std::string& path, const ReadOptions& options = {}, const Execution& exec = {},
                        std::vector<ReadDecision>* decisions = nullptr);

/// The columns of a data set by name, in the order of `names`, of names that repeat the first for the first; others are
/// left out. Where either has no names the data stay as they are. Throws DataError with the names that are missing.
FEWDIM_API Dataset columns_by_name(const Dataset& data, const std::vector<std::string>& names,
                                   const Execution& exec = {});

/// Reads a data set of texts: one string a line, from a file or from standard input when path is "-", whose compression
/// is undone. An empty line is an empty string; line ends are \n or \r\n. Throws DataError for what is not UTF-8, with
/// its line and byte.
FEWDIM_API Dataset read_lines(const std::string& path, const Execution& exec = {});

struct WriteOptions {
  std::string format{};    ///< the name of a format; empty: by the name of the file; csv on "-"
  bool overwrite = false;  ///< refuse to replace a file otherwise
  bool header = true;
  bool names = true;       ///< the row names, when there are any
  OptionMap own{};         ///< options of the format itself, as its card lists them: {"sample_rate", 44100} of sound
  bool label_mark = true;  ///< in text, name the column of labels label:NAME, by which it is known; else NAME
};

/// Writes a data set so that it reads back to the same bits. In text the column with the labels is named label:NAME, by
/// which read() knows it. The target appears whole or not at all. Sound of whole
/// numbers is rounded, and a channel that goes beyond ±1 is scaled down to that.
FEWDIM_API void write(const Dataset& data, const std::string& path, const WriteOptions& options = {},
                      const Execution& exec = {});

/// Removes what unfinished writes have left beside their targets. Safe to call from a signal handler, just
/// before the process ends.
FEWDIM_API void discard_unfinished_outputs() noexcept;

}  // namespace fewdim
