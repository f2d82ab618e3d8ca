#include "fewdim/random_projection.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/describe.hpp"
#include "base/remedy.hpp"
#include "base/stopwatch.hpp"
#include "methods/shared/distortion.hpp"
#include "methods/shared/spectral.hpp"
#include "models/file/metadata.hpp"
#include "models/file/provenance.hpp"
#include "models/shapes/random_linear.hpp"
#include "models/shapes/sparse_check.hpp"
#include "solvers/routes/plan_builder.hpp"

namespace fewdim {

/// The one declaration of the options.
template <class Visitor>
void describe(RandomProjectionOptions& o, Visitor&& field) {
  field(o.components,
        {.name = "components",
         .flag = 'k',
         .help = "components: a number (500), or auto: enough to keep all distances within the distortion"});
  field(o.kind, {.name = "kind",
                 .help = "of the random map: gaussian; sparse, signs among zeros; or hadamard, fast for any k"});
  field(o.distortion, {.name = "distortion",
                       .minimum = 0,
                       .maximum = 1,
                       .help = "largest relative change of a squared distance that components=auto allows"});
  field(o.density, {.name = "density",
                    .minimum = 0,
                    .maximum = 1,
                    .help = "of the sparse kind: the share of entries that are not 0; auto is 1/sqrt(columns)"});
  field(o.store, {.name = "store", .help = "keep the map and its pseudo-inverse in the model, not its seed alone"});
  field(o.seed, {.name = "seed", .help = "of the random map"});
  field(o.embedding, {.name = "embedding", .help = "keep the coordinates of the training rows in the model"});
}

namespace {

constexpr const char* kRandomProjection = "random-projection";

void require_options(const RandomProjectionOptions& o) {
  const Components& k = o.components;
  const bool known = (k.kind == Components::Kind::count && k.count >= 1) ||
                     (k.kind == Components::Kind::criterion && k.criterion == "auto");
  if (!known)
    throw InvalidOption(kRandomProjection, "components", k.text(), "is neither a number nor auto",
                        "random directions have no order to take a share or a criterion of");
  if (!(o.distortion > 0.0 && o.distortion < 1.0))
    throw InvalidOption(kRandomProjection, "distortion", fmt::format("{:g}", o.distortion), "must lie between 0 and 1",
                        "0.1 keeps squared distances within 10 %");
  if (!std::isnan(o.density) && !(o.density > 0.0 && o.density <= 1.0))
    throw InvalidOption(kRandomProjection, "density", fmt::format("{:g}", o.density), "must be above 0 and at most 1",
                        "0.333 is Achlioptas's");
}

Index components_for(const RandomProjectionOptions& o, Index rows, Index cols) {
  const bool counted = o.components.kind == Components::Kind::count;
  const Index k = counted ? o.components.count : johnson_lindenstrauss(rows, o.distortion);
  if (k >= 1 && k <= cols) return k;
  if (counted)
    throw InvalidOption(kRandomProjection, "components", o.components.text(),
                        fmt::format("must be between 1 and {}", cols), lower_option("components"), ErrorKind::data);
  throw InvalidOption(kRandomProjection, "components", "auto",
                      fmt::format("asks for {} components for {} rows within {:g}, and the data have {} columns", k,
                                  rows, o.distortion, cols),
                      raise_option("distortion") + ", or give a number with " + set_option("components"),
                      ErrorKind::data);
}

RandomMap map_of(const RandomProjectionOptions& o, Index cols, Index components) {
  RandomMap map{.kind = o.kind, .features = cols, .components = components, .seed = o.seed};
  if (o.kind == ProjectionKind::sparse)
    map.density = std::isnan(o.density) ? 1.0 / std::sqrt(static_cast<double>(cols)) : o.density;
  return map;
}

std::uint64_t working_bytes(const RandomMap& map, const RandomProjectionOptions& o, const DataShape& shape) {
  const std::size_t scalar = shape.precision == Precision::float32 ? 4 : 8;
  return random_transform_bytes(map, shape.stream, scalar) + sample_bytes(map.features, map.components) +
         (o.store ? pseudo_inverse_bytes(map.features, map.components) : 0);
}

Route projection_route(ProjectionKind kind) {
  if (kind == ProjectionKind::hadamard) return Route::hadamard;
  return kind == ProjectionKind::sparse ? Route::sparse : Route::gaussian;
}

std::vector<Reason> why_of(const RandomMap& map, const RandomProjectionOptions& o) {
  std::vector<Reason> why{Reason(o.store ? ReasonKind::map_kept : ReasonKind::map_drawn)};
  if (map.kind == ProjectionKind::hadamard) why.emplace_back(ReasonKind::fast_transforms);
  if (map.kind == ProjectionKind::sparse) why.emplace_back(ReasonKind::map_density, map.density);
  return why;
}

Model::Head head_of(const Dataset& data, const RandomProjectionOptions& o, const RandomMap& map, Index rows,
                    Plan plan) {
  Model::Head head;
  head.method = kRandomProjection;
  head.precision = data.precision();
  head.options = options_to_map(o);
  head.provenance = provenance_of(data, rows, o.seed);
  head.feature_names = data.column_names;
  for (Index c = 1; c <= map.components; ++c) head.component_names.push_back(fmt::format("RP{}", c));
  head.certificate.route = plan.route;
  head.certificate.why = plan.why;
  head.plan = std::move(plan);
  head.certificate.converged = true;
  return head;
}

void add_distortion(Model::Head& head, const Distortion& d) {
  if (d.pairs == 0) {
    head.certificate.warnings.push_back("the sampled rows are all equal: no distortion could be measured");
    return;
  }
  head.diagnostics = {{"distortion_least", d.least},
                      {"distortion_mean", d.mean},
                      {"distortion_most", d.most},
                      {"distortion_pairs", static_cast<double>(d.pairs)}};
}

LinearModel shape_of_map(const RandomMap& map, bool store, Precision precision, const Execution& exec) {
  LinearModel shape;
  if (!store) {
    shape.random = map;
    return shape;
  }
  shape.map = random_matrix(map, exec);
  round_to(precision, shape.map);
  shape.inverse_map = pseudo_inverse(shape.map, exec);
  round_to(precision, shape.inverse_map);
  return shape;
}

}  // namespace

/// Of one draw, all N(N−1)/2 pairs fail together with a probability below 1 (Dasgupta & Gupta 2003, theorem 2.1).
Index johnson_lindenstrauss(Index rows, double distortion) {
  const double e = distortion;
  if (rows < 1 || !(e > 0.0 && e < 1.0))
    throw InvalidOption(kRandomProjection, "distortion", fmt::format("{:g}", e),
                        "must lie between 0 and 1, for at least one row", "0.1 keeps squared distances within 10 %");
  return static_cast<Index>(4.0 * std::log(static_cast<double>(rows)) / (e * e / 2.0 - e * e * e / 3.0));
}

/// y = Rᵀx, E[R Rᵀ] = I (Johnson & Lindenstrauss 1984). What is fitted is only the number of columns, and where it is
/// asked for the number of components; the data are read to refuse what is not finite and to measure the distortion.
Model fit_random_projection(const Dataset& data, const RandomProjectionOptions& options, const Execution& exec) {
  require_numbers(data, kRandomProjection);
  require_nonempty(data, kRandomProjection);
  require_valid_sparse(data, kRandomProjection);
  require_options(options);
  DataShape seen = shape_of(data);
  // Before the data are read, where their size is known.
  std::optional<Plan> plan;
  if (options.components.kind == Components::Kind::count || seen.rows >= 0)
    plan = plan_random_projection(seen, options, exec);
  Stopwatch::Seconds seconds;
  Stopwatch watch(seconds);
  const RowSample rows = look_at_rows(data, kRandomProjection, options.seed, exec);
  watch.lap("read");
  const RandomMap map = map_of(options, data.cols(), components_for(options, rows.rows, data.cols()));
  seen.rows = rows.rows;
  if (!plan) plan = plan_random_projection(seen, options, exec);
  Model model(head_of(data, options, map, rows.rows, std::move(*plan)),
              shape_of_map(map, options.store, data.precision(), exec));
  watch.lap("draw");
  const Execution quiet{.threads = exec.threads, .memory_limit = exec.memory_limit, .progress = {}};
  const Matrix<double> image = model.transform(rows.sample, quiet).matrix<double>();
  add_distortion(model.head(), measured_distortion(rows.sample, image, options.seed));
  watch.lap("distortion");
  model.head().seconds = std::move(seconds);
  if (options.embedding) keep_scores(model, data, exec);
  return model;
}

Plan plan_random_projection(const DataShape& shape, const RandomProjectionOptions& options, const Execution& exec) {
  require_options(options);
  const bool known = options.components.kind == Components::Kind::count || shape.rows >= 0;
  const Index k = known ? components_for(options, shape.rows, shape.cols) : shape.cols;
  const RandomMap map = map_of(options, shape.cols, k);
  const auto rows = static_cast<double>(std::max<Index>(shape.rows, 0)), cols = static_cast<double>(shape.cols);
  const double entries = shape.nonzeros >= 0 ? static_cast<double>(shape.nonzeros) : rows * cols;
  const double flops = map.kind == ProjectionKind::hadamard ? rows * cols * std::log2(cols + 1.0)
                                                            : 2.0 * entries * static_cast<double>(k) * map.density;
  return PlanBuilder(shape, exec)
      .consider({.route = projection_route(map.kind),
                 .bytes = working_bytes(map, options, shape),
                 .passes = 1,
                 .flops = flops,
                 .seconds = seconds_for(Work::plain, flops)})
      .because(why_of(map, options))
      .take(projection_route(map.kind), "random-projection: the map and a sample of the rows",
            fmt::format("{}, or use {}", lower_option("components"), set_option("kind", "hadamard")));
}

const MethodCard& random_projection_card() {
  static const MethodCard card{
      .name = kRandomProjection,
      .title = "Random projections: distances kept by directions drawn at random",
      .citation = "Johnson & Lindenstrauss 1984; Achlioptas 2003; Ailon & Chazelle 2009",
      .task = Task::random,
      .use_when =
          "Use it when there are very many columns and you want a small table, at low cost, that nearly keeps the "
          "distances.",
      .fields = fields_of<RandomProjectionOptions>(),
      .takes = {.kinds = {DataKind::rows}, .sparse = true, .stream = true},
      .gives = {.extension = Extension::exact,
                .inverse = Support::yes,
                .results = {ResultKind::scores, ResultKind::directions, ResultKind::approximation},
                .pictures = {PictureKind::scatter, PictureKind::density, PictureKind::pairs, PictureKind::residual}},
      .verified_by = VerifiedBy::nothing,
      .unverified =
          "is for eigenvectors, and the directions of random-projection are none; what is known of them is in " +
          use_command("inspect"),
      .python_class = "GaussianRandomProjection",
      .page = "docs/methods/random-projection.md",
      .examples = {{"fewdim random-projection wide.npy --distortion 0.3 -m wide.fewdim -o small.npy",
                    "as many directions as the distances need"},
                   {"fewdim random-projection wide.npy -k 300 --kind hadamard -o fast.npy",
                    "300 of them, by a fast transform"}},
      .fit =
          [](const Dataset& data, const OptionMap& map, const Execution& exec) {
            return fit_random_projection(data, options_from_map<RandomProjectionOptions>(map, kRandomProjection), exec);
          },
      .plan =
          [](const DataShape& shape, const OptionMap& map, const Execution& exec) {
            return plan_random_projection(shape, options_from_map<RandomProjectionOptions>(map, kRandomProjection),
                                          exec);
          }};
  return card;
}

}  // namespace fewdim
