#include "input.hpp"

#include <fmt/format.h>

#include <array>

#include "text.hpp"

namespace fewdim::cli {

namespace {

constexpr const char* reading_group = "Reading";

std::vector<std::string> flattened(const std::vector<std::string>& lists) {
  std::vector<std::string> all;
  for (const std::string& list : lists)
    for (std::string& part : split_list(list)) all.push_back(std::move(part));
  return all;
}

char parse_delimiter(const std::string& text) {
  if (text == "tab" || text == "\\t") return '\t';
  if (text == "space") return ' ';
  if (text.size() != 1) throw usage_error(fmt::format("--delimiter '{}' must be one character, or tab or space", text));
  return text[0];
}

}  // namespace

const char* const format_names = "csv|tsv|npy|npz|mtx|svmlight|wav";

Format parse_format(const std::string& name, const std::string& flag) {
  static constexpr std::array formats{Format::csv,           Format::tsv,      Format::npy, Format::npz,
                                      Format::matrix_market, Format::svmlight, Format::wav};
  const std::vector<std::string> names = split_at(format_names, '|');
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return formats.at(i);
  throw usage_error(fmt::format("{} '{}' must be one of {}", flag, name, format_names));
}

void Input::declare(CLI::App& app, const Declared& what) {
  CLI::Option* words = what.parts ? app.add_option(what.name, paths_,
                                                   what.help + "; several files are parts of one table, row after row")
                                  : app.add_option_function<std::string>(
                                        what.name, [this](const std::string& path) { paths_ = {path}; }, what.help);
  words->required(!what.optional)->type_name("FILE");
  add_text(app, "--format", format_, format_names, "what the input is, where its name does not tell", reading_group);
  add_text(app, "--delimiter", delimiter_, "CHAR", "between the cells of text, or tab or space [found by looking]",
           reading_group);
  app.add_flag("--header{yes},--no-header{no}", header_,
               "the first line of text holds names, or not [found by looking]")
      ->group(reading_group);
  add_text(app, "--id", id_, "COLUMN", "the column with the rows' names; none: there is none [found by looking]",
           reading_group);
  add_text(app, "--label", label_, "COLUMN",
           "a column with a class per row: colors plots, takes no part in a fit; none: there is none [one named label "
           "or label:NAME]",
           reading_group);
  add_list(app, "--drop", drop_, "COLUMNS", "columns to leave out: names or numbers from 1 on, with commas",
           reading_group);
  if (what.columns)
    add_list(app, "--columns", columns_, "COLUMNS", "columns to take, in this order: names or numbers, with commas",
             reading_group);
  add_list(app, "--na", na_, "WORDS",
           "more words that stand for a missing value, with commas, besides NA, NaN, null, ? and an empty cell",
           reading_group);
  add_text(app, "--array", array_, "NAME", "which array of an .npz file [the only one]", reading_group);
  add_text(app, "--precision", precision_, "float32|float64", "of the numbers [as in the file; text is float64]",
           reading_group);
  add_switch(app, "--sparse", sparse_, "store zeros of dense input as nothing", reading_group);
  if (what.stream)
    add_switch(app, "--stream", stream_, "take rows as they come instead of loading all [when the limit asks for it]",
               reading_group);
}

ReadOptions Input::options() const {
  ReadOptions options;
  if (!format_.empty()) options.format = parse_format(format_, "--format");
  if (!delimiter_.empty()) options.delimiter = parse_delimiter(delimiter_);
  if (!header_.empty()) options.header = header_ == "yes";
  options.id = id_;
  options.label = label_;
  options.drop = flattened(drop_);
  options.columns = flattened(columns_);
  for (std::string& word : flattened(na_)) options.na_words.push_back(std::move(word));
  options.array = array_;
  if (precision_ == "float32")
    options.precision = Precision::float32;
  else if (precision_ == "float64")
    options.precision = Precision::float64;
  else if (!precision_.empty())
    throw usage_error(fmt::format("--precision '{}' must be float32 or float64", precision_));
  options.sparse = sparse_;
  options.stream = stream_;
  return options;
}

void Input::require_builtin_options() const {
  const std::string& name = paths_.front();
  if (stream_ || sparse_ || !format_.empty() || !delimiter_.empty() || !header_.empty() || !id_.empty() ||
      !label_.empty() || !drop_.empty() || !columns_.empty() || !na_.empty() || !array_.empty())
    throw usage_error(
        fmt::format("{} is a built-in table: of the reading options it takes --precision only; write it to "
                    "a file with `fewdim generate {} -o FILE` first",
                    name, name.substr(1)));
}

InputSource Input::source(const ReadOptions& options) const {
  if (!is_builtin() || paths_.size() > 1) return {.paths = paths_, .reading = options};
  require_builtin_options();
  return {.paths = paths_, .reading = {.precision = options.precision}};
}

std::string Input::first_given() const {
  const std::pair<const char*, bool> given[] = {{"--delimiter", !delimiter_.empty()},
                                                {"--id", !id_.empty()},
                                                {"--label", !label_.empty()},
                                                {"--drop", !drop_.empty()},
                                                {"--columns", !columns_.empty()},
                                                {"--na", !na_.empty()},
                                                {"--array", !array_.empty()},
                                                {"--precision", !precision_.empty()},
                                                {"--sparse", sparse_},
                                                {"--stream", stream_}};
  for (const auto& [flag, used] : given)
    if (used) return flag;
  return {};
}

void Input::require_documents() const {
  if (const std::string flag = first_given(); !flag.empty())
    throw usage_error(fmt::format("{} is for tables of numbers, and the model takes documents; leave it out", flag));
  if (is_builtin())
    throw usage_error(fmt::format("{} is a table of numbers; give a file or folder of documents", paths_.front()));
}

void Input::require_lines() const {
  const std::string flag = !format_.empty() ? "--format" : !header_.empty() ? "--header" : first_given();
  if (!flag.empty())
    throw usage_error(fmt::format("{} is for tables, and here every line is one string; leave it out", flag));
}

Dataset Input::load(Run& run, Streaming streaming, const ReadOptions& options) const {
  return load_table(source(options), streaming, run.context());
}

Dataset Input::load_columns(Run& run, Streaming streaming, ReadOptions options, const std::vector<std::string>& names,
                            Unknown unknown) const {
  options.features_optional = unknown == Unknown::taken;
  return fewdim::load_columns(source(options), names, streaming, run.context());
}

Dataset Input::load_lines(Run& run) const {
  require_lines();
  return fewdim::load_lines(source(), run.context());
}

std::string show_shape(const Dataset& data) {
  std::string text =
      data.rows() < 0 ? fmt::format("? x {}", data.cols()) : fmt::format("{} x {}", data.rows(), data.cols());
  if (data.is_text()) return fmt::format("{} strings", show_count(data.rows()));
  if (data.precision() == Precision::float32) text += ", float32";
  if (data.is_stream()) text += ", streamed";
  std::int64_t nonzeros = -1;
  if (const auto* view = data.sparse<double>()) nonzeros = view->nonzeros();
  if (const auto* view = data.sparse<float>()) nonzeros = view->nonzeros();
  if (nonzeros >= 0) text += fmt::format(", sparse, {} entries", show_count(nonzeros));
  return text;
}

}  // namespace fewdim::cli
