#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "common.hpp"
#include "fewdim/formats.hpp"
#include "fewdim/version.hpp"
#include "help.hpp"
#include "verb.hpp"

/// The manual page, in troff with the man macros. All it knows comes from the verbs' declared options.
namespace fewdim::cli {

namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  if (!out.empty() && (out.front() == '.' || out.front() == '\'')) out.insert(0, "\\&");
  return out;
}

std::string tagged(const Argument& argument) {
  std::vector<std::string> names;
  for (const std::string& flag : argument.flags) names.push_back(fmt::format("\\fB{}\\fR", escaped(flag)));
  if (names.empty()) names.push_back(fmt::format("\\fI{}\\fR", argument.option->get_name(true)));
  std::string line = fmt::format("{}", fmt::join(names, ", "));
  if (!argument.flags.empty() && !argument.value.empty()) line += fmt::format(" \\fI{}\\fR", escaped(argument.value));
  if (argument.flags.empty() && !argument.choices.empty())
    line += fmt::format(" ({})", escaped(fmt::format("{}", fmt::join(argument.choices, ", "))));
  return fmt::format(".TP\n{}\n{}\n", line, escaped(argument.help));
}

std::string example_text(const std::vector<Example>& examples) {
  std::string text;
  for (const Example& example : examples) text += fmt::format(".PP\n.nf\n    {}\n.fi\n", escaped(example.command));
  return text;
}

bool is_shared(const Argument& argument) {
  return !argument.flags.empty() && (argument.group == "Reading" || argument.group == "Common");
}

std::string page() {
  std::string verbs_text;
  std::string reading, common;
  std::set<std::string> seen;
  for (const Verb& verb : verbs()) {
    const DeclaredVerb declared = declare(verb);
    const std::vector<Argument> arguments = arguments_of(*declared.app);
    verbs_text += fmt::format(".SS {}\n{}.\n{}", escaped(usage_of(verb, arguments)), escaped(verb.title),
                              example_text(verb.examples));
    if (!verb.text.empty()) verbs_text += fmt::format(".PP\n{}\n", escaped(verb.text));
    bool reads = false;
    for (const Argument& argument : arguments) {
      if (!is_shared(argument)) {
        verbs_text += tagged(argument);
        continue;
      }
      reads = reads || argument.group == "Reading";
      if (!seen.insert(argument.flags.back()).second) continue;
      (argument.group == "Reading" ? reading : common) += tagged(argument);
    }
    if (reads) verbs_text += ".PP\nIt takes the READING options as well.\n";
  }
  std::string codes;
  for (const auto& [code, meaning] : exit_codes()) codes += fmt::format(".TP\n{}\n{}\n", code, escaped(meaning));
  return fmt::format(R"(.\" made by `fewdim man`
.TH FEWDIM 1 "" "fewdim {}" "User Commands"
.SH NAME
fewdim \- many dimensions in, few out
.SH SYNOPSIS
.B fewdim
.I VERB
[\fIarguments\fR]
.SH DESCRIPTION
fewdim reduces tables of numbers to the few directions that carry them. Rows are objects, columns are features.
Results go to standard output, words to standard error; \- is a pipe. A file appears whole or not at all, and none that
exists is replaced without \fB\-\-force\fR. Same input, options and seed give the same bits at any number of threads.
.PP
Data come as {}, plain or as .gz or .zst, found by name and content.
.SH VERBS
{}.SH READING
How a table is read.
{}.SH COMMON OPTIONS
Every verb that works on data or models takes them.
{}.SH EXIT STATUS
{}.SH ENVIRONMENT
.TP
SOURCE_DATE_EPOCH
the date written into models, in seconds since 1970, for files that are the same every time
.TP
COLUMNS
the width of help and tables
)",
                     FEWDIM_VERSION, read_titles(), verbs_text, reading, common, codes);
}

}  // namespace

Verb man_verb() {
  return {"man", "Help", "Print the manual page", "", {{"fewdim man | man -l -", "read it"}}, [](CLI::App&) -> Action {
            return [] {
              print(page());
              return 0;
            };
          }};
}

}  // namespace fewdim::cli
