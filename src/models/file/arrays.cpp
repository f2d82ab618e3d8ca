#include "models/file/arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "fewdim/error.hpp"
#include "fewdim/text_index.hpp"

namespace fewdim {

namespace {

template <class T>
Tensor tensor_of(std::string name, std::vector<std::uint64_t> shape, std::shared_ptr<std::vector<T>> numbers) {
  return {.name = std::move(name),
          .type = sizeof(T) == 4 ? DType::f32 : DType::f64,
          .shape = std::move(shape),
          .bytes = {reinterpret_cast<const char*>(numbers->data()), numbers->size() * sizeof(T)},
          .owner = std::move(numbers)};
}

template <class T>
constexpr DType dtype_of() {
  if (std::is_same_v<T, float>) return DType::f32;
  if (std::is_same_v<T, std::int32_t>) return DType::i32;
  return std::is_same_v<T, std::int64_t> ? DType::i64 : DType::u8;
}

bool survives_single(const std::vector<double>& numbers) {
  return std::ranges::all_of(numbers, [](double x) { return static_cast<double>(static_cast<float>(x)) == x; });
}

std::vector<double> by_rows(const Matrix<double>& m) {
  std::vector<double> numbers;
  numbers.reserve(static_cast<std::size_t>(m.size()));
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j < m.cols(); ++j) numbers.push_back(m(i, j));
  return numbers;
}

void copy(const Tensor& tensor, double* out) {  // the file's bytes may lie at any address
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

}  // namespace

void add_array(Archive& archive, std::string name, std::vector<std::uint64_t> shape, std::vector<double> numbers,
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

void add_array(Archive& archive, std::string name, std::vector<std::uint64_t> shape,
               std::vector<std::int32_t> numbers) {
  if (numbers.empty()) return;
  Tensor tensor =
      tensor_of(std::move(name), std::move(shape), std::make_shared<std::vector<std::int32_t>>(std::move(numbers)));
  tensor.type = DType::i32;
  archive.tensors.push_back(std::move(tensor));
}

void add_array(Archive& archive, std::string name, const Vector<double>& v, bool single) {
  add_array(archive, std::move(name), {static_cast<std::uint64_t>(v.size())}, {v.begin(), v.end()}, single);
}

void add_array(Archive& archive, std::string name, const Matrix<double>& m, bool single) {
  add_array(archive, std::move(name), {static_cast<std::uint64_t>(m.rows()), static_cast<std::uint64_t>(m.cols())},
            by_rows(m), single);
}

void add_texts(Archive& archive, const std::string& name, const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  auto bytes = std::make_shared<std::string>();
  auto ends = std::make_shared<std::vector<std::int64_t>>();
  for (const std::string& text : texts) {
    *bytes += text;
    ends->push_back(std::ssize(*bytes));
  }
  archive.tensors.push_back(
      {.name = name + "_ends",
       .type = DType::i64,
       .shape = {ends->size()},
       .bytes = {reinterpret_cast<const char*>(ends->data()), ends->size() * sizeof(std::int64_t)},
       .owner = ends});
  if (bytes->empty()) return;
  archive.tensors.push_back(
      {.name = name, .type = DType::u8, .shape = {bytes->size()}, .bytes = *bytes, .owner = bytes});
}

namespace {

template <class T>
void add_view(Archive& archive, std::string name, std::vector<std::uint64_t> shape, const SharedArray<T>& numbers) {
  if (numbers.empty()) return;
  const auto size = static_cast<std::size_t>(numbers.size()) * sizeof(T);
  archive.tensors.push_back({.name = std::move(name),
                             .type = dtype_of<T>(),
                             .shape = std::move(shape),
                             .bytes = {reinterpret_cast<const char*>(numbers.data()), size},
                             .owner = std::make_shared<SharedArray<T>>(numbers)});
}

template <class T>
std::vector<std::uint64_t> as_vector(const SharedArray<T>& numbers) {
  return {static_cast<std::uint64_t>(numbers.size())};
}

}  // namespace

void add_shared(Archive& archive, std::string name, std::vector<std::uint64_t> shape,
                const SharedArray<float>& numbers) {
  add_view(archive, std::move(name), std::move(shape), numbers);
}
void add_shared(Archive& archive, std::string name, const SharedArray<std::int32_t>& numbers) {
  add_view(archive, std::move(name), as_vector(numbers), numbers);
}
void add_shared(Archive& archive, std::string name, const SharedArray<std::int64_t>& numbers) {
  add_view(archive, std::move(name), as_vector(numbers), numbers);
}
void add_shared(Archive& archive, std::string name, const SharedArray<char>& bytes) {
  add_view(archive, std::move(name), as_vector(bytes), bytes);
}
void add_shared(Archive& archive, const std::string& name, const StringList& strings) {
  add_shared(archive, name, strings.bytes());
  add_shared(archive, name + "_ends", strings.ends());
}

Vector<double> ArrayReader::vector(const char* name) {
  const Tensor* tensor = take(name, 1);
  Vector<double> out(tensor ? static_cast<Index>(tensor->shape[0]) : 0);
  if (tensor) copy(*tensor, out.data());
  return out;
}

Matrix<double> ArrayReader::transposed(const char* name) {
  const Tensor* tensor = take(name, 2);
  if (!tensor) return {};
  Matrix<double> out(static_cast<Index>(tensor->shape[1]), static_cast<Index>(tensor->shape[0]));
  copy(*tensor, out.data());
  return out;
}

std::vector<std::int32_t> ArrayReader::integers(const char* name, std::size_t rank) {
  const Tensor* tensor = take(name, rank, true);
  std::vector<std::int32_t> out(tensor ? tensor->bytes.size() / sizeof(std::int32_t) : 0);
  if (tensor) std::memcpy(out.data(), tensor->bytes.data(), tensor->bytes.size());
  return out;
}

std::vector<std::string> ArrayReader::texts(const std::string& name) {
  const std::string ends_name = name + "_ends";
  const Tensor* ends = take_vector(ends_name, DType::i64);
  const Tensor* bytes = take_vector(name, DType::u8);
  if (!ends && bytes) refuse(name, "has no ends");
  std::vector<std::string> out;
  const std::int64_t size = bytes ? std::ssize(bytes->bytes) : 0;
  std::int64_t begin = 0, end = 0;
  for (std::size_t at = 0; ends && at < ends->bytes.size(); at += sizeof end) {
    std::memcpy(&end, ends->bytes.data() + at, sizeof end);
    if (end < begin || end > size) refuse(ends_name, "does not rise to the size of the texts");
    out.emplace_back(bytes ? bytes->bytes.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin))
                           : std::string_view());
    begin = end;
  }
  if (begin != size) refuse(ends_name, "does not rise to the size of the texts");
  return out;
}

