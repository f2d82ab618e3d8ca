#include "base/remedy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace fewdim {

namespace {

// A mark is shift-out, a letter for the action, the option, "=" and the value where there is one, shift-in: control
// characters that no name and no number has.
constexpr char mark_begin = '\x0e', mark_end = '\x0f';
constexpr std::string_view letters = "nisrlocm";

struct Flag {
  std::string_view option, value, flag;  ///< where there is a value, the flag is a switch that sets it
};
/// Those that are not the option's name with dashes.
constexpr std::array other_flags{
    Flag{"components", "", "-k"},        Flag{"overwrite", "", "--force"},
    Flag{"na_words", "", "--na"},        Flag{"text_fields", "", "--text-field"},
    Flag{"size", "", "--resize"},        Flag{"WriteOptions::format", "", "--to"},
    Flag{"coloring", "rgb", "--color"},  Flag{"coloring", "gray", "--gray"},
    Flag{"trial", "none", "--no-trial"},
};

/// What a command is in C++, where its name is not the function's.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> functions{{
    {"choose-k", "choose_components()"},
    {"convert", "write()"},
    {"faces", "fit_faces()"},
    {"fill", "fill_missing()"},
    {"inspect", "summary()"},
    {"quality", "embedding_quality()"},
}};

/// "-k", "--row-weights"; "--no-header" for a switch that is set to false.
std::string flag_of_option(const Remedy& remedy) {
  for (const auto& [option, value, flag] : other_flags)
    if (option == remedy.option && (value.empty() || value == remedy.value)) return std::string(flag);
  std::string flag = remedy.option;
  std::ranges::replace(flag, '_', '-');
  return fmt::format("--{}{}", remedy.action == Remedy::Action::set && remedy.value == "false" ? "no-" : "", flag);
}

bool is_switch(const Remedy& remedy) {
  const auto sets = [&](const Flag& f) { return f.option == remedy.option && f.value == remedy.value; };
  return remedy.value == "true" || remedy.value == "false" || std::ranges::any_of(other_flags, sets);
}

/// As a shell takes it: quotes around each word of a list that has more than letters and digits.
std::string typed(std::string_view value) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) || c >= 0x80 || std::string_view("._-+:%/").find(char(c)) != std::string_view::npos;
  };
  std::string out;
  while (true) {
    const std::string_view word = value.substr(0, value.find(','));
    out += std::ranges::all_of(word, plain) ? std::string(word) : fmt::format("'{}'", word);
    if (word.size() == value.size()) return out;
    out += ',';
    value.remove_prefix(word.size() + 1);
  }
}

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
      for (const auto& [command, function] : functions)
        if (command == remedy.option) return std::string(function);
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
      return remedy.value.empty() || is_switch(remedy) ? flag : fmt::format("{} {}", flag, typed(remedy.value));
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
