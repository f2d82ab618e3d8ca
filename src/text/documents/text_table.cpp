#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "text/documents/field_choice.hpp"
#include "text/documents/parsers.hpp"
#include "text/documents/table_header.hpp"

namespace fewdim {

namespace {

constexpr std::size_t sample_rows = 100, sample_bytes = std::size_t{1} << 20;

class TextTable : public DocumentParser {
 public:
  TextTable(Input input, bool tabs) : input_(std::move(input)), rows_(*input_, tabs) {
    if (!input_->next_line()) return;
    rows_.choose_delimiter(input_->line());
    input_->again();
    TableRow first;
    if (!rows_.next(first)) return;
    columns_ = first.count;
    take_sample();
    for (std::size_t i = 0; i < columns_; ++i) names_.emplace_back(trimmed(first.fields[i]));
    decide_header(first);
    choose_columns(first);
    if (!header_) sample_.push_front(std::move(first));
    tell();
  }

  bool numbered() const override { return id_ == std::string::npos; }

  bool next(Document& out) override {
    if (!sample_.empty()) {
      row_ = std::move(sample_.front());
      sample_.pop_front();
    } else if (columns_ == 0 || !rows_.next(row_)) {
      return false;
    }
    if (row_.count > columns_)
      input_->refuse(row_.line, fmt::format("{} fields, the {} has {}; put quotes around text with delimiters in it",
                                            row_.count, header_ ? "header" : "first line", columns_));
    line_ = row_.line;
    if (id_ != std::string::npos) out.id = trimmed(row_.field(id_));
    for (const std::size_t column : text_) {
      if (row_.field(column).empty()) continue;
      if (!out.text.empty()) out.text.push_back('\n');
      out.text += row_.field(column);
    }
    return true;
  }

 private:
  void take_sample() {
    std::size_t total = 0;
    for (TableRow row; sample_.size() < sample_rows && total < sample_bytes && rows_.next(row);) {
      for (std::size_t i = 0; i < row.count; ++i) total += row.fields[i].size();
      sample_.push_back(row);
    }
  }

  void decide_header(const TableRow& first) {
    const DocumentOptions& options = input_->options();
    const auto is_name = [&](const std::string& field) { return named_column(field) != std::string::npos; };
    const bool asked = std::ranges::any_of(options.text_fields, is_name) || is_name(options.id_field);
    given_ = options.header.has_value() || asked;
    header_ = options.header ? *options.header : asked || has_header(first, sample_);
  }

  void choose_columns(const TableRow& first) {
    const DocumentOptions& options = input_->options();
    for (const std::string& name : options.text_fields) text_.push_back(column(name, "text_fields"));
    if (!options.id_field.empty()) id_ = column(options.id_field, "id_field");
    if (header_) {
      if (text_.empty()) text_ = usual_text_fields(names_);
      if (options.id_field.empty() && !input_->numbered()) id_ = usual_id_field(names_);
    }
    if (text_.empty()) text_ = {longest_besides_ids(first)};
    if (options.id_field.empty() && id_ == text_.front()) id_ = std::string::npos;
    if (!header_ && options.id_field.empty() && !input_->numbered())
      id_ = distinct_column(first, sample_, text_.front());
  }

  std::size_t longest_besides_ids(const TableRow& first) const {
    if (id_ == std::string::npos || columns_ == 1)
      return longest_column(header_ ? TableRow() : first, sample_, columns_);
    TableRow line = header_ ? TableRow() : first;
    std::deque<TableRow> rows = sample_;
    for (TableRow& row : rows)
      if (id_ < row.count) row.fields[id_].clear();
    if (id_ < line.count) line.fields[id_].clear();
    return longest_column(line, rows, columns_);
  }

  std::size_t named_column(const std::string& name) const {
    if (name.empty()) return std::string::npos;
    const auto exact = std::ranges::find(names_, name);
    if (exact != names_.end()) return static_cast<std::size_t>(exact - names_.begin());
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (same_name(names_[i], name)) return i;
    return std::string::npos;
  }

  /// By its name where there is a header, else by its number from 1.
  std::size_t column(const std::string& name, const char* option) const {
    if (const std::size_t found = header_ ? named_column(name) : std::string::npos; found != std::string::npos)
      return found;
    std::size_t number = 0;
    const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (problem == std::errc() && end == name.data() + name.size() && number >= 1 && number <= columns_)
      return number - 1;
    if (header_)
      input_->refuse(1,
                     fmt::format("no column \"{}\"; give {} one of {}", name, set_option(option), list_names(names_)));
    input_->refuse(1, fmt::format("no column \"{}\", as the first line is taken as a document; give {} a number from 1 "
                                  "to {}, or {} where that line holds names",
                                  name, set_option(option), columns_, set_option("header", true)));
  }

  void tell() const {
    const auto shown = [&](std::size_t column) { return header_ ? names_[column] : std::to_string(column + 1); };
    TableReading reading{.file = shown_name(input_->path()), .header = header_, .header_given = given_};
    if (id_ != std::string::npos) reading.id = shown(id_);
    for (const std::size_t column : text_) reading.text.push_back(shown(column));
    input_->report().tables.push_back(std::move(reading));
  }

  Input input_;
  TableRows rows_;
  std::size_t columns_ = 0;
  std::vector<std::string> names_;  ///< the fields of the first line, whatever they are
  bool header_ = false, given_ = false;
  std::vector<std::size_t> text_;
  std::size_t id_ = std::string::npos;
  std::deque<TableRow> sample_;
  TableRow row_;
};

}  // namespace

Parser parse_text_table(Input input, bool tabs) { return std::make_unique<TextTable>(std::move(input), tabs); }

}  // namespace fewdim
