#include <fmt/format.h>

#include <algorithm>

#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "text/documents/parsers.hpp"

namespace fewdim {

namespace {

/// Description, and its translations (Description-de, Description-pt_BR), but not Description-md5.
bool is_description(std::string_view name) {
  constexpr std::string_view description = "Description";
  if (same_name(name, description)) return true;
  if (name.size() <= description.size() + 1 || name[description.size()] != '-') return false;
  return begins_with_name(name, description) && !same_name(name.substr(description.size() + 1), "md5");
}

/// "Field: value" paragraphs (Debian policy, chapter 5). A line that begins with a blank goes on with the field above;
/// a single dot stands for an empty line.
class Records : public DocumentParser {
 public:
  explicit Records(Input input) : input_(std::move(input)) {}
  bool repeats() const override { return true; }

  bool next(Document& out) override {
    if (!skip_blank_lines()) return false;
    const Index first_line = input_->line_number();
    line_ = first_line;
    everything_.clear();
    bool has_id = false, chosen = false;  // what the id is; whether the field at hand is text
    std::string first_value;
    do {
      const std::string_view line = input_->line();
      if (trimmed(line).empty()) break;
      if (line.front() == '#') continue;
      if (line.front() == ' ' || line.front() == '\t') {
        go_on(line, chosen, out.text);
        continue;
      }
      const std::size_t colon = line.find(':');
      if (colon == std::string_view::npos || colon == 0)
        input_->refuse(input_->line_number(),
                       "not a \"Field: value\" line; give " + set_option("format", "lines") + ", or one that fits");
      const std::string_view name = line.substr(0, colon), value = trimmed(line.substr(colon + 1));
      if (is_id(name)) {
        out.id.clear();
        input_->append(out.id, value);
        has_id = true;
      }
      if (input_->options().id_field.empty() && first_value.empty() && !has_id) input_->append(first_value, value);
      chosen = is_text(name);
      found_text_ |= chosen;
      if (chosen) input_->append_line(out.text, value);
      if (keep_everything() && !is_id(name)) input_->append_line(everything_, value);
    } while (input_->next_line());
    settle(out, has_id, first_value, first_line);
    return true;
  }

 private:
  bool skip_blank_lines() {
    while (input_->next_line())
      if (!trimmed(input_->line()).empty() && input_->line().front() != '#') return true;
    if (seen_any_ && !found_text_ && !input_->options().text_fields.empty())
      throw DataError(fmt::format("{}: no record has the field \"{}\"; give another {}",
                                  input_->place(input_->line_number()), input_->options().text_fields.front(),
                                  set_option("text_fields")));
    return false;
  }

  void go_on(std::string_view line, bool chosen, std::string& text) {
    if (!chosen && !keep_everything()) return;
    line.remove_prefix(1);
    if (trimmed(line) == ".") line = {};
    if (chosen) input_->append_line(text, line);
    if (keep_everything()) input_->append_line(everything_, line);
  }

  bool is_id(std::string_view name) const {
    const std::string& field = input_->options().id_field;
    return same_name(name, field.empty() ? std::string_view("Package") : std::string_view(field));
  }
  bool is_text(std::string_view name) const {
    const auto& fields = input_->options().text_fields;
    if (fields.empty()) return same_name(name, "Package") || is_description(name);
    return std::ranges::any_of(fields, [&](const std::string& field) { return same_name(name, field); });
  }

  /// Until the first record has told whether these are packages: if they are not, every field is text.
  bool keep_everything() const { return input_->options().text_fields.empty() && (!seen_any_ || other_records_); }

  void settle(Document& out, bool has_id, const std::string& first_value, Index line) {
    if (!seen_any_) other_records_ = !found_text_ && input_->options().text_fields.empty();
    seen_any_ = true;
    if (other_records_) out.text = everything_;
    if (has_id) return;
    if (!input_->options().id_field.empty())
      input_->refuse(line, fmt::format("a record without the field \"{}\"; give another {}", input_->options().id_field,
                                       set_option("id_field")));
    out.id = first_value;
  }

  Input input_;
  bool seen_any_ = false, found_text_ = false, other_records_ = false;
  std::string everything_;
};

}  // namespace

Parser parse_records(Input input) { return std::make_unique<Records>(std::move(input)); }

}  // namespace fewdim
