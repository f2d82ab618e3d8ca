#include "documents.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

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

/// Which line was taken as what, and which columns: wrong guesses must be seen.
std::string table_text(const TableReading& table) {
  std::vector<std::string> text;
  for (const std::string& column : table.text) text.push_back(printable(column));
  return fmt::format(
      "{}: {}; {}, text from {} {}{}", printable(table.file),
      table.header ? "its first line is a header" : "no header, its first line is a document",
      table.id.empty() ? "documents are numbered" : fmt::format("ids from column {}", printable(table.id)),
      text.size() == 1 ? "column" : "columns", fmt::join(text, ", "),
      table.header_given ? ""
      : table.header     ? " (--no-header if it is a document)"
                         : " (--header if it holds names)");
}

}  // namespace

const char* const document_format_names = "auto|folder|lines|jsonl|csv|tsv|records|smart|trec";

void DocumentReading::declare(CLI::App& app, bool format) {
  const char* heading = format ? group : "Reading";  // beside tables it is one more way to read
  if (format)
    add_text(app, "--format", format_, document_format_names,
             "how documents stand in a file; auto goes by its name and its beginning", heading);
  else
    app.get_option("--format")->type_name("csv|tsv|npy|npz|mtx|svmlight|wav|folder|lines|jsonl|records|smart|trec");
  add_list(app, "--text-field", text_fields_, "NAME",
           "columns (names, or numbers from 1), keys, fields or SMART letters that hold the text", heading);
  add_text(app, "--id-field", id_field_, "NAME", "the one that names a document; none: documents are numbered",
           heading);
  if (format)
    app.add_flag("--header{yes},--no-header{no}", header_,
                 "the first line of a table names its columns, or is a document [found by looking]")
        ->group(heading);
  add_text(app, "--strip", strip_, "none|html|markdown", "markup to take off before words are counted [none]", heading);
  add_text(app, "--encoding-errors", encoding_errors_, "error|replace",
           "bytes that are not UTF-8: refuse them, or put U+FFFD in their place [error]", heading);
  add_text(app, "--longest", longest_, "SIZE", "bytes that one document may have [64MiB]", heading);
}

std::string DocumentReading::first_given() const {
  for (const auto& [flag, given] : {std::pair{"--text-field", !text_fields_.empty()},
                                    {"--id-field", !id_field_.empty()},
                                    {"--strip", !strip_.empty()},
                                    {"--encoding-errors", !encoding_errors_.empty()},
                                    {"--longest", !longest_.empty()}})
    if (given) return flag;
  return {};
}

DocumentOptions DocumentReading::options() const {
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
  if (!header_.empty()) o.header = header_ == "yes";
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

void DocumentsInput::declare(CLI::App& app, const std::string& flag) {
  if (flag.empty())
    app.add_option("DOCUMENTS", paths_, "a folder, files, or - for standard input")->required()->type_name("PATH");
  else
    add_list(app, flag, paths_, "FILE", "in any format of documents: an id and a text each", group)->required();
  reading_.declare(app);
}

InputSource DocumentsInput::source() const {
  return {.paths = paths_.empty() ? std::vector<std::string>{"-"} : paths_, .documents = reading_.options()};
}

std::unique_ptr<DocumentSource> DocumentsInput::open(Run& run) const {
  const InputSource from = source();
  return open_documents(from.paths, from.documents, run.execution());
}

Json DocumentReading::tables(const DocumentReport& report) {
  Json list = Json::array();
  for (const TableReading& table : report.tables)
    list.push_back({{"file", table.file}, {"header", table.header}, {"id", table.id}, {"text", table.text}});
  return list;
}

void DocumentReading::tell(const DocumentReport& report, Run& run) {
  constexpr std::size_t most = 3;
  for (std::size_t i = 0; i < std::min(report.tables.size(), most); ++i) run.say(table_text(report.tables[i]));
  if (report.tables.size() > most)
    run.say(fmt::format("and so on, {} tables in all", show_count(std::ssize(report.tables))));
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
