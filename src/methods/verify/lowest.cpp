#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "base/remedy.hpp"
#include "features/metric.hpp"
#include "methods/verify/verify.hpp"
#include "solvers/eigen/blocks.hpp"
#include "solvers/eigen/certify.hpp"
#include "solvers/eigen/direct.hpp"
#include "solvers/eigen/lowest_count.hpp"

namespace fewdim {

namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();
// Beside ‖A‖. A fit stops at 64 ε, and a model's coordinates are rounded on their way into it and back.
constexpr double kRounding = 256.0 * kEps;
constexpr double kSame = 1e-6;      // eigenvalues this near to each other, relative, are taken for one, as the fit does
constexpr double kFaded = 1e-290;   // of numbers below, digits are lost
constexpr double kFlattest = 1e-6;  // of a span's directions, beside the longest

template <class T>
T option(const Model& model, const std::string& name, T otherwise) {
  const auto found = model.head().options.find(name);
  if (found == model.head().options.end()) return otherwise;
  if (const auto* value = std::get_if<T>(&found->second)) return *value;
  if constexpr (std::is_same_v<T, double>)
    if (const auto* value = std::get_if<std::int64_t>(&found->second)) return static_cast<double>(*value);
  return otherwise;
}

double next_eigenvalue(const Model& model) {
  const Diagnostic* next = find_diagnostic(model.head().diagnostics, diagnostic::next_eigenvalue);
  return next ? next->value : std::numeric_limits<double>::quiet_NaN();
}

void require_same_kind(const Model& model, const Dataset& data) {
  if (data.is_stream())
    throw Unsupported("verify: a model of neighbors needs its rows in memory; " + leave_out("stream") + ", or " +
                      raise_option("memory_limit"));
  if (data.weights.size() > 0) throw DataError("verify: this model was fitted without weights; leave them out");
  if (data.precision() != model.head().precision) {
    const bool single = model.head().precision == Precision::float32;
    throw DataError(fmt::format("verify: the model was fitted in {}, the data are {}; give {}",
                                single ? "float32" : "float64", single ? "float64" : "float32",
                                set_option("precision", single ? "float32" : "float64")));
  }
  if (model.neighbor().objects.size() == 0) return;  // distances come in several shapes
  const Index rows = model.head().provenance.rows;
  if (data.rows() != rows || data.cols() != model.features())
    throw DataError(
        fmt::format("verify: the model was fitted on {}x{} numbers, the data are {}x{}; give what it was fitted on",
                    rows, model.features(), data.rows(), data.cols()));
}

/// As the fit made it; what the fit would refuse can't be the data of the model.
LowestProblem rebuild(const Model& model, const Dataset& data, const ProblemOf& problem_of, const Execution& exec) {
  const NeighborModel& shape = model.neighbor();
  if (option<std::int64_t>(model, "components", -1) != model.components())
    throw DataError("verify: the model's options ask for another number of components than it has; fit it anew");
  LowestProblem problem;
  try {
    problem = problem_of(model, data, exec);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data) throw;
    throw DataError(fmt::format("verify: the model can't come from these data, which give: {}", error.marked()));
  }
  if (problem.objects.graph.vertices() != shape.configuration.rows() ||
      problem.objects.graph.left_out != shape.left_out)
    throw DataError(fmt::format(
        "verify: the model places {} objects and leaves {} out, of the data it is {} and {}, or others; give what "
        "it was fitted on",
        shape.configuration.rows(), shape.left_out.size(), problem.objects.graph.vertices(),
        problem.objects.graph.left_out.size()));
  return problem;
}

/// Orthonormal columns with the same span: V Q Λ^−½ with VᵀV = Q Λ Qᵀ, twice.
Matrix<double> orthonormal_span(Matrix<double> v, const Execution& exec) {
  for (int pass = 0; pass < 2; ++pass) {
    Matrix<double> gram = project(v, v, exec);
    const SymmetricEigen eigen = eigen_symmetric(gram, v.cols());
    if (pass == 0 && !(eigen.values[v.cols() - 1] > kFlattest * kFlattest * eigen.values[0]))
      throw Unsupported(
          "verify: scaled to its neighbors' distances, the map has lost a dimension, and its vectors with it; fit "
          "with " +
          set_option("coordinates", "unit"));
    Matrix<double> turned(v.rows(), v.cols());
    combine(v, eigen.vectors * eigen.values.cwiseSqrt().cwiseInverse().asDiagonal(), turned, exec);
    v.swap(turned);
  }
  return v;
}

/// The vectors of A with the lowest Rayleigh quotients in a span, rising.
Matrix<double> ritz_vectors(const SparseSymmetric& a, const Matrix<double>& span, const Execution& exec) {
  Matrix<double> images(span.rows(), span.cols()), out(span.rows(), span.cols());
  a.apply(span, images, exec);
  Matrix<double> h = -project(span, images, exec);
  h = (0.5 * (h + h.transpose())).eval();
  const SymmetricEigen eigen = eigen_symmetric(h, span.cols());
  combine(span, eigen.vectors, out, exec);
  return out;
}

