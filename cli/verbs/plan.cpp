#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "documents.hpp"
#include "fewdim/method.hpp"
#include "input.hpp"
#include "method_options.hpp"
#include "text.hpp"
#include "verb.hpp"

namespace fewdim::cli {

namespace {

struct Measured {
  DataShape shape;
  bool estimated = false;  ///< the rows were not counted
};

DataShape shape_in_memory(const Dataset& data) {
  DataShape shape{.rows = data.rows(), .cols = data.cols(), .precision = data.precision()};
  if (const auto* view = data.sparse<double>()) shape.nonzeros = view->nonzeros();
  if (const auto* view = data.sparse<float>()) shape.nonzeros = view->nonzeros();
  return shape;
}

/// Rows of a large text, from the lines of its first megabyte; -1 for what can't be told.
Index estimated_rows(const std::string& path) {
  struct stat status {};
  if (path == "-" || path.ends_with(".gz") || path.ends_with(".zst") || ::stat(path.c_str(), &status) != 0) return -1;
  constexpr std::size_t sample = std::size_t{1} << 20;
  if (static_cast<std::size_t>(status.st_size) < 8 * sample) return -1;
  std::string head(sample, '\0');
  std::ifstream(path, std::ios::binary).read(head.data(), static_cast<std::streamsize>(sample));
  const auto lines = std::ranges::count(head, '\n');
  return lines == 0 ? -1
                    : static_cast<Index>(static_cast<double>(status.st_size) / static_cast<double>(sample) *
                                         static_cast<double>(lines));
}

Index estimated_rows(const std::vector<std::string>& parts) {
  Index sum = 0;
  for (const std::string& path : parts) {
    const Index rows = estimated_rows(path);
    if (rows < 0) return -1;
    sum += rows;
  }
  return sum;
}

Index counted_rows(RowStream& stream) {
  std::vector<double> rows(static_cast<std::size_t>(std::max<Index>(1, stream.cols()) * 1024));
  Index count = 0;
  while (const Index got = stream.read(rows.data(), 1024)) count += got;
  return count;
}

/// "rows cols entries" after the comments of a Matrix Market file.
std::optional<DataShape> matrix_market_shape(const std::string& path) {
  if (!path.ends_with(".mtx")) return std::nullopt;
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line) || line.find("coordinate") == std::string::npos) return std::nullopt;
  const std::int64_t stored = line.find("symmetric") != std::string::npos ? 2 : 1;  // only one triangle is in the file
  while (std::getline(file, line) && (line.empty() || line[0] == '%')) {
  }
  DataShape shape;
  std::istringstream numbers(line);
  if (!(numbers >> shape.rows >> shape.cols >> shape.nonzeros) || shape.rows < 0 || shape.cols < 0 ||
      shape.nonzeros < 0)
    return std::nullopt;
  shape.nonzeros *= stored;
  return shape;
}

class PlanVerb {
 public:
  explicit PlanVerb(CLI::App& app) : run_("plan"), options_(all_fields()) {
    std::vector<std::string> names;
    for (const MethodCard& card : methods()) names.push_back(card.name);
    app.add_option("METHOD", method_, "the method to plan for")
        ->required()
        ->type_name(names.size() > 1 ? fmt::format("{}", fmt::join(names, "|")) : "METHOD");
    input_.declare(app, {.stream = true, .parts = true});
    documents_.declare(app, false);
    options_.declare(app, whose);
    run_.declare(app, options_.flags());
  }

  int operator()() {
    const MethodCard& card = method(method_);
    const OptionMap options = options_.map();
    const Measured measured = run_.timed("read", [&] { return measure(card, options); });
    Execution exec = run_.execution();
    const DataShape& shape = measured.shape;
    const std::uint64_t input = shape.stream ? 0 : bytes_of(shape);
    if (exec.memory_limit > 0) {
      if (exec.memory_limit <= own_bytes + input)
        throw OverMemory(fmt::format(
            "plan: the program and the data take {}, the limit is {}; raise --memory-limit, or use --stream",
            show_bytes(own_bytes + input), show_bytes(exec.memory_limit)));
      exec.memory_limit -= own_bytes + input;
    }
    const Plan plan = card.plan(shape, options, exec);
    if (run_.json())
      print_json(measured, plan, input);
    else
      print_text(measured, plan, input);
    return 0;
  }

 private:
  /// Of all methods; the one that is named refuses what is not its own.
  static std::vector<OptionField> all_fields() {
    std::vector<OptionField> fields;
    for (const MethodCard& card : methods())
      for (const OptionField& field : card.fields)
        if (std::ranges::find(fields, field.name, &OptionField::name) == fields.end()) fields.push_back(field);
    return fields;
  }

  /// The heading of a field: methods that have it, where not all do.
  static std::string whose(const OptionField& field) {
    std::vector<std::string> names;
    for (const MethodCard& card : methods())
      if (std::ranges::find(card.fields, field.name, &OptionField::name) != card.fields.end())
        names.push_back(card.name);
    if (names.size() == methods().size()) return "Method";
    return names.size() > 3 ? "Several methods" : fmt::format("Method {} only", fmt::join(names, ", "));
  }

  static std::uint64_t bytes_of(const DataShape& shape) {
    const std::uint64_t scalar = shape.precision == Precision::float32 ? 4 : 8;
    if (shape.nonzeros >= 0)
      return static_cast<std::uint64_t>(shape.nonzeros) * (scalar + 4) + static_cast<std::uint64_t>(shape.rows + 1) * 8;
    return static_cast<std::uint64_t>(std::max<Index>(shape.rows, 0)) * static_cast<std::uint64_t>(shape.cols) * scalar;
  }

