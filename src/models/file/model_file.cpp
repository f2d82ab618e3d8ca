#include "models/file/model_file.hpp"

#include <fmt/format.h>

#include "data/input/input.hpp"
#include "fewdim/error.hpp"
#include "fewdim/model_bytes.hpp"
#include "models/beside/image_index_file.hpp"
#include "models/beside/ratings_index_file.hpp"
#include "models/file/arrays.hpp"
#include "models/file/metadata.hpp"
#include "models/shapes/kernel.hpp"
#include "models/shapes/linear.hpp"
#include "models/shapes/neighbor.hpp"
#include "models/shapes/stress.hpp"
#include "models/text/text_index_file.hpp"

namespace fewdim {

namespace {

constexpr const char* metadata_key = "fewdim";

void add_shape(Archive& archive, const LinearModel& model, bool single) {
  // D×k in Eigen's order is k×D in C order: one component after the other.
  add_array(archive, "components",
            {static_cast<std::uint64_t>(model.map.cols()), static_cast<std::uint64_t>(model.map.rows())},
            {model.map.data(), model.map.data() + model.map.size()}, single);
  add_array(archive, "inverse_components", Matrix<double>(model.inverse_map.transpose()), single);
  add_array(archive, "mean", model.mean, single);
  add_array(archive, "scale", model.scale, single);
  add_array(archive, "output_scale", model.output_scale, single);
  add_array(archive, "singular_values", model.singular_values, false);
  add_array(archive, "column_variance", model.column_variance, false);
  add_array(archive, "loadings", Matrix<double>(model.loadings.transpose()), single);
  add_array(archive, "noise", model.noise, single);
  add_array(archive, "factor_correlation", model.factor_correlation, single);
  add_array(archive, "ridge", model.regression.ridge, false);
}

void add_paths(Archive& archive, const GeodesicPaths& paths) {
  std::vector<std::int32_t> ends;
  std::vector<double> lengths;
  for (const Link& link : paths.links) {
    ends.insert(ends.end(), {link.first, link.second});
    lengths.push_back(link.length);
  }
  add_array(archive, "links", {paths.links.size(), 2}, std::move(ends));
  add_array(archive, "link_lengths", {paths.links.size()}, std::move(lengths), false);
  add_array(archive, "landmarks", {paths.landmarks.size()}, paths.landmarks);
  add_array(archive, "left_out", {paths.left_out.size()}, paths.left_out);
  add_array(archive, "geodesics", paths.geodesics, false);
}

void add_shape(Archive& archive, const KernelModel& model, bool single) {
  add_array(archive, "objects", model.objects, single);
  add_array(archive, "coefficients", model.coefficients, false);
  add_array(archive, "means", model.means, false);
  add_array(archive, "weights", model.weights, false);
  add_array(archive, "shift", model.shift, false);
  if (model.paths.vertices > 0) add_paths(archive, model.paths);
  add_array(archive, "inverse_places", model.inverse.places, false);
  add_array(archive, "inverse_weights", model.inverse.weights, false);
  add_array(archive, "inverse_mean", model.inverse.mean, false);
  add_texts(archive, "texts", model.strings.texts);
}

void add_shape(Archive& archive, const StressModel& model, bool single) {
  add_array(archive, "objects", model.objects, single);
  add_array(archive, "configuration", model.configuration, false);
  add_array(archive, "knots", model.knots, false);
  add_array(archive, "knot_heights", model.knot_heights, false);
  add_array(archive, "point_stress", model.point_stress, false);
}

void add_shape(Archive& archive, const NeighborModel& model, bool single) {
  add_array(archive, "objects", model.objects, single);
  add_array(archive, "distances", model.distances, single);
  add_array(archive, "configuration", model.configuration, false);
  add_array(archive, "factors", model.factors, false);
  add_array(archive, "scales", model.scales, false);
  add_array(archive, "reach", model.reach, false);
  add_array(archive, "left_out", {model.left_out.size()}, model.left_out);
}

void read_shape(ArrayReader& arrays, LinearModel& model) {
  model.map = arrays.transposed("components");
  model.inverse_map = arrays.transposed("inverse_components");
  model.mean = arrays.vector("mean");
  model.scale = arrays.vector("scale");
  model.output_scale = arrays.vector("output_scale");
  model.singular_values = arrays.vector("singular_values");
  model.column_variance = arrays.vector("column_variance");
  model.loadings = arrays.transposed("loadings");
  model.noise = arrays.vector("noise");
  model.factor_correlation = arrays.transposed("factor_correlation").transpose();
  if (model.row_fit != RowFit::product) model.regression.ridge = arrays.vector("ridge");
}

void read_paths(ArrayReader& arrays, GeodesicPaths& paths, const std::string& path) {
  const std::vector<std::int32_t> ends = arrays.integers("links", 2);
  const Vector<double> lengths = arrays.vector("link_lengths");
  if (std::ssize(ends) != 2 * lengths.size())
    throw DataError(
        fmt::format("{}: not a model file: {} links have {} lengths", path, ends.size() / 2, lengths.size()));
  for (Index i = 0; i < lengths.size(); ++i)
    paths.links.push_back(
        {ends[static_cast<std::size_t>(2 * i)], ends[static_cast<std::size_t>(2 * i + 1)], lengths[i]});
  paths.landmarks = arrays.integers("landmarks", 1);
  paths.left_out = arrays.integers("left_out", 1);
  paths.geodesics = arrays.transposed("geodesics").transpose();
}

void read_shape(ArrayReader& arrays, KernelModel& model) {
  model.objects = arrays.transposed("objects").transpose();
  model.coefficients = arrays.transposed("coefficients").transpose();
  model.means = arrays.vector("means");
  model.weights = arrays.vector("weights");
  model.shift = arrays.vector("shift");
  if (model.paths.vertices > 0) read_paths(arrays, model.paths, arrays.path());
  model.strings.texts = arrays.texts("texts");
  if (model.inverse.kind != Preimage::ridge) return;
  model.inverse.places = arrays.transposed("inverse_places").transpose();
  model.inverse.weights = arrays.transposed("inverse_weights").transpose();
  model.inverse.mean = arrays.vector("inverse_mean");
}

void read_shape(ArrayReader& arrays, StressModel& model) {
  model.objects = arrays.transposed("objects").transpose();
  model.configuration = arrays.transposed("configuration").transpose();
  model.knots = arrays.vector("knots");
  model.knot_heights = arrays.vector("knot_heights");
  model.point_stress = arrays.vector("point_stress");
}

void read_shape(ArrayReader& arrays, NeighborModel& model) {
  model.objects = arrays.transposed("objects").transpose();
  model.distances = arrays.transposed("distances").transpose();
  model.configuration = arrays.transposed("configuration").transpose();
  model.factors = arrays.vector("factors");
  model.scales = arrays.vector("scales");
  model.reach = arrays.vector("reach");
  model.left_out = arrays.integers("left_out", 1);
}

template <class Shape>
Model assembled(Metadata& metadata, Shape shape, ArrayReader& arrays, const std::string& path) {
  read_shape(arrays, shape);
  Certificate& certificate = metadata.head.certificate;
  shape.explained_variance = arrays.vector("explained_variance");
  shape.explained_variance_ratio = arrays.vector("explained_variance_ratio");
  shape.total_variance = metadata.total_variance;
  shape.all_eigenvalues = arrays.vector("all_eigenvalues");
  certificate.residuals = arrays.vector("residuals");
  certificate.value_bounds = arrays.vector("value_bounds");
  certificate.angle_bounds = arrays.vector("angle_bounds");
  const Matrix<double> embedding = arrays.transposed("embedding").transpose();
  if (metadata.index) read_index(arrays, *metadata.index);
  if (metadata.images) read_images(arrays, *metadata.images);
  if (metadata.ratings) read_ratings_index(arrays, *metadata.ratings);
  arrays.done();
  require_sound(metadata.head, shape, embedding, path);
  Model model(std::move(metadata.head), std::move(shape));
  if (embedding.size() > 0) model.keep_embedding(embedding);
  if (metadata.index) {
    const Index k = model.components();
    if (!model.is_linear() || model.linear().map.size() == 0 || model.linear().singular_values.size() != k ||
        !(model.linear().singular_values.array() > 0.0).all() || model.spectrum().explained_variance_ratio.size() != k)
      throw DataError(fmt::format("{}: not a model file: documents without the decomposition they need", path));
    require_sound(*metadata.index, model.features(), k, path);
    model.keep_index(std::move(*metadata.index));
  }
  if (metadata.images) {
    require_sound(*metadata.images, model, path);
    model.keep_images(std::move(*metadata.images));
  }
  if (metadata.ratings) {
    require_sound(*metadata.ratings, model, path);
    model.keep_ratings(std::move(*metadata.ratings));
  }
  return model;
}

void require_sound(const Model& model, const Matrix<double>& embedding, const std::string& path) {
  if (model.is_linear()) return require_sound(model.head(), model.linear(), embedding, path);
  if (model.is_stress()) return require_sound(model.head(), model.stress(), embedding, path);
  if (model.is_neighbor()) return require_sound(model.head(), model.neighbor(), embedding, path);
  require_sound(model.head(), model.kernel(), embedding, path);
}

}  // namespace

Archive archive_of(const Model& model) {
  const Model::Head& head = model.head();
  const bool single = head.precision == Precision::float32;
  Archive archive;
  Metadata metadata{.head = head, .total_variance = model.spectrum().total_variance};
  if (model.is_linear()) {
    add_shape(archive, model.linear(), single);
    metadata.limits = model.linear().limits;
    metadata.random = model.linear().random;
    metadata.row_fit = model.linear().row_fit;
    metadata.regression = model.linear().regression;
  } else if (model.is_stress()) {
    add_shape(archive, model.stress(), single);
    metadata.stress = stress_scalars(model.stress());
  } else if (model.is_neighbor()) {
    add_shape(archive, model.neighbor(), single);
    metadata.neighbor = neighbor_scalars(model.neighbor());
  } else {
    add_shape(archive, model.kernel(), single);
    metadata.kernel = kernel_scalars(model.kernel());
  }
  add_array(archive, "explained_variance", model.spectrum().explained_variance, false);
  add_array(archive, "explained_variance_ratio", model.spectrum().explained_variance_ratio, false);
  add_array(archive, "all_eigenvalues", model.spectrum().all_eigenvalues, false);
  add_array(archive, "residuals", head.certificate.residuals, false);
  add_array(archive, "value_bounds", head.certificate.value_bounds, false);
  add_array(archive, "angle_bounds", head.certificate.angle_bounds, false);
  if (model.has_embedding()) add_array(archive, "embedding", model.embedding(), single);
  if (model.has_index()) {
    add_index(archive, model.index(), model.components());
    metadata.index = model.index();
  }
  if (model.has_images()) {
    add_images(archive, model.images());
    metadata.images = model.images();
  }
  if (model.has_ratings()) {
    add_ratings_index(archive, model.ratings());
    metadata.ratings = RatingsIndex{.lowest = model.ratings().lowest, .highest = model.ratings().highest};
  }
  archive.metadata[metadata_key] = metadata_text(metadata);
  seal(archive);
  return archive;
}

/// A measure of kernel PCA that older files name for eigenvalues: it has always been one of variances.
void rename_measures(Model::Head& head) {
  for (auto& [name, value] : head.diagnostics)
    if (name == "eigenvalue_error_at_most") name = "variance_error_at_most";
}

Model model_of(const Archive& archive, const std::string& path) {
  const auto text = archive.metadata.find(metadata_key);
  if (text == archive.metadata.end())
    throw DataError(
        fmt::format("{}: a safetensors file, but no model of fewdim's: its metadata has no '{}'", path, metadata_key));
  const Seal found = seal_of(archive);
  require_seal(found, false, path);
  std::size_t most_names = 0;
  for (const Tensor& tensor : archive.tensors) most_names += tensor.bytes.size() / size_of(tensor.type);
  Metadata metadata = parse_metadata(text->second, path, most_names);
  rename_measures(metadata.head);
  require_seal(found, metadata.format > 1, path);
  if (!metadata.data_hash.empty() && metadata.data_hash != hash_of_arrays(archive))
    throw DataError(fmt::format("{}: the file is damaged: its numbers are not those that were saved", path));
  ArrayReader arrays(archive, path);
  if (metadata.kernel) return assembled(metadata, *metadata.kernel, arrays, path);
  if (metadata.stress) return assembled(metadata, *metadata.stress, arrays, path);
  if (metadata.neighbor) return assembled(metadata, *metadata.neighbor, arrays, path);
  LinearModel linear;
  linear.limits = std::move(metadata.limits);
  linear.random = metadata.random;
  linear.row_fit = metadata.row_fit;
  linear.regression = metadata.regression;
  return assembled(metadata, std::move(linear), arrays, path);
}

void Model::save(const std::string& path, bool overwrite) const {
  require_sound(*this, embedding_, path);
  write_archive(archive_of(*this), path, overwrite);
}

Model Model::load(const std::string& path) { return model_of(read_archive(path), shown_name(path)); }

std::string model_bytes(const Model& model) {
  require_sound(model, model.has_embedding() ? model.embedding() : Matrix<double>(), model.method());
  return archive_text(archive_of(model), model.method());
}

Model model_from_bytes(std::string bytes, const std::string& name) {
  const auto held = std::make_shared<const std::string>(std::move(bytes));
  return model_of(parse_archive(*held, name, held), name);
}

}  // namespace fewdim
