#pragma once

#include <memory>
#include <string>

#include "text/documents/text_input.hpp"

/// One parser per format, each in the source file of its name. They cut an input into documents; open_documents()
/// finds the format, numbers documents without an id, strips markup and watches over ids.
namespace fewdim {

class DocumentParser {
 public:
  virtual ~DocumentParser() = default;
  /// The next document into one that is empty: id (none: its number) and text; false at the end.
  virtual bool next(Document& out) = 0;
  /// Where that document begins; 0 where it is a file, which `place` then names.
  Index line() const { return line_; }
  /// Whether the ids are the documents' numbers, which never repeat.
  virtual bool numbered() const { return false; }
  /// Whether an id may come again; see document_formats().
  virtual bool repeats() const { return false; }

 protected:
  Index line_ = 0;
};

using Input = std::unique_ptr<TextInput>;
using Parser = std::unique_ptr<DocumentParser>;

Parser parse_lines(Input input);
Parser parse_json_lines(Input input);
Parser parse_text_table(Input input, bool tabs);
Parser parse_records(Input input);
Parser parse_smart(Input input);
Parser parse_trec(Input input);

/// Every text file below the folder, or the one file; ids are paths in the folder behind `prefix`.
Parser parse_folder(const std::string& path, const std::string& prefix, const ReadingRules& rules);

/// What the first bytes and the name say.
const DocumentFormatCard& detect_document_format(std::string_view beginning, const std::string& path);

/// The dialects that parse_smart() reads, by the beginning.
bool looks_like_smart(std::string_view beginning);

std::string_view trimmed(std::string_view text);
bool same_name(std::string_view a, std::string_view b);  ///< but for the case of ASCII letters
/// Whether `text` begins with `name`, but for the case of ASCII letters.
bool begins_with_name(std::string_view text, std::string_view name);

}  // namespace fewdim