void ArrayReader::done() const {
  if (taken_.size() == archive_.tensors.size()) return;
  const auto unknown = std::ranges::find_if(
      archive_.tensors, [&](const Tensor& t) { return std::ranges::find(taken_, t.name) == taken_.end(); });
  refuse(unknown->name, "is none this fewdim knows");
}

void ArrayReader::refuse(const std::string& name, const char* reason) const {
  throw DataError(fmt::format("{}: not a model file: array '{}' {}", path_, name, reason));
}

const Tensor* ArrayReader::take(const char* name, std::size_t rank, bool whole) {
  const Tensor* tensor = archive_.find(name);
  if (!tensor) return nullptr;
  if (whole && tensor->type != DType::i32) refuse(name, "is not of type I32");
  if (!whole && tensor->type != DType::f32 && tensor->type != DType::f64) refuse(name, "is not of type F32 or F64");
  if (tensor->shape.size() != rank) refuse(name, rank == 1 ? "is not a vector" : "is not a matrix");
  if (tensor->bytes.empty()) refuse(name, "is empty");
  taken_.emplace_back(name);
  return tensor;
}

template <class T>
SharedArray<T> ArrayReader::shared(const std::string& name, std::size_t rank) {
  const Tensor* tensor = archive_.find(name);
  if (!tensor) return {};
  if (tensor->type != dtype_of<T>()) refuse(name, "is of another type than it should be");
  if (tensor->shape.size() != rank) refuse(name, rank == 1 ? "is not a vector" : "is not a matrix");
  taken_.push_back(name);
  const std::size_t count = tensor->bytes.size() / sizeof(T);
  if (reinterpret_cast<std::uintptr_t>(tensor->bytes.data()) % alignof(T) == 0)
    return {std::span<const T>(reinterpret_cast<const T*>(tensor->bytes.data()), count), tensor->owner};
  std::vector<T> copied(count);  // another writer may have laid it anywhere
  std::memcpy(copied.data(), tensor->bytes.data(), count * sizeof(T));
  return copied;
}
template SharedArray<float> ArrayReader::shared(const std::string&, std::size_t);
template SharedArray<std::int32_t> ArrayReader::shared(const std::string&, std::size_t);
template SharedArray<std::int64_t> ArrayReader::shared(const std::string&, std::size_t);
template SharedArray<char> ArrayReader::shared(const std::string&, std::size_t);

StringList ArrayReader::strings(const std::string& name) {
  SharedArray<char> bytes = shared<char>(name);
  SharedArray<std::int64_t> ends = shared<std::int64_t>(name + "_ends");
  std::int64_t last = 0;
  for (const std::int64_t end : ends) {
    if (end < last) refuse(name + "_ends", "does not rise to the size of the texts");
    last = end;
  }
  if (last != bytes.size()) refuse(name + "_ends", "does not rise to the size of the texts");
  return {std::move(bytes), std::move(ends)};
}

const Tensor* ArrayReader::take_vector(const std::string& name, DType type) {
  const Tensor* tensor = archive_.find(name);
  if (!tensor) return nullptr;
  if (tensor->type != type) refuse(name, type == DType::u8 ? "is not of type U8" : "is not of type I64");
  if (tensor->shape.size() != 1) refuse(name, "is not a vector");
  if (tensor->bytes.empty()) refuse(name, "is empty");
  taken_.push_back(name);
  return tensor;
}

}  // namespace fewdim
