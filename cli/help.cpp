#include "help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "fewdim/version.hpp"
#include "text.hpp"

namespace fewdim::cli {

namespace {

constexpr std::size_t column = 26;  // where the explanations start

std::string entry(const std::string& name, const std::string& help) {
  const std::size_t width = terminal_width();
  std::string line = "  " + name;
  if (line.size() + 2 > column)
    line += "\n" + std::string(column, ' ');
  else
    line.resize(column, ' ');
  return line + wrap(help, column, width) + "\n";
}

std::string name_of(const Argument& argument) {
  if (argument.flags.empty()) return argument.option->get_name(true);
  const std::string names = fmt::format("{}", fmt::join(argument.flags, ", "));
  return argument.value.empty() ? names
                                : fmt::format("{} {}", names, argument.choices.empty() ? argument.value : "WORD");
}

/// The choices go behind the help, before its default: "the format (csv or tsv) [csv]".
std::string explained(const Argument& argument) {
  if (argument.choices.empty()) return argument.help;
  const std::size_t fallback = argument.help.ends_with(']') ? argument.help.rfind(" [") : std::string::npos;
  return fmt::format("{} ({}){}", argument.help.substr(0, fallback), one_of(argument.choices),
                     fallback == std::string::npos ? "" : argument.help.substr(fallback));
}

std::string examples_text(const std::vector<Example>& examples) {
  std::string text;
  for (const Example& example : examples) text += fmt::format("  {}\n      {}\n", example.command, example.what);
  return text;
}

}  // namespace

const std::vector<ExitCode>& exit_codes() {
  static const std::vector<ExitCode> codes{{0, "done"},
                                           {1, "defect: of fewdim itself"},
                                           {2, "usage: an option or its value is wrong"},
                                           {3, "bad data"},
                                           {4, "files: one can't be read or written"},
                                           {5, "not converged, or a certificate that does not hold"},
                                           {6, "memory: the work is over the limit"},
                                           {130, "interrupted"}};
  return codes;
}

std::string usage_of(const Verb& verb, const std::vector<Argument>& arguments) {
  std::string text = "fewdim " + verb.name;
  for (const Argument& argument : arguments)
    if (argument.flags.empty() || argument.option->get_positional()) {
      const bool several = argument.flags.empty() && argument.option->get_items_expected_max() > 1;
      const std::string word = argument.option->get_name(true) + (several ? "..." : "");
      text += argument.option->get_required() ? " " + word : fmt::format(" [{}]", word);
    }
  return text + " [options]";
}

std::string help_of(const Verb& verb) {
  const DeclaredVerb declared = declare(verb);
  const std::vector<Argument> arguments = arguments_of(*declared.app);
  const std::size_t width = terminal_width();
  std::string text = fmt::format("fewdim {}: {}\n\nusage: {}\n\n{}", verb.name, verb.title, usage_of(verb, arguments),
                                 examples_text(verb.examples));
  if (!verb.text.empty()) text += "\n" + wrap(verb.text, 0, width) + "\n";
  std::string group = "-";
  for (const Argument& argument : arguments) {
    const std::string heading = argument.flags.empty() ? "" : argument.group;
    if (heading != group) text += heading.empty() ? "\n" : fmt::format("\n{}\n", heading);
    group = heading;
    text += entry(name_of(argument), explained(argument));
  }
  return text + entry("-h, --help", "this text");
}

namespace {

constexpr const char* kMethods = "Methods";

/// By name alone, in lines: they are many, and the first screen is one.
std::string method_names() {
  constexpr std::size_t width = 80;
  std::string text, line;
  for (const Verb& verb : verbs()) {
    if (verb.group != kMethods) continue;
    if (line.size() + 2 + verb.name.size() > width) {
      text += line + "\n";
      line.clear();
    }
    line += "  " + verb.name;
  }
  return text + line + "\n";
}

}  // namespace

std::string overview() {
  std::string text = fmt::format(
      "fewdim {}: many dimensions in, few out\n\n"
      "usage: fewdim VERB [arguments]          fewdim VERB --help tells more\n\n"
      "  fewdim pca cells.csv -k 50 -m cells.fewdim -o scores.csv\n"
      "  fewdim transform cells.fewdim new.csv > new-scores.csv\n"
      "  fewdim pca @digits -k 2 --plot digits.svg\n",
      FEWDIM_VERSION);
  std::string group;
  std::size_t widest = 0;
  for (const Verb& verb : verbs())
    if (verb.group != kMethods) widest = std::max(widest, verb.name.size());
  text += fmt::format("\nMethods (`fewdim methods` says what each does)\n{}", method_names());
  for (const Verb& verb : verbs()) {
    if (verb.group == kMethods) continue;
    if (verb.group != group) text += fmt::format("\n{}\n", group = verb.group);
    text += fmt::format("  {:<{}}  {}\n", verb.name, widest, verb.title);
  }
  text +=
      "\nData come as files that `fewdim formats` lists, plain or as .gz or .zst; - is a pipe.\n"
      "Results go to standard output, words to standard error.\n";
  std::vector<std::string> codes;
  for (const auto& [code, meaning] : exit_codes())
    codes.push_back(
        fmt::format("{} {}", code, std::string_view(meaning).substr(0, std::string_view(meaning).find_first_of(":,"))));
  text += wrap(fmt::format("Exit: {}.", fmt::join(codes, ", ")), 0, 100);
  return text + "\n";
}

}  // namespace fewdim::cli
