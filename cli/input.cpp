#include "input.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "fewdim/generate.hpp"
#include "parts.hpp"
#include "text.hpp"

namespace fewdim::cli {

namespace {

constexpr const char* reading_group = "Reading";

std::uint64_t file_size(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return 0;
  return static_cast<std::uint64_t>(status.st_size);
}

std::uint64_t physical_memory() {
  return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGE_SIZE));
}

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

void Input::declare(CLI::App& app, const Declared& what) {
  CLI::Option* words = what.parts ? app.add_option(what.name, paths_,
                                                   what.help + "; several files are parts of one table, row after row")
                                  : app.add_option_function<std::string>(
                                        what.name, [this](const std::string& path) { paths_ = {path}; }, what.help);
  words->required(!what.optional)->type_name("FILE");
  add_text(app, "--format", format_, read_format_names(), "what the input is, where its name does not tell",
           reading_group);
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
  own_.declare(app, reading_group);
  add_text(app, "--precision", precision_, "float32|float64", "of the numbers [as in the file; text is float64]",
           reading_group);
  add_switch(app, "--sparse", sparse_, "store zeros of dense input as nothing", reading_group);
  if (what.stream)
    add_switch(app, "--stream", stream_, "take rows as they come instead of loading all [when the limit asks for it]",
               reading_group);
}

