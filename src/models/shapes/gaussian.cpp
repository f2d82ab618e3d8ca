#include "models/shapes/gaussian.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/remedy.hpp"
#include "data/table/reshape.hpp"
#include "fewdim/error.hpp"
#include "solvers/factors/observed_table.hpp"

namespace fewdim {

namespace {

constexpr Index kTaskRows = 256;

const LinearModel& with_noise(const Model& model, std::string_view what) {
  if (model.as<LinearModel>() && model.linear().noise.size() > 0) return model.linear();
  throw Unsupported(fmt::format("{}: {} needs a model with a noise; fit {}, {}, or {} with {}",
                                model.method().empty() ? "model" : model.method(), what, use_method("ppca"),
                                use_method("factor-analysis"), use_method("pca"), set_option("missing", "em")));
}

/// The loadings of uncorrelated factors: L Φ^½.
Matrix<double> plain_loadings(const LinearModel& model) {
  if (model.factor_correlation.size() == 0) return model.loadings;
  const Eigen::LLT<Matrix<double>> factor(model.factor_correlation);
  return model.loadings * Matrix<double>(factor.matrixL());
}

/// What a row's observed values tell of z. Rows with the same values missing share the factor.
class Posterior {
 public:
  Posterior(const Matrix<double>& loadings, const Vector<double>& noise)
      : loadings_(loadings), inverse_noise_(noise.cwiseInverse()), noise_(noise) {}

  /// `row` in the units of the loadings, NaN where missing.
  void see(const Vector<double>& row) {
    const Index k = loadings_.cols(), d = loadings_.rows();
    bool same = !seen_.empty();
    seen_.resize(static_cast<std::size_t>(d));
    for (Index j = 0; j < d; ++j) {
      const char there = std::isnan(row[j]) ? 0 : 1;
      same = same && seen_[static_cast<std::size_t>(j)] == there;
      seen_[static_cast<std::size_t>(j)] = there;
    }
    if (!same) {
      Matrix<double> m = Matrix<double>::Identity(k, k);
      log_scale_ = 0.0;
      observed_ = 0;
      for (Index j = 0; j < d; ++j) {
        if (!there(j)) continue;
        ++observed_;
        log_scale_ += std::log(noise_[j]);
        m.selfadjointView<Eigen::Lower>().rankUpdate(loadings_.row(j).transpose(), inverse_noise_[j]);
      }
      const Eigen::LLT<Matrix<double>> factor(m.selfadjointView<Eigen::Lower>());
      covariance = factor.solve(Matrix<double>::Identity(k, k));
      log_scale_ += 2.0 * factor.matrixLLT().diagonal().array().log().sum();
    }
    Vector<double> b = Vector<double>::Zero(k);
    double squares = 0.0;
    for (Index j = 0; j < d; ++j) {
      if (!there(j)) continue;
      b += inverse_noise_[j] * row[j] * loadings_.row(j).transpose();
      squares += inverse_noise_[j] * row[j] * row[j];
    }
    mean = covariance * b;
    log_density =
        -0.5 * (static_cast<double>(observed_) * std::log(2.0 * std::numbers::pi) + log_scale_ + squares - b.dot(mean));
  }
  bool there(Index j) const { return seen_[static_cast<std::size_t>(j)] != 0; }
  Index observed() const { return observed_; }

  Vector<double> mean;        ///< E z
  Matrix<double> covariance;  ///< Cov z
  double log_density = 0.0;

