#include <algorithm>

#include "data/delimited/number.hpp"
#include "data/formats.hpp"

namespace fewdim {

namespace {

bool is_number(std::string_view text) {
  double value = 0;
  return delimited::number::parse_whole(text, '.', value);
}

bool is_entry(std::string_view token) {
  const std::size_t colon = token.find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  const std::string_view key = token.substr(0, colon);
  const bool index = std::all_of(key.begin(), key.end(), delimited::number::is_digit);
  return (index || key == "qid") && is_number(token.substr(colon + 1));
}

/// "label index:value index:value ... # comment"; sets `entries` when there is at least one pair.
bool is_svmlight_line(std::string_view line, bool& entries) {
  line = line.substr(0, line.find('#'));
  std::size_t tokens = 0;
  for (std::size_t at = line.find_first_not_of(" \t\r"); at != std::string_view::npos; ++tokens) {
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    const std::string_view token = line.substr(at, end - at);
    if (tokens == 0 ? !is_number(token.substr(0, token.find(','))) : !is_entry(token)) return false;
    entries = entries || tokens > 0;
    at = line.find_first_not_of(" \t\r", end);
  }
  return true;
}

bool is_svmlight(std::string_view head) {
  bool entries = false;
  for (int lines = 0; lines < 5 && !head.empty(); ++lines) {
    const std::size_t end = head.find('\n');
    if (end == std::string_view::npos && lines > 0) break;  // the head may end inside a line
    std::string_view line = head.substr(0, end);
    if (end == std::string_view::npos) line = line.substr(0, std::max<std::size_t>(line.find_last_of(" \t") + 1, 1));
    if (!is_svmlight_line(line, entries)) return false;
    head = end == std::string_view::npos ? "" : head.substr(end + 1);
  }
  return entries;
}

}  // namespace

FormatCard svmlight_format() {
  return {.name = "svmlight",
          .title = "svmlight",
          .about = "a label and the entries of a sparse row on each line",
          .endings = {".svm", ".svmlight", ".libsvm"},
          .reads = {RowKind::sparse},
          .writes = {RowKind::sparse},
          .keeps = {RowTag::labels},
          .page = "docs/formats.md#svmlight",
          .recognize = [](std::string_view head) { return is_svmlight(head.substr(0, 65536)); },
          .read = [](const Bytes& bytes, const ReadOptions& options, const Execution& exec,
                     ReadDecisions*) { return parse_svmlight(bytes, options, exec); },
          .write = [](const Dataset& data, ByteSink& out, const WriteOptions&,
                      const Execution&) { write_svmlight(data, out); }};
}

}  // namespace fewdim
