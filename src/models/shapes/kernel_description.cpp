#include <cmath>
#include <limits>

#include "base/utf8.hpp"
#include "features/string_kernel.hpp"
#include "graph/parts.hpp"
#include "models/file/checks.hpp"
#include "models/names.hpp"
#include "models/preimage/preimage.hpp"
#include "models/shapes/kernel.hpp"

namespace fewdim {

void describe(KernelModel& m, ModelFields& f) {
  const Index objects = m.coefficients.rows(), components = m.coefficients.cols();
  f.choice("similarity", m.similarity);
  f.choice("kernel", m.kernel);
  f.value("gamma", m.gamma);
  f.value("offset", m.offset);
  f.value("degree", m.degree);
  f.choice("metric", m.metric);
  f.value("distance_shift", m.distance_shift);
  f.value("square_shift", m.square_shift);
  f.value("mean", m.mean);
  f.array("objects", m.objects, {.single = true});
  f.array("coefficients", m.coefficients);
  f.array("means", m.means, {.rows = objects});
  f.array("weights", m.weights, {.rows = objects, .must = Numbers::share});
  f.array("shift", m.shift, {.rows = components});
  f.group("paths", m.paths.vertices > 0, [&] {
    GeodesicPaths& p = m.paths;
    f.value("neighbors", p.neighbors);
    f.value("radius", p.radius, Numbers::any);  // require_sound_paths has more to say of it
    f.value("given", p.given);
    f.value("vertices", p.vertices);
    f.links("links", "link_lengths", p.links);
    f.integers("landmarks", p.landmarks);
    f.integers("left_out", p.left_out);
    f.array("geodesics", p.geodesics);
  });
  f.group("inverse", m.inverse.kind != Preimage::none, [&] {
    f.choice("kind", m.inverse.kind);
    f.value("gamma", m.inverse.gamma);
    if (m.inverse.kind != Preimage::ridge) return;
    f.array("inverse_places", m.inverse.places);
    f.array("inverse_weights", m.inverse.weights);
    f.array("inverse_mean", m.inverse.mean);
  });
  f.group("strings", m.kernel == KernelKind::spectrum, [&] {
    f.value("length", m.strings.length);
    f.value("normalize", m.strings.normalize);
    f.texts("texts", m.strings.texts);
  });
}

void require_fit(const Model::Head& head, const KernelModel& model, const std::string& who) {
  const Index objects = model.coefficients.rows(), components = model.coefficients.cols();
  if (objects < 1 || components < 1)
    throw DataError(fmt::format("{}: {} objects and {} components are no model", who, objects, components));
  const bool geodesic = model.similarity == Similarity::geodesic;
  const GeodesicPaths& paths = model.paths;
  if ((geodesic || paths.vertices > 0) &&
      (paths.landmarks.empty() ? paths.vertices : std::ssize(paths.landmarks)) != objects)
    throw DataError(fmt::format("{}: {} coefficients don't fit the {} vertices and {} landmarks", who, objects,
                                paths.vertices, paths.landmarks.size()));
  const bool fourier = model.similarity == Similarity::fourier;
  if (fourier && 2 * model.objects.rows() != objects)
    throw DataError(fmt::format("{}: {} frequencies don't fit {} coefficients", who, model.objects.rows(), objects));
  if (!fourier) require_size(model.objects.rows(), geodesic ? paths.vertices : objects, "objects", who);
  const bool spectrum = model.kernel == KernelKind::spectrum;
  if (std::ssize(model.strings.texts) != (spectrum ? objects : 0) || (spectrum && model.objects.size() > 0) ||
      (spectrum && model.similarity != Similarity::kernel))
    throw DataError(
        fmt::format("{}: {} texts don't fit a kernel of {} objects", who, model.strings.texts.size(), objects));
  const Index without_features = paths.vertices > 0 ? paths.vertices + std::ssize(paths.left_out) : objects;
  require_size(std::ssize(head.feature_names),
               spectrum                   ? 0
               : model.objects.size() > 0 ? model.objects.cols()
                                          : without_features,
               "feature_names", who);
}

namespace {

/// A graph in one part, so that every path is finite.
void require_sound_paths(const GeodesicPaths& paths, const std::string& who) {
  if (paths.vertices < 2 || paths.vertices > std::numeric_limits<std::int32_t>::max())
    throw DataError(fmt::format("{}: a graph of {} vertices is none", who, paths.vertices));
  if (std::ssize(paths.links) < paths.vertices - 1)  // before anything of that size is made
    throw DataError(fmt::format("{}: {} links can't connect {} vertices", who, paths.links.size(), paths.vertices));
  if (!(paths.radius >= 0.0) || !std::isfinite(paths.radius) ||
      (paths.radius == 0.0) != (paths.given || paths.neighbors > 0))
    throw DataError(fmt::format("{}: neighbors {} and radius {} don't say how objects are linked", who, paths.neighbors,
                                paths.radius));
  Sets sets(paths.vertices);
  Link last{-1, -1, 0.0};
  for (const Link& link : paths.links) {
    if (link.first < 0 || link.first >= link.second || link.second >= paths.vertices ||
        std::pair(link.first, link.second) <= std::pair(last.first, last.second) || !(link.length >= 0.0) ||
        !std::isfinite(link.length))
      throw DataError(fmt::format("{}: the link of {} and {} with length {} does not belong there", who, link.first,
                                  link.second, link.length));
    sets.join(link.first, link.second);
    last = link;
  }
  if (sets.count() != 1) throw DataError(fmt::format("{}: its graph is in {} parts", who, sets.count()));
  require_rising(paths.landmarks, paths.vertices, "landmarks", who);
  require_rising(paths.left_out, paths.vertices + std::ssize(paths.left_out), "left_out", who);
  if (paths.geodesics.size() == 0) return;
  const Index landmarks = paths.landmarks.empty() ? paths.vertices : std::ssize(paths.landmarks);
  if (paths.geodesics.rows() != landmarks || paths.geodesics.cols() != paths.vertices)
    throw DataError(fmt::format("{}: geodesics are {}x{}, not {}x{}", who, paths.geodesics.rows(),
                                paths.geodesics.cols(), landmarks, paths.vertices));
}

void require_sound_texts(const StringKernel& strings, const std::string& who) {
  if (strings.length < 1 || strings.length > longest_substring)
    throw DataError(fmt::format("{}: substrings of {} characters are none", who, strings.length));
  for (std::size_t i = 0; i < strings.texts.size(); ++i)
    if (first_not_utf8(strings.texts[i]) != std::string::npos)
      throw DataError(fmt::format("{}: text {} is not UTF-8", who, i + 1));
}

/// A way back that goes with the model, and what it needs.
void require_sound_inverse(const KernelModel& model, const std::string& who) {
  const KernelInverse& inverse = model.inverse;
  if (inverse.kind == Preimage::none) return;
  const KernelKind kernel = model.objects.size() == 0 ? KernelKind::precomputed : model.kernel;
  const bool all = model.shift.size() == 0 && model.weights.size() == 0;
  const bool by_kernel = model.similarity == Similarity::kernel;
  const std::string reason = no_way_back(inverse.kind, kernel, model.degree, all, !by_kernel);
  if (!reason.empty()) throw DataError(fmt::format("{}: {}", who, reason));
  if (inverse.kind != Preimage::ridge) {
    if (inverse.kind == Preimage::distances && model.kernel == KernelKind::linear) return;
    if (!(model.gamma > 0.0)) throw DataError(fmt::format("{}: a kernel with gamma {} is none", who, model.gamma));
    return;
  }
  if (!(inverse.gamma > 0.0) || !std::isfinite(inverse.gamma))
    throw DataError(fmt::format("{}: the way back has gamma {}, which is no width", who, inverse.gamma));
  const Index rows = inverse.places.rows();
  if (rows < 1 || inverse.places.cols() != model.coefficients.cols() || inverse.weights.rows() != rows ||
      inverse.weights.cols() != model.objects.cols() || inverse.mean.size() != model.objects.cols())
    throw DataError(fmt::format("{}: the way back has {}x{} places, {}x{} weights and a mean of {}, which don't fit",
                                who, rows, inverse.places.cols(), inverse.weights.rows(), inverse.weights.cols(),
                                inverse.mean.size()));
}

}  // namespace

void require_values(const KernelModel& model, const std::string& who) {
  if (model.similarity == Similarity::geodesic)
    require_sound_paths(model.paths, who);
  else
    require_rising(model.paths.landmarks, model.paths.vertices, "landmarks", who);
  require_sound_inverse(model, who);
  if (model.kernel == KernelKind::spectrum) require_sound_texts(model.strings, who);
  if (model.degree < 1 || model.degree > 100)
    throw DataError(fmt::format("{}: a kernel of degree {} is none", who, model.degree));
}

namespace {

/// Eigenvalues of a kernel matrix are kept as variances, those of −½JΔ²J as they are.
bool keeps_variances(const KernelModel& model) {
  return model.similarity == Similarity::kernel || model.similarity == Similarity::fourier;
}

}  // namespace

Index features_of(const KernelModel& model) {
  if (takes_text(model)) return 0;
  if (model.objects.size() > 0) return model.objects.cols();
  if (model.paths.vertices > 0) return model.paths.vertices + std::ssize(model.paths.left_out);
  return model.coefficients.rows();
}

std::string new_object(const KernelModel& model) {
  if (model.objects.size() > 0) return {};
  if (model.similarity == Similarity::kernel) return "kernel value";
  return model.paths.given ? "link" : "distance";
}

std::optional<Metric> metric_of(const KernelModel& model) {
  return model.similarity == Similarity::distance ? std::optional(model.metric) : std::nullopt;
}

/// Kernel PCA keeps λ/(N−1), but for a kernel that is not centered. A model of features is centered by its shift.
Vector<double> eigenvalues_of(const KernelModel& model, const Model::Head& head) {
  if (!keeps_variances(model)) return model.explained_variance;
  const bool centered = model.means.size() > 0 || model.shift.size() > 0;
  const double divisor = centered ? static_cast<double>(std::max<Index>(head.provenance.rows - 1, 1)) : 1.0;
  return model.explained_variance * divisor;
}

double variance_divisor(const KernelModel& model) {
  return keeps_variances(model) ? 1.0 : static_cast<double>(std::max<Index>(model.coefficients.rows() - 1, 1));
}

}  // namespace fewdim
