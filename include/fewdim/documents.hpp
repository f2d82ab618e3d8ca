#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"

namespace fewdim {

/// How documents stand in a file. `automatic` goes by what the path is (a folder), its name, then its beginning.
enum class DocumentFormat {
  automatic,
  folder,   ///< every file below it is a document, its path in the folder the id
  lines,    ///< one document a line, its number the id
  jsonl,    ///< one JSON object a line
  csv,      ///< a table with a column of text
  tsv,      ///< the same, with tabs
  records,  ///< "Field: value" paragraphs, as Debian's package lists have them
  smart,    ///< .I .T .A .W, as the SMART collections
  trec      ///< <DOC> <DOCNO> ... </DOC>
};

/// What a byte that is not UTF-8 means: bad data, or U+FFFD in its place.
enum class EncodingErrors { error, replace };

/// What is taken off before words are counted.
enum class Markup { none, html, markdown };

struct DocumentOptions {
  DocumentFormat format = DocumentFormat::automatic;
  std::vector<std::string> text_fields{};  ///< columns, keys, fields or SMART letters to join; empty: the usual ones
  std::string id_field{};                  ///< empty: the usual one, or the document's number from 1
  Markup markup = Markup::none;
  EncodingErrors encoding_errors = EncodingErrors::error;
  std::uint64_t longest = std::uint64_t{64} << 20;  ///< bytes of one document; a longer one is bad data
};

struct Document {
  std::string id;
  std::string text;   ///< UTF-8, without markup where that was asked for; line ends are \n
  std::string place;  ///< "file:12", for messages
};

/// What was seen on the way, to be told to a person.
struct DocumentReport {
  Index documents = 0;
  Index empty = 0;           ///< documents without text; they are kept
  Index binary_files = 0;    ///< of a folder: skipped
  Index unreadable = 0;      ///< of a folder: skipped; the first one's name and reason is in `first_unreadable`
  Index replaced_bytes = 0;  ///< not UTF-8, under EncodingErrors::replace
  std::uint64_t bytes = 0;   ///< of text
  std::string first_unreadable{};
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
/// Throws IoError where one can't be opened, DataError where a folder has no readable file.
FEWDIM_API std::unique_ptr<DocumentSource> open_documents(const std::vector<std::string>& paths,
                                                          const DocumentOptions& options = {},
                                                          const Execution& exec = {});

/// All of them as a data set of texts; ids are the row names.
FEWDIM_API Dataset read_documents(const std::vector<std::string>& paths, const DocumentOptions& options = {},
                                  const Execution& exec = {});

}  // namespace fewdim