ReadOptions Input::options() const {
  ReadOptions options;
  if (!format_.empty()) options.format = parse_format(format_);
  if (!delimiter_.empty()) options.delimiter = parse_delimiter(delimiter_);
  if (!header_.empty()) options.header = header_ == "yes";
  options.id = id_;
  options.label = label_;
  options.drop = flattened(drop_);
  options.columns = flattened(columns_);
  for (std::string& word : flattened(na_)) options.na_words.push_back(std::move(word));
  options.own = own_.map();
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

Dataset Input::builtin() const {
  const ReadOptions given = options();
  const std::string& name = paths_.front();
  if (stream_ || sparse_ || !format_.empty() || !delimiter_.empty() || !header_.empty() || !id_.empty() ||
      !label_.empty() || !drop_.empty() || !columns_.empty() || !na_.empty() || own_.given())
    throw usage_error(
        fmt::format("{} is a built-in table: of the reading options it takes --precision only; write it to "
                    "a file with `fewdim generate {} -o FILE` first",
                    name, name.substr(1)));
  Dataset data = builtin_table(name.substr(1));
  if (given.precision == Precision::float32) {
    Dataset single(RowMatrix<float>(data.matrix<float>()));
    single.row_names = data.row_names;
    single.row_names_header = data.row_names_header;
    single.column_names = data.column_names;
    single.labels = data.labels;
    single.label_name = data.label_name;
    data = std::move(single);
  }
  data.source = name;
  return data;
}

bool Input::wants_stream(const Run& run) const {
  if (stream_) return true;
  const std::uint64_t limit = run.memory_limit() > 0 ? run.memory_limit() : physical_memory();
  std::uint64_t bytes = 0;
  for (const std::string& path : paths_) bytes += file_size(path);
  const std::uint64_t room =
      paths_.size() > 1 ? limit / 4 : limit / 2;  // the work needs room as well, and joining parts
  return !is_builtin() && !sparse_ && bytes > room;
}

std::string Input::name() const {
  return paths_.size() == 1 ? paths_.front() : fmt::format("{} and {} more", paths_.front(), paths_.size() - 1);
}

bool Input::is_pipe() const { return std::ranges::find(paths_, "-") != paths_.end(); }

Dataset read_and_tell(const std::string& path, const ReadOptions& options, Run& run, const Execution& exec) {
  std::vector<ReadDecision> decisions;
  Dataset data = read(path, options, exec, &decisions);
  for (const ReadDecision& decision : decisions)
    run.note_reading(fmt::format("{}: {}", path == "-" ? "standard input" : path, decision.text));
  return data;
}

Dataset Input::read_parts(const ReadOptions& options, Run& run, const Execution& exec) const {
  return read_parts([&](const std::string& path) { return read_and_tell(path, options, run, exec); });
}

Dataset Input::load_columns(Run& run, Streaming streaming, ReadOptions options, const std::vector<std::string>& names,
                            Unknown unknown) const {
  options.features = names;
  options.features_optional = unknown == Unknown::taken;
  Dataset data = load(run, streaming, options);
  if (names.empty() || data.column_names.empty() || data.column_names == names) return data;
  const auto there = [&](const std::string& name) {
    return std::ranges::find(data.column_names, name) != data.column_names.end();
  };
  if (options.features_optional && !std::ranges::all_of(names, there)) return data;
  std::vector<std::string> unused;  // of a table that is no text
  for (const std::string& name : data.column_names)
    if (std::ranges::find(names, name) == names.end()) unused.push_back(name);
  Dataset own = columns_by_name(data, names, run.execution());
  if (!unused.empty())
    run.note_reading(fmt::format("{}: {} that the model does not use {} left out: {}", data.source,
                                 unused.size() > 1 ? fmt::format("{} columns", unused.size()) : "1 column",
                                 unused.size() > 1 ? "were" : "was", fmt::join(unused, ", ")));
  return own;
}

std::string Input::first_given() const {
  const std::string own = own_.first_given();
  const std::pair<std::string, bool> given[] = {{"--delimiter", !delimiter_.empty()},
                                                {"--id", !id_.empty()},
                                                {"--label", !label_.empty()},
                                                {"--drop", !drop_.empty()},
                                                {"--columns", !columns_.empty()},
                                                {"--na", !na_.empty()},
                                                {own, !own.empty()},
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

Dataset Input::load_lines(Run& run) const {
  const std::string flag = !format_.empty() ? "--format" : !header_.empty() ? "--header" : first_given();
  if (!flag.empty())
    throw usage_error(fmt::format("{} is for tables, and here every line is one string; leave it out", flag));
  if (is_builtin())
    throw usage_error(fmt::format("{} is a table of numbers; give a file with one string a line", paths_.front()));
  return run.timed(
      "read", [&] { return read_parts([&](const std::string& path) { return read_lines(path, run.execution()); }); });
}

Dataset Input::read_parts(const std::function<Dataset(const std::string& path)>& read_one) const {
  std::vector<Dataset> parts;
  for (const std::string& path : paths_) {
    if (path.starts_with('@'))
      throw usage_error(fmt::format("{} is a built-in table: it can't be a part of another", path));
    if (path == "-" && std::ranges::count(paths_, path) > 1)
      throw usage_error("standard input (-) can be read once; name it once");
    parts.push_back(read_one(path));
  }
  return join_rows(std::move(parts));
}

std::optional<Dataset> Input::open_stream(Run& run, ReadOptions options) const {
  options.stream = true;
  Execution exec = run.execution();
  exec.progress = {};  // whoever takes the rows reports
  try {
    return read_parts(options, run, exec);
  } catch (const Unsupported&) {
    if (stream_) throw;
    return std::nullopt;
  }
}

Dataset Input::load(Run& run, Streaming streaming, ReadOptions options) const {
  return run.timed("read", [&] {
    if (is_builtin() && paths_.size() == 1) return builtin();
    const bool may = streaming == Streaming::if_needed;
    options.stream = false;
    if (may && wants_stream(run))
      if (auto stream = open_stream(run, options)) return *stream;
    try {
      return read_parts(options, run, run.execution());
    } catch (const OverMemory& error) {
      if (may && is_pipe()) throw OverMemory(fmt::format("{}; or fit it in one pass with --stream", error.marked()));
      if (may && !sparse_)
        if (auto stream = open_stream(run, options)) return *stream;
      throw;
    }
  });
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