  Measured measure(const MethodCard& card, const OptionMap& wanted) {
    if (card.shape_of_documents) {  // its columns are terms, which are known once they are counted
      input_.require_documents();
      documents_.set_format(input_.format(), input_.header());
      const auto documents = open_documents(input_.paths(), documents_.options(), run_.execution());
      const DataShape shape =
          run_.timed("words", [&] { return card.shape_of_documents(*documents, wanted, run_.execution()); });
      DocumentReading::tell(documents->report(), run_);
      return {shape};
    }
    if (const std::string flag = documents_.first_given(); !flag.empty())
      throw usage_error(fmt::format("{} is for documents, and {} takes none; leave it out", flag, card.name));
    if (card.takes_text && card.takes_text(wanted)) return {shape_in_memory(input_.load_lines(run_))};
    const ReadOptions options = input_.options();
    if (!options.sparse && !input_.is_builtin())
      if (const auto stream = input_.open_stream(run_, options)) return measure_stream(*stream, card);
    if (input_.paths().size() == 1)
      if (const auto shape = matrix_market_shape(input_.name())) return {*shape};
    return {shape_in_memory(input_.load(run_))};
  }

  Measured measure_stream(const Dataset& data, const MethodCard& card) {
    Measured measured;
    RowStream& stream = *data.stream();
    DataShape& shape = measured.shape;
    shape = {
        .rows = data.rows(), .cols = data.cols(), .precision = data.precision(), .rewindable = stream.rewindable()};
    shape.stream = card.takes.stream && input_.wants_stream(run_);
    if (shape.rows < 0) {
      shape.rows = estimated_rows(input_.paths());
      measured.estimated = shape.rows >= 0;
    }
    if (shape.rows < 0 && !(shape.stream && input_.is_pipe())) shape.rows = counted_rows(stream);
    return measured;
  }

  static std::string rows_text(const Measured& measured) {
    if (measured.shape.rows < 0) return "?";
    return (measured.estimated ? "about " : "") + show_count(measured.shape.rows);
  }

  void print_text(const Measured& measured, const Plan& plan, std::uint64_t input) const {
    const DataShape& shape = measured.shape;
    std::string where =
        shape.stream ? "streamed: rows are taken as they come" : fmt::format("{} in memory", show_bytes(input));
    if (shape.nonzeros >= 0) where = fmt::format("sparse, {} entries, {}", show_count(shape.nonzeros), where);
    print(fmt::format("route    {}: {}\n", word_of(plan.route), words_of(plan.why)));
    print(fmt::format("input    {} x {}, {}, {}\n", rows_text(measured), show_count(shape.cols),
                      shape.precision == Precision::float32 ? "float32" : "float64", where));
    print(fmt::format("memory   {} for the work, of {} there are\n", show_bytes(plan.bytes),
                      show_bytes(plan.memory_limit)));
    print(
        fmt::format("passes   {} over the data\n", plan.passes > 0 ? show_count(plan.passes) : "as many as it takes,"));
    print(fmt::format("time     about {}\n\n", show_seconds(plan.seconds)));
    std::vector<std::vector<std::string>> rows{{"route", "memory", "passes", "time", "verdict"}};
    for (const RouteCost& cost : plan.considered)
      rows.push_back({name_of(cost), show_bytes(cost.bytes), cost.passes > 0 ? show_count(cost.passes) : "-",
                      show_seconds(cost.seconds), verdict_of(cost, speak_command_line)});
    print(table(rows));
  }

  void print_json(const Measured& measured, const Plan& plan, std::uint64_t input) {
    const DataShape& shape = measured.shape;
    Json considered = Json::array();
    for (const RouteCost& cost : plan.considered)
      considered.push_back({{"route", name_of(cost)},
                            {"bytes", cost.bytes},
                            {"passes", cost.passes},
                            {"flops", cost.flops},
                            {"seconds", cost.seconds},
                            {"verdict", verdict_of(cost, speak_command_line)}});
    run_.print_document({{"method", method_},
                         {"input", input_.name()},
                         {"rows", shape.rows},
                         {"rows_estimated", measured.estimated},
                         {"cols", shape.cols},
                         {"nonzeros", shape.nonzeros},
                         {"stream", shape.stream},
                         {"route", word_of(plan.route)},
                         {"why", words_of(plan.why)},
                         {"bytes", plan.bytes},
                         {"input_bytes", input},
                         {"memory_limit", plan.memory_limit},
                         {"passes", plan.passes},
                         {"estimated_seconds", plan.seconds},
                         {"considered", considered}});
  }

  Run run_;
  std::string method_;
  Input input_;
  DocumentReading documents_;
  MethodOptions options_;
};

}  // namespace

Verb plan_verb() {
  return {"plan",
          "Planning",
          "Say how a fit would go: route, reason, memory, passes, time",
          "Of .npy and .mtx files only the header is read, of a large text only the beginning.",
          {{"fewdim plan pca big.npy -k 50 --memory-limit 4G", "before a long fit"}},
          [](CLI::App& app) -> Action {
            const auto verb = std::make_shared<PlanVerb>(app);
            return [verb] { return (*verb)(); };
          }};
}

}  // namespace fewdim::cli
