#include "fewdim/denoise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/blas.hpp"
#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "data/table/checks.hpp"
#include "models/shapes/sparse_check.hpp"
#include "operators/standardized.hpp"
#include "quality/choice/criteria.hpp"
#include "solvers/routes/decompose.hpp"

namespace fewdim {

namespace {

constexpr const char* kDenoise = "denoise";

double discriminant(double y, double beta) {
  const double t = y * y - beta - 1.0;
  return std::max(0.0, t * t - 4.0 * beta);
}

/// x of y = √((x + 1/x)(x + β/x)): what a singular value was before the noise.
double before_noise(double y, double beta) {
  return std::sqrt(0.5 * (y * y - beta - 1.0 + std::sqrt(discriminant(y, beta))));
}

/// The product of the cosines between the singular vectors of X and Y.
double cosines(double x, double beta) {
  const double x2 = x * x, top = x2 * x2 - beta;
  return top <= 0.0 ? 0.0 : top / std::sqrt((x2 * x2 + beta * x2) * (x2 * x2 + x2));
}

/// ‖ηv̂ûᵀ − xvuᵀ‖² of one component.
double component_error(double y, double eta, double beta) {
  const double x = before_noise(y, beta);
  return std::max(0.0, x * x + eta * eta - 2.0 * x * eta * cosines(x, beta));
}

double median_of(const Vector<double>& descending) {
  const Index n = descending.size();
  return 0.5 * (descending[(n - 1) / 2] + descending[n / 2]);
}

/// σ = median/√(n μ_β), μ_β the median of the Marchenko-Pastur law.
double estimated_noise(const Vector<double>& values, Index longer, double beta) {
  const double middle = median_of(values);
  // Squares of singular values have the rounding of the largest one's.
  const double rounding = 16.0 * static_cast<double>(longer) * std::numeric_limits<double>::epsilon();
  if (!(middle > std::sqrt(rounding) * values[0]))
    throw DataError(
        fmt::format("{}: half of the {} singular values are 0 up to rounding, and the median shows no noise; give its "
                    "standard deviation with {}",
                    kDenoise, values.size(), set_option("noise")));
  return middle / std::sqrt(static_cast<double>(longer) * marchenko_pastur_median(beta));
}

/// (Y V) diag(η/s) Vᵀ, row by row in chunks.
template <class T>
RowMatrix<T> rebuilt(const Dataset& data, const Matrix<double>& v, const Vector<double>& factors,
                     const Execution& exec) {
  const Index rows = data.rows(), cols = data.cols(), rank = v.cols();
  RowMatrix<T> out = RowMatrix<T>::Zero(rows, cols);
  if (rank == 0) return out;
  Matrix<double> scores(rows, rank);
  const Standardization none;
  Standardized(data, none, true, exec).apply(v, scores);
  scores.array().rowwise() *= factors.transpose().array();
  constexpr Index kRows = 64;
  parallel_for(exec, (rows + kRows - 1) / kRows, [&](Index task) {
    const Index first = task * kRows, count = std::min(kRows, rows - first);
    Matrix<double> block(cols, count);  // (rows of X̂)ᵀ = V scoresᵀ
    blas::gemm(false, true, cols, count, rank, 1.0, v.data(), cols, scores.data() + first, rows, 0.0, block.data(),
               cols);
    for (Index i = 0; i < count; ++i)
      for (Index j = 0; j < cols; ++j) out(first + i, j) = static_cast<T>(block(j, i));
  });
  return out;
}

void take_names(Dataset& to, const Dataset& from) {
  to.row_names = from.row_names;
  to.row_names_header = from.row_names_header;
  to.column_names = from.column_names;
  to.labels = from.labels;
  to.label_name = from.label_name;
  to.source = from.source;
}

}  // namespace

double shrunk_singular_value(double y, double beta, Shrinkage shrinkage) {
  if (shrinkage == Shrinkage::hard) return y > hard_threshold(beta) ? y : 0.0;
  if (!(y > 1.0 + std::sqrt(beta))) return 0.0;
  const double x = before_noise(y, beta);
  // Gavish & Donoho have x itself, which is the least for square tables alone (Leeb 2022).
  if (shrinkage == Shrinkage::operator_norm) return x * std::sqrt((x * x + beta) / (x * x + 1.0));
  if (shrinkage == Shrinkage::frobenius) return std::sqrt(discriminant(y, beta)) / y;
  return std::max(0.0, (x * x * x * x - beta - std::sqrt(beta) * x * y) / (x * x * y));
}

Denoised denoise(const Dataset& data, const DenoiseOptions& options, const Execution& exec) {
  require_nonempty(data, kDenoise);
  require_valid_sparse(data, kDenoise);
  if (data.is_stream())
    throw Unsupported("denoise: needs the rows in memory, and these arrive as a stream; give a file");
  require_finite(data, kDenoise, exec);
  const bool known = !std::isnan(options.noise);
  if (known && (!(options.noise > 0.0) || std::isinf(options.noise)))
    throw InvalidOption(kDenoise, "noise", fmt::format("{}", options.noise), "must be above 0 and finite",
                        "leave it out to have it estimated");
  const Index rows = data.rows(), cols = data.cols(), longer = std::max(rows, cols);
  require_memory(exec, static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(cols) * 2 * sizeof(double),
                 "denoise: the table and its estimate", "take fewer rows or columns");
  const double beta = static_cast<double>(std::min(rows, cols)) / static_cast<double>(longer);
  SpectralProblem problem;
  problem.who = kDenoise;
  problem.center = problem.normalize = false;
  problem.components = Components(Components::all);
  const Decomposition d = decompose(data, problem, exec);
  Denoised out;
  out.singular_values = d.values.cwiseMax(0.0).cwiseSqrt();
  out.noise = known ? options.noise : estimated_noise(out.singular_values, longer, beta);
  const double unit = out.noise * std::sqrt(static_cast<double>(longer));
  out.shrunk = Vector<double>::Zero(out.singular_values.size());
  double squares = 0.0;
  for (Index i = 0; i < out.shrunk.size(); ++i) {
    const double y = out.singular_values[i] / unit, eta = shrunk_singular_value(y, beta, options.shrinkage);
    out.shrunk[i] = eta * unit;
    if (eta > 0.0) ++out.rank;
    if (y > 1.0 + std::sqrt(beta)) squares += component_error(y, eta, beta);
  }
  out.expected_error = unit * std::sqrt(squares / (static_cast<double>(rows) * static_cast<double>(cols)));
  const Matrix<double> v = d.vectors.leftCols(out.rank);
  const Vector<double> factors = out.shrunk.head(out.rank).cwiseQuotient(out.singular_values.head(out.rank));
  out.rows = data.precision() == Precision::float32 ? Dataset(rebuilt<float>(data, v, factors, exec))
                                                    : Dataset(rebuilt<double>(data, v, factors, exec));
  take_names(out.rows, data);
  return out;
}

}  // namespace fewdim
