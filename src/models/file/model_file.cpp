#include "models/file/model_file.hpp"

#include <fmt/format.h>

#include "data/input/input.hpp"
#include "fewdim/error.hpp"
#include "fewdim/model_bytes.hpp"
#include "models/beside/beside.hpp"
#include "models/file/array_fields.hpp"
#include "models/file/checks.hpp"
#include "models/file/metadata.hpp"
#include "models/shapes/shapes.hpp"
#include "models/soundness.hpp"

namespace fewdim {

namespace {

constexpr const char* metadata_key = "fewdim";

/// What every shape has for its components, behind the shape's own arrays.
void describe_components(Spectrum& spectrum, Certificate& certificate, ModelFields& f) {
  f.array("explained_variance", spectrum.explained_variance);
  f.array("explained_variance_ratio", spectrum.explained_variance_ratio, {.must = Numbers::any});
  f.array("all_eigenvalues", spectrum.all_eigenvalues);
  f.array("residuals", certificate.residuals, {.must = Numbers::any});
  f.array("value_bounds", certificate.value_bounds, {.must = Numbers::any});
  f.array("angle_bounds", certificate.angle_bounds, {.must = Numbers::any});
}

void describe_arrays(Model::Head& head, AnyShape& shape, Matrix<double>& embedding, ModelFields& f) {
  std::visit(
      [&](auto& s) {
        describe(s, f);
        describe_components(s, head.certificate, f);
      },
      shape);
  f.array("embedding", embedding, {.single = true});
}

void require_sound_beside(const Model& model, const std::string& who) {
  for_each_attachment([&](auto* kind, const char*) {
    if (const auto* held = model.beside(kind)) require_sound(*held, model, who);
  });
}

void require_sound_model(const Model& model, const std::string& who) {
  model.spectrum();  // says so where the model is empty
  const Matrix<double> none;
  const Matrix<double>& embedding = model.has_embedding() ? model.embedding() : none;
  std::visit([&](const auto& shape) { require_sound(model.head(), shape, embedding, who); }, model.shape());
  require_sound_beside(model, who);
}

}  // namespace

Archive archive_of(const Model& model) {
  Archive archive;
  ArrayAdder adder(archive, model.head().precision == Precision::float32);
  auto& known = const_cast<Model&>(model);  // a description serves reading and writing
  Matrix<double> none;
  describe_arrays(known.head(), const_cast<AnyShape&>(model.shape()),
                  model.has_embedding() ? const_cast<Matrix<double>&>(model.embedding()) : none, adder);
  for_each_attachment([&](auto* kind, const char*) {
    if (const auto* held = model.beside(kind)) describe_to(*held, adder);
  });
  archive.metadata[metadata_key] = metadata_text(model);
  seal(archive);
  return archive;
}

/// A measure of kernel PCA that older files name for eigenvalues: it has always been one of variances.
void rename_measures(Model::Head& head) {
  for (Diagnostic& d : head.diagnostics)
    if (d.name == "eigenvalue_error_at_most") d = Diagnostic("variance_error_at_most", d.value);
}

/// Older files have the hash of the rows' weights among the options of PCA. Other shapes have an option of that name.
void move_weights_hash(Model::Head& head, const AnyShape& shape) {
  const auto found = head.options.find("weights");
  if (!std::holds_alternative<LinearModel>(shape) || found == head.options.end()) return;
  head.provenance.weights_hash = option_text(found->second);
  head.options.erase(found);
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
  move_weights_hash(metadata.head, metadata.shape);
  require_seal(found, metadata.format > 1, path);
  if (!metadata.data_hash.empty() && metadata.data_hash != hash_of_arrays(archive))
    throw DataError(fmt::format("{}: the file is damaged: its numbers are not those that were saved", path));
  ArrayReader arrays(archive, path);
  ArrayTaker taker(arrays);
  Matrix<double> embedding;
  describe_arrays(metadata.head, metadata.shape, embedding, taker);
  for_each_attachment([&](auto* kind, const char*) {
    if (const auto* held = metadata.beside.get<std::remove_pointer_t<decltype(kind)>>()) {
      auto filled = *held;
      describe(filled, taker);
      metadata.beside = Attachment(std::move(filled));
    }
  });
  arrays.done();
  std::visit([&](const auto& shape) { require_sound(metadata.head, shape, embedding, path); }, metadata.shape);
  Model model(std::move(metadata.head), std::move(metadata.shape));
  if (embedding.size() > 0) model.keep_embedding(std::move(embedding));
  model.keep(std::move(metadata.beside));
  require_sound_beside(model, path);
  return model;
}

void Model::save(const std::string& path, bool overwrite) const {
  require_sound_model(*this, path);
  write_archive(archive_of(*this), path, overwrite);
}

Model Model::load(const std::string& path) { return model_of(read_archive(path), shown_name(path)); }

std::string model_bytes(const Model& model) {
  require_sound_model(model, model.method());
  return archive_text(archive_of(model), model.method());
}

Model model_from_bytes(std::string bytes, const std::string& name) {
  const auto held = std::make_shared<const std::string>(std::move(bytes));
  return model_of(parse_archive(*held, name, held), name);
}

}  // namespace fewdim