/// u of y_ic = back_i u_ic μ_cᵗ.
Matrix<double> vectors_of(const Model& model, const LowestProblem& problem, const Execution& exec) {
  const NeighborModel& shape = model.neighbor();
  Matrix<double> v = problem.back.cwiseInverse().asDiagonal() * shape.configuration;
  if (problem.time > 0.0)
    for (Index c = 0; c < v.cols(); ++c) {
      const double faded = std::pow(shape.explained_variance[c], problem.time);
      if (!(faded > kFaded))
        throw Unsupported(
            fmt::format("verify: after {} steps of the walk nothing is left of coordinate {}; fit again, and {}",
                        problem.time, c + 1, lower_option("time")));
      v.col(c) /= faded;
    }
  if (option<std::string>(model, "coordinates", "unit") != "isometric") return v;
  return ritz_vectors(problem.matrix, orthonormal_span(std::move(v), exec), exec);
}

double difference(const Eigen::Ref<const Matrix<double>>& a, const Eigen::Ref<const Matrix<double>>& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return std::numeric_limits<double>::infinity();
  if (a.size() == 0) return 0.0;
  const double size = b.cwiseAbs().maxCoeff();
  return (a - b).cwiseAbs().maxCoeff() / (size > 0.0 ? size : 1.0);
}

/// What the model keeps beside its eigenvectors, against the same made anew.
double placement_error(const Model& model, const LowestProblem& problem, const Vector<double>& values) {
  const NeighborModel &kept = model.neighbor(), &made = problem.shape;
  if (kept.metric != made.metric || kept.placement != made.placement || kept.neighbors != made.neighbors ||
      kept.radius != made.radius || kept.given != made.given || kept.regularization != made.regularization)
    return std::numeric_limits<double>::infinity();
  const bool barycentric = made.placement == Placement::barycentric;
  double error = difference(kept.objects, problem.objects.points);
  if (barycentric) error = std::max(error, difference(kept.distances, problem.objects.distances));
  if (!barycentric) error = std::max(error, difference(kept.factors, factors_of(made.placement, values)));
  error = std::max(error, difference(kept.scales, made.scales));
  if (model.has_embedding()) error = std::max(error, difference(model.embedding(), kept.configuration));
  if (kept.bandwidth == made.bandwidth) return error;
  return std::max(error, std::abs(kept.bandwidth / made.bandwidth - 1.0));
}

/// tolerance·gap, with the gap to the next eigenvalue that differs, or rounding: what the fit stopped at. Where no
/// eigenvalue beyond is known, accuracy relative to the value itself.
Vector<double> lowest_allowed(const Vector<double>& values, double other, double tolerance, double norm) {
  std::vector<double> sorted(values.begin(), values.end());
  sorted.push_back(other);
  std::ranges::sort(sorted);
  Vector<double> out(values.size());
  for (Index c = 0; c < values.size(); ++c) {
    double gap = std::abs(values[c]);
    for (const double above : sorted)
      if (above - values[c] > kSame * std::abs(above)) {
        gap = above - values[c];
        break;
      }
    out[c] = std::max(2.0 * tolerance * gap / norm, kRounding);
  }
  return out;
}

}  // namespace

Verification verify_lowest(const Model& model, const Dataset& data, const ProblemOf& problem_of,
                           const Execution& exec) {
  require_same_kind(model, data);
  const LowestProblem problem = rebuild(model, data, problem_of, exec);
  const NeighborModel& shape = model.neighbor();
  const Index n = shape.configuration.rows(), count = shape.configuration.cols();
  if (shape.explained_variance.size() != count)
    throw Unsupported("verify: the model holds no eigenvalues to check; fit it anew");
  const auto plain = [&](double value) { return problem.complement ? 1.0 - value : value; };
  const Vector<double> values = shape.explained_variance.unaryExpr(plain);
  const double bound = problem.matrix.norm_bound(), norm = bound > 0.0 ? bound : 1.0;

  Matrix<double> vectors(n, count + 1), images(n, count);
  vectors.col(count) = problem.null_vector.normalized();
  vectors.leftCols(count) = vectors_of(model, problem, exec);
  const auto kept = vectors.leftCols(count);
  problem.matrix.apply(kept, images, exec);
  Vector<double> quotients(count);
  for (Index c = 0; c < count; ++c) {
    quotients[c] = kept.col(c).dot(images.col(c)) / kept.col(c).squaredNorm();
    images.col(c) -= values[c] * kept.col(c);
  }
  Verification out;
  Certificate& certificate = out.certificate;
  certificate.tolerance = model.certificate().tolerance;
  certificate.residuals = column_norms(images) / norm;
  if (!certificate.residuals.allFinite() || !quotients.allFinite())
    throw DataError("verify: the model's coordinates are no vectors of a matrix of these data");
  const double rounding = kRounding * norm;
  // A residual that is too large for the tolerance fails anyway, and must not hide that vectors are missing.
  const double spread =
      certificate.residuals.maxCoeff() <= certificate.tolerance ? 2.0 * certificate.residuals.maxCoeff() * norm : 0.0;
  const double margin = 10.0 * rounding + spread + kSame * std::abs(quotients.maxCoeff());
  const Elimination elimination = plan_elimination(problem.matrix, exec);
  const LowestCount found = count_missing(problem.matrix, elimination, quotients, 1, margin,
                                          plain(next_eigenvalue(model)), certificate.warnings, exec);
  out.missing = found.missing;
  out.allowed = lowest_allowed(values, found.other, certificate.tolerance, norm);
  const Vector<double> falling = values / -norm;
  complete_certificate(certificate, falling, kept, found.outside(norm), exec, 1.0);
  certificate.orthogonality = orthogonality_defect(vectors, exec);
  certificate.converged = (certificate.residuals.array() <= out.allowed.array()).all();
  out.placement_error = placement_error(model, problem, values);
  return out;
}

}  // namespace fewdim
