#include <algorithm>

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

/// The name without the ending of a compression.
std::string_view plain_name(std::string_view path) {
  for (const std::string_view ending : {".gz", ".zst", ".zstd"})
    if (path.ends_with(ending)) return path.substr(0, path.size() - ending.size());
  return path;
}

bool has_ending(std::string_view name, std::string_view ending) {
  return name.size() > ending.size() && same_name(name.substr(name.size() - ending.size()), ending);
}

}  // namespace

DocumentFormat detect_document_format(std::string_view beginning, const std::string& path) {
  const std::string_view name = plain_name(path);
  if (has_ending(name, ".jsonl") || has_ending(name, ".ndjson")) return DocumentFormat::jsonl;
  if (has_ending(name, ".csv")) return DocumentFormat::csv;
  if (has_ending(name, ".tsv")) return DocumentFormat::tsv;
  const std::string_view text = beginning.substr(std::min(beginning.find_first_not_of(" \t\r\n"), beginning.size()));
  if (text.starts_with('{')) return DocumentFormat::jsonl;
  if (text.starts_with('[') && has_ending(name, ".json")) return DocumentFormat::jsonl;  // which says what to do
  for (const std::string_view tag : {"<DOC>", "<DOC ", "<top>"})
    if (begins_with_name(text, tag)) return DocumentFormat::trec;
  if (looks_like_smart(beginning)) return DocumentFormat::smart;
  constexpr std::size_t sample = std::size_t{64} << 10;
  if (looks_like_records(text, beginning.size() < sample)) return DocumentFormat::records;
  if (looks_like_tabs(text, beginning.size() < sample)) return DocumentFormat::tsv;
  return DocumentFormat::lines;
}

}  // namespace fewdim
