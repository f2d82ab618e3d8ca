#include "models/preimage/preimage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/blas.hpp"
#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "data/table/checks.hpp"
#include "models/file/metadata.hpp"
#include "models/preimage/ways.hpp"
#include "models/shapes/row_tiles.hpp"

namespace fewdim {

namespace {

constexpr const char* kInverseTransform = "inverse_transform";
constexpr double kFarthest = 1e150;  // squares of larger coordinates overflow

/// The rows, up to a whole number of blocks: what is behind the last repeats it.
RowMatrix<double> whole_blocks(const Dataset& data) {
  const Index rows = data.rows(), all = (rows + kBackRows - 1) / kBackRows * kBackRows;
  RowMatrix<double> out(all, data.cols());
  out.topRows(rows) = data.matrix<double>();
  for (Index i = 0; i < rows; ++i)
    for (Index c = 0; c < out.cols(); ++c)
      if (!(std::abs(out(i, c)) <= kFarthest))
        throw DataError(
            fmt::format("{}: row {}, column {} is {}, too far away for a square; give what transform "
                        "returned",
                        kInverseTransform, i + 1, c + 1, out(i, c)));
  for (Index i = rows; i < all; ++i) out.row(i) = out.row(rows - 1);
  return out;
}

template <class U>
Dataset finish(RowMatrix<U> out) {
  if (!all_finite(out.data(), out.size())) refuse_overflow(out.data(), out.cols(), 0, kInverseTransform);
  return Dataset(std::move(out));
}

WayBack way_back(const KernelModel& model, const RowMatrix<double>& coordinates, const Execution& exec) {
  if (model.inverse.kind == Preimage::ridge) return back_by_ridge(model, coordinates, exec);
  if (model.inverse.kind == Preimage::fixed_point) return back_by_fixed_point(model, coordinates, exec);
  return back_by_distances(model, coordinates, exec);
}

}  // namespace

std::string no_way_back(Preimage kind, KernelKind kernel, Index degree, bool all, bool fourier) {
  if (kind == Preimage::none) return {};
  const std::string name = enum_text(kind);
  if (kernel == KernelKind::precomputed)
    return "a given kernel matrix has no input space to go back to; " + leave_out("inverse") + ", or give the rows";
  if (fourier)
    return fmt::format("{} needs training rows, and fourier features keep none; use {} with {}",
                       option_is("inverse", name), set_option("approximation", "nystrom"),
                       set_option("inverse", "ridge"));
  if (kind == Preimage::ridge) return {};
  if (!all)
    return fmt::format("{} needs all training rows, and nystrom keeps its landmarks; use {}",
                       option_is("inverse", name), set_option("inverse", "ridge"));
  if (kind == Preimage::fixed_point && kernel != KernelKind::gaussian)
    return fmt::format("{} is for the gaussian kernel, not for {}; use {}", option_is("inverse", name),
                       enum_text(kernel), set_option("inverse", "ridge"));
  const bool has_distances = kernel == KernelKind::gaussian || kernel == KernelKind::linear ||
                             (kernel == KernelKind::polynomial && degree % 2 == 1);
  if (kind == Preimage::distances && !has_distances)
    return fmt::format("{} is for the gaussian, the linear and polynomial kernels of odd degree, not for {}{}; use {}",
                       option_is("inverse", name), enum_text(kernel),
                       kernel == KernelKind::polynomial ? fmt::format(" of degree {}", degree) : std::string(),
                       set_option("inverse", "ridge"));
  return {};
}

WayBack back_by_ridge(const KernelModel& model, const RowMatrix<double>& coordinates, const Execution& exec) {
  const Dataset known(model.inverse.places);
  const Vector<double> center = metric_center(known, Metric::euclidean, exec);
  const auto pack = [&](const Dataset& some) {
    return pack_rows<double>(some, Metric::euclidean, center, kInverseTransform, exec);
  };
  return [&inverse = model.inverse, places = pack(known), fresh = pack(Dataset(coordinates))](Index row, double* out) {
    const Kernel kernel{.kind = KernelKind::gaussian, .gamma = inverse.gamma};
    const Index objects = places.rows, cols = inverse.weights.cols();
    std::vector<double> tile(static_cast<std::size_t>(kBackRows * kBackObjects));
    for (Index i = 0; i < kBackRows; ++i) std::copy_n(inverse.mean.data(), cols, out + i * cols);
    for (Index first = 0; first < objects; first += kBackObjects) {
      const Index n = std::min(kBackObjects, objects - first);
      kernel_tile(kernel, fresh, row, kBackRows, places, first, n, tile.data());
      blas::gemm(true, false, cols, kBackRows, n, 1.0, inverse.weights.data() + first, objects, tile.data(), n, 1.0,
                 out, cols);
    }
  };
}

Dataset kernel_inverse(const KernelModel& model, const Dataset& coordinates, Precision precision,
                       const Execution& exec) {
  if (coordinates.is_stream())
    throw Unsupported(fmt::format("{}: needs the rows in memory; give them in parts", kInverseTransform));
  const Index rows = coordinates.rows(), cols = model.objects.cols();
  if (rows == 0) return Dataset(Matrix<double>(0, cols));
  require_finite(coordinates, kInverseTransform, exec);
  require_room(rows, cols, sizeof(double), kInverseTransform, exec);
  const RowMatrix<double> whole = whole_blocks(coordinates);
  const WayBack back = way_back(model, whole, exec);
  RowMatrix<double> out(rows, cols);
  constexpr Index kRound = 16;
  for (Index first = 0; first < rows; first += kRound * kBackRows) {
    const Index some = std::min(kRound * kBackRows, rows - first);
    parallel_for(exec, (some + kBackRows - 1) / kBackRows, [&](Index task) {
      const Index row = first + task * kBackRows;
      std::vector<double> block(static_cast<std::size_t>(kBackRows * cols));
      back(row, block.data());
      std::copy_n(block.data(), std::min(kBackRows, rows - row) * cols, out.data() + row * cols);
    });
    report_progress(exec, "inverse", first + some, rows, "rows");
  }
  if (precision == Precision::float32) return finish<float>(out.cast<float>());
  return finish<double>(std::move(out));
}

}  // namespace fewdim
