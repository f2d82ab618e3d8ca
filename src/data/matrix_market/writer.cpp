#include "data/formats.hpp"
#include "data/number_writer.hpp"

namespace fewdim {

namespace {

template <class T>
void write_coordinates(const CsrView<T>& view, NumberWriter& out) {
  out.text("%%MatrixMarket matrix coordinate real general\n");
  out.number(view.rows), out.character(' '), out.number(view.cols), out.character(' ');
  out.number(view.nonzeros()), out.character('\n');
  for (Index i = 0; i < view.rows; ++i)
    for (std::int64_t e = view.offsets[i]; e < view.offsets[i + 1]; ++e) {
      out.number(i + 1), out.character(' '), out.number(std::int64_t{view.columns[e]} + 1), out.character(' ');
      out.number(view.values[e]), out.character('\n');
    }
}

template <class T>
void write_array(const DenseView<T>& view, NumberWriter& out) {
  out.text("%%MatrixMarket matrix array real general\n");
  out.number(view.rows), out.character(' '), out.number(view.cols), out.character('\n');
  for (Index j = 0; j < view.cols; ++j)
    for (Index i = 0; i < view.rows; ++i) out.number(view(i, j)), out.character('\n');
}

}  // namespace

void write_matrix_market(const Dataset& data, ByteSink& out) {
  if (data.is_stream())
    throw Unsupported("a Matrix Market file can't be written from a stream: it lists columns first; write .npy or csv");
  NumberWriter writer(out);
  if (const auto* view = data.sparse<double>()) write_coordinates(*view, writer);
  if (const auto* view = data.sparse<float>()) write_coordinates(*view, writer);
  if (const auto* view = data.dense<double>()) write_array(*view, writer);
  if (const auto* view = data.dense<float>()) write_array(*view, writer);
  writer.flush();
}

}  // namespace fewdim
