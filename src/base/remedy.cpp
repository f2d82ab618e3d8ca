#include "base/remedy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace fewdim {

namespace {

// A mark is shift-out, a letter for the action, the option, "=" and the value where there is one, shift-in: control
// characters that no name and no number has.
constexpr char mark_begin = '\x0e', mark_end = '\x0f';
constexpr std::string_view letters = "nisrlocm";

/// "-k", "--row-weights"; "--no-header" for a switch that is set to false.
std::string flag_of_option(const Remedy& remedy) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> others{{
      {"components", "-k"},
      {"overwrite", "--force"},
      {"na_words", "--na"},
  }};
  for (const auto& [option, flag] : others)
    if (option == remedy.option) return std::string(flag);
  std::string flag = remedy.option;
  std::ranges::replace(flag, '_', '-');
  return fmt::format("--{}{}", remedy.action == Remedy::Action::set && remedy.value == "false" ? "no-" : "", flag);
}

bool is_switch(const Remedy& remedy) { return remedy.value == "true" || remedy.value == "false"; }

/// Text that is a mark after `mark_begin`; the remedy, and where it ends.
bool read_mark(std::string_view text, Remedy& remedy, std::size_t& length) {
  const std::size_t end = text.find(mark_end);
  if (end == std::string_view::npos || end < 2) return false;
  const std::size_t letter = letters.find(text.front());
  if (letter == std::string_view::npos) return false;
  const std::string_view inside = text.substr(1, end - 1);
  const std::size_t equals = inside.find('=');
  remedy.action = static_cast<Remedy::Action>(letter);
  remedy.option = inside.substr(0, equals);
  remedy.value = equals == std::string_view::npos ? std::string_view() : inside.substr(equals + 1);
  length = end + 1;
  return true;
}

}  // namespace

std::string marked(const Remedy& remedy) {
  std::string text{mark_begin, letters[static_cast<std::size_t>(remedy.action)]};
  text += remedy.option;
  if (!remedy.value.empty()) text += "=" + remedy.value;
  return text + mark_end;
}

std::string speak_cpp(const Remedy& remedy) {
  switch (remedy.action) {
    case Remedy::Action::name:
      return remedy.option;
    case Remedy::Action::is:
      return fmt::format("{}={}", remedy.option, remedy.value);
    case Remedy::Action::set:
      return remedy.value.empty() ? remedy.option : fmt::format("{} = {}", remedy.option, remedy.value);
    case Remedy::Action::raise:
      return "raise " + remedy.option;
    case Remedy::Action::lower:
      return "lower " + remedy.option;
    case Remedy::Action::leave_out:
      return fmt::format("leave {} out", remedy.option);
    case Remedy::Action::command: {
      std::string name = remedy.option;
      std::ranges::replace(name, '-', '_');
      return name + "()";
    }
    case Remedy::Action::method:
      return remedy.option;
  }
  return remedy.option;
}

std::string speak_command_line(const Remedy& remedy) {
  const std::string flag = flag_of_option(remedy);
  switch (remedy.action) {
    case Remedy::Action::name:
      return flag;
    case Remedy::Action::is:
      return fmt::format("{}={}", remedy.option, remedy.value);
    case Remedy::Action::set:
      return remedy.value.empty() || is_switch(remedy) ? flag : fmt::format("{} {}", flag, remedy.value);
    case Remedy::Action::raise:
      return "raise " + flag;
    case Remedy::Action::lower:
      return "lower " + flag;
    case Remedy::Action::leave_out:
      return fmt::format("leave {} out", flag);
    case Remedy::Action::command:
      return fmt::format("`fewdim {}`", remedy.option);
    case Remedy::Action::method:
      return remedy.option;
  }
  return flag;
}

std::vector<MessagePart> message_parts(std::string_view text) {
  std::vector<MessagePart> parts;
  std::string plain;
  while (!text.empty()) {
    const std::size_t begin = std::min(text.find(mark_begin), text.size());
    plain += text.substr(0, begin);
    text.remove_prefix(begin);
    if (text.empty()) break;
    Remedy remedy;
    std::size_t length = 0;
    if (!read_mark(text.substr(1), remedy, length)) {  // not one of ours
      plain += text.front();
      text.remove_prefix(1);
      continue;
    }
    if (!plain.empty()) parts.push_back({.text = std::exchange(plain, {})});
    parts.push_back({.remedy = std::move(remedy)});
    text.remove_prefix(1 + length);
  }
  if (!plain.empty()) parts.push_back({.text = std::move(plain)});
  return parts;
}

std::vector<Remedy> remedies_of(std::string_view text) {
  std::vector<Remedy> remedies;
  for (MessagePart& part : message_parts(text))
    if (!part.remedy.option.empty() && part.remedy.action != Remedy::Action::name &&
        part.remedy.action != Remedy::Action::is)
      remedies.push_back(std::move(part.remedy));
  return remedies;
}

std::string spoken(std::string_view text, Speech speech) {
  std::string out;
  for (const MessagePart& part : message_parts(text))
    out += part.remedy.option.empty() ? part.text : speech(part.remedy);
  return out;
}

}  // namespace fewdim
