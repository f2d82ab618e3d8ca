#include "data/delimited/census.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "data/delimited/number.hpp"

namespace fewdim::delimited {

namespace {

bool is_grouped(std::string_view text) {
  std::string bare(text);
  double value = 0;
  return std::erase(bare, ',') > 0 && number::parse_whole(bare, '.', value);
}

}  // namespace

std::string shown_cell(const Cell& cell) {
  constexpr std::size_t most = 40;
  std::size_t size = std::min(cell.text.size(), most);
  while (size < cell.text.size() && size > 0 && (static_cast<unsigned char>(cell.text[size]) & 0xC0U) == 0x80U) --size;
  return cell_string({cell.text.substr(0, size), cell.quoted});
}

Census::Census(const Sample& sample, char delimiter, char decimal_sign, const ReadOptions& options)
    : rows(sample.records.size()), missing(options.na_words, decimal_sign), decimal(decimal_sign) {
  for (std::size_t i = 0; i < rows.size(); ++i) split_cells(sample.records[i], delimiter, rows[i]);
}

Kind Census::kind(const Cell& cell) const {
  double value = 0;
  if (missing.holds(cell.text)) return Kind::missing;
  return number::parse_whole(cell.text, decimal, value) ? Kind::number : Kind::text;
}

double Census::value(const Cell& cell) const {
  double value = 0;
  const bool number = kind(cell) == Kind::number && number::parse_whole(cell.text, decimal, value);
  return number ? value : std::numeric_limits<double>::quiet_NaN();
}

bool Census::is_whole(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(), number::is_digit);
}

std::vector<Column> Census::columns(std::size_t from, std::size_t fields) const {
  std::vector<Column> columns(fields);
  for (std::size_t i = from; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < std::min(rows[i].size(), fields); ++j) {
      const Cell& cell = rows[i][j];
      Column& column = columns[j];
      ++column.cells;
      column.quoted += cell.quoted;
      if (j == 0) column.values.insert(cell.text);
      double number = 0;
      switch (kind(cell)) {
        case Kind::missing:
          break;
        case Kind::number:
          number::parse_whole(cell.text, decimal, number);
          column.whole += is_whole(cell.text);
          column.zeros += number == 0.0;
          ++column.numbers;
          if (!std::isfinite(number)) break;
          column.least = column.numbers == 1 ? number : std::min(column.least, number);
          column.most = column.numbers == 1 ? number : std::max(column.most, number);
          break;
        case Kind::text:
          if (column.texts++ == 0) column.example = shown_cell(cell);
          if (j > 0) column.values.insert(cell.text);
          column.grouped += is_grouped(cell.text);
      }
    }
  }
  return columns;
}

bool Census::counts_down_column(std::size_t column, std::size_t from) const {
  if (rows.size() < from + 3) return false;
  std::vector<double> numbers;
  for (std::size_t i = from; i < rows.size(); ++i) {
    if (column >= rows[i].size() || !is_whole(rows[i][column].text)) return false;
    numbers.push_back(value(rows[i][column]));
  }
  return counts_up(numbers);
}

bool counts_up(const std::vector<double>& numbers) {
  for (std::size_t i = 1; i < numbers.size(); ++i)
    if (numbers[i] != numbers[i - 1] + 1) return false;
  return !numbers.empty() && (numbers[0] == 0 || numbers[0] == 1);
}

}  // namespace fewdim::delimited
