#include "fewdim/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "base/describe.hpp"
#include "fewdim/error.hpp"

namespace fewdim {

namespace {

constexpr std::string_view components_bound =
    "is not a number of components; give a count (50), a share of the variance (0.95 or 95%), all, auto, or "
    "auto:CRITERION";

template <class T>
std::optional<T> read_number(std::string_view text) {
  T value{};
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  if (!text.empty() && text.front() == '+') return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

[[noreturn]] void refuse(const OptionField& field, std::string_view method, const OptionValue& value,
                         std::string_view bound, std::string_view remedy = "") {
  throw InvalidOption(method, field.name, option_text(value), bound, remedy);
}

std::string range_text(const OptionField& field) {
  if (field.minimum && field.maximum) return fmt::format("must be between {} and {}", *field.minimum, *field.maximum);
  if (field.minimum) return fmt::format("must be at least {}", *field.minimum);
  return fmt::format("must be at most {}", *field.maximum);
}

void require_range(double number, const OptionValue& value, const OptionField& field, std::string_view method) {
  if ((field.minimum && number < *field.minimum) || (field.maximum && number > *field.maximum))
    refuse(field, method, value, range_text(field));
}

std::optional<WideInteger> wide_from_text(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  if (text.empty() || text.front() == '-') return std::nullopt;
  if (negative && text.front() == '+') return std::nullopt;
  if (const auto magnitude = read_number<std::uint64_t>(text))
    return WideInteger{negative && *magnitude > 0, *magnitude};
  return std::nullopt;
}

std::optional<WideInteger> wide_from(const OptionValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    const auto bits = static_cast<std::uint64_t>(*integer);
    return WideInteger{*integer < 0, *integer < 0 ? 0 - bits : bits};
  }
  if (const auto* text = std::get_if<std::string>(&value)) return wide_from_text(*text);
  if (const auto* real = std::get_if<double>(&value); real && std::trunc(*real) == *real && std::abs(*real) <= 0x1p53)
    return WideInteger{*real < 0, static_cast<std::uint64_t>(std::abs(*real))};
  return std::nullopt;
}

/// Edits that turn one word into the other: insert, delete or replace a letter (Levenshtein).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

Components Components::parse(const std::string& text) {
  const auto refuse_text = [&](std::string_view bound) {
    throw InvalidOption("", "components", text.empty() ? "''" : text, bound, "");
  };
  if (text == "all") return Components(all);
  if (text == "auto") return Components("auto");
  if (text.starts_with("auto:")) {
    if (text.size() == 5) refuse_text("names no criterion; give auto, or auto:CRITERION such as auto:minka");
    return Components(text.substr(5));
  }
  if (const auto whole = wide_from_text(text)) {
    if (whole->negative || whole->magnitude == 0) refuse_text("must be at least 1; or give all");
    if (whole->magnitude > static_cast<std::uint64_t>(std::numeric_limits<Index>::max()))
      refuse_text("is more than any data has; give all");
    return Components(static_cast<Index>(whole->magnitude));
  }
  const bool percent = text.ends_with('%');
  const auto real = read_number<double>(std::string_view(text).substr(0, text.size() - (percent ? 1 : 0)));
  if (!real || !std::isfinite(*real)) refuse_text(components_bound);
  const double share = percent ? *real / 100.0 : *real;
  if (!(share > 0.0 && share <= 1.0)) refuse_text("must be a share above 0 and at most 1 (100%), or a whole number");
  return Components(share);
}

std::string Components::text() const {
  if (kind == Kind::criterion) return criterion == "auto" ? criterion : "auto:" + criterion;
  if (kind == Kind::count) return count == all ? "all" : std::to_string(count);
  return share == 1.0 ? "1.0" : fmt::format("{}", share);
}

std::string option_text(const OptionValue& value) {
  return std::visit([](const auto& held) { return fmt::format("{}", held); }, value);
}

std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const bool begins = word.size() >= 2 && candidate.starts_with(word);
    const std::size_t distance = begins ? 1 : edit_distance(word, candidate);
    if (distance < best_distance && distance < std::max(word.size(), candidate.size())) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

bool to_boolean(const OptionValue& value, const OptionField& field, std::string_view method) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto* text = std::get_if<std::string>(&value)) {
    if (*text == "true" || *text == "yes" || *text == "on" || *text == "1") return true;
    if (*text == "false" || *text == "no" || *text == "off" || *text == "0") return false;
  }
  refuse(field, method, value, "must be true or false");
}

double to_real(const OptionValue& value, const OptionField& field, std::string_view method) {
  const OptionValue chosen = std::string("auto");
  if (field.fallback == chosen && value == chosen) return from_data;
  std::optional<double> number;
  if (const auto* real = std::get_if<double>(&value)) number = *real;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) number = static_cast<double>(*integer);
  if (const auto* text = std::get_if<std::string>(&value)) number = read_number<double>(*text);
  if (!number || !std::isfinite(*number)) refuse(field, method, value, "must be a finite number");
  require_range(*number, value, field, method);
  return *number;
}

std::string to_text(const OptionValue& value, const OptionField& field, std::string_view method) {
  const auto* text = std::get_if<std::string>(&value);
  if (!text) refuse(field, method, value, "must be text");
  if (field.choices.empty() || std::ranges::find(field.choices, *text) != field.choices.end()) return *text;
  const std::string nearest = nearest_name(*text, field.choices);
  refuse(field, method, value, fmt::format("must be one of {}", fmt::join(field.choices, ", ")),
         nearest.empty() ? "" : fmt::format("did you mean {}?", nearest));
}

Components to_components(const OptionValue& value, const OptionField& field, std::string_view method) {
  try {
    if (const auto* real = std::get_if<double>(&value); real && *real > 0.0 && *real <= 1.0) return Components(*real);
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return Components::parse(std::to_string(*integer));
    if (const auto* text = std::get_if<std::string>(&value)) return Components::parse(*text);
  } catch (const InvalidOption& error) {
    throw InvalidOption(method, field.name, error.value(), error.bound(), error.remedy());
  }
  refuse(field, method, value, components_bound);
}

WideInteger to_integer(const OptionValue& value, const OptionField& field, std::string_view method, std::int64_t lowest,
                       std::uint64_t highest) {
  const auto wide = wide_from(value);
  if (!wide) refuse(field, method, value, "must be a whole number");
  const double number = (wide->negative ? -1.0 : 1.0) * static_cast<double>(wide->magnitude);
  require_range(number, value, field, method);
  const std::uint64_t deepest = 0 - static_cast<std::uint64_t>(lowest);
  if (wide->negative && wide->magnitude > deepest)
    refuse(field, method, value, fmt::format("must be at least {}", lowest));
  if (!wide->negative && wide->magnitude > highest)
    refuse(field, method, value, fmt::format("must be at most {}", highest));
  return *wide;
}

void require_known_names(const OptionMap& map, const std::vector<OptionField>& fields, std::string_view method) {
  std::vector<std::string> names;
  for (const OptionField& field : fields) names.push_back(field.name);
  for (const auto& [name, value] : map) {
    if (std::ranges::find(names, name) != names.end()) continue;
    const std::string nearest = nearest_name(name, names);
    throw InvalidOption(method, name, option_text(value), "is not an option of this method",
                        nearest.empty() ? fmt::format("there are {}", fmt::join(names, ", "))
                                        : fmt::format("did you mean {}?", nearest));
  }
}

}  // namespace fewdim
