#include "models/file/strict_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "fewdim/error.hpp"

namespace fewdim {

namespace {

using nlohmann::json;

/// Builds the document event by event; every event may refuse.
class StrictBuilder : public nlohmann::json_sax<json> {
 public:
  StrictBuilder(const std::string& what, const JsonLimits& limits) : what_(what), limits_(limits) {}

  json take() { return std::move(root_); }

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, const string_t&) override { return put(value); }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t&) override { return refuse("binary values have no place here"); }

  bool start_object(std::size_t) override { return open(json::object()); }
  bool start_array(std::size_t) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    if (open_.back()->contains(name)) return refuse(fmt::format("the key '{}' appears twice", name));
    key_ = std::move(name);
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    return refuse(fmt::format("not valid JSON at byte {}", position));
  }

 private:
  [[noreturn]] bool refuse(const std::string& reason) const { throw DataError(fmt::format("{}: {}", what_, reason)); }

  json* place(json value) {
    if (++values_ > limits_.values) refuse(fmt::format("more than {} values", limits_.values));
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    json& parent = *open_.back();
    if (parent.is_object()) return &(parent[std::move(key_)] = std::move(value));
    parent.push_back(std::move(value));
    return &parent.back();
  }
  bool put(json value) {
    place(std::move(value));
    return true;
  }
  bool open(json container) {
    if (static_cast<int>(open_.size()) >= limits_.depth) refuse(fmt::format("nested deeper than {}", limits_.depth));
    open_.push_back(place(std::move(container)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  const std::string& what_;
  JsonLimits limits_;
  std::size_t values_ = 0;
  json root_;
  std::vector<json*> open_;  // containers not yet closed; only the innermost grows, so the pointers stay good
  string_t key_;
};

}  // namespace

json parse_strict(std::string_view text, const std::string& what, const JsonLimits& limits) {
  // The parser takes a zero byte for the end of the text, whatever follows.
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos)
    throw DataError(fmt::format("{}: not valid JSON at byte {}", what, zero + 1));
  StrictBuilder builder(what, limits);
  json::sax_parse(text.begin(), text.end(), &builder, json::input_format_t::json, /*strict=*/true);
  return builder.take();
}

JsonFields::JsonFields(const json& object, std::string what) : object_(object), what_(std::move(what)) {
  if (!object.is_object()) refuse("is not an object");
}

void JsonFields::refuse(const std::string& reason) const { throw DataError(fmt::format("{} {}", what_, reason)); }

const json& JsonFields::raw(const char* key) {
  const auto found = object_.find(key);
  if (found == object_.end()) refuse(fmt::format("has no '{}'", key));
  ++asked_;
  return *found;
}

const json& JsonFields::expect(const char* key, bool (*is_right)(const json&), const char* kind) {
  const json& value = raw(key);
  if (!is_right(value)) refuse(fmt::format("has a '{}' that is not {}", key, kind));
  return value;
}

const json& JsonFields::list(const char* key) {
  return expect(
      key, [](const json& v) { return v.is_array(); }, "a list");
}

const std::string& JsonFields::text(const char* key) {
  return expect(
             key, [](const json& v) { return v.is_string(); }, "text")
      .get_ref<const std::string&>();
}

std::vector<std::string> JsonFields::texts(const char* key) {
  const auto all_texts = [](const json& list) {
    return list.is_array() && std::all_of(list.begin(), list.end(), [](const json& v) { return v.is_string(); });
  };
  return expect(key, all_texts, "a list of texts").get<std::vector<std::string>>();
}

std::uint64_t JsonFields::natural(const char* key) {
  return expect(
             key, [](const json& v) { return v.is_number_unsigned(); }, "a whole number")
      .get<std::uint64_t>();
}

Index JsonFields::index(const char* key) {
  const std::uint64_t value = natural(key);
  if (!std::in_range<Index>(value)) refuse(fmt::format("has a '{}' that is too large", key));
  return static_cast<Index>(value);
}

double JsonFields::number(const char* key) {
  const json& value = expect(
      key, [](const json& v) { return v.is_number() || v.is_null(); }, "a number");
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

bool JsonFields::boolean(const char* key) {
  return expect(
             key, [](const json& v) { return v.is_boolean(); }, "true or false")
      .get<bool>();
}

void JsonFields::done() const {
  if (asked_ != object_.size()) refuse("has a key this fewdim does not know");
}

}  // namespace fewdim
