#pragma once

#include <cstring>
#include <string_view>

/// Lines and cells of edge lists.
namespace fewdim::edges {

inline bool is_space(char c) { return c == ' ' || c == '\t'; }

inline bool is_comment(const char* at, const char* end) {
  return *at == '#' || *at == '%' || (*at == '/' && end - at > 1 && at[1] == '/');
}

/// Calls use(line) for every line that is neither empty nor a comment; its end of line is cut off.
template <class Use>
void each_line(std::string_view text, Use&& use) {
  const char *at = text.data(), *end = at + text.size();
  while (at != end) {
    const auto* newline = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    const char* line_end = newline ? newline : end;
    const char* stop = line_end;
    while (stop != at && (stop[-1] == '\r' || is_space(stop[-1]))) --stop;
    const char* start = at;
    while (start != stop && is_space(*start)) ++start;
    if (start != stop && !is_comment(start, stop)) {
      // An empty cell at the end of a line is a cell: only blanks are taken off where tabs cut.
      if (!use(std::string_view(start, static_cast<std::size_t>(stop - start)))) return;
    }
    at = newline ? newline + 1 : end;
  }
}

/// The cell at `at`, which is moved past it and the delimiter after it; null data where the line is used up.
/// Quotes around a cell are taken off; a doubled quote inside stays double.
inline std::string_view take_cell(const char*& at, const char* end, char delimiter) {
  if (at == nullptr) return {};
  const bool blanks = delimiter == ' ';
  while (at != end && *at != delimiter && is_space(*at)) ++at;
  if (blanks)
    while (at != end && is_space(*at)) ++at;
  std::string_view cell;
  const char* next = at;
  if (at != end && *at == '"') {
    const char* close = at + 1;
    while (close != end && (*close != '"' || (close + 1 != end && close[1] == '"'))) close += *close == '"' ? 2 : 1;
    cell = {at + 1, static_cast<std::size_t>(close - at - 1)};
    next = close == end ? end : close + 1;
    while (next != end && *next != delimiter && is_space(*next)) ++next;
  } else {
    while (next != end && *next != delimiter && !(blanks && is_space(*next))) ++next;
    const char* stop = next;
    while (stop != at && is_space(stop[-1])) --stop;
    cell = {at, static_cast<std::size_t>(stop - at)};
  }
  if (blanks) {
    while (next != end && is_space(*next)) ++next;
    at = next == end ? nullptr : next;
  } else if (next == end) {
    at = nullptr;
  } else {
    at = *next == delimiter ? next + 1 : next;
  }
  return cell;
}

}  // namespace fewdim::edges
