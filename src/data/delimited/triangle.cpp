#include "data/delimited/triangle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/memory.hpp"
#include "base/remedy.hpp"
#include "data/delimited/number.hpp"
#include "data/input/input.hpp"

namespace fewdim::delimited {

namespace {

using Cells = std::vector<Cell>;

bool is_number(const Cell& cell, char decimal) {
  double value = 0.0;
  return number::parse_whole(cell.text, decimal, value);
}

struct Form {
  char delimiter = ',', decimal = '.';
  bool header = false, names = false;
  bool diagonal = false;   ///< the last number of a line is the distance of an object to itself
  bool first_line = true;  ///< false: the first object, which has no distances before it, has no line
};

/// Each line one cell longer than the one before, from line `from` on.
bool rises(const std::vector<Cells>& rows, std::size_t from) {
  if (rows.size() < from + 3) return false;
  for (std::size_t i = from + 1; i < rows.size(); ++i)
    if (rows[i].size() != rows[i - 1].size() + 1) return false;
  return true;
}

std::optional<Form> form_of(const Sample& sample, const ReadOptions& options) {
  Form form;
  form.delimiter = sniff_delimiter(sample, options);
  form.decimal = sniff_decimal(sample, form.delimiter);
  std::vector<Cells> rows(sample.records.size());
  for (std::size_t i = 0; i < rows.size(); ++i) split_cells(sample.records[i], form.delimiter, rows[i]);
  form.header = !rises(rows, 0);
  const std::size_t from = form.header ? 1 : 0;
  if (!rises(rows, from)) return {};
  form.names = !is_number(rows.back().front(), form.decimal);
  const std::size_t before = form.names ? 1 : 0, first = rows[from].size() - before;
  if (first > 1) return {};
  form.diagonal = first == 1;
  for (std::size_t i = from; i < rows.size(); ++i) {
    if (form.names == is_number(rows[i].front(), form.decimal) && rows[i].size() > before) return {};
    for (std::size_t j = before; j < rows[i].size(); ++j)
      if (!is_number(rows[i][j], form.decimal)) return {};
    double last = 0.0;
    if (rows[i].size() > before) number::parse_whole(rows[i].back().text, form.decimal, last);
    if (last != 0.0) form.diagonal = false;
  }
  form.first_line = form.diagonal || first == 0;
  return form;
}

}  // namespace

std::optional<Dataset> parse_triangle(const Bytes& bytes, const Sample& sample, const ReadOptions& options,
                                      const Execution& exec) {
  const std::optional<Form> form = form_of(sample, options);
  if (!form) return {};
  const std::string_view text = without_blank_end(bytes.text, form->delimiter);
  const auto lines = static_cast<std::uint64_t>(std::ranges::count(text, '\n')) + 2;
  const std::uint64_t square = lines * lines;  // of the matrix, and half of it in rows that grow by doubling
  require_memory(exec, square * (2 * sizeof(double) + (options.precision == Precision::float32 ? sizeof(float) : 0)),
                 fmt::format("{}: a triangle of {} lines", shown_name(bytes.path), lines - 1),
                 raise_option("memory_limit"));
  std::vector<std::vector<double>> rows;
  std::vector<std::string> names, header;
  if (!form->first_line) rows.emplace_back();
  Cells cells;
  for (std::size_t at = sample.begin; at < text.size();) {
    const std::size_t length = std::min(record_length(text, at), text.size() - at);
    split_cells(text.substr(at, length), form->delimiter, cells);
    if (form->header && header.empty()) {
      for (const Cell& cell : cells) header.push_back(cell_string(cell));
    } else {
      const std::size_t before = form->names ? 1 : 0, expected = rows.size() + (form->diagonal ? 1 : 0);
      if (cells.size() != before + expected)
        throw DataError(
            fmt::format("{}:{}: {} numbers in a line of a triangle that should have {}; each line has one more "
                        "than the one before",
                        bytes.path, line_at(bytes.text, at), cells.size() - std::min(before, cells.size()), expected));
      if (form->names) names.push_back(cell_string(cells.front()));
      auto& row = rows.emplace_back();
      for (std::size_t j = before; j < cells.size(); ++j) {
        double value = std::nan("");
        if (!number::parse_whole(cells[j].text, form->decimal, value) &&
            !MissingWords(options.na_words, form->decimal).holds(cells[j].text))
          throw DataError(
              fmt::format("{}:{}: '{}' is not a number", bytes.path, line_at(bytes.text, at), cells[j].text));
        row.push_back(value);
      }
    }
    at += length + 1;
  }
  const Index n = std::ssize(rows);
  RowMatrix<double> out = RowMatrix<double>::Constant(n, n, std::nan(""));
  for (Index i = 0; i < n; ++i) {
    const auto& row = rows[static_cast<std::size_t>(i)];
    for (std::size_t j = 0; j < row.size(); ++j) out(i, static_cast<Index>(j)) = row[j];
    if (!form->diagonal) out(i, i) = 0.0;
  }
  Dataset data =
      options.precision == Precision::float32 ? Dataset(RowMatrix<float>(out.cast<float>())) : Dataset(std::move(out));
  if (header.size() == static_cast<std::size_t>(n) + 1) header.erase(header.begin());
  if (header.size() == static_cast<std::size_t>(n)) data.column_names = header;
  data.row_names = !names.empty() && std::ssize(names) == n ? names : data.column_names;
  if (data.column_names.empty()) data.column_names = data.row_names;
  return data;
}

}  // namespace fewdim::delimited
