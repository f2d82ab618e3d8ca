#include <fmt/format.h>

#include <algorithm>

#include "fewdim/generate.hpp"
#include "input.hpp"
#include "targets.hpp"
#include "text.hpp"
#include "verb.hpp"

namespace fewdim::cli {

namespace {

std::string names_of(const std::vector<GeneratorCard>& cards) {
  std::string text;
  for (const GeneratorCard& card : cards) text += fmt::format("{}{}", text.empty() ? "" : "|", card.name);
  return text;
}

class Generate {
 public:
  explicit Generate(CLI::App& app) : run_("generate") {
    app.add_option("NAME", name_, "which table")
        ->required()
        ->type_name(names_of(generators()) + "|" + names_of(builtin_tables()));
    const GenerateOptions defaults;
    const auto add = [&](const char* flags, std::string& target, const char* value, const char* help, auto fallback) {
      add_text(app, flags, target, value, fmt::format("{} [{}]", help, fallback), "Table");
    };
    add("-n,--rows", rows_, "N", "rows", defaults.rows);
    add("--cols", cols_, "N", "columns, where the shape leaves them open", defaults.cols);
    add("--noise", noise_, "X", "standard deviation of the noise", defaults.noise);
    add("--rank", rank_, "N", "of low-rank-plus-noise", defaults.rank);
    add("--clusters", clusters_, "N", "of blobs and circles", defaults.clusters);
    add_text(app, "-o,--output", output_, "FILE", "where to; - is standard output, as CSV [-]", "Output");
    add_text(app, "--to", to_, written_format_names(), "format, where the name does not tell", "Output");
    own_.declare(app, "Output");
    run_.declare(app);
  }

  int operator()() {
    if (run_.json() && output_.empty())
      throw usage_error("--json wants standard output; give the table a file with -o");
    const std::string output = output_.empty() ? "-" : output_;
    Targets targets(run_);
    if (!to_.empty()) parse_target_format(to_);
    targets.add("--output", output, Targets::Kind::table, to_);
    targets.check();
    targets.set_own(own_.map());
    const Dataset data = run_.timed("generate", [&] { return make(); });
    targets.write(data, output, to_);
    if (run_.json())
      run_.print_document(
          {{"name", name_}, {"rows", data.rows()}, {"cols", data.cols()}, {"outputs", targets.document()}});
    return 0;
  }

 private:
  Dataset make() const {
    const auto& fixed = builtin_tables();
    if (std::ranges::find(fixed, name_, &GeneratorCard::name) != fixed.end()) {
      if (!(rows_ + cols_ + noise_ + rank_ + clusters_).empty())
        throw usage_error(
            fmt::format("{} is a table as it is: it has no rows, cols, noise, rank or clusters to set", name_));
      return builtin_table(name_);
    }
    const auto& made = generators();
    if (std::ranges::find(made, name_, &GeneratorCard::name) == made.end()) refuse_name();
    GenerateOptions options;
    if (!rows_.empty()) options.rows = parse_whole(rows_, "--rows", 1);
    if (!cols_.empty()) options.cols = parse_whole(cols_, "--cols", 1);
    if (!noise_.empty()) options.noise = parse_real(noise_, "--noise");
    if (!rank_.empty()) options.rank = parse_whole(rank_, "--rank", 1);
    if (!clusters_.empty()) options.clusters = parse_whole(clusters_, "--clusters", 1);
    if (!run_.seed().empty()) options.seed = parse_seed(run_.seed());
    return generate(name_, options);
  }

  [[noreturn]] void refuse_name() const {
    std::vector<std::string> names = split_at(names_of(generators()) + "|" + names_of(builtin_tables()), '|');
    const std::string near = nearest(name_, names);
    throw usage_error(fmt::format(
        "generate: there is no table '{}'; {}", name_,
        near.empty() ? fmt::format("there are {}", fmt::join(names, ", ")) : fmt::format("did you mean {}?", near)));
  }

  Run run_;
  FormatOptions own_{&FormatCard::write_fields};
  std::string name_, rows_, cols_, noise_, rank_, clusters_, output_, to_;
};

class Convert {
 public:
  explicit Convert(CLI::App& app) : run_("convert") {
    input_.declare(app, {.stream = true});
    app.add_option("OUTPUT,-o,--output", output_, "where to; the ending names the format; - is standard output")
        ->required()
        ->type_name("FILE")
        ->group("Output");
    add_text(app, "--to", to_, written_format_names(), "format, where the name does not tell", "Output");
    own_.declare(app, "Output");
    run_.declare(app);
  }

  int operator()() {
    Targets targets(run_);
    targets.add_input(input_.name());
    if (!to_.empty()) parse_target_format(to_);
    targets.add("--output", output_, Targets::Kind::table, to_);
    targets.check();
    targets.set_own(own_.map());
    const Dataset data = input_.load(run_, Streaming::if_needed);
    targets.write(data, output_, to_);
    if (run_.json())
      run_.print_document({{"input", data.source},
                           {"input_hash", data.input_hash()},
                           {"rows", data.rows()},
                           {"cols", data.cols()},
                           {"precision", data.precision() == Precision::float32 ? "float32" : "float64"},
                           {"sparse", data.is_sparse()},
                           {"outputs", targets.document()}});
    return 0;
  }

 private:
  Run run_;
  Input input_;
  FormatOptions own_{&FormatCard::write_fields};
  std::string output_, to_;
};

std::string cards_text() {
  std::string text = "Tables:";
  for (const auto* cards : {&generators(), &builtin_tables()})
    for (const GeneratorCard& card : *cards) text += fmt::format(" {} ({});", card.name, card.help);
  text.back() = '.';
  return text;
}

}  // namespace

Verb generate_verb() {
  return {"generate",
          "Data",
          "Make a synthetic table, or write a built-in one",
          cards_text(),
          {{"fewdim generate swiss-roll -n 2000 -o roll.csv", "points on a rolled-up sheet"},
           {"fewdim generate digits -o digits.csv", "1,797 handwritten digits, with their labels"}},
          [](CLI::App& app) -> Action {
            const auto verb = std::make_shared<Generate>(app);
            return [verb] { return (*verb)(); };
          }};
}

Verb convert_verb() {
  return {"convert",
          "Data",
          "Turn a table into another format",
          "",
          {{"fewdim convert cells.csv cells.npy --precision float32", "text to NumPy's format, half the size"},
           {"fewdim convert sources.wav loud.wav --wav-bits 16", "sound as players like it"},
           {"fewdim convert counts.mtx counts.csv.gz", "sparse to compressed text"}},
          [](CLI::App& app) -> Action {
            const auto verb = std::make_shared<Convert>(app);
            return [verb] { return (*verb)(); };
          }};
}

}  // namespace fewdim::cli
