#include "format_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "method_options.hpp"
#include "text.hpp"

namespace fewdim::cli {

namespace {

template <class Fits>
std::string names_of_formats(const Fits& fits) {
  std::vector<std::string> names;
  for (const FormatCard& card : formats())
    if (fits(card)) names.push_back(card.name);
  return fmt::format("{}", fmt::join(names, "|"));
}

std::string parse_name(const std::string& name, const char* flag, const std::string& names) {
  const std::vector<std::string> known = split_at(names, '|');
  if (std::ranges::find(known, name) != known.end()) return name;
  throw usage_error(fmt::format("{} '{}' must be one of {}", flag, name, names));
}

std::string own_value(const OptionField& field) {
  return field.type == OptionField::Type::text ? "NAME" : value_text(field);
}

/// Help that says in brackets what happens without the option needs no default.
std::string own_help(const OptionField& field) { return field.help.ends_with(']') ? field.help : full_help(field); }

void check(const OptionField& field, const std::string& text) {
  const std::string flag = flag_of(field.name);
  if (!field.choices.empty() && std::ranges::find(field.choices, text) == field.choices.end())
    throw usage_error(fmt::format("{} '{}' must be {}", flag, text, one_of(field.choices)));
  if (field.type != OptionField::Type::integer) return;
  const Index value = parse_whole(text, flag, static_cast<Index>(field.minimum.value_or(0)));
  if (field.maximum && static_cast<double>(value) > *field.maximum)
    throw usage_error(fmt::format("{} {} must be at most {:.0f}", flag, value, *field.maximum));
}

}  // namespace

const std::string& read_format_names() {
  static const std::string names = names_of_formats([](const FormatCard& card) { return card.read != nullptr; });
  return names;
}

const std::string& written_format_names() {
  static const std::string names = names_of_formats([](const FormatCard& card) { return card.write != nullptr; });
  return names;
}

std::string parse_format(const std::string& name) { return parse_name(name, "--format", read_format_names()); }
std::string parse_target_format(const std::string& name) { return parse_name(name, "--to", written_format_names()); }

FormatOptions::FormatOptions(std::vector<OptionField> FormatCard::*fields) {
  for (const FormatCard& card : formats())
    for (const OptionField& field : card.*fields)
      if (std::ranges::find(fields_, field.name, &OptionField::name) == fields_.end()) fields_.push_back(field);
  values_.resize(fields_.size());
}

void FormatOptions::declare(CLI::App& app, const std::string& group) {
  for (std::size_t i = 0; i < fields_.size(); ++i)
    add_text(app, flag_of(fields_[i].name), values_[i], own_value(fields_[i]), own_help(fields_[i]), group);
}

OptionMap FormatOptions::map() const {
  OptionMap map;
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (values_[i].empty()) continue;
    check(fields_[i], values_[i]);
    map[fields_[i].name] = values_[i];
  }
  return map;
}

std::string FormatOptions::first_given() const {
  for (std::size_t i = 0; i < fields_.size(); ++i)
    if (!values_[i].empty()) return flag_of(fields_[i].name);
  return {};
}

}  // namespace fewdim::cli
