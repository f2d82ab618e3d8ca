#include <algorithm>

#include "data/card_named.hpp"
#include "data/input/file_format.hpp"
#include "text/documents/parsers.hpp"

namespace fewdim {

namespace {

bool is_field_line(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0 || line[0] < 'A' || line[0] > 'Z') return false;
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  return std::ranges::all_of(line.substr(0, colon), fits);
}

/// The first two paragraphs have fields and their continuations only, and there are two fields at least. (A letter's
/// head looks the same; what follows it does not.)
bool looks_like_records(std::string_view text, bool whole) {
  Index fields = 0, paragraphs = 0;
  bool inside = false;
  while (!text.empty() && paragraphs < 2) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos && !whole) break;  // a line that is cut off
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (trimmed(line).empty()) {
      paragraphs += inside ? 1 : 0;
      inside = false;
      continue;
    }
    const bool goes_on = inside && (line[0] == ' ' || line[0] == '\t');
    if (!goes_on && !is_field_line(line)) return false;
    fields += goes_on ? 0 : 1;
    inside = true;
  }
  return fields >= 2;
}

/// Every line has the same number of tabs, none at its beginning, and there are two lines at least: "c1<tab>text".
bool looks_like_tabs(std::string_view text, bool whole) {
  Index lines = 0, tabs = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos && !whole) break;  // a line that is cut off
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (trimmed(line).empty()) continue;
    const Index here = std::ranges::count(line, '\t');
    if (here == 0 || line.starts_with('\t') || (lines > 0 && here != tabs)) return false;
    tabs = here;
    ++lines;
  }
  return lines >= 2;
}

std::string_view without_blanks(std::string_view beginning) {
  return beginning.substr(std::min(beginning.find_first_not_of(" \t\r\n"), beginning.size()));
}

/// An array is none, but the parser says what to do with it.
bool looks_like_json(std::string_view beginning, bool, const std::string& path) {
  const std::string_view text = without_blanks(beginning);
  return text.starts_with('{') || (text.starts_with('[') && has_ending(path, {".json"}));
}

bool looks_like_trec(std::string_view beginning, bool, const std::string&) {
  for (const std::string_view tag : {"<DOC>", "<DOC ", "<top>"})
    if (begins_with_name(without_blanks(beginning), tag)) return true;
  return false;
}

constexpr std::string_view plain_lines = "lines";

}  // namespace

/// In the order in which their beginnings are tried: tables of tabs are the least special.
const std::vector<DocumentFormatCard>& document_formats() {
  static const std::vector<DocumentFormatCard> cards{
      {.name = "folder",
       .about = "every file below it is a document, its path in the folder the id; a file given so is one document",
       .text_fields = false,
       .id_field = false,
       .parse_folder = parse_folder},
      {.name = std::string(plain_lines),
       .about = "one document a line, its number the id; numbers go on over several files",
       .text_fields = false,
       .id_field = false,
       .parse = parse_lines},
      {.name = "jsonl",
       .about = "one JSON object a line",
       .endings = {".jsonl", ".ndjson"},
       .recognize = looks_like_json,
       .parse = parse_json_lines},
      {.name = "csv",
       .about = "a table with a column of text, with or without a header; quotes as RFC 4180 has them",
       .endings = {".csv"},
       .parse = [](Input input) { return parse_text_table(std::move(input), false); }},
      {.name = "records",
       .about = "\"Field: value\" paragraphs, as Debian's package lists have them",
       .recognize = [](std::string_view beginning, bool whole,
                       const std::string&) { return looks_like_records(without_blanks(beginning), whole); },
       .parse = parse_records},
      {.name = "smart",
       .about = ".I .T .A .W, as the SMART collections; *TEXT and *FIND, and numbered texts that end in / or #, too",
       .id_field = false,
       .recognize = [](std::string_view beginning, bool, const std::string&) { return looks_like_smart(beginning); },
       .parse = parse_smart},
      {.name = "trec",
       .about = "<DOC> <DOCNO> ... </DOC>, and topics: <top> <num> <title> <desc> <narr> </top>",
       .recognize = looks_like_trec,
       .parse = parse_trec},
      {.name = "tsv",
       .about = "a table with a column of text, with tabs",
       .endings = {".tsv"},
       .recognize = [](std::string_view beginning, bool whole,
                       const std::string&) { return looks_like_tabs(without_blanks(beginning), whole); },
       .parse = [](Input input) { return parse_text_table(std::move(input), true); }},
  };
  return cards;
}

const DocumentFormatCard& document_format(std::string_view name) {
  return card_named(document_formats(), name, "documents");
}

const DocumentFormatCard& detect_document_format(std::string_view beginning, const std::string& path) {
  constexpr std::size_t sample = std::size_t{64} << 10;
  for (const DocumentFormatCard& card : document_formats())
    if (has_ending(path, card.endings)) return card;
  for (const DocumentFormatCard& card : document_formats())
    if (card.recognize && card.recognize(beginning, beginning.size() < sample, path)) return card;
  return document_format(plain_lines);
}

}  // namespace fewdim
