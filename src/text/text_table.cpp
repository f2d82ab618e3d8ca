#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "fewdim/error.hpp"
#include "text/field_choice.hpp"
#include "text/parsers.hpp"

namespace fewdim {

namespace {

struct Row {
  std::vector<std::string> fields;
  std::size_t count = 0;  ///< of them; the strings behind are kept for their memory
  Index line = 0;
};

/// RFC 4180, with any line end; tables with tabs have quotes around whole fields at most, never a line end in them.
class RowReader {
 public:
  RowReader(TextInput& input, bool tabs) : input_(input), tabs_(tabs), delimiter_(tabs ? '\t' : ',') {}

  /// Empty lines are skipped.
  bool next(Row& row) {
    do
      if (!input_.next_line()) return false;
    while (trimmed(input_.line()).empty());
    row.line = input_.line_number();
    row.count = 0;
    rest_ = input_.line();
    do tabs_ ? read_plain(field(row)) : read_field(field(row), row.line);
    while (more_);
    return true;
  }

  /// Of the header: a table without commas may have semicolons.
  void choose_delimiter(std::string_view header) {
    if (!tabs_ && header.find(',') == std::string_view::npos && header.find(';') != std::string_view::npos)
      delimiter_ = ';';
  }

 private:
  static std::string& field(Row& row) {
    if (row.count == row.fields.size()) row.fields.emplace_back();
    std::string& out = row.fields[row.count++];
    out.clear();
    return out;
  }

  /// Takes the bytes up to the next delimiter off the line.
  std::string_view take() {
    const std::size_t end = rest_.find(delimiter_);
    const std::string_view taken = rest_.substr(0, end);
    more_ = end != std::string_view::npos;
    rest_.remove_prefix(more_ ? end + 1 : rest_.size());
    return taken;
  }

  void read_plain(std::string& out) {
    std::string_view taken = take();
    const bool quoted = taken.size() >= 2 && taken.front() == '"' && taken.back() == '"';
    if (!quoted) return input_.append(out, taken);
    taken = taken.substr(1, taken.size() - 2);
    for (std::size_t twice; (twice = taken.find("\"\"")) != std::string_view::npos; taken.remove_prefix(twice + 2))
      input_.append(out, taken.substr(0, twice + 1));
    input_.append(out, taken);
  }

  void read_field(std::string& out, Index first_line) {
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

  TextInput& input_;
  bool tabs_;
  char delimiter_;
  std::string_view rest_{};
  bool more_ = false;
};

class TextTable : public DocumentParser {
 public:
  TextTable(Input input, bool tabs) : input_(std::move(input)), rows_(*input_, tabs) {
    if (!input_->next_line()) return;
    rows_.choose_delimiter(input_->line());
    input_->again();
    Row header;
    if (!rows_.next(header)) return;
    for (std::size_t i = 0; i < header.count; ++i) names_.emplace_back(trimmed(header.fields[i]));
    const auto& wanted = input_->options().text_fields;
    for (const std::string& name : wanted) text_.push_back(column(name, "--text-field"));
    if (wanted.empty()) text_ = usual_text_fields(names_);
    const std::string& id = input_->options().id_field;
    id_ = id.empty() ? usual_id_field(names_) : column(id, "--id-field");
    if (text_.empty()) take_longest_column();
  }

  bool numbered() const override { return id_ == std::string::npos; }

  bool next(Document& out) override {
    if (!sample_.empty()) {
      row_ = std::move(sample_.front());
      sample_.pop_front();
    } else if (names_.empty() || !rows_.next(row_)) {
      return false;
    }
    if (row_.count > names_.size())
      input_->refuse(row_.line,
                     fmt::format("{} fields, the header has {}; put quotes around text with delimiters in it",
                                 row_.count, names_.size()));
    line_ = row_.line;
    if (id_ != std::string::npos) out.id = trimmed(value(id_));
    for (const std::size_t column : text_) {
      if (value(column).empty()) continue;
      if (!out.text.empty()) out.text.push_back('\n');
      out.text += value(column);
    }
    return true;
  }

 private:
  /// A short row lacks its last fields.
  std::string_view value(std::size_t column) const {
    return column < row_.count ? std::string_view(row_.fields[column]) : std::string_view();
  }

  std::size_t column(const std::string& name, const char* option) const {
    const auto exact = std::ranges::find(names_, name);
    if (exact != names_.end()) return static_cast<std::size_t>(exact - names_.begin());
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (same_name(names_[i], name)) return i;
    input_->refuse(1, fmt::format("no column \"{}\"; give {} one of {}", name, option, list_names(names_)));
  }

  /// The one with most text in the first 100 rows, or MiB.
  void take_longest_column() {
    std::vector<std::size_t> bytes(names_.size(), 0);
    std::size_t total = 0;
    Row row;
    while (sample_.size() < 100 && total < (std::size_t{1} << 20) && rows_.next(row)) {
      for (std::size_t i = 0; i < std::min(row.count, bytes.size()); ++i)
        bytes[i] += row.fields[i].size(), total += row.fields[i].size();
      sample_.push_back(row);
    }
    if (id_ != std::string::npos && bytes.size() > 1) bytes[id_] = 0;
    text_ = {static_cast<std::size_t>(std::ranges::max_element(bytes) - bytes.begin())};
    if (text_.front() == id_ && input_->options().id_field.empty()) id_ = std::string::npos;
  }

  Input input_;
  RowReader rows_;
  std::vector<std::string> names_;
  std::vector<std::size_t> text_;
  std::size_t id_ = std::string::npos;
  std::deque<Row> sample_;
  Row row_;
};

}  // namespace

Parser parse_text_table(Input input, bool tabs) { return std::make_unique<TextTable>(std::move(input), tabs); }

}  // namespace fewdim
