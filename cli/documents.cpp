#include "documents.hpp"

#include <fmt/format.h>

#include "text.hpp"

namespace fewdim::cli {

namespace {

constexpr const char* group = "Documents";

template <class Choice>
Choice choose(const std::string& text, const char* flag, const std::vector<std::pair<const char*, Choice>>& choices) {
  std::vector<std::string> names;
  for (const auto& [name, value] : choices) {
    if (text == name) return value;
    names.emplace_back(name);
  }
  throw usage_error(fmt::format("{} '{}' must be {}", flag, text, one_of(names)));
}

}  // namespace

void DocumentsInput::declare(CLI::App& app, const std::string& flag) {
  if (flag.empty())
    app.add_option("DOCUMENTS", paths_, "a folder, files, or - for standard input")->required()->type_name("PATH");
  else
    add_list(app, flag, paths_, "FILE", "in any format of documents: an id and a text each", group)->required();
  add_text(app, "--format", format_, "auto|folder|lines|jsonl|csv|tsv|records|smart|trec",
           "how documents stand in a file; auto goes by its name and its beginning", group);
  add_list(app, "--text-field", text_fields_, "NAME", "columns, keys, fields or SMART letters that hold the text",
           group);
  add_text(app, "--id-field", id_field_, "NAME", "the one that names a document", group);
  add_text(app, "--strip", strip_, "none|html|markdown", "markup to take off before words are counted [none]", group);
  add_text(app, "--encoding-errors", encoding_errors_, "error|replace",
           "bytes that are not UTF-8: refuse them, or put U+FFFD in their place [error]", group);
  add_text(app, "--longest", longest_, "SIZE", "bytes that one document may have [64MiB]", group);
}

DocumentOptions DocumentsInput::options() const {
  DocumentOptions o;
  if (!format_.empty())
    o.format = choose<DocumentFormat>(format_, "--format",
                                      {{"auto", DocumentFormat::automatic},
                                       {"folder", DocumentFormat::folder},
                                       {"lines", DocumentFormat::lines},
                                       {"jsonl", DocumentFormat::jsonl},
                                       {"csv", DocumentFormat::csv},
                                       {"tsv", DocumentFormat::tsv},
                                       {"records", DocumentFormat::records},
                                       {"smart", DocumentFormat::smart},
                                       {"trec", DocumentFormat::trec}});
  for (const std::string& list : text_fields_)
    for (std::string& name : split_list(list)) o.text_fields.push_back(std::move(name));
  o.id_field = id_field_;
  if (!strip_.empty())
    o.markup = choose<Markup>(strip_, "--strip",
                              {{"none", Markup::none}, {"html", Markup::html}, {"markdown", Markup::markdown}});
  if (!encoding_errors_.empty())
    o.encoding_errors =
        choose<EncodingErrors>(encoding_errors_, "--encoding-errors",
                               {{"error", EncodingErrors::error}, {"replace", EncodingErrors::replace}});
  if (!longest_.empty()) o.longest = parse_bytes(longest_, "--longest");
  return o;
}

std::unique_ptr<DocumentSource> DocumentsInput::open(Run& run) const {
  return open_documents(paths_.empty() ? std::vector<std::string>{"-"} : paths_, options(), run.execution());
}

void DocumentsInput::tell(const DocumentReport& report, Run& run) {
  const auto counted = [](Index number, const char* what) {
    return fmt::format("{} {}{}", show_count(number), what, number == 1 ? "" : "s");
  };
  if (report.binary_files > 0) run.warn(fmt::format("{} skipped: not text", counted(report.binary_files, "file")));
  if (report.unreadable > 0)
    run.warn(fmt::format("{} skipped: can't be read; the first is {}", counted(report.unreadable, "file"),
                         printable(report.first_unreadable)));
  if (report.replaced_bytes > 0)
    run.warn(fmt::format("{} not UTF-8, replaced by U+FFFD", counted(report.replaced_bytes, "byte")));
  if (report.empty > 0) run.warn(fmt::format("{} without text, kept", counted(report.empty, "document")));
}

}  // namespace fewdim::cli
