#include <cmath>
#include <limits>

#include "base/utf8.hpp"
#include "features/string_kernel.hpp"
#include "graph/parts.hpp"
#include "models/file/checks.hpp"
#include "models/preimage/preimage.hpp"
#include "models/shapes/kernel.hpp"

namespace fewdim {

void require_shapes(const Model::Head& head, const KernelModel& model, const std::string& who) {
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
  require_size(model.shift.size(), components, "shift", who);
  require_size(model.means.size(), objects, "means", who);
  require_size(model.weights.size(), objects, "weights", who);
  const Index without_features = paths.vertices > 0 ? paths.vertices + std::ssize(paths.left_out) : objects;
  require_size(std::ssize(head.feature_names),
               spectrum                   ? 0
               : model.objects.size() > 0 ? model.objects.cols()
                                          : without_features,
               "feature_names", who);
  require_components(head, model, components, who);
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
  require_all_finite(paths.geodesics, "geodesics", who);
}

void require_sound_texts(const StringKernel& strings, const std::string& who) {
  if (strings.length < 1 || strings.length > longest_substring)
    throw DataError(fmt::format("{}: substrings of {} characters are none", who, strings.length));
  for (std::size_t i = 0; i < strings.texts.size(); ++i)
    if (first_not_utf8(strings.texts[i]) != std::string::npos)
      throw DataError(fmt::format("{}: text {} is not UTF-8", who, i + 1));
}

}  // namespace

namespace {

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
  require_all_finite(inverse.places, "inverse_places", who);
  require_all_finite(inverse.weights, "inverse_weights", who);
  require_all_finite(inverse.mean, "inverse_mean", who);
}

}  // namespace

void require_sound(const Model::Head& head, const KernelModel& model, const Matrix<double>& embedding,
                   const std::string& who) {
  require_shapes(head, model, who);
  require_all_finite(model.objects, "objects", who);
  require_all_finite(model.coefficients, "coefficients", who);
  require_all_finite(model.means, "means", who);
  require_all_finite(model.shift, "shift", who);
  require_all(model.weights, "weights", "from 0 to 1", who, [](double w) { return w >= 0.0 && w <= 1.0; });
  require_all_finite(model.explained_variance, "explained_variance", who);
  require_all_finite(embedding, "embedding", who);
  if (embedding.size() > 0) require_size(embedding.cols(), model.coefficients.cols(), "embedding", who);
  for (const double number :
       {model.total_variance, model.gamma, model.offset, model.distance_shift, model.square_shift, model.mean})
    if (!std::isfinite(number)) throw DataError(fmt::format("{}: holds {}, which is not finite", who, number));
  if (model.similarity == Similarity::geodesic)
    require_sound_paths(model.paths, who);
  else
    require_rising(model.paths.landmarks, model.paths.vertices, "landmarks", who);
  require_sound_inverse(model, who);
  if (model.kernel == KernelKind::spectrum) require_sound_texts(model.strings, who);
  if (model.degree < 1 || model.degree > 100)
    throw DataError(fmt::format("{}: a kernel of degree {} is none", who, model.degree));
}

}  // namespace fewdim
