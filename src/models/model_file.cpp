#include "models/model_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "data/input.hpp"
#include "fewdim/error.hpp"
#include "models/linear.hpp"
#include "models/metadata.hpp"

namespace fewdim {

namespace {

constexpr const char* metadata_key = "fewdim";

template <class T>
Tensor tensor_of(std::string name, std::vector<std::uint64_t> shape, std::shared_ptr<std::vector<T>> numbers) {
  return {.name = std::move(name),
          .type = sizeof(T) == 4 ? DType::f32 : DType::f64,
          .shape = std::move(shape),
          .bytes = {reinterpret_cast<const char*>(numbers->data()), numbers->size() * sizeof(T)},
          .owner = std::move(numbers)};
}

bool survives_single(const std::vector<double>& numbers) {
  return std::ranges::all_of(numbers, [](double x) { return static_cast<double>(static_cast<float>(x)) == x; });
}

/// Adds an array, as float32 where that was the model's precision and no bit is lost.
void add(Archive& archive, std::string name, std::vector<std::uint64_t> shape, std::vector<double> numbers,
         bool single) {
  if (numbers.empty()) return;
  if (single && survives_single(numbers)) {
    auto narrow = std::make_shared<std::vector<float>>(numbers.begin(), numbers.end());
    archive.tensors.push_back(tensor_of(std::move(name), std::move(shape), std::move(narrow)));
    return;
  }
  auto wide = std::make_shared<std::vector<double>>(std::move(numbers));
  archive.tensors.push_back(tensor_of(std::move(name), std::move(shape), std::move(wide)));
}

void add(Archive& archive, std::string name, const Vector<double>& v, bool single) {
  add(archive, std::move(name), {static_cast<std::uint64_t>(v.size())}, {v.begin(), v.end()}, single);
}

std::vector<double> by_rows(const Matrix<double>& m) {
  std::vector<double> numbers;
  numbers.reserve(static_cast<std::size_t>(m.size()));
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j < m.cols(); ++j) numbers.push_back(m(i, j));
  return numbers;
}

/// Takes arrays out of an archive, each once; done() refuses what nobody has asked for.
class ArrayReader {
 public:
  ArrayReader(const Archive& archive, const std::string& path) : archive_(archive), path_(path) {}

  Vector<double> vector(const char* name) {  // an absent array is an empty vector
    const Tensor* tensor = take(name, 1);
    Vector<double> out(tensor ? static_cast<Index>(tensor->shape[0]) : 0);
    if (tensor) copy(*tensor, out.data());
    return out;
  }
  /// rows×cols in C order is cols×rows in Eigen's: the transposed matrix comes out.
  Matrix<double> transposed(const char* name) {
    const Tensor* tensor = take(name, 2);
    if (!tensor) return {};
    Matrix<double> out(static_cast<Index>(tensor->shape[1]), static_cast<Index>(tensor->shape[0]));
    copy(*tensor, out.data());
    return out;
  }
  void done() const {
    if (taken_.size() == archive_.tensors.size()) return;
    const auto unknown = std::ranges::find_if(
        archive_.tensors, [&](const Tensor& t) { return std::ranges::find(taken_, t.name) == taken_.end(); });
    refuse(unknown->name, "is none this fewdim knows");
  }

 private:
  [[noreturn]] void refuse(const std::string& name, const char* reason) const {
    throw DataError(fmt::format("{}: not a model file: array '{}' {}", path_, name, reason));
  }
  const Tensor* take(const char* name, std::size_t rank) {
    const Tensor* tensor = archive_.find(name);
    if (!tensor) return nullptr;
    if (tensor->type != DType::f32 && tensor->type != DType::f64) refuse(name, "is not of type F32 or F64");
    if (tensor->shape.size() != rank) refuse(name, rank == 1 ? "is not a vector" : "is not a matrix");
    if (tensor->bytes.empty()) refuse(name, "is empty");
    taken_.emplace_back(name);
    return tensor;
  }
  static void copy(const Tensor& tensor, double* out) {  // the file's bytes may lie at any address
    if (tensor.type == DType::f64) {
      std::memcpy(out, tensor.bytes.data(), tensor.bytes.size());
      return;
    }
    for (std::size_t at = 0; at < tensor.bytes.size(); at += sizeof(float)) {
      float number = 0;
      std::memcpy(&number, tensor.bytes.data() + at, sizeof number);
      *out++ = static_cast<double>(number);
    }
  }

