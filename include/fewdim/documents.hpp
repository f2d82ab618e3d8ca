#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"

namespace fewdim {

class TextInput;
class DocumentParser;
struct ReadingRules;

/// The single declaration of a way in which documents stand in a file.
struct DocumentFormatCard {
  std::string name{};                  ///< "jsonl": DocumentOptions::format, --format
  std::string about{};                 ///< a few words for a list
  std::vector<std::string> endings{};  ///< of file names that tell it, in small letters
  bool text_fields = true;             ///< the text stands in fields, of which DocumentOptions may name some
  bool id_field = true;                ///< the same of the id
  /// Whether a file begins so. `beginning` has its first 64 KiB at most, `whole` says that there is no more; null: it
  /// is known by its name alone.
  bool (*recognize)(std::string_view beginning, bool whole, const std::string& path) = nullptr;
  std::unique_ptr<DocumentParser> (*parse)(std::unique_ptr<TextInput>) = nullptr;
  /// Of a format that is a folder, instead of `parse`; ids are paths in it behind `prefix`.
  std::unique_ptr<DocumentParser> (*parse_folder)(const std::string& path, const std::string& prefix,
                                                  const ReadingRules&) = nullptr;
};

/// Every one there is. A file whose name tells nothing is in the first that recognizes its beginning, and has a
/// document a line where none does.
///
/// Two documents with one id are bad data, but for records: package lists repeat what is in several suites. There the
/// same id with the same text is skipped and counted; with another text it becomes "id#2", "id#3", ...
FEWDIM_API const std::vector<DocumentFormatCard>& document_formats();
/// The card of that name; throws InvalidOption with the nearest name.
FEWDIM_API const DocumentFormatCard& document_format(std::string_view name);

/// What a byte that is not UTF-8 means: bad data, or U+FFFD in its place.
enum class EncodingErrors { error, replace };

/// What is taken off before words are counted.
enum class Markup { none, html, markdown };

struct DocumentOptions {
  /// The name of a format, as document_formats() lists them. Empty: by what the path is (a folder), its name, then its
  /// first 64 KiB.
  std::string format{};
  /// Columns, keys, fields, tags or SMART letters to join; empty: the usual ones (title and text, abstract, body, ...;
  /// Package and Description; .T and .W; of topics the title and the description). Columns may be numbers from 1, too.
  std::vector<std::string> text_fields{};
  std::string id_field{};        ///< empty: the usual one, or the document's number from 1; "none": always that number
  std::optional<bool> header{};  ///< of a table: its first line names the columns; unset: found by looking
  Markup markup = Markup::none;
  EncodingErrors encoding_errors = EncodingErrors::error;
  std::uint64_t longest = std::uint64_t{64} << 20;  ///< bytes of one document; a longer one is bad data
};

struct Document {
  std::string id;
  std::string text;   ///< UTF-8, without markup where that was asked for; line ends are \n
  std::string place;  ///< "file:12", for messages
};

/// How a table of documents was taken.
struct TableReading {
  std::string file{};
  bool header = false;        ///< its first line was taken as names of columns, not as a document
  bool header_given = false;  ///< by DocumentOptions::header, or as a column was asked for by a name that is in it
  std::string id{};           ///< the column of ids: its name, or its number from 1; empty: documents are numbered
  std::vector<std::string> text{};  ///< the columns of text
};

/// What was seen on the way, to be told to a person.
struct DocumentReport {
  Index documents = 0;
  Index empty = 0;           ///< documents without text; they are kept
  Index repeated = 0;        ///< records with the id and the text of an earlier one: skipped
  Index renamed = 0;         ///< records with the id of an earlier one and another text: "id#2"
  Index binary_files = 0;    ///< of a folder: skipped
  Index unreadable = 0;      ///< of a folder: skipped; the first one's name and reason is in `first_unreadable`
  Index replaced_bytes = 0;  ///< not UTF-8, under EncodingErrors::replace
  std::uint64_t bytes = 0;   ///< of text
  std::string first_unreadable{};
  std::vector<TableReading> tables{};  ///< one a file that is a table, as far as they have been opened
  std::string hash{};                  ///< "xxh3:<16 hex digits>" of ids and texts in order, once all have been read
};

/// Documents that arrive in order, one pass: for collections larger than memory, and pipes.
class FEWDIM_API DocumentSource {
 public:
  virtual ~DocumentSource() = default;
  /// The next document; false at the end. Throws DataError "file:line: ..." for what can't be read as the format, for
  /// broken encodings ("file:12:7: the byte 0xe9 is not UTF-8 ...") and for an id that was there before.
  virtual bool next(Document& out) = 0;
  virtual const DocumentReport& report() const = 0;
  virtual std::string name() const = 0;  ///< of where they come from: a path, "notes/ and 2 more"
};

/// Opens files, folders, or standard input ("-"); compression is undone. Several paths are read one after the other.
/// Throws IoError where one can't be opened, DataError where a folder has no readable file or there is no document.
FEWDIM_API std::unique_ptr<DocumentSource> open_documents(const std::vector<std::string>& paths,
                                                          const DocumentOptions& options = {},
                                                          const Execution& exec = {});

/// All of them as a data set of texts; ids are the row names.
FEWDIM_API Dataset read_documents(const std::vector<std::string>& paths, const DocumentOptions& options = {},
                                  const Execution& exec = {});
FEWDIM_API Dataset read_documents(DocumentSource& source, const Execution& exec = {});

}  // namespace fewdim
