#include "fewdim/dataset.hpp"

#include "base/utf8.hpp"

namespace fewdim {

namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

/// The first `count` characters, and … where there are more. What is not UTF-8 stays as it is.
std::string beginning_of(const std::string& text, int count) {
  std::size_t at = 0;
  for (int i = 0; i < count && at < text.size(); ++i)
    at += std::max<std::size_t>(1, utf8_character(std::string_view(text).substr(at)));
  return at < text.size() ? text.substr(0, at) + "…" : text;
}

}  // namespace

const RowTags& RowStream::tags() const {
  static const RowTags none;
  return none;
}

std::string Dataset::input_hash() const { return hash.empty() && is_stream() ? stream()->hash() : hash; }

Dataset Dataset::of_texts(std::vector<std::string> texts) {
  constexpr int kShown = 60;
  Dataset data;
  data.row_names.reserve(texts.size());
  for (const std::string& text : texts) data.row_names.push_back(beginning_of(text, kShown));
  data.row_names_header = "text";
  data.texts = std::move(texts);
  return data;
}

Index Dataset::cols() const {
  return std::visit(
      Overloaded{[](std::monostate) { return Index{0}; }, [](const std::shared_ptr<RowStream>& s) { return s->cols(); },
                 [](const auto& view) { return view.cols; }},
      view_);
}

Index Dataset::rows() const {
  return std::visit(Overloaded{[&](std::monostate) { return std::ssize(texts); },
                               [](const std::shared_ptr<RowStream>& s) { return s->rows().value_or(-1); },
                               [](const auto& view) { return view.rows; }},
                    view_);
}

Precision Dataset::precision() const {
  if (const RowStream* rows = stream()) return rows->precision();
  return dense<float>() || sparse<float>() ? Precision::float32 : Precision::float64;
}

std::uint64_t Dataset::bytes() const {
  if (is_text()) {
    std::uint64_t bytes = texts.size() * sizeof(std::string);
    for (const std::string& text : texts) bytes += text.size();
    return bytes;
  }
  const auto dense_bytes = [](const auto& v, std::size_t size) {
    return std::uint64_t(v.rows) * std::uint64_t(v.cols) * size;
  };
  const auto sparse_bytes = [](const auto& v, std::size_t size) {
    return std::uint64_t(v.nonzeros()) * (size + sizeof(std::int32_t)) +
           std::uint64_t(v.rows + 1) * sizeof(std::int64_t);
  };
  return std::visit(Overloaded{[&](const DenseView<double>& v) { return dense_bytes(v, 8); },
                               [&](const DenseView<float>& v) { return dense_bytes(v, 4); },
                               [&](const CsrView<double>& v) { return sparse_bytes(v, 8); },
                               [&](const CsrView<float>& v) { return sparse_bytes(v, 4); },
                               [](const auto&) { return std::uint64_t{0}; }},
                    view_);
}

template <class T>
Matrix<T> Dataset::matrix() const {
  if (is_stream()) throw Unsupported("a stream of rows can't be turned into a matrix; read it without streaming");
  if (is_text()) throw Unsupported("texts have no numbers to make a matrix of; use a method that compares strings");
  Matrix<T> out = Matrix<T>::Zero(rows(), cols());
  const auto copy_dense = [&](const auto& v) {
    for (Index j = 0; j < v.cols; ++j)
      for (Index i = 0; i < v.rows; ++i) out(i, j) = static_cast<T>(v(i, j));
  };
  const auto copy_sparse = [&](const auto& v) {
    for (Index i = 0; i < v.rows; ++i)
      for (std::int64_t e = v.offsets[i]; e < v.offsets[i + 1]; ++e) out(i, v.columns[e]) = static_cast<T>(v.values[e]);
  };
  std::visit(
      Overloaded{[](const auto&) {}, [&](const DenseView<double>& v) { copy_dense(v); },
                 [&](const DenseView<float>& v) { copy_dense(v); }, [&](const CsrView<double>& v) { copy_sparse(v); },
                 [&](const CsrView<float>& v) { copy_sparse(v); }},
      view_);
  return out;
}

template Matrix<float> Dataset::matrix<float>() const;
template Matrix<double> Dataset::matrix<double>() const;

}  // namespace fewdim
