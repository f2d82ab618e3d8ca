#include <algorithm>
#include <vector>

#include "text/documents/markup.hpp"
#include "text/documents/parsers.hpp"

namespace fewdim {

namespace {

bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || static_cast<signed char>(c) < 0;
}

std::string_view without_indent(std::string_view line) {
  return line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
}

/// ``` or ~~~, three or more of them.
bool is_fence(std::string_view line) {
  line = without_indent(line);
  return line.starts_with("```") || line.starts_with("~~~");
}

/// Underlines of headings, rules, and the second line of tables.
bool is_rule(std::string_view line) {
  line = trimmed(line);
  if (line.find_first_not_of("-=*_:| \t") != std::string_view::npos) return false;
  return line.size() >= 2 && line.find_first_of("-=*_") != std::string_view::npos;
}

/// "[name]: address", which gives an address to a link and is never shown.
bool is_link_definition(std::string_view line) {
  line = without_indent(line);
  const std::size_t end = line.find("]:");
  return line.starts_with('[') && end != std::string_view::npos && end > 1 &&
         line.substr(0, end).find(']') == std::string_view::npos;
}

/// Marks of headings, quotations and lists at the beginning of the line.
std::string_view without_block_marks(std::string_view line) {
  for (;;) {
    const std::string_view text = without_indent(line);
    if (text.starts_with('>')) {
      line = text.substr(text.starts_with("> ") ? 2 : 1);
      continue;
    }
    const std::size_t hashes = std::min(text.find_first_not_of('#'), text.size());
    const bool heading = hashes > 0 && hashes <= 6 && (hashes == text.size() || text[hashes] == ' ');
    if (heading) {
      const std::string_view title = trimmed(text.substr(hashes));
      const std::size_t last = title.find_last_not_of('#');
      if (last == std::string_view::npos) return {};
      const bool closed = last + 1 < title.size() && title[last] == ' ';
      return closed ? trimmed(title.substr(0, last)) : title;
    }
    const bool bullet =
        text.size() >= 2 && std::string_view("-*+").find(text[0]) != std::string_view::npos && text[1] == ' ';
    if (bullet) return text.substr(2);
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    const bool numbered = digits > 0 && digits < 10 && digits + 1 < text.size() &&
                          (text[digits] == '.' || text[digits] == ')') && text[digits + 1] == ' ';
    return numbered ? text.substr(digits + 2) : line;
  }
}

/// Bytes of "(address)" or "[name]" behind a link's text; 0 where there is none. Addresses have no blanks but before a
/// title; a bracket that opens another link ends the search, which keeps it short.
std::size_t link_target(std::string_view text) {
  if (text.empty() || (text[0] != '(' && text[0] != '[')) return 0;
  const char close = text[0] == '(' ? ')' : ']';
  int depth = 0;
  for (std::size_t i = 1; i < std::min<std::size_t>(text.size(), 4096); ++i) {
    if (text[i] == '[' || text[i] == '\n') return 0;
    if (text[i] == '(' && close == ')') ++depth;
    if (text[i] == close && depth-- == 0) return i + 1;
  }
  return 0;
}

/// Links, emphasis, code and escapes within a line, and the bars of a table's row.
void append_inline(std::string& out, std::string_view line, bool table) {
  std::vector<std::size_t> opened;  // where in `out` the text of links that may come begins
  for (std::size_t i = 0; i < line.size();) {
    const char c = line[i], next = i + 1 < line.size() ? line[i + 1] : ' ', before = i > 0 ? line[i - 1] : ' ';
    const bool escaped = c == '\\' && std::string_view("\\`*_{}[]()#+-.!|<>~").find(next) != std::string_view::npos;
    if (escaped) {
      out.push_back(next);
      i += 2;
    } else if (c == '!' && next == '[') {
      ++i;
    } else if (c == '[') {
      opened.push_back(out.size());
      out.push_back(c);
      ++i;
    } else if (c == ']' && !opened.empty()) {
      const std::size_t target = link_target(line.substr(i + 1)), start = opened.back();
      opened.pop_back();
      if (target > 0)
        out[start] = '\0';  // taken out below: erasing it here would cost the length of the text
      else
        out.push_back(c);
      i += 1 + target;
    } else if (c == '`') {
      ++i;
    } else if (c == '*' || (c == '~' && (next == '~' || before == '~'))) {
      const bool alone = c == '*' && next == ' ' && before == ' ';
      if (alone) out.push_back(c);
      ++i;
    } else if (c == '_') {
      if (is_word_byte(before) && is_word_byte(next)) out.push_back(c);  // snake_case
      ++i;
    } else {
      out.push_back(table && c == '|' ? ' ' : c);
      ++i;
    }
  }
}

}  // namespace

std::string strip_markdown(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  bool fenced = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const bool last = end == text.size();
    text.remove_prefix(last ? end : end + 1);
    if (is_fence(line)) {
      fenced = !fenced;
      continue;
    }
    if (fenced) {
      out.append(line);
    } else {
      if (is_rule(line) || is_link_definition(line)) continue;
      append_inline(out, without_block_marks(line), without_indent(line).starts_with('|'));
    }
    if (!last) out.push_back('\n');
  }
  std::erase(out, '\0');
  return out;
}

}  // namespace fewdim
