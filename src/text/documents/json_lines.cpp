#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "text/documents/encoding.hpp"
#include "text/documents/field_choice.hpp"
#include "text/documents/parsers.hpp"

namespace fewdim {

namespace {

/// The keys that matter, with their values as text: strings, numbers, and lists of them.
class ObjectReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  struct Slot {
    std::string name;
    bool found = false;
    std::string value{};
  };

  explicit ObjectReader(std::vector<std::string> names) {
    for (std::string& name : names) slots_.push_back({std::move(name)});
  }

  /// Empty when all went well.
  const std::string& read(std::string_view line) {
    for (Slot& slot : slots_) slot.found = false, slot.value.clear();
    current_ = nullptr;
    depth_ = 0;
    problem_.clear();
    if (!nlohmann::json::sax_parse(line.begin(), line.end(), this) && problem_.empty()) problem_ = "not JSON";
    return problem_;
  }

  const Slot* find(std::string_view name) const {
    for (const Slot& slot : slots_)
      if (slot.found && slot.name == name) return &slot;
    return nullptr;
  }

  bool null() override { return scalar({}); }
  bool boolean(bool value) override { return scalar(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return scalar(std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return scalar(std::to_string(value)); }
  bool number_float(number_float_t, const string_t& digits) override { return scalar(digits); }
  bool string(string_t& value) override { return scalar(value); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return deeper(); }
  bool end_object() override { return --depth_, true; }
  bool start_array(std::size_t) override {
    if (depth_ == 0) return problem_ = "a list, not an object; give one object a line, as jq -c '.[]' writes", false;
    return deeper();
  }
  bool end_array() override { return --depth_, true; }
  bool key(string_t& name) override {
    if (depth_ != 1) return true;
    current_ = nullptr;
    for (Slot& slot : slots_) {
      if (slot.name != name) continue;
      current_ = &slot;
      slot.found = true;
      slot.value.clear();  // of a key that comes twice, the last counts
    }
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception&) override {
    problem_ = fmt::format("not a JSON object, at byte {}; give one object a line, as jq -c . writes", position);
    return false;
  }

 private:
  bool deeper() {
    constexpr int deepest = 64;
    if (++depth_ > deepest) return problem_ = fmt::format("JSON nested deeper than {} levels", deepest), false;
    return true;
  }
  bool scalar(std::string_view text) {
    if (depth_ == 0)
      return problem_ = "not a JSON object; give one object a line, or " + set_option("format", "lines"), false;
    if (depth_ > 2 || current_ == nullptr) return true;
    if (depth_ == 2 && !current_->value.empty()) current_->value.push_back('\n');
    current_->value += text;
    return true;
  }

  std::vector<Slot> slots_;
  Slot* current_ = nullptr;
  int depth_ = 0;
  std::string problem_;
};

std::vector<std::string> keys_of_interest(const DocumentOptions& options) {
  std::vector<std::string> keys = options.text_fields;
  if (keys.empty()) {
    keys.assign(std::begin(usual_titles), std::end(usual_titles));
    keys.insert(keys.end(), std::begin(usual_texts), std::end(usual_texts));
  }
  if (!options.id_field.empty())
    keys.push_back(options.id_field);
  else
    keys.insert(keys.end(), std::begin(usual_ids), std::end(usual_ids));
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

class JsonLines : public DocumentParser {
 public:
  explicit JsonLines(Input input) : input_(std::move(input)), object_(keys_of_interest(input_->options())) {}

  bool next(Document& out) override {
    do
      if (!input_->next_line()) return finish();
    while (trimmed(input_->line()).empty());
    checked_.clear();
    input_->append(checked_, input_->line());
    const Index number = input_->line_number();
    if (const std::string& problem = object_.read(checked_); !problem.empty()) input_->refuse(number, problem);
    line_ = number;
    take_id(out.id, number);
    take_text(out.text, number);
    return true;
  }

 private:
  bool finish() const {
    const auto& wanted = input_->options().text_fields;
    if (input_->line_number() > 0 && !found_text_ && !wanted.empty())
      input_->refuse(input_->line_number(), fmt::format("no object has the key \"{}\"; give another {}", wanted.front(),
                                                        set_option("text_fields")));
    return false;
  }

  void take_id(std::string& out, Index line) {
    const std::string& wanted = input_->options().id_field;
    if (!wanted.empty()) {
      const auto* slot = object_.find(wanted);
      if (!slot || slot->value.empty())
        input_->refuse(
            line, fmt::format("an object without the key \"{}\"; give another {}", wanted, set_option("id_field")));
      out = trimmed(slot->value);
      return;
    }
    for (const std::string_view name : usual_ids)
      if (const auto* slot = object_.find(name); slot && !slot->value.empty()) return void(out = trimmed(slot->value));
  }

  void take_text(std::string& out, Index line) {
    const auto add = [&](std::string_view name) {
      const auto* slot = object_.find(name);
      if (!slot) return false;
      found_text_ = true;
      if (!out.empty() && !slot->value.empty()) out.push_back('\n');
      append_decoded(out, slot->value, line);
      return true;
    };
    const auto& wanted = input_->options().text_fields;
    for (const std::string& name : wanted) add(name);
    if (!wanted.empty()) return;
    const bool titled = std::ranges::any_of(usual_titles, add);
    if (std::ranges::any_of(usual_texts, add) || titled) return;
    input_->refuse(
        line, "no key \"text\", \"body\", \"content\", ...; name the one to read with " + set_option("text_fields"));
  }

  /// \u0000 is fine in JSON, not in text.
  void append_decoded(std::string& out, const std::string& value, Index line) {
    const std::size_t start = out.size();
    out += value;
    if (value.find('\0') == std::string::npos) return;
    if (input_->options().encoding_errors == EncodingErrors::error)
      input_->refuse(
          line, "a zero byte (\\u0000) in the text; take it out, or give " + set_option("encoding_errors", "replace"));
    std::replace(out.begin() + static_cast<std::ptrdiff_t>(start), out.end(), '\0', ' ');
  }

  Input input_;
  ObjectReader object_;
  std::string checked_;  ///< the line, once it is known to be text
  bool found_text_ = false;
};

}  // namespace

Parser parse_json_lines(Input input) { return std::make_unique<JsonLines>(std::move(input)); }

}  // namespace fewdim
