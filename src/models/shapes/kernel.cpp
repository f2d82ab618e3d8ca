#include "models/shapes/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "data/table/checks.hpp"
#include "features/fourier.hpp"
#include "features/kernel.hpp"
#include "features/string_kernel.hpp"
#include "models/preimage/preimage.hpp"
#include "models/shapes/new_paths.hpp"

namespace fewdim {

namespace {

constexpr Index kBlockRows = 64;  // new objects in a block
constexpr Index kObjects = 512;   // training objects in a tile

/// Writes the similarities of new objects row .. row+kBlockRows to training objects first .. first+n, row-major.
using Similarities = std::function<void(Index row, Index first, Index n, double* out)>;

/// The part of y_c that is the same for every new object, and what the mean similarity is multiplied by.
struct Constants {
  Vector<double> shift, sums;
};

Constants constants_of(const KernelModel& model) {
  const Index count = model.coefficients.cols();
  Constants out{Vector<double>::Zero(count), Vector<double>::Zero(count)};
  if (model.shift.size() > 0) out.shift = -model.shift;
  if (model.means.size() == 0) return out;
  for (Index c = 0; c < count; ++c)
    for (Index j = 0; j < model.means.size(); ++j) {
      out.shift[c] += (model.mean - model.means[j]) * model.coefficients(j, c);
      out.sums[c] += model.coefficients(j, c);
    }
  return out;
}

void place_block(const KernelModel& model, const Constants& constants, const Similarities& similarities, Index row,
                 Index rows, double* out) {
  const Index objects = model.coefficients.rows(), count = model.coefficients.cols();
  const bool weighted = model.weights.size() > 0;
  std::vector<double> tile(static_cast<std::size_t>(kBlockRows * kObjects)), mean(kBlockRows, 0.0);
  Matrix<double> sums = Matrix<double>::Zero(count, kBlockRows);  // one column per new object
  for (Index first = 0; first < objects; first += kObjects) {
    const Index n = std::min(kObjects, objects - first);
    similarities(row, first, n, tile.data());
    blas::gemm(true, false, count, kBlockRows, n, 1.0, model.coefficients.data() + first, objects, tile.data(), n, 1.0,
               sums.data(), count);
    if (model.means.size() == 0) continue;
    for (Index i = 0; i < kBlockRows; ++i)
      for (Index j = 0; j < n; ++j)
        mean[static_cast<std::size_t>(i)] +=
            tile[static_cast<std::size_t>(i * n + j)] * (weighted ? model.weights[first + j] : 1.0);
  }
  for (Index i = 0; i < rows; ++i) {
    const double level = mean[static_cast<std::size_t>(i)] / (weighted ? 1.0 : static_cast<double>(objects));
    for (Index c = 0; c < count; ++c) out[i * count + c] = sums(c, i) + constants.shift[c] - level * constants.sums[c];
  }
}

/// Rows first .. first+rows of what the similarities are of, a whole number of blocks before the last.
void place_rows(const KernelModel& model, const Constants& constants, const Similarities& similarities, Index rows,
                double* out, Index first, const Execution& exec) {
  parallel_for(exec, (rows + kBlockRows - 1) / kBlockRows, [&](Index task) {
    const Index row = task * kBlockRows;
    place_block(model, constants, similarities, first + row, std::min(kBlockRows, rows - row),
                out + row * model.coefficients.cols());
  });
}

Dataset as(RowMatrix<double>&& values, Precision precision) {
  if (precision == Precision::float32) return Dataset(RowMatrix<float>(values.cast<float>()));
  return Dataset(std::move(values));
}

/// −½d² in place.
void halve_squares(const KernelModel& model, double* values, Index count) {
  square_distances(values, count, model.distance_shift, model.square_shift);
  for (Index i = 0; i < count; ++i) values[i] *= -0.5;
}

Similarities given(const KernelModel& model, const RowMatrix<double>& values) {
  return [&model, &values](Index row, Index first, Index n, double* out) {
    for (Index i = 0; i < kBlockRows; ++i)
      std::copy_n(values.data() + (row + i) * values.cols() + first, n, out + i * n);
    if (model.similarity != Similarity::kernel) halve_squares(model, out, kBlockRows * n);
  };
}

RowMatrix<double> columns_of(const RowMatrix<double>& values, const std::vector<std::int32_t>& columns) {
  RowMatrix<double> out(values.rows(), std::ssize(columns));
  for (Index i = 0; i < out.rows(); ++i)
    for (std::size_t j = 0; j < columns.size(); ++j) out(i, static_cast<Index>(j)) = values(i, columns[j]);
  return out;
}

/// The rows, up to a whole number of blocks: what is behind the last repeats it, so that every row has a direction.
RowMatrix<double> whole_blocks(const Dataset& data) {
  const Index rows = data.rows(), all = (rows + kBlockRows - 1) / kBlockRows * kBlockRows;
  RowMatrix<double> out(all, data.cols());
  out.topRows(rows) = data.matrix<double>();
  for (Index i = rows; i < all; ++i) out.row(i) = out.row(rows - 1);
  return out;
}

}  // namespace

Dataset kernel_transform(const KernelModel& model, const Dataset& data, Precision precision, const Execution& exec) {
  const Index rows = data.rows(), count = model.coefficients.cols();
  if (data.is_stream()) throw Unsupported("transform: needs the rows in memory; give them in parts");
  if (rows == 0) return Dataset(Matrix<double>(0, count));
  const Constants constants = constants_of(model);
  RowMatrix<double> out(rows, count);
  const auto run = [&](const Similarities& similarities) {
    constexpr Index kRound = 64;
    for (Index first = 0; first < rows; first += kRound * kBlockRows) {
      const Index some = std::min(kRound * kBlockRows, rows - first);
      place_rows(model, constants, similarities, some, out.data() + first * count, first, exec);
      report_progress(exec, "transform", first + some, rows, "rows");
    }
  };
  if (model.similarity == Similarity::geodesic) {
    const NewPaths paths(model, data, exec);
    for (Index first = 0; first < rows; first += paths.rows_at_once()) {
      const Index some = std::min(paths.rows_at_once(), rows - first);
      const RowMatrix<double> lengths = whole_blocks(Dataset(paths.lengths(first, some)));
      place_rows(model, constants, given(model, lengths), some, out.data() + first * count, 0, exec);
    }
    return as(std::move(out), precision);
  }
  if (model.kernel == KernelKind::spectrum) {
    const SubstringCounts known(model.strings.texts, model.strings, kObjects, "transform", exec);
    const SubstringCounts fresh(data.texts, known, kBlockRows, "transform", exec);
    run([&](Index row, Index first, Index n, double* tile) {
      spectrum_tile(fresh, row / kBlockRows, kBlockRows, known, first / kObjects, n, tile);
    });
    return as(std::move(out), precision);
  }
  const RowMatrix<double> values = whole_blocks(data);
  if (model.objects.size() == 0) {
    require_finite(data, "transform", exec);
    const RowMatrix<double> some = model.paths.landmarks.empty() ? values : columns_of(values, model.paths.landmarks);
    run(given(model, some));
  } else {
    Dataset fresh(values);
    fresh.row_names = data.row_names;
    const Dataset objects(model.objects);
    const Kernel kernel{model.kernel, model.gamma, model.offset, model.degree};
    const bool by_kernel = model.similarity == Similarity::kernel;
    if (model.similarity == Similarity::fourier) {
      require_finite(data, "transform", exec);
      const RowMatrix<double> frequencies = model.objects;
      run([&](Index row, Index first, Index n, double* tile) {
        fourier_tile(frequencies, values.data() + row * values.cols(), kBlockRows, first, n, tile);
      });
      return as(std::move(out), precision);
    }
    const Vector<double> center =
        by_kernel ? kernel_center(objects, kernel, exec) : metric_center(objects, model.metric, exec);
    const auto pack = [&](const Dataset& some) {
      return by_kernel ? pack_rows<double>(some, kernel, center, "transform", exec)
                       : pack_rows<double>(some, model.metric, center, "transform", exec);
    };
    const MetricRows<double> known = pack(objects), packed = pack(fresh);
    run([&](Index row, Index first, Index n, double* tile) {
      if (by_kernel) return kernel_tile(kernel, packed, row, kBlockRows, known, first, n, tile);
      distance_tile(packed, row, kBlockRows, known, first, n, false, tile);
      halve_squares(model, tile, kBlockRows * n);
    });
  }
  return as(std::move(out), precision);
}

Dataset place(const KernelModel& model, const Model::Head& head, const Dataset& rows, const Execution& exec) {
  return kernel_transform(model, rows, head.precision, exec);
}

void require_way_back(const KernelModel& model, const Model::Head& head) {
  if (model.inverse.kind != Preimage::none) return;
  if (model.similarity != Similarity::kernel && model.similarity != Similarity::fourier)
    throw Unsupported(fmt::format("{}: has no way back to the input", head.method));
  throw Unsupported(fmt::format("{}: the model was fitted without a way back to the input; fit with {}, {} or {}",
                                head.method, set_option("inverse", "ridge"), set_option("inverse", "fixed-point"),
                                set_option("inverse", "distances")));
}

Dataset back(const KernelModel& model, const Model::Head& head, const Dataset& coordinates, const Execution& exec) {
  return kernel_inverse(model, coordinates, head.precision, exec);
}

}  // namespace fewdim
