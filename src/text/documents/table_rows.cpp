#include "text/documents/table_rows.hpp"

#include "text/documents/parsers.hpp"

namespace fewdim {

namespace {

std::string& next_field(TableRow& row) {
  if (row.count == row.fields.size()) row.fields.emplace_back();
  std::string& out = row.fields[row.count++];
  out.clear();
  return out;
}

}  // namespace

bool TableRows::next(TableRow& row) {
  do
    if (!input_.next_line()) return false;
  while (trimmed(input_.line()).empty());
  row.line = input_.line_number();
  row.count = 0;
  rest_ = input_.line();
  do tabs_ ? read_plain(next_field(row)) : read_field(next_field(row), row.line);
  while (more_);
  return true;
}

/// Takes the bytes up to the next delimiter off the line.
std::string_view TableRows::take() {
  const std::size_t end = rest_.find(delimiter_);
  const std::string_view taken = rest_.substr(0, end);
  more_ = end != std::string_view::npos;
  rest_.remove_prefix(more_ ? end + 1 : rest_.size());
  return taken;
}

void TableRows::read_plain(std::string& out) {
  std::string_view taken = take();
  const bool quoted = taken.size() >= 2 && taken.front() == '"' && taken.back() == '"';
  if (!quoted) return input_.append(out, taken);
  taken = taken.substr(1, taken.size() - 2);
  for (std::size_t twice; (twice = taken.find("\"\"")) != std::string_view::npos; taken.remove_prefix(twice + 2))
    input_.append(out, taken.substr(0, twice + 1));
  input_.append(out, taken);
}

void TableRows::read_field(std::string& out, Index first_line) {
  if (!rest_.starts_with('"')) return input_.append(out, take());
  rest_.remove_prefix(1);
  for (;;) {
    const std::size_t quote = rest_.find('"');
    input_.append(out, rest_.substr(0, quote));
    if (quote == std::string_view::npos) {
      if (!input_.next_line()) input_.refuse(first_line, "a quote that is opened here and not closed; close it");
      out.push_back('\n');
      rest_ = input_.line();
      continue;
    }
    rest_.remove_prefix(quote + 1);
    if (!rest_.starts_with('"')) break;
    input_.append(out, rest_.substr(0, 1));
    rest_.remove_prefix(1);
  }
  input_.append(out, take());  // nothing, in a table that keeps the rules
}

}  // namespace fewdim
