#include "methods/landmark_mds.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "base/stopwatch.hpp"
#include "data/table/block.hpp"
#include "features/given_matrix.hpp"
#include "features/metric.hpp"
#include "fewdim/quality.hpp"
#include "graph/landmarks.hpp"
#include "methods/shared/landmark_embedding.hpp"
#include "methods/shared/spectrum_report.hpp"
#include "solvers/routes/decompose.hpp"
#include "solvers/routes/plan_builder.hpp"

namespace fewdim {

namespace {

constexpr const char* kLandmarks = "mds";
constexpr Index kCompared = 2000;  // so many objects are scaled in full as well, to tell the difference

void require_plain(const MdsOptions& o, const Dataset& data) {
  if (o.correction != DistanceCorrection::none || o.triangle)
    throw DataError(fmt::format("{}: a correction and the triangle inequality need all distances; {}", kLandmarks,
                                leave_out("landmarks")));
  if (o.weights.size() > 0 || data.weights.size() > 0)
    throw DataError(fmt::format("{}: weights don't go with landmarks; leave one of them out", kLandmarks));
}

/// Distances of landmarks to all objects, one row each.
template <class C>
std::shared_ptr<C[]> distances_from(const Dataset& data, const MetricRows<C>& rows, bool given,
                                    const std::vector<std::int32_t>& landmarks, const Execution& exec) {
  constexpr Index kObjects = 4096;
  const Index n = data.rows(), pieces = (n + kObjects - 1) / kObjects;
  const auto out = make_large_array<C>(landmarks.size() * static_cast<std::size_t>(n));
  parallel_for(exec, std::ssize(landmarks) * pieces, [&](Index task) {
    const Index l = task / pieces, first = task % pieces * kObjects, count = std::min(kObjects, n - first);
    const Index i = landmarks[static_cast<std::size_t>(l)];
    C* to = out.get() + l * n + first;
    if (given) return copy_given(data, i, 1, first, count, to);
    distance_tile(rows, i, 1, rows, first, count, false, to);
    if (i >= first && i < first + count) to[i - first] = C(0);
  });
  return out;
}

template <class C>
std::vector<std::int32_t> choose(const Dataset& data, const MetricRows<C>& rows, bool given, const MdsOptions& o,
                                 const Execution& exec) {
  const Index n = data.rows();
  if (o.choice == LandmarkChoice::random) return random_landmarks(n, o.landmarks, o.seed, kLandmarks);
  if (!given) return maxmin_landmarks(rows, o.landmarks, o.seed, kLandmarks, exec);
  const auto from = [&](Index i, double* out) { copy_given(data, i, 1, 0, n, out); };
  return maxmin_landmarks(n, o.landmarks, o.seed, from, kLandmarks, exec);
}

/// How far the map is from the one of all distances, as a share of its size.
double off_from_full(const Dataset& data, const MdsOptions& o, const Matrix<double>& map, const Execution& exec) {
  MdsOptions full = o;
  full.landmarks = 0;
  full.embedding = true;
  full.components = map.cols();
  const Model model = fit_mds(data, full, exec);
  return std::sqrt(procrustes(Dataset(model.embedding()), Dataset(map), {.scaling = false}, exec).disparity);
}

}  // namespace

Plan plan_landmark_mds(const DataShape& shape, Index landmarks, const Execution& exec) {
  const auto n = static_cast<std::uint64_t>(shape.rows),
             m = static_cast<std::uint64_t>(std::min(landmarks, shape.rows));
  const double flops =
      static_cast<double>(shape.rows) * static_cast<double>(landmarks) * (2.0 * static_cast<double>(shape.cols) + 40.0);
  return PlanBuilder(shape, exec)
      .consider({.route = Route::landmarks,
                 .bytes = n * m * (shape.precision == Precision::float32 ? sizeof(float) : sizeof(double)) +
                          4 * m * m * sizeof(double),
                 .passes = 1,
                 .flops = flops,
                 .seconds = seconds_for(Work::tile_fill, flops)})
      .because(Reason(ReasonKind::landmarks_asked, landmarks))
      .take(Route::landmarks,
            fmt::format("{}: distances from {} landmarks to {} objects", kLandmarks, landmarks, shape.rows),
            lower_option("landmarks"));
}

template <class C>
Model fit_landmark_mds(const Dataset& data, const MdsOptions& o, OptionMap settings, Metric metric,
                       const Execution& exec) {
  require_plain(o, data);
  std::vector<std::pair<std::string, double>> seconds;
  Stopwatch watch(seconds);
  const Index n = data.rows();
  const bool given = metric == Metric::precomputed;
  DataShape seen = shape_of(data);
  seen.precision = sizeof(C) == sizeof(float) ? Precision::float32 : Precision::float64;
  Plan plan = plan_landmark_mds(seen, o.landmarks, exec);
  MetricRows<C> rows;
  if (!given) rows = pack_rows<C>(data, metric, metric_center(data, metric, exec), kLandmarks, exec);
  const std::vector<std::int32_t> landmarks = choose(data, rows, given, o, exec);
  watch.lap("landmarks");
  const auto values = distances_from(data, rows, given, landmarks, exec);
  const LandmarkDistances<C> distances{landmarks, n, values.get()};
  watch.lap("distances");
  SymmetricProblem problem{.who = kLandmarks, .components = o.components, .seed = o.seed};
  problem.tolerance = o.tolerance > 0.0 ? o.tolerance : gram_tolerance(data.precision());
  GramEmbedding gram = embed_landmarks(distances, problem, exec);
  watch.lap("eigen");
  const Matrix<double> map = place_by_landmarks(distances, gram, exec);
  const Vector<double> residual = residual_variance(distances, map, exec);
  watch.lap("places");

  gram.pairs.certificate.why.emplace_back(ReasonKind::landmarks_taken, landmarks.size(), n);
  if (gram.pairs.spectrum.size() > 0) gram.total = gram.pairs.spectrum.cwiseMax(0.0).sum();
  KernelModel shape;
  shape.similarity = Similarity::distance;
  shape.metric = metric;
  fill_shape(shape, gram, 1.0);
  if (given) {
    shape.paths.vertices = n;
    shape.paths.landmarks = landmarks;
  } else {
    const Matrix<double> all = data.matrix<double>();
    shape.objects.resize(std::ssize(landmarks), all.cols());
    for (std::size_t l = 0; l < landmarks.size(); ++l) shape.objects.row(static_cast<Index>(l)) = all.row(landmarks[l]);
  }
  Model::Head head = gram_head(kLandmarks, data, gram, std::move(settings), o.seed, "MDS");
  head.extension = Extension::nystrom;
  head.plan = std::move(plan);
  head.diagnostics = {{"landmarks", static_cast<double>(landmarks.size())},
                      {"residual_variance", residual[residual.size() - 1]}};
  if (n <= kCompared) {
    head.diagnostics.emplace_back("off_from_full", off_from_full(data, o, map, exec));
    watch.lap("full");
  }
  report_fit(gram.pairs, head);  // of the landmarks
  report_negative(gram.pairs, head);
  head.seconds = std::move(seconds);
  if (given && head.feature_names.empty()) head.feature_names = data.row_names;
  Model model(std::move(head), std::move(shape));
  if (o.embedding) model.keep_embedding(map);
  return model;
}

template Model fit_landmark_mds<float>(const Dataset&, const MdsOptions&, OptionMap, Metric, const Execution&);
template Model fit_landmark_mds<double>(const Dataset&, const MdsOptions&, OptionMap, Metric, const Execution&);

}  // namespace fewdim
