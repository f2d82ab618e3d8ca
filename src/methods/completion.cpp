#include "fewdim/completion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/describe.hpp"
#include "base/remedy.hpp"
#include "base/stopwatch.hpp"
#include "data/table/checks.hpp"
#include "fewdim/ratings_index.hpp"
#include "methods/completion_fit.hpp"
#include "methods/shared/spectral.hpp"
#include "models/file/provenance.hpp"
#include "models/shapes/sparse_check.hpp"
#include "solvers/ratings/als.hpp"
#include "solvers/routes/decompose.hpp"
#include "solvers/routes/plan_builder.hpp"

namespace fewdim {

template <>
struct EnumNames<CompletionKind> {
  static constexpr std::array names{std::pair{CompletionKind::biased, "biased"},
                                    std::pair{CompletionKind::soft_impute, "soft-impute"},
                                    std::pair{CompletionKind::implicit, "implicit"}};
};

/// The one declaration of the options.
template <class Visitor>
void describe(CompletionOptions& o, Visitor&& field) {
  field(o.kind, {.name = "kind",
                 .help = "biased: effects of users and items, and factors; soft-impute: least nuclear norm; implicit: "
                         "counts, of which none is a weak no"});
  field(o.components,
        {.name = "components", .flag = 'k', .help = "factors: a number, or auto: chosen on entries that are held out"});
  field(o.ridge, {.name = "ridge",
                  .minimum = 0,
                  .help = "what large factors cost, in standard deviations of the values (biased), as a share of what "
                          "leaves nothing (soft-impute), or as it is (implicit); auto: chosen on entries held out, or "
                          "0.12 where there are few (times their usual count without ridge-by-count)"});
  field(o.effect_ridge,
        {.name = "effect_ridge", .minimum = 0, .help = "biased: what large effects of users and items cost"});
  field(o.ridge_by_count,
        {.name = "ridge_by_count", .help = "both times the number of entries of the user or item; not of soft-impute"});
  field(o.confidence,
        {.name = "confidence", .minimum = 0, .help = "implicit: a count x weighs 1 + confidence x, and none 1"});
  field(o.center, {.name = "center", .help = "soft-impute: take each column's mean off first"});
  field(o.held_out, {.name = "held_out",
                     .minimum = 0,
                     .maximum = 1,
                     .help = "share of the entries that automatic choices are judged by"});
  field(o.tolerance,
        {.name = "tolerance",
         .minimum = 0,
         .help = "largest gradient at the end, over the lengths of what is left to fit and of the factors"});
  field(o.iterations, {.name = "iterations", .minimum = 1, .help = "sweeps over users and items at most"});
  field(o.seed, {.name = "seed", .help = "of the random start, and of the entries that are held out"});
  field(o.embedding,
        {.name = "embedding", .help = "keep the users' coordinates and what they have rated in the model"});
}

namespace {

constexpr const char* kComplete = "complete";

/// Factors asked for, or 0 where they are chosen.
Index count_of(const CompletionOptions& o, Index rows, Index cols) {
  const Components& k = o.components;
  if (k.kind == Components::Kind::criterion && k.criterion == "auto") return 0;
  if (k.kind != Components::Kind::count || k.count < 1)
    throw InvalidOption(kComplete, "components", k.text(), "is neither a number nor auto",
                        "entries that are missing leave no share of variance to ask for");
  const Index most = std::min(rows, cols);
  if (rows >= 0 && k.count > most)
    throw InvalidOption(kComplete, "components", k.text(), fmt::format("must be between 1 and {}", most),
                        fmt::format("use {}", set_option("components", most)), ErrorKind::data);
  return k.count;
}

void require_options(const CompletionOptions& o) {
  if (o.held_out <= 0.0 || o.held_out >= 1.0)
    throw InvalidOption(kComplete, "held_out", fmt::format("{:g}", o.held_out), "must be above 0 and below 1",
                        "0.1 holds a tenth out");
  if (o.kind == CompletionKind::soft_impute && !std::isnan(o.ridge) && !(o.ridge > 0.0 && o.ridge < 1.0))
    throw InvalidOption(kComplete, "ridge", fmt::format("{:g}", o.ridge), "must be above 0 and below 1 for soft-impute",
                        "1 is where all factors vanish");
}

std::uint64_t working_bytes(Index rows, Index cols, std::int64_t entries, Index rank, const CompletionOptions& o) {
  const std::uint64_t factors =
      o.kind == CompletionKind::soft_impute ? soft_impute_bytes(rows, cols, rank) : als_bytes(rows, cols, rank);
  const bool chosen = o.components.kind != Components::Kind::count || std::isnan(o.ridge);
  const std::uint64_t copies = (o.kind == CompletionKind::soft_impute ? 2 : 1) + (chosen ? 1 : 0);
  return copies * ratings_bytes(rows, cols, entries) + factors +
         8 * static_cast<std::uint64_t>(rows + cols) * static_cast<std::uint64_t>(rank + 1);
}

void require_ratings(const RatingsTable& table, const CompletionOptions& o) {
  if (o.kind == CompletionKind::implicit) {
    if (table.lowest < 0.0)
      throw DataError(fmt::format("{}: counts are 0 or more, and the lowest is {:g}; ratings go with {}", kComplete,
                                  table.lowest, set_option("kind", "biased")));
    if (!(table.highest > 0.0))
      throw DataError(fmt::format("{}: every count is 0: there is nothing to learn", kComplete));
    return;
  }
  if (table.lowest == table.highest)
    throw DataError(fmt::format(
        "{}: every value is {:g}: there is nothing to learn{}", kComplete, table.lowest,
        table.lowest > 0.0 ? "; where it counts that there is one at all, use " + set_option("kind", "implicit") : ""));
}

Model::Head head_of(const Dataset& data, const CompletionOptions& o, const CompletionFactors& f,
                    const RatingsTable& table, Plan plan) {
  Model::Head head;
  head.method = kComplete;
  head.precision = data.precision();
  head.options = options_to_map(o);
  head.provenance = provenance_of(data, data.rows(), o.seed);
  head.feature_names = data.column_names;
  if (o.kind == CompletionKind::biased) head.component_names.push_back("effect");
  for (Index c = 1; std::ssize(head.component_names) < f.map.cols(); ++c)
    head.component_names.push_back(fmt::format("F{}", c));
  Certificate& c = head.certificate;
  c.route = plan.route;
  c.why = {Reason(ReasonKind::values_there, table.entries(), data.rows(), data.cols())};
  head.plan = std::move(plan);
  c.iterations = f.iterations;
  c.tolerance = o.tolerance;
  c.converged = f.converged;
  c.residuals = Vector<double>::Constant(f.map.cols(), f.gradient);
  const auto warn_of = [&](Index count, const char* what, const char* others) {
    if (count == 0) return;
    const std::string which = count == 1 ? fmt::format("1 {} has", what) : fmt::format("{} {}s have", count, what);
    c.warnings.push_back(
        fmt::format("{} no value at all: what is predicted there comes from the {} alone", which, others));
  };
  warn_of(table.empty_rows, "row", "columns");
  warn_of(table.empty_columns, "column", "rows");
  return head;
}

/// Root mean squared error of the entries themselves.
double training_error(const LinearModel& shape, const Matrix<double>& places, const RatingsTable& table) {
  double sum = 0.0;
  const Matrix<double> map = shape.map.transpose(), rows = places.transpose();
  for (Index u = 0; u < table.rows.rows; ++u)
    for (std::int64_t e = table.rows.offsets[static_cast<std::size_t>(u)];
         e < table.rows.offsets[static_cast<std::size_t>(u) + 1]; ++e) {
      const auto at = static_cast<std::size_t>(e);
      const Index j = table.rows.columns[at];
      double off = (shape.mean.size() > 0 ? shape.mean[j] : 0.0) - table.rows.values[at];
      for (Index c = 0; c < map.rows(); ++c) off += map(c, j) * rows(c, u);
      sum += off * off;
    }
  return std::sqrt(sum / static_cast<double>(table.entries()));
}

RatingsIndex index_of(const Dataset& data, RatingsTable& table) {
  RatingsIndex out;
  out.users = data.row_names;
  if (out.users.empty())
    for (Index u = 1; u <= data.rows(); ++u) out.users.push_back(std::to_string(u));
  out.offsets = std::move(table.rows.offsets);
  out.items = std::move(table.rows.columns);
  out.lowest = table.lowest;
  out.highest = table.highest;
  return out;
}

}  // namespace

CompletionOptions completion_options(const OptionMap& map) {
  return options_from_map<CompletionOptions>(map, kComplete);
}

Model fit_completion(const Dataset& data, const CompletionOptions& options, const Execution& exec,
                     std::vector<CompletionTrial>* trials) {
  require_numbers(data, kComplete);
  require_nonempty(data, kComplete);
  require_valid_sparse(data, kComplete);
  require_options(options);
  Plan plan = plan_completion(shape_of(data), options, exec);
  Stopwatch::Seconds seconds;
  Stopwatch watch(seconds);
  RatingsTable table = make_ratings(observed_entries(data, kComplete, exec), exec);
  require_ratings(table, options);
  watch.lap("gather");
  CompletionChoice choice = choose_completion(table, options, exec);
  if (!choice.trials.empty()) watch.lap("choose");
  CompletionFactors f = fit_factors(table, options, choice.rank, choice.ridge, exec);
  watch.lap(options.kind == CompletionKind::soft_impute ? "soft-impute" : "als");
  if (!f.converged)
    throw NotConverged(fmt::format(
        "{}: after {} sweeps the relative gradient is {:.1e}; the tolerance is {:.1e}: {} or {}", kComplete,
        f.iterations, f.gradient, options.tolerance, raise_option("iterations"), raise_option("tolerance")));
  LinearModel shape;
  const Precision precision = data.precision();
  shape.mean = f.mean;
  shape.map = f.map;
  round_to(precision, shape.mean);
  round_to(precision, shape.map);
  shape.row_fit = f.row_fit;
  shape.regression = f.regression;
  shape.singular_values = f.singular_values;
  Model model(head_of(data, options, f, table, std::move(plan)), std::move(shape));
  auto& found = model.head().diagnostics;
  found = {{"values", static_cast<double>(table.entries())},
           {diagnostic::mean_value, table.mean},
           {"components", static_cast<double>(f.singular_values.size() > 0 ? f.map.cols() : choice.rank)},
           {"ridge", choice.ridge},
           {"lambda", f.lambda},
           {"objective", f.objectives.back()}};
  for (const CompletionTrial& trial : choice.trials)
    found.emplace_back(fmt::format("held out at {} components, ridge {:g}", trial.components, trial.ridge),
                       trial.error);
  if (trials) *trials = std::move(choice.trials);
  if (options.embedding) {
    keep_scores(model, data, exec);
    if (options.kind != CompletionKind::implicit)
      found.emplace_back("training_rmse", training_error(model.linear(), model.embedding(), table));
    model.keep(Attachment(index_of(data, table)));
  }
  watch.lap("users");
  model.head().seconds = std::move(seconds);
  return model;
}

Plan plan_completion(const DataShape& shape, const CompletionOptions& options, const Execution& exec) {
  constexpr double kSweeps = 30.0;  // as they come
  require_options(options);
  const Index asked = count_of(options, shape.rows, shape.cols);
  const Index rows = std::max<Index>(shape.rows, 0), rank = asked > 0 ? asked : std::min<Index>({80, rows, shape.cols});
  const std::int64_t entries = shape.nonzeros >= 0 ? shape.nonzeros : rows * shape.cols;
  const auto k = static_cast<double>(rank), count = static_cast<double>(entries);
  const double sweep = options.kind == CompletionKind::soft_impute
                           ? 8.0 * count * k
                           : 2.0 * count * k * (k + 1.0) + static_cast<double>(rows + shape.cols) * k * k * k / 3.0;
  const Route route = options.kind == CompletionKind::soft_impute ? Route::soft_impute : Route::als;
  return PlanBuilder(shape, exec)
      .consider({.route = route,
                 .bytes = working_bytes(rows, shape.cols, entries, rank, options),
                 .flops = kSweeps * sweep,
                 .seconds = seconds_for(Work::plain, kSweeps * sweep)})
      .because(Reason(ReasonKind::sweeps, entries))
      .take(route, "complete: the entries by user and by item, and their factors",
            fmt::format("{}, or {}", lower_option("components"), raise_option("memory_limit")));
}

const MethodCard& completion_card() {
  static const MethodCard card{
      .name = kComplete,
      .title = "Matrix completion: fill in, predict and recommend from what is rated",
      .citation = "Zhou et al. 2008; Hu, Koren & Volinsky 2008; Hastie, Mazumder, Lee & Zadeh 2015",
      .task = Task::ratings,
      .use_when =
          "Use it when most of a table is unknown, such as ratings of items by users, and you want to predict the "
          "rest.",
      .fields = fields_of<CompletionOptions>(),
      .takes = {.kinds = {DataKind::rows, DataKind::ratings}, .sparse = true, .missing = Support::yes},
      .gives = {.extension = Extension::exact,
                .inverse = Support::yes,
                .results = {ResultKind::scores, ResultKind::directions, ResultKind::approximation}},
      .verified_by = VerifiedBy::nothing,
      .unverified = "is for eigenvectors, and the directions of complete are none; what is known of them is in " +
                    use_command("inspect"),
      .python_class = "MatrixCompletion",
      .page = "docs/methods/complete.md",
      .examples = {{"fewdim complete ratings.csv -m ratings.fewdim", "users, items and values, a line each"},
                   {"fewdim complete ratings.csv -k auto --ridge auto --folds 5",
                    "the rank and the ridge chosen; errors by 5 folds"},
                   {"fewdim complete table.csv --kind soft-impute -o filled.csv", "a table with gaps"},
                   {"fewdim complete plays.tsv --kind implicit -m plays.fewdim", "counts of plays"}},
      .fit = [](const Dataset& data, const OptionMap& map,
                const Execution& exec) { return fit_completion(data, completion_options(map), exec); },
      .plan = [](const DataShape& shape, const OptionMap& map,
                 const Execution& exec) { return plan_completion(shape, completion_options(map), exec); }};
  return card;
}

}  // namespace fewdim
