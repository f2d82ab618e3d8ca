#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/remedy.hpp"
#include "fewdim/formats.hpp"
#include "fewdim/io.hpp"
#include "fewdim/pictures.hpp"
#include "fewdim/results.hpp"
#include "session/words.hpp"

namespace fewdim {

namespace {

/// Cells of one line; those in double quotes may hold the delimiter and doubled quotes.
std::vector<std::string> label_cells(std::string_view line, char delimiter) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      cells.back() += line[++i];
    else if (c == '"' && (quoted || cells.back().empty()))
      quoted = !quoted;
    else if (c == delimiter && !quoted)
      cells.emplace_back();
    else
      cells.back() += c;
  }
  return cells;
}

char label_delimiter(std::string_view line) {
  for (const char c : {'\t', ',', ';'})
    if (line.find(c) != std::string_view::npos) return c;
  return '\t';
}

/// A table that was written with labels names their column label:NAME, or label.
constexpr std::string_view label_mark = "label:";
bool is_label_header(const std::string& header) { return header.starts_with(label_mark) || header == "label"; }
std::string without_label_mark(const std::string& header) {
  return header.starts_with(label_mark) && header.size() > label_mark.size() ? header.substr(label_mark.size())
                                                                             : header;
}

/// Which column is meant, from 0 on.
std::size_t choose_label_column(const std::vector<std::string>& header, std::size_t width, const std::string& column,
                                const std::string& path) {
  if (column.empty()) {
    if (width == 1) return 0;
    if (std::ranges::count_if(header, is_label_header) == 1)
      return static_cast<std::size_t>(std::ranges::find_if(header, is_label_header) - header.begin());
    if (width == 2 && !header.empty()) return 1;  // beside the rows' names
    throw Error(ErrorKind::usage,
                fmt::format("{}: has {} columns; say with {} which has the labels{}", path, width, option_name("label"),
                            header.empty() ? "" : fmt::format(": {}", fmt::join(header, ", "))));
  }
  const auto named = std::ranges::find(header, without_label_mark(column), without_label_mark);
  if (named != header.end()) return static_cast<std::size_t>(named - header.begin());
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(column.data(), column.data() + column.size(), number);
  if (error == std::errc() && end == column.data() + column.size() && number >= 1 && number <= width) return number - 1;
  throw Error(ErrorKind::usage,
              fmt::format("{}: {} is no column there; {}", path, marked({Remedy::Action::is, "label", column}),
                          header.empty() ? fmt::format("the columns have no names; use a number from 1 to {}", width)
                                         : fmt::format("there are {}", fmt::join(header, ", "))));
}

[[noreturn]] void refuse_label_count(const std::string& path, Index found, Index rows) {
  throw DataError(fmt::format("{}: has {} labels for {} points; give one for each row, in the same order", path,
                              with_commas(found), with_commas(rows)));
}

LabelColumn labels_of_numbers(const std::string& path, const std::string& column, Index rows, const Execution& exec) {
  const Dataset data = read(path, {}, exec);
  if (data.rows() != rows) refuse_label_count(path, data.rows(), rows);
  const Matrix<double> values = data.matrix<double>();
  const auto c =
      static_cast<Index>(choose_label_column(data.column_names, static_cast<std::size_t>(values.cols()), column, path));
  LabelColumn out{column, {}};
  for (Index i = 0; i < rows; ++i) out.labels.push_back(fmt::format("{}", values(i, c)));
  return out;
}

LabelColumn read_label_column(const std::string& path, const std::string& column, Index rows, const Execution& exec) {
  const FormatCard* card = format_of_name(path);
  if (card && card->binary) return labels_of_numbers(path, column, rows, exec);
  std::vector<std::string> lines = read_lines(path, exec).texts;
  const auto found = std::ssize(lines);
  if (found != rows && found != rows + 1) refuse_label_count(path, found, rows);
  const char delimiter = label_delimiter(lines.front());
  const bool headed = found == rows + 1;
  const std::vector<std::string> first = label_cells(lines.front(), delimiter);
  const std::size_t c = choose_label_column(headed ? first : std::vector<std::string>(), first.size(), column, path);
  LabelColumn out{headed ? without_label_mark(first[c]) : "", {}};
  for (std::size_t i = headed ? 1 : 0; i < lines.size(); ++i) {
    std::vector<std::string> cells = label_cells(lines[i], delimiter);
    if (cells.size() != first.size())
      throw DataError(fmt::format("{}: line {} has {} cells, the first has {}; give every row the same number", path,
                                  i + 1, cells.size(), first.size()));
    out.labels.push_back(std::move(cells[c]));
  }
  return out;
}

}  // namespace

LabelColumn read_labels(const std::string& path, const std::string& column, Index rows, const Model* model,
                        const Execution& exec) {
  try {
    return read_label_column(path, column, rows, exec);
  } catch (const DataError&) {
    if (!model || model->left_out().empty()) throw;
  }
  LabelColumn all = read_label_column(path, column, rows + std::ssize(model->left_out()), exec);
  all.labels = fitted_of(all.labels, *model);
  return all;
}

Vector<double> label_numbers(const std::vector<std::string>& labels, const std::string& name,
                             const std::string& source) {
  static const std::vector<std::string> missing = ReadOptions().na_words;
  Vector<double> out(std::ssize(labels));
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::string& text = labels[i];
    double& value = out[static_cast<Index>(i)];
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size()) continue;
    value = std::numeric_limits<double>::quiet_NaN();
    if (std::ranges::find(missing, text) == missing.end())
      throw DataError(fmt::format("{}: row {} of column {} is '{}', no number; {} draws numbers, {} classes", source,
                                  i + 1, name, text, option_name("color"), option_name("label")));
  }
  return out;
}

}  // namespace fewdim