 private:
  const Matrix<double>& loadings_;
  Vector<double> inverse_noise_;
  const Vector<double>& noise_;
  std::vector<char> seen_;
  double log_scale_ = 0.0;
  Index observed_ = 0;
};

Matrix<double> dense_rows(const LinearModel& model, const Dataset& rows, std::string_view who) {
  if (rows.is_stream())
    throw Unsupported(
        fmt::format("{}: needs the rows in memory, and these arrive as a stream; use a file that fits", who));
  if (rows.cols() != model.loadings.rows())
    throw DataError(
        fmt::format("{}: rows of {} columns, where the model has {}", who, rows.cols(), model.loadings.rows()));
  Matrix<double> x = rows.matrix<double>();
  for (Index j = 0; j < x.cols(); ++j)
    for (Index i = 0; i < x.rows(); ++i)
      if (std::isinf(x(i, j))) throw DataError(fmt::format("{}: row {}, column {} is infinite", who, i + 1, j + 1));
  return x;
}

/// Calls use(row, posterior) for each row, in units of the loadings; some rows at once.
template <class Use>
void each_row(const LinearModel& model, const Matrix<double>& x, const Execution& exec, const Use& use) {
  const Matrix<double> loadings = plain_loadings(model);
  const Index n = x.rows();
  parallel_for(exec, (n + kTaskRows - 1) / kTaskRows, [&](Index task) {
    Posterior posterior(loadings, model.noise);
    for (Index i = task * kTaskRows; i < std::min(n, (task + 1) * kTaskRows); ++i) {
      Vector<double> row = x.row(i).transpose() - model.mean;
      if (model.scale.size() > 0) row.array() /= model.scale.array();
      posterior.see(row);
      use(i, posterior, loadings);
    }
  });
}

}  // namespace

bool has_missing(const Dataset& rows, const Execution& exec) {
  return rows.is_dense() && count_missing(rows, exec) > 0;
}

Filled fill_rows(const LinearModel& model, const Dataset& rows, bool errors, std::string_view who,
                 const Execution& exec) {
  Matrix<double> x = dense_rows(model, rows, who);
  Filled out;
  if (errors) out.errors = Matrix<double>::Zero(x.rows(), x.cols());
  std::vector<Index> missing(static_cast<std::size_t>(x.rows()), 0);
  each_row(model, x, exec, [&](Index i, const Posterior& posterior, const Matrix<double>& loadings) {
    missing[static_cast<std::size_t>(i)] = x.cols() - posterior.observed();
    for (Index j = 0; j < x.cols(); ++j) {
      if (posterior.there(j)) continue;
      const double unit = model.scale.size() > 0 ? model.scale[j] : 1.0;
      const auto w = loadings.row(j);
      x(i, j) = model.mean[j] + unit * w.dot(posterior.mean);
      if (errors)
        out.errors(i, j) = unit * std::sqrt((w * posterior.covariance * w.transpose()).value() + model.noise[j]);
    }
  });
  for (const Index count : missing) {
    out.missing += count;
    out.empty_rows += count == x.cols() ? 1 : 0;
  }
  Dataset filled =
      rows.precision() == Precision::float32 ? Dataset(Matrix<float>(x.cast<float>())) : Dataset(std::move(x));
  filled.row_names = rows.row_names;
  filled.column_names = rows.column_names;
  filled.row_names_header = rows.row_names_header;
  filled.labels = rows.labels;
  filled.label_name = rows.label_name;
  filled.source = rows.source;
  out.rows = std::move(filled);
  return out;
}

Filled fill_missing(const Model& model, const Dataset& rows, const Execution& exec) {
  if (const auto own = own_columns(rows, model.head().feature_names, "fill", exec))
    return fill_missing(model, *own, exec);
  return fill_rows(with_noise(model, "filling in"), rows, true, "fill", exec);
}

Vector<double> log_likelihoods(const Model& model, const Dataset& rows, const Execution& exec) {
  const LinearModel& linear = with_noise(model, "the likelihood of rows");
  if (const auto own = own_columns(rows, model.head().feature_names, "score", exec))
    return log_likelihoods(model, *own, exec);
  const Matrix<double> x = dense_rows(linear, rows, "score");
  Vector<double> out(x.rows());
  each_row(linear, x, exec, [&](Index i, const Posterior& posterior, const Matrix<double>&) {
    out[i] = posterior.log_density;
    if (linear.scale.size() == 0) return;
    for (Index j = 0; j < x.cols(); ++j)  // the density of x, not of x in other units
      if (posterior.there(j)) out[i] -= std::log(linear.scale[j]);
  });
  return out;
}

Matrix<double> posterior_deviations(const Model& model, const Dataset& rows, const Execution& exec) {
  const LinearModel& linear = with_noise(model, "the posterior");
  if (const auto own = own_columns(rows, model.head().feature_names, "score", exec))
    return posterior_deviations(model, *own, exec);
  const Matrix<double> x = dense_rows(linear, rows, "score");
  const Index k = linear.loadings.cols();
  // z = Φ^½ u with u uncorrelated: Cov z = Φ^½ Cov(u) Φ^½ᵀ.
  Matrix<double> root = Matrix<double>::Identity(k, k);
  if (linear.factor_correlation.size() > 0)
    root = Matrix<double>(Eigen::LLT<Matrix<double>>(linear.factor_correlation).matrixL());
  Matrix<double> out(x.rows(), k);
  each_row(linear, x, exec, [&](Index i, const Posterior& posterior, const Matrix<double>&) {
    out.row(i) = (root * posterior.covariance * root.transpose()).diagonal().cwiseSqrt().transpose();
  });
  return out;
}

Dataset sample(const Model& model, Index rows, Seed seed, const Execution& exec) {
  const LinearModel& linear = with_noise(model, "drawing rows");
  if (rows < 1) throw InvalidOption("sample", "rows", std::to_string(rows), "must be at least 1", "ask for some");
  const Matrix<double> loadings = plain_loadings(linear);
  const Index d = loadings.rows(), k = loadings.cols();
  const Vector<double> deviation = linear.noise.cwiseSqrt();
  Matrix<double> x(rows, d);
  parallel_for(exec, (rows + kTaskRows - 1) / kTaskRows, [&](Index task) {
    const Random random(seed, 0);
    Vector<double> z(k);
    for (Index i = task * kTaskRows; i < std::min(rows, (task + 1) * kTaskRows); ++i) {
      const auto first = static_cast<std::uint64_t>(i) * static_cast<std::uint64_t>(k + d);
      for (Index c = 0; c < k; ++c) z[c] = random.normal(first + static_cast<std::uint64_t>(c));
      for (Index j = 0; j < d; ++j) {
        const double value =
            loadings.row(j).dot(z) + deviation[j] * random.normal(first + static_cast<std::uint64_t>(k + j));
        x(i, j) = linear.mean[j] + (linear.scale.size() > 0 ? linear.scale[j] : 1.0) * value;
      }
    }
  });
  Dataset out =
      model.head().precision == Precision::float32 ? Dataset(Matrix<float>(x.cast<float>())) : Dataset(std::move(x));
  out.column_names = model.head().feature_names;
  return out;
}

}  // namespace fewdim
