#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fewdim/dataset.hpp"
#include "fewdim/enum_set.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/io.hpp"
#include "fewdim/options.hpp"

namespace fewdim {

struct Bytes;
class ByteSink;

/// What the rows of a file are.
enum class RowKind {
  dense,
  sparse,
  sound  ///< a row a moment, a column a channel
};

/// What a file holds beside the numbers.
enum class RowTag { row_names, column_names, labels };

/// Members of ReadOptions that not every format has.
enum class TextOption { delimiter, header, na_words };

/// The single declaration of a file format of rows: read(), write(), the command line, its help, Python and the table
/// of formats are made from it.
struct FormatCard {
  std::string name{};                  ///< "csv": ReadOptions::format, --format
  std::string title{};                 ///< in messages: "NumPy .npy"
  std::string about{};                 ///< a few words for a list
  std::vector<std::string> endings{};  ///< of file names, in small letters; the usual one first
  bool binary = false;                 ///< no text
  EnumSet<RowKind> reads{};
  EnumSet<RowKind> writes{};
  EnumSet<RowTag> keeps{};             ///< what comes back from a file that was written
  bool writes_compressed = false;      ///< where the name ends in .gz or .zst; every format is read so
  EnumSet<TextOption> text_options{};  ///< that mean something here
  /// The reader goes by `id`, `label`, `drop`, `columns` and `features` itself; else read() does so afterwards.
  bool chooses_columns = false;
  std::vector<OptionField> read_fields{};   ///< options of its own: ReadOptions::own
  std::vector<OptionField> write_fields{};  ///< the same of WriteOptions::own
  std::string page{};                       ///< of the documentation: "docs/formats.md#npy"

  /// Whether a file begins so, its compression undone; null: it is known by its name alone.
  bool (*recognize)(std::string_view head) = nullptr;
  /// Of a format that is a folder: whether this is one. `read` then gets bytes that are empty and have a path, and
  /// sets the hash of the data.
  bool (*recognize_folder)(const std::string& path) = nullptr;
  /// Null: it is not read. What was decided by looking is added to the last argument, unless that is null.
  Dataset (*read)(const Bytes&, const ReadOptions&, const Execution&, std::vector<ReadDecision>*) = nullptr;
  /// A RowStream; null: there is none.
  Dataset (*stream)(const std::string& path, const ReadOptions&, const Execution&,
                    std::vector<ReadDecision>*) = nullptr;
  /// Null: it is not written.
  void (*write)(const Dataset&, ByteSink&, const WriteOptions&, const Execution&) = nullptr;
  /// What a file says of itself beside its rows, as options to write it again; null: nothing.
  OptionMap (*settings)(const std::string& path) = nullptr;
};

/// Every format there is, in the order of the documentation. A file whose name tells nothing is in the first one that
/// recognizes its beginning, and in CSV where none does.
FEWDIM_API const std::vector<FormatCard>& formats();
/// The card of that name; throws InvalidOption with the nearest name.
FEWDIM_API const FormatCard& format(std::string_view name);
/// The same; null where there is none.
FEWDIM_API const FormatCard* find_format(std::string_view name);

/// The format that a file's name tells (a trailing .gz or .zst is passed over); null where it tells none.
FEWDIM_API const FormatCard* format_of_name(const std::string& path);
/// The format in which write() writes: the one named, else by the path, CSV on "-"; null where neither tells.
FEWDIM_API const FormatCard* format_of_target(const std::string& path, std::string_view name = {});
/// Options of its own to write a file again as it is: {"sample_rate", 44100}; empty where its format has none.
FEWDIM_API OptionMap settings_of_file(const std::string& path);

/// For messages: ".csv, .tsv, .npy or .wav (.csv.gz and .csv.zst are compressed)", of the formats that are written.
FEWDIM_API std::string written_endings();
/// "CSV, TSV or Matrix Market": the titles of the formats that are read.
FEWDIM_API std::string read_titles();

FEWDIM_API std::string word_of(RowKind kind);  ///< "dense"
FEWDIM_API std::string word_of(RowTag tag);    ///< "row names"

}  // namespace fewdim
