#include "data/delimited/text.hpp"

#include <algorithm>

namespace fewdim::delimited {

namespace {

/// End of the quoted cell that opens at `from`: the position after its closing quote, or npos.
std::size_t after_quotes(std::string_view record, std::size_t from) {
  for (std::size_t at = record.find('"', from + 1); at != std::string_view::npos; at = record.find('"', at + 2))
    if (at + 1 >= record.size() || record[at + 1] != '"') return at + 1;
  return std::string_view::npos;
}

Cell make_cell(std::string_view text) {
  text = trimmed(text);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') return {text.substr(1, text.size() - 2), true};
  return {text, false};
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_padding(text.front())) text.remove_prefix(1);
  while (!text.empty() && (is_padding(text.back()) || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

std::size_t record_length(std::string_view text, std::size_t from) {
  bool quoted = false;
  for (std::size_t at = from; at < text.size(); ++at) {
    if (text[at] == '"') quoted = !quoted;
    if (text[at] == '\n' && !quoted) return at - from;
  }
  return quoted ? std::string_view::npos : text.size() - from;
}

void split_cells(std::string_view record, char delimiter, std::vector<Cell>& cells) {
  cells.clear();
  const bool blanks = delimiter == ' ';
  const auto separates = [&](char c) { return blanks ? is_padding(c) : c == delimiter; };
  if (!record.empty() && record.back() == '\r') record.remove_suffix(1);
  if (blanks) record = trimmed(record);
  std::size_t begin = 0;
  for (;;) {
    std::size_t quote = begin;
    while (quote < record.size() && record[quote] == ' ') ++quote;
    std::size_t end = begin;
    if (quote < record.size() && record[quote] == '"') end = std::min(after_quotes(record, quote), record.size());
    while (end < record.size() && !separates(record[end])) ++end;
    cells.push_back(make_cell(record.substr(begin, end - begin)));
    if (end >= record.size()) return;
    begin = end + 1;
    while (blanks && begin < record.size() && is_padding(record[begin])) ++begin;
  }
}

std::string cell_string(const Cell& cell) {
  std::string text(cell.text);
  if (!cell.quoted) return text;
  for (std::size_t at = text.find("\"\""); at != std::string_view::npos; at = text.find("\"\"", at + 1))
    text.erase(at, 1);
  return text;
}

std::size_t skip_preamble(std::string_view text) {
  std::size_t at = text.starts_with("\xef\xbb\xbf") ? 3 : 0;
  while (at < text.size()) {
    const std::size_t newline = text.find('\n', at);
    const std::string_view line =
        text.substr(at, newline == std::string_view::npos ? std::string_view::npos : newline - at);
    if (!line.starts_with('#') && !trimmed(line).empty()) break;
    at = newline == std::string_view::npos ? text.size() : newline + 1;
  }
  return at;
}

std::string_view without_blank_end(std::string_view text, char delimiter) {
  std::size_t end = text.size();
  for (std::size_t at = end; at > 0; --at) {
    const char c = text[at - 1];
    if (c == '\n')
      end = at - 1;
    else if (c != ' ' && c != '\r' && (c != '\t' || delimiter == '\t'))
      break;
  }
  text = text.substr(0, end);
  return trimmed(text).empty() && delimiter != '\t' ? text.substr(0, 0) : text;
}

Index line_at(std::string_view text, std::size_t position) {
  return 1 + static_cast<Index>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(position), '\n'));
}

}  // namespace fewdim::delimited
