#include "fewdim/nmf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/describe.hpp"
#include "base/memory.hpp"
#include "base/remedy.hpp"
#include "base/stopwatch.hpp"
#include "data/table/checks.hpp"
#include "methods/shared/nonnegative_data.hpp"
#include "methods/shared/spectral.hpp"
#include "models/file/provenance.hpp"
#include "models/shapes/sparse_check.hpp"
#include "solvers/eigen/blocks.hpp"
#include "solvers/nmf/nmf.hpp"
#include "solvers/routes/decompose.hpp"
#include "solvers/routes/plan_builder.hpp"
#include "solvers/routes/problem.hpp"

namespace fewdim {

template <>
struct EnumNames<NmfStart> {
  static constexpr std::array names{std::pair{NmfStart::nndsvd, "nndsvd"}, std::pair{NmfStart::nndsvda, "nndsvda"},
                                    std::pair{NmfStart::random, "random"}};
};

/// The one declaration of the options.
template <class Visitor>
void describe(NmfOptions& o, Visitor&& field) {
  field(o.components, {.name = "components",
                       .flag = 'k',
                       .help = "parts: a number (20), auto, or auto:CRITERION, which is asked about the SVD"});
  field(o.start,
        {.name = "start",
         .help = "nndsvd from the singular vectors; nndsvda the same with the mean in place of zeros; random"});
  field(o.ridge, {.name = "ridge", .minimum = 0, .help = "penalty on the squares of both factors, in units of X²"});
  field(o.lasso, {.name = "lasso", .minimum = 0, .help = "penalty on the entries of both factors: more of them are 0"});
  field(o.iterations, {.name = "iterations", .minimum = 1, .maximum = 1e9, .help = "at most"});
  field(o.tolerance, {.name = "tolerance",
                      .minimum = 1e-12,
                      .maximum = 1,
                      .help = "largest projected gradient of a part allowed, times its length, relative to the data's "
                              "sum of squares"});
  field(o.seed, {.name = "seed", .help = "of the random start"});
  field(o.embedding, {.name = "embedding", .help = "keep the weights of the training rows in the model"});
}

namespace {

constexpr const char* kNmf = "nmf";
constexpr double kStartTolerance = 1e-6;
constexpr double kNothing = 1e-24;  ///< of the sum of squares: a part of 1e-12 of the data is rounding

SpectralProblem start_problem(const NmfOptions& o) {
  SpectralProblem p;
  p.who = kNmf;
  p.components = o.components;
  p.center = p.normalize = false;
  p.tolerance = kStartTolerance;  // a start need not be exact
  p.seed = o.seed;
  return p;
}

void require_options(const NmfOptions& o) {
  if (o.components.kind == Components::Kind::share)
    throw InvalidOption(kNmf, "components", o.components.text(),
                        "is a share of the sum of squares, and parts that overlap have none of their own",
                        "use a number, or auto");
}

/// How many parts; NNDSVD has as many as there are singular vectors.
Index count_of(const Components& components, Index rows, Index cols) {
  const Index limit = std::min(rows, cols);
  if (components.count == Components::all) return limit;
  if (components.count < 1 || components.count > limit)
    throw InvalidOption(kNmf, "components", std::to_string(components.count),
                        fmt::format("must be between 1 and {} ({} rows, {} columns)", limit, rows, cols),
                        fmt::format("use {} or less", set_option("components", limit)));
  return components.count;
}

std::uint64_t factor_bytes(Index rows, Index cols, Index k) {  // both factors, and the products for each
  return static_cast<std::uint64_t>(2.0 * static_cast<double>(rows + cols) * static_cast<double>(k)) * sizeof(double);
}

RouteCost hals_cost(const DataShape& shape, Index k) {
  constexpr double kIterations = 100.0;
  const double rows = static_cast<double>(std::max<Index>(0, shape.rows)), cols = static_cast<double>(shape.cols);
  const double entries = shape.nonzeros >= 0 ? static_cast<double>(shape.nonzeros) : rows * cols;
  const double parts = static_cast<double>(k);
  const double flops = kIterations * (4.0 * entries * parts + 20.0 * (rows + cols) * parts * parts);
  const std::uint64_t copy =
      shape.nonzeros >= 0 ? static_cast<std::uint64_t>(shape.nonzeros) * (sizeof(double) + sizeof(std::int32_t)) : 0;
  return {.route = Route::hals,
          .bytes = copy + factor_bytes(std::max<Index>(0, shape.rows), shape.cols, k),
          .flops = flops,
          .seconds = seconds_for(Work::sparse_factors, flops),
          .verdict = Verdict::many_iterations};
}

/// The plan of the start where there is one, and the iterations after it. Throws OverMemory.
Plan with_factors(std::optional<Plan> start, const DataShape& shape, Index k, const Execution& exec) {
  const RouteCost hals = hals_cost(shape, k);
  if (!start) {
    Reason from(ReasonKind::parts_from);
    from.text = enum_text(NmfStart::random);
    return PlanBuilder(shape, exec)
        .consider(hals)
        .because(from)
        .take(Route::hals, "nmf: the two factors", lower_option("components"));
  }
  require_memory(exec, hals.bytes, "nmf: the two factors", lower_option("components"));
  start->why.insert(start->why.begin(), Reason(ReasonKind::for_start));
  add_stage(*start, hals);
  return std::move(*start);
}

/// The start, by the SVD of X where one is asked for; the plan that it went by.
NmfFactors start_of(const NmfData& x, const Dataset& data, const NmfOptions& o, const SpectralProblem& problem,
                    std::optional<Plan>& plan, const Execution& exec) {
  if (o.start == NmfStart::random) return random_factors(x, problem.components.count, o.seed);
  Decomposition d = decompose(data, problem, exec);
  plan = std::move(d.plan);
  const double mean = x.sum() / static_cast<double>(x.rows()) / static_cast<double>(x.cols());
  return nndsvd(x, d.values.cwiseMax(0.0).cwiseSqrt(), d.vectors, o.start == NmfStart::nndsvda ? mean : 0.0);
}

/// Components by ‖w_c‖²‖h_c‖², largest first; those that are never used are all zero.
struct Parts {
  std::vector<Index> order;
  Vector<double> squares, lengths;  ///< in the order they were found
  Index unused = 0;
};

Parts parts_of(const NmfFactors& f, double total) {
  Parts p;
  const Vector<double> w = column_norms(f.w);
  p.lengths = column_norms(f.h);
  p.squares = (w.array() * p.lengths.array()).square().matrix();
  for (double& square : p.squares)
    if (square <= kNothing * total) square = 0.0, ++p.unused;
  p.order.resize(static_cast<std::size_t>(f.h.cols()));
  std::iota(p.order.begin(), p.order.end(), Index{0});
  std::ranges::stable_sort(p.order, [&](Index a, Index b) { return p.squares[a] > p.squares[b]; });
  return p;
}

LinearModel shape_of_parts(const NmfFactors& f, const Parts& parts, const NmfOptions& o, const NmfData& x,
                           Precision precision) {
  const Index k = f.h.cols();
  const bool penalized = o.ridge > 0.0 || o.lasso > 0.0;
  LinearModel shape;
  shape.row_fit = RowFit::nonnegative;
  shape.map = Matrix<double>::Zero(f.h.rows(), k);
  shape.explained_variance = Vector<double>::Zero(k);
  for (Index c = 0; c < k; ++c) {
    const Index from = parts.order[static_cast<std::size_t>(c)];
    if (!(parts.squares[from] > 0.0)) continue;
    shape.map.col(c) = f.h.col(from) * (penalized ? 1.0 : 1.0 / parts.lengths[from]);
    shape.explained_variance[c] = parts.squares[from];
  }
  round_to(precision, shape.map);
  shape.total_variance = x.square_sum();
  shape.explained_variance_ratio = shape.explained_variance / shape.total_variance;
  if (o.ridge > 0.0) shape.regression.ridge = Vector<double>::Constant(k, o.ridge);
  shape.regression.lasso = o.lasso;
  return shape;
}

double share_of_zeros(const Matrix<double>& f) {
  return static_cast<double>((f.array() == 0.0).count()) / static_cast<double>(f.size());
}

Model::Head head_of(const Dataset& data, const NmfOptions& o, const NmfResult& found, const Parts& parts,
                    const NmfData& x) {
  const Index k = found.factors.h.cols();
  Model::Head head;
  head.method = kNmf;
  head.precision = data.precision();
  head.options = options_to_map(o);
  head.provenance = provenance_of(data, data.rows(), o.seed);
  head.feature_names = data.column_names;
  for (Index c = 1; c <= k; ++c) head.component_names.push_back(fmt::format("P{}", c));
  Certificate& certificate = head.certificate;
  certificate.route = Route::hals;
  certificate.why.emplace_back(ReasonKind::parts_from).text = enum_text(o.start);
  certificate.iterations = found.iterations;
  certificate.tolerance = o.tolerance;
  certificate.converged = found.converged;
  certificate.residuals.resize(k);
  for (Index c = 0; c < k; ++c) certificate.residuals[c] = found.residuals[parts.order[static_cast<std::size_t>(c)]];
  if (parts.unused > 0)
    certificate.warnings.push_back(
        fmt::format("{} of {} parts {} zero: the others say as much without {}; {}{}", parts.unused, k,
                    parts.unused == 1 ? "is" : "are", parts.unused == 1 ? "it" : "them", lower_option("components"),
                    o.start == NmfStart::random ? "" : ", or try " + set_option("start", "random")));
  head.diagnostics = {{"loss", found.loss},
                      {diagnostic::explained, 1.0 - found.loss / x.square_sum()},
                      {"objective", found.path.back()},
                      {"projected_gradient", certificate.residuals.maxCoeff()},
                      {"zeros_in_parts", share_of_zeros(found.factors.h)},
                      {"zeros_in_weights", share_of_zeros(found.factors.w)},
                      {"unused_parts", static_cast<double>(parts.unused)}};
  return head;
}

}  // namespace

/// X ≈ WHᵀ (Lee & Seung 1999): HALS from a start by the SVD.
Model fit_nmf(const Dataset& data, const NmfOptions& options, const Execution& exec) {
  require_nonempty(data, kNmf);
  require_options(options);
  if (data.is_stream())
    throw Unsupported("nmf: needs the rows in memory, and these arrive as a stream; " + leave_out("stream"));
  require_valid_sparse(data, kNmf);
  require_finite(data, kNmf, exec);
  require_no_negative(data, kNmf, exec);
  Stopwatch::Seconds seconds;
  Stopwatch watch(seconds);
  SpectralProblem problem = start_problem(options);
  const ChooseOptions choose{.center = false, .ddof = 0, .seed = options.seed, .criteria = {}};
  problem.components = resolve_components(data, options.components, choose, kNmf, exec);
  const Index k = count_of(problem.components, data.rows(), data.cols());
  problem.components = Components(k);
  require_memory(exec, NmfData::bytes(data) + factor_bytes(data.rows(), data.cols(), k), "nmf: the two factors",
                 lower_option("components"));
  const NmfData x(data, exec);
  require_variance(problem, x.square_sum());
  if (!std::isfinite(x.square_sum()))
    throw DataError("nmf: the sum of the squares is too large for float64; scale the data down");
  std::optional<Plan> plan;
  NmfFactors start = start_of(x, data, options, problem, plan, exec);
  watch.lap("start");
  const NmfRequest request{
      .ridge = options.ridge, .lasso = options.lasso, .iterations = options.iterations, .tolerance = options.tolerance};
  const NmfResult found = factorize(x, std::move(start), request, exec);
  if (!found.converged)
    throw NotConverged(
        fmt::format("{}: after {} iterations the projected gradient is {:.1e}, and the tolerance {:.1e}; {} or {}",
                    kNmf, found.iterations, found.residuals.maxCoeff(), options.tolerance, raise_option("iterations"),
                    raise_option("tolerance")));
  watch.lap("hals");
  const Parts parts = parts_of(found.factors, x.square_sum());
  Model::Head head = head_of(data, options, found, parts, x);
  head.plan = with_factors(std::move(plan), shape_of(data), k, exec);
  head.seconds = std::move(seconds);
  Model model(std::move(head), shape_of_parts(found.factors, parts, options, x, data.precision()));
  if (options.embedding) keep_scores(model, data, exec);
  return model;
}

Plan plan_nmf(const DataShape& shape, const NmfOptions& options, const Execution& exec) {
  require_options(options);
  const bool counted = options.components.kind == Components::Kind::count && options.components.count > 0;
  const Index k = counted ? options.components.count : std::min(shape.cols, std::max<Index>(1, shape.rows));
  std::optional<Plan> start;
  if (options.start != NmfStart::random) start = plan_spectral(shape, start_problem(options), exec);
  return with_factors(std::move(start), shape, k, exec);
}

const MethodCard& nmf_card() {
  static const MethodCard card{
      .name = kNmf,
      .title = "Non-negative matrix factorization: parts that add up and never cancel",
      .citation = "Lee & Seung 1999; Cichocki & Phan 2009; Gillis & Glineur 2012; Boutsidis & Gallopoulos 2008",
      .task = Task::parts,
      .use_when =
          "Use it when the numbers are never negative, such as counts or pixels, and you want parts that add up.",
      .fields = fields_of<NmfOptions>(),
      .takes = {.kinds = {DataKind::rows, DataKind::images}, .sparse = true, .nonnegative = true},
      .gives = {.extension = Extension::exact,
                .inverse = Support::yes,
                .results = {ResultKind::scores, ResultKind::spectrum, ResultKind::directions,
                            ResultKind::approximation},
                .pictures = {PictureKind::scatter, PictureKind::density, PictureKind::pairs, PictureKind::scree,
                             PictureKind::cumulative, PictureKind::biplot, PictureKind::residual}},
      .verified_by = VerifiedBy::nothing,
      .unverified = "is for eigenvectors, and the directions of nmf are none; what is known of them is in " +
                    use_command("inspect"),
      .python_class = "NMF",
      .page = "docs/methods/nmf.md",
      .examples = {{"fewdim nmf @digits -k 10 -m parts.fewdim -o weights.csv", "the strokes that digits are made of"},
                   {"fewdim nmf counts.mtx -k 5 --right topics.csv", "a sparse matrix; the parts"}},
      .fit = [](const Dataset& data, const OptionMap& map,
                const Execution& exec) { return fit_nmf(data, options_from_map<NmfOptions>(map, kNmf), exec); },
      .plan = [](const DataShape& shape, const OptionMap& map,
                 const Execution& exec) { return plan_nmf(shape, options_from_map<NmfOptions>(map, kNmf), exec); }};
  return card;
}

}  // namespace fewdim
