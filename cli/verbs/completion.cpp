#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "common.hpp"
#include "fewdim/generate.hpp"
#include "text.hpp"
#include "verb.hpp"

/// Completion scripts for shells. All they know comes from the verbs' declared options.
namespace fewdim::cli {

namespace {

struct Known {
  const Verb* verb;
  std::vector<Argument> arguments;
};

std::vector<Known> all_known(std::vector<DeclaredVerb>& keep) {
  std::vector<Known> all;
  for (const Verb& verb : verbs()) {
    keep.push_back(declare(verb));
    all.push_back({&verb, arguments_of(*keep.back().app)});
  }
  return all;
}

bool takes_file(const Argument& argument) { return argument.value == "FILE"; }

std::vector<std::string> table_names() {
  std::vector<std::string> names;
  for (const GeneratorCard& card : builtin_tables()) names.push_back("@" + card.name);
  return names;
}

/// A single-quoted word of any shell; `escapes` get a backslash.
std::string shell_word(const std::string& text, const char* escapes = "") {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else if (std::string_view(escapes).find(c) != std::string_view::npos)
      out += {'\\', c};
    else
      out += c;
  }
  return out + "'";
}

/// The help without its default, in one short line.
std::string short_help(const std::string& help) {
  const std::string text = help.substr(0, help.rfind(" ["));
  return text.substr(0, text.find("; "));
}

std::string bash_script(const std::vector<Known>& all) {
  std::vector<std::string> names{"help", "--help", "--version"};
  std::string values, flags, words;
  for (const auto& [verb, arguments] : all) {
    names.push_back(verb->name);
    std::vector<std::string> own{"--help"};
    for (const Argument& argument : arguments) {
      own.insert(own.end(), argument.flags.begin(), argument.flags.end());
      if (argument.choices.empty()) continue;
      const std::string choices = shell_word(fmt::format("{}", fmt::join(argument.choices, " ")));
      if (argument.flags.empty())
        words += fmt::format("    {}) words={} ;;\n", verb->name, choices);
      else
        for (const std::string& flag : argument.flags)
          values += fmt::format("    '{} {}') words={} ;;\n", verb->name, flag, choices);
    }
    flags += fmt::format("    {}) words='{}' ;;\n", verb->name, fmt::join(own, " "));
  }
  return fmt::format(R"(# bash completion of fewdim; made by `fewdim completion bash`
_fewdim() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} verb=${{COMP_WORDS[1]}} words=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W '{}' -- "$current")
    return
  fi
  case "$verb $previous" in
{}    *)
      if [[ $current == -* ]]; then
        case $verb in
{}        esac
      elif [[ $current == @* ]]; then
        words='{}'
      elif ((COMP_CWORD == 2)); then
        case $verb in
{}        esac
      fi
      ;;
  esac
  if [[ -n $words ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  fi
}}
complete -o default -F _fewdim fewdim
)",
                     fmt::join(names, " "), values, flags, fmt::join(table_names(), " "), words);
}

/// Colons and brackets mean something in zsh's specifications.
std::string zsh_escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == ':' || c == '[' || c == ']') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_spec(const Argument& argument) {
  std::string action;
  if (!argument.choices.empty())
    action = fmt::format(":value:({})", fmt::join(argument.choices, " "));
  else if (!argument.value.empty())
    action = fmt::format(":{}:{}", argument.value, takes_file(argument) ? "_files" : "");
  if (argument.flags.empty())
    return argument.choices.empty() ? "" : fmt::format(" \\\n        {}", shell_word("1" + action));
  std::string specs;
  for (const std::string& flag : argument.flags)
    specs += fmt::format(" \\\n        {}", shell_word(fmt::format("({}){}[{}]{}", fmt::join(argument.flags, " "), flag,
                                                                   zsh_escaped(short_help(argument.help)), action)));
  return specs;
}

std::string zsh_script(const std::vector<Known>& all) {
  std::string names, cases;
  for (const auto& [verb, arguments] : all) {
    names += fmt::format("      {}\n", shell_word(fmt::format("{}:{}", verb->name, zsh_escaped(verb->title))));
    cases += fmt::format("    {})\n      _arguments", verb->name);
    for (const Argument& argument : arguments) cases += zsh_spec(argument);
    cases += " \\\n        '--help[this text]' \\\n        '*:file:_files'\n      ;;\n";
  }
  return fmt::format(R"(#compdef fewdim
# zsh completion of fewdim; made by `fewdim completion zsh`
_fewdim() {{
  local -a verbs
  if ((CURRENT == 2)); then
    verbs=(
{}    )
    _describe verb verbs
    return
  fi
  local verb=$words[2]
  shift words
  ((CURRENT--))
  case $verb in
{}  esac
}}
_fewdim "$@"
)",
                     names, cases);
}

std::string fish_script(const std::vector<Known>& all) {
  std::string text = "# fish completion of fewdim; made by `fewdim completion fish`\n";
  for (const auto& [verb, arguments] : all)
    text += fmt::format("complete -c fewdim -n __fish_use_subcommand -f -a {} -d {}\n", verb->name,
                        shell_word(verb->title, "\\"));
  for (const auto& [verb, arguments] : all)
    for (const Argument& argument : arguments) {
      std::string line = fmt::format("complete -c fewdim -n '__fish_seen_subcommand_from {}'", verb->name);
      for (const std::string& flag : argument.flags)
        line += flag.starts_with("--") ? fmt::format(" -l {}", flag.substr(2)) : fmt::format(" -s {}", flag.substr(1));
      if (argument.flags.empty() && argument.choices.empty()) continue;
      if (!argument.choices.empty())
        line += fmt::format(" {} -a {}", argument.flags.empty() ? "-f" : "-x",
                            shell_word(fmt::format("{}", fmt::join(argument.choices, " "))));
      else if (!argument.value.empty())
        line += takes_file(argument) ? " -r -F" : " -x";
      text += line + fmt::format(" -d {}\n", shell_word(short_help(argument.help), "\\"));
    }
  return text;
}

class Completion {
 public:
  explicit Completion(CLI::App& app) {
    app.add_option("SHELL", shell_, "which shell's")->required()->type_name("bash|zsh|fish");
  }

  int operator()() const {
    if (shell_ != "bash" && shell_ != "zsh" && shell_ != "fish")
      throw usage_error(fmt::format("completion: there is none for '{}'; there is bash, zsh and fish", shell_));
    std::vector<DeclaredVerb> keep;
    const std::vector<Known> all = all_known(keep);
    print(shell_ == "bash" ? bash_script(all) : shell_ == "zsh" ? zsh_script(all) : fish_script(all));
    return 0;
  }

 private:
  std::string shell_;
};

}  // namespace

Verb completion_verb() {
  return {"completion",
          "Help",
          "Print a shell's completion script",
          "",
          {{"source <(fewdim completion bash)", "for this session"},
           {"fewdim completion fish > ~/.config/fish/completions/fewdim.fish", "for good"}},
          [](CLI::App& app) -> Action {
            const auto verb = std::make_shared<Completion>(app);
            return [verb] { return (*verb)(); };
          }};
}

}  // namespace fewdim::cli