  const Archive& archive_;
  const std::string& path_;
  std::vector<std::string> taken_;
};

}  // namespace

Archive archive_of(const Model& whole) {
  const LinearModel& model = whole.linear();
  const Model::Head& head = whole.head();
  const bool single = head.precision == Precision::float32;
  const auto k = static_cast<std::uint64_t>(whole.components()), d = static_cast<std::uint64_t>(whole.features());
  Archive archive;
  // D×k in Eigen's order is k×D in C order: one component after the other.
  add(archive, "components", {k, d}, {model.map.data(), model.map.data() + model.map.size()}, single);
  add(archive, "mean", model.mean, single);
  add(archive, "scale", model.scale, single);
  add(archive, "output_scale", model.output_scale, single);
  add(archive, "singular_values", model.singular_values, false);
  add(archive, "explained_variance", model.explained_variance, false);
  add(archive, "explained_variance_ratio", model.explained_variance_ratio, false);
  add(archive, "column_variance", model.column_variance, false);
  add(archive, "residuals", head.certificate.residuals, false);
  add(archive, "value_bounds", head.certificate.value_bounds, false);
  add(archive, "angle_bounds", head.certificate.angle_bounds, false);
  if (whole.has_embedding())
    add(archive, "embedding", {static_cast<std::uint64_t>(whole.embedding().rows()), k}, by_rows(whole.embedding()),
        single);
  archive.metadata[metadata_key] = metadata_text({.head = head,
                                                  .total_variance = model.total_variance,
                                                  .limits = model.limits,
                                                  .data_hash = hash_of_arrays(archive)});
  return archive;
}

Model model_of(const Archive& archive, const std::string& path) {
  const auto text = archive.metadata.find(metadata_key);
  if (text == archive.metadata.end())
    throw DataError(
        fmt::format("{}: a safetensors file, but no model of fewdim's: its metadata has no '{}'", path, metadata_key));
  std::size_t most_names = 0;
  for (const Tensor& tensor : archive.tensors) most_names += tensor.bytes.size() / size_of(tensor.type);
  Metadata metadata = parse_metadata(text->second, path, most_names);
  if (!metadata.data_hash.empty() && metadata.data_hash != hash_of_arrays(archive))
    throw DataError(fmt::format("{}: the file is damaged: its numbers are not those that were saved", path));

  ArrayReader arrays(archive, path);
  LinearModel model;
  model.map = arrays.transposed("components");
  model.mean = arrays.vector("mean");
  model.scale = arrays.vector("scale");
  model.output_scale = arrays.vector("output_scale");
  model.singular_values = arrays.vector("singular_values");
  model.explained_variance = arrays.vector("explained_variance");
  model.explained_variance_ratio = arrays.vector("explained_variance_ratio");
  model.column_variance = arrays.vector("column_variance");
  model.total_variance = metadata.total_variance;
  model.limits = std::move(metadata.limits);
  metadata.head.certificate.residuals = arrays.vector("residuals");
  metadata.head.certificate.value_bounds = arrays.vector("value_bounds");
  metadata.head.certificate.angle_bounds = arrays.vector("angle_bounds");
  const Matrix<double> embedding = arrays.transposed("embedding").transpose();
  arrays.done();
  require_sound(metadata.head, model, embedding, path);
  Model loaded(std::move(metadata.head), std::move(model));
  if (embedding.size() > 0) loaded.keep_embedding(embedding);
  return loaded;
}

void Model::save(const std::string& path, bool overwrite) const {
  require_sound(head_, linear(), embedding_, path);
  write_archive(archive_of(*this), path, overwrite);
}

Model Model::load(const std::string& path) { return model_of(read_archive(path), shown_name(path)); }

}  // namespace fewdim
