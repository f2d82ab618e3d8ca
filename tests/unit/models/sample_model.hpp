#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/random.hpp"
#include "fewdim/model.hpp"

/// Models made by hand, for tests of what a Model does after a fit.
namespace fewdim {

inline Matrix<double> random_matrix(Index rows, Index cols, Seed seed) {
  const Random random(seed, 0);
  Matrix<double> m(rows, cols);
  for (Index i = 0; i < m.size(); ++i) m.data()[i] = random.normal(static_cast<std::uint64_t>(i));
  return m;
}

struct SampleParts {
  bool center = true;
  bool scale = true;
  bool whiten = true;
  Precision precision = Precision::float64;
};

/// A model with random orthonormal directions and every part filled; float32 models hold numbers that are float32.
inline Model sample_model(Index features, Index components, const SampleParts& parts = {}) {
  const Matrix<double> basis = random_matrix(features, components, 1);
  Matrix<double> map = basis;
  for (Index c = 0; c < components; ++c) {  // Gram-Schmidt, twice for good measure
    for (int pass = 0; pass < 2; ++pass)
      for (Index b = 0; b < c; ++b) map.col(c) -= map.col(b).dot(map.col(c)) * map.col(b);
    map.col(c) /= map.col(c).norm();
  }
  LinearModel m;
  m.map = map;
  if (parts.center) m.mean = 3.0 * random_matrix(features, 1, 2);
  if (parts.scale) m.scale = (random_matrix(features, 1, 3).array().abs() + 0.5).matrix();
  m.explained_variance = Vector<double>::LinSpaced(components, static_cast<double>(components), 1.0);
  if (parts.whiten) m.output_scale = m.explained_variance.array().rsqrt().matrix();
  m.singular_values = (m.explained_variance * 99.0).cwiseSqrt();
  m.total_variance = m.explained_variance.sum() + 0.1;
  m.explained_variance_ratio = m.explained_variance / m.total_variance;
  m.column_variance = random_matrix(features, 1, 7).cwiseAbs();
  m.limits = {{0.95, 6.25, 0.75}, {0.99, 9.5, 1.0 / 3.0}};
  if (parts.precision == Precision::float32) {
    const auto round = [](auto& x) { x = x.template cast<float>().template cast<double>().eval(); };
    round(m.map), round(m.mean), round(m.scale), round(m.output_scale);
  }
  Model::Head head;
  head.method = "pca";
  head.precision = parts.precision;
  head.options = {{"components", "3"}, {"scale", true}, {"ddof", std::int64_t{1}}, {"tolerance", 1e-9}, {"share", 1.0}};
  head.provenance = {"0.1.0",    "2026-01-02T03:04:05Z",  Seed{18446744073709551615u},
                     "iris.csv", "xxh3:0123456789abcdef", 100};
  Certificate& c = head.certificate;
  c.route = Route::covariance;
  c.why.emplace_back(ReasonKind::told).text = "few features: the covariance is small";
  c.iterations = 12;
  c.products = 34;
  c.tolerance = 1e-9;
  c.converged = true;
  c.residuals = Vector<double>::LinSpaced(components, 1e-16, 3e-15);
  c.value_bounds = c.residuals;
  c.angle_bounds = Vector<double>::LinSpaced(components, 1e-12, 1e-9);
  for (Index i = 0; i < components; ++i) c.groups.push_back(i);
  c.orthogonality = 2e-16;
  c.forming_error = 1e-14;
  c.warnings = {"one warning"};
  for (Index j = 0; j < features; ++j) head.feature_names.push_back(fmt::format("f{}", j + 1));
  for (Index i = 0; i < components; ++i) head.component_names.push_back(fmt::format("PC{}", i + 1));
  head.seconds = {{"read", 0.25}, {"covariance", 0.5}};
  return Model(head, m);
}

/// A model with nothing but its shape.
inline Model bare_model(LinearModel shape, Precision precision = Precision::float64) {
  Model::Head head;
  head.method = "pca";
  head.precision = precision;
  return Model(std::move(head), std::move(shape));
}

/// A folder that is there for one test.
class ScratchFolder {
 public:
  explicit ScratchFolder(const std::string& name)
      : path_(std::filesystem::temp_directory_path() / ("fewdim-" + std::to_string(::getpid()) + "-" + name)) {
    std::filesystem::create_directories(path_);
  }
  ~ScratchFolder() { std::filesystem::remove_all(path_); }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline std::string bytes_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace fewdim
