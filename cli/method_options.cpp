#include "method_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "text.hpp"

namespace fewdim::cli {

namespace {

using Type = OptionField::Type;

std::string cli_flags(const OptionField& field) {
  const std::string flag = flag_of(field.name);
  if (field.type == Type::boolean) return fmt::format("{0}{{true}},--no-{1}{{false}}", flag, flag.substr(2));
  return field.flag == '\0' ? flag : fmt::format("-{},{}", field.flag, flag);
}

}  // namespace

std::string bounds_text(const OptionField& field) {
  if (field.minimum && field.maximum) return fmt::format("{:g} to {:g}", *field.minimum, *field.maximum);
  if (field.minimum) return fmt::format("at least {:g}", *field.minimum);
  return field.maximum ? fmt::format("at most {:g}", *field.maximum) : "";
}

std::string default_text(const OptionField& field) {
  if (const auto* flag = std::get_if<bool>(&field.fallback)) return *flag ? "on" : "off";
  return show_option(field.fallback);
}

std::string flags_text(const OptionField& field) {
  const std::string flag = flag_of(field.name);
  if (field.type == Type::boolean) return fmt::format("{}, --no-{}", flag, flag.substr(2));
  return field.flag == '\0' ? flag : fmt::format("-{}, {}", field.flag, flag);
}

std::string value_text(const OptionField& field) {
  switch (field.type) {
    case Type::boolean:
      return "";
    case Type::integer:
      return "N";
    case Type::real:
      return "X";
    case Type::choice:
      return fmt::format("{}", fmt::join(field.choices, "|"));
    case Type::components:
      return "K";
    case Type::text:
      break;
  }
  return "TEXT";
}

std::string full_help(const OptionField& field) {
  const std::string bounds = bounds_text(field);
  return fmt::format("{}{} [{}]", field.help, bounds.empty() ? "" : fmt::format(" ({})", bounds), default_text(field));
}

void MethodOptions::declare(CLI::App& app, const std::function<std::string(const OptionField&)>& group) {
  for (const OptionField& field : fields_) {
    Given& given = given_.emplace_back();
    given.name = field.name;
    CLI::Option* option = field.type == Type::boolean ? app.add_flag(cli_flags(field), given.value, full_help(field))
                                                      : app.add_option(cli_flags(field), given.value, full_help(field));
    if (field.type != Type::boolean) option->type_name(value_text(field));
    given.option = option->group(group ? group(field) : "Method");
  }
}

std::vector<std::string> MethodOptions::flags() const {
  std::vector<std::string> all;
  for (const OptionField& field : fields_) all.push_back(flag_of(field.name));
  return all;
}

OptionMap MethodOptions::map() const {
  OptionMap map;
  for (const Given& given : given_)
    if (given.option->count() > 0) map[given.name] = given.value;
  return map;
}

}  // namespace fewdim::cli
