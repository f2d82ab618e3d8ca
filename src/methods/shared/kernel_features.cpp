#include "methods/shared/kernel_features.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/random.hpp"
#include "base/remedy.hpp"
#include "base/stopwatch.hpp"
#include "features/fourier.hpp"
#include "fewdim/pca.hpp"
#include "fewdim/svd.hpp"
#include "methods/shared/kernel_inverse.hpp"
#include "models/file/provenance.hpp"
#include "solvers/eigen/partial_cholesky.hpp"

namespace fewdim {

namespace {

constexpr const char* kFeatures = "kernel-pca";
constexpr std::uint32_t kFrequencyStream = 0x66726571, kPairStream = 0x70616972;  // streams of random numbers

/// Principal components of explicit features, N×m.
Model fit_features(const RowMatrix<double>& features, const KernelPcaOptions& o, Precision precision,
                   const Execution& exec) {
  const double tolerance = o.tolerance > 0.0 ? o.tolerance : precision == Precision::float32 ? 1e-5 : 1e-10;
  if (!o.center)
    return fit_svd(Dataset(features), {.components = o.components, .tolerance = tolerance, .seed = o.seed}, exec);
  return fit_pca(Dataset(features), {.components = o.components, .tolerance = tolerance, .seed = o.seed}, exec);
}

double divisor_of(const KernelPcaOptions& o, Index rows) { return o.center ? static_cast<double>(rows - 1) : 1.0; }

/// The model of the features as one of the kernel. What of the trace the features have lost counts as not explained.
Model finish(const Dataset& data, const KernelPcaOptions& o, OptionMap settings, const Model& plain, KernelModel shape,
             double lost) {
  const LinearModel& linear = plain.linear();
  shape.explained_variance = linear.explained_variance;
  shape.total_variance = linear.total_variance + lost / divisor_of(o, data.rows());
  shape.explained_variance_ratio = linear.explained_variance / shape.total_variance;
  if (linear.mean.size() > 0) shape.shift = linear.map.transpose() * linear.mean;
  Model::Head head;
  head.method = kFeatures;
  head.precision = data.precision();
  head.options = std::move(settings);
  head.provenance = provenance_of(data, data.rows(), o.seed);
  head.certificate = plain.certificate();
  head.extension = Extension::nystrom;
  head.feature_names = data.column_names;
  for (Index i = 1; i <= plain.components(); ++i) head.component_names.push_back(fmt::format("KPC{}", i));
  return Model(std::move(head), std::move(shape));
}

/// The root of the mean square of z(x)·z(y) − k(x,y), over pairs drawn by seed.
double kernel_error(const RowMatrix<double>& features, const Kernel& kernel, const MetricRows<double>& rows,
                    Seed seed) {
  constexpr std::uint64_t kCount = 20'000;
  const Random random(seed, kPairStream);
  double sum = 0.0;
  const auto n = static_cast<std::uint64_t>(features.rows());
  for (std::uint64_t p = 0; p < kCount; ++p) {
    const auto i = static_cast<Index>(random.below(2 * p, n)), j = static_cast<Index>(random.below(2 * p + 1, n));
    const double d = distance(rows, i, rows, j);
    double product = 0.0;
    for (Index c = 0; c < features.cols(); ++c) product += features(i, c) * features(j, c);
    const double error = product - std::exp(-kernel.gamma * d * d);
    sum += error * error;
  }
  return std::sqrt(sum / static_cast<double>(kCount));
}

}  // namespace

std::uint64_t kernel_features_bytes(Index rows, Index features, Index cols) {
  const auto n = static_cast<std::uint64_t>(rows), m = static_cast<std::uint64_t>(features);
  return (n * m + 4 * m * m + n * static_cast<std::uint64_t>(cols)) * sizeof(double);
}

Index feature_count(const KernelPcaOptions& o, Index rows) {
  if (o.landmarks > rows && o.approximation == KernelApproximation::nystrom)
    throw InvalidOption(kFeatures, "landmarks", std::to_string(o.landmarks), fmt::format("must be at most {}", rows),
                        "there are no more rows; lower it", ErrorKind::data);
  const Index count = o.landmarks > 0 ? o.landmarks : 1000;
  return o.approximation == KernelApproximation::nystrom ? std::min(count, rows) : (count + 1) / 2 * 2;
}

Model fit_nystrom(const Dataset& data, const KernelPcaOptions& o, OptionMap settings, const Kernel& kernel,
                  const MetricRows<double>& rows, const Execution& exec) {
  std::vector<std::pair<std::string, double>> seconds;
  Stopwatch watch(seconds);
  const Index n = data.rows(), count = feature_count(o, n);
  Vector<double> diagonal(n);
  for (Index i = 0; i < n; ++i) diagonal[i] = kernel_diagonal(kernel, rows, i);
  const auto columns_of = [&](std::span<const std::int32_t> columns) -> KernelColumns {
    return [&rows, &kernel, some = some_rows(rows, columns)](Index row, Index m, double* out) {
      kernel_tile(kernel, rows, row, m, some, 0, some.rows, out);
    };
  };
  const auto how = o.pivots == KernelPivots::uniform ? Pivots::uniform : Pivots::adaptive;
  const PartialCholesky nystrom = partial_cholesky(diagonal, columns_of, count, how, o.seed, exec);
  watch.lap("landmarks");
  const Model plain = fit_features(nystrom.factor, o, data.precision(), exec);
  watch.lap("eigen");

  KernelModel shape;
  shape.kernel = kernel.kind;
  shape.gamma = kernel.gamma;
  shape.offset = kernel.offset;
  shape.degree = kernel.degree;
  // y = Vᵀ(L⁻¹ k(x) − mean): coefficients L^−ᵀ V.
  const Index rank = std::ssize(nystrom.pivots);
  const Matrix<double> all = data.matrix<double>();
  Matrix<double> triangle(rank, rank);
  shape.objects.resize(rank, data.cols());
  for (Index j = 0; j < rank; ++j) {
    const Index pivot = nystrom.pivots[static_cast<std::size_t>(j)];
    triangle.row(j) = nystrom.factor.row(pivot);
    shape.objects.row(j) = all.row(pivot);
  }
  shape.coefficients = triangle.triangularView<Eigen::Lower>().transpose().solve(plain.linear().map);
  double error = 0.0;
  if (o.inverse == Preimage::ridge) {
    const Dataset kept(triangle);
    shape.inverse =
        fit_ridge(shape.objects, plain.transform(kept, exec).matrix<double>(), o.ridge, o.seed, error, exec);
    watch.lap("inverse");
  }
  Model model = finish(data, o, std::move(settings), plain, std::move(shape), nystrom.left);
  Model::Head& head = model.head();
  const double share = nystrom.left / nystrom.trace;
  head.certificate.why.emplace_back(ReasonKind::nystrom_trace, rank, n, share);
  head.diagnostics = {{"landmarks", static_cast<double>(rank)},
                      {"trace_error", share},
                      // What is left has no negative eigenvalue and this trace: no eigenvalue is off by more (Weyl).
                      {"variance_error_at_most", nystrom.left / divisor_of(o, n)}};
  if (o.inverse == Preimage::ridge) head.diagnostics.emplace_back("inverse_error", error);
  if (o.embedding) model.keep_embedding(plain.transform(Dataset(nystrom.factor), exec).matrix<double>());
  watch.lap("places");
  head.seconds = std::move(seconds);
  return model;
}

Model fit_fourier(const Dataset& data, const KernelPcaOptions& o, OptionMap settings, const Kernel& kernel,
                  const MetricRows<double>& rows, const Execution& exec) {
  std::vector<std::pair<std::string, double>> seconds;
  Stopwatch watch(seconds);
  const Index n = data.rows(), count = feature_count(o, n) / 2;
  KernelModel shape;
  shape.similarity = Similarity::fourier;
  shape.kernel = kernel.kind;
  shape.gamma = kernel.gamma;
  shape.objects.resize(count, data.cols());  // ω ~ N(0, 2γ I) has the characteristic function exp(−γ‖x‖²)
  for (Index j = 0; j < data.cols(); ++j) {
    const Random random(o.seed, kFrequencyStream + static_cast<std::uint32_t>(j));
    for (Index i = 0; i < count; ++i)
      shape.objects(i, j) = std::sqrt(2.0 * kernel.gamma) * random.normal(static_cast<std::uint64_t>(i));
  }
  const RowMatrix<double> features = fourier_features(shape.objects, data, kFeatures, exec);
  watch.lap("features");
  const Model plain = fit_features(features, o, data.precision(), exec);
  watch.lap("eigen");
  shape.coefficients = plain.linear().map;
  Model model = finish(data, o, std::move(settings), plain, std::move(shape), 0.0);
  Model::Head& head = model.head();
  const double error = kernel_error(features, kernel, rows, o.seed);
  head.certificate.why.emplace_back(ReasonKind::fourier_error, 2 * count, error);
  head.diagnostics = {{"fourier_features", static_cast<double>(2 * count)}, {"kernel_error", error}};
  if (o.embedding) model.keep_embedding(plain.transform(Dataset(features), exec).matrix<double>());
  watch.lap("places");
  head.seconds = std::move(seconds);
  return model;
}

}  // namespace fewdim
