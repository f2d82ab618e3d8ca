#include "models/text/document_places.hpp"

#include <algorithm>
#include <cmath>

#include "base/spill.hpp"
#include "fewdim/error.hpp"
#include "models/shapes/linear.hpp"

namespace fewdim {

DocumentPlaces place_documents(const LinearModel& map, const Dataset& rows, bool on_disk, const Execution& exec) {
  const CsrView<float>* all = rows.sparse<float>();
  if (!all) throw Error(ErrorKind::internal, "documents are not sparse rows of float32");
  constexpr Index kBlock = 8192;
  const Index n = all->rows, k = map.map.cols();
  DocumentPlaces out;
  const Room<float> room = room_for_array<float>(static_cast<std::size_t>(n * k), on_disk);
  out.places = {room.numbers, room.owner};
  out.norms.resize(static_cast<std::size_t>(n));
  double outside = 0.0;
  Index counted = 0;
  for (Index first = 0; first < n; first += kBlock) {
    const Index count = std::min(kBlock, n - first);
    Csr<float> block;
    block.rows = count, block.cols = all->cols;
    const std::int64_t begin = all->offsets[first], end = all->offsets[first + count];
    block.offsets.resize(static_cast<std::size_t>(count) + 1);
    for (Index i = 0; i <= count; ++i) block.offsets[static_cast<std::size_t>(i)] = all->offsets[first + i] - begin;
    block.columns.assign(all->columns + begin, all->columns + end);
    block.values.assign(all->values + begin, all->values + end);
    const Matrix<double> y = linear_transform(map, Dataset(block.view()), false, exec).matrix<double>();
    for (Index i = 0; i < count; ++i) {
      double whole = 0.0, held = 0.0, length = 0.0;
      for (auto e = block.offsets[static_cast<std::size_t>(i)]; e < block.offsets[static_cast<std::size_t>(i) + 1];
           ++e) {
        const double x = static_cast<double>(block.values[static_cast<std::size_t>(e)]);
        whole += x * x;
      }
      for (Index c = 0; c < k; ++c) {
        const double scaled = map.output_scale.size() > 0 ? y(i, c) / map.output_scale[c] : y(i, c);
        held += scaled * scaled;
        length += y(i, c) * y(i, c);
      }
      length = std::sqrt(length);
      if (whole > 0.0) outside += std::clamp(1.0 - held / whole, 0.0, 1.0), ++counted;
      float* place = room.numbers.data() + (first + i) * k;
      for (Index c = 0; c < k; ++c) place[c] = length > 0.0 ? static_cast<float>(y(i, c) / length) : 0.0F;
      out.norms[static_cast<std::size_t>(first + i)] = static_cast<float>(length);
    }
  }
  out.outside = counted > 0 ? outside / static_cast<double>(counted) : 0.0;
  return out;
}

}  // namespace fewdim
