#include "solvers/routes/filled_columns.hpp"

#include <algorithm>

#include "base/index.hpp"

namespace fewdim {

namespace {

/// Could the problem's answer be found among so many columns?
bool enough(const SpectralProblem& problem, Index rows, Index cols) {
  const Components& c = problem.components;
  return c.kind == Components::Kind::count && c.count != Components::all && c.count < cols &&
         c.count <= component_limit(problem, rows, cols);
}

template <class S>
std::optional<FilledColumns> filled(const CsrView<S>& x, const SpectralProblem& problem) {
  const std::int64_t entries = x.nonzeros();
  if (x.cols < 2) return std::nullopt;
  std::vector<std::int32_t> place(at(x.cols), -1);
  Index count = 0;
  for (std::int64_t e = 0; e < entries; ++e) {
    auto& seen = place[at(x.columns[e])];
    count += seen < 0 ? 1 : 0;
    seen = 0;
  }
  if (count == 0 || 2 * count >= x.cols || !enough(problem, x.rows, count)) return std::nullopt;
  FilledColumns out;
  out.all = x.cols;
  out.columns.reserve(at(count));
  for (Index j = 0; j < x.cols; ++j)
    if (place[at(j)] >= 0) {
      place[at(j)] = static_cast<std::int32_t>(out.columns.size());
      out.columns.push_back(static_cast<std::int32_t>(j));
    }
  Csr<S> compact;
  compact.rows = x.rows;
  compact.cols = count;
  compact.offsets.assign(x.offsets, x.offsets + x.rows + 1);
  compact.values.assign(x.values, x.values + entries);
  compact.columns.resize(at(entries));
  for (std::int64_t e = 0; e < entries; ++e) compact.columns[at(e)] = place[at(x.columns[e])];
  out.data = Dataset(std::move(compact));
  return out;
}

}  // namespace

std::optional<FilledColumns> filled_columns(const Dataset& data, const SpectralProblem& problem) {
  if (problem.scale) return std::nullopt;
  if (const auto* x = data.sparse<double>()) return filled(*x, problem);
  if (const auto* x = data.sparse<float>()) return filled(*x, problem);
  return std::nullopt;
}

Vector<double> FilledColumns::spread(const Vector<double>& filled) const {
  if (filled.size() == 0) return {};
  Vector<double> out = Vector<double>::Zero(all);
  for (std::size_t j = 0; j < columns.size(); ++j) out[columns[j]] = filled[static_cast<Index>(j)];
  return out;
}

Matrix<double> FilledColumns::spread(const Matrix<double>& filled) const {
  Matrix<double> out = Matrix<double>::Zero(all, filled.cols());
  for (Index c = 0; c < filled.cols(); ++c)
    for (std::size_t j = 0; j < columns.size(); ++j) out(columns[j], c) = filled(static_cast<Index>(j), c);
  return out;
}

Matrix<double> FilledColumns::gathered(const Matrix<double>& whole) const {
  Matrix<double> out(static_cast<Index>(columns.size()), whole.cols());
  for (Index c = 0; c < whole.cols(); ++c)
    for (std::size_t j = 0; j < columns.size(); ++j) out(static_cast<Index>(j), c) = whole(columns[j], c);
  return out;
}

bool FilledColumns::holds(const Matrix<double>& whole) const {
  std::size_t next = 0;
  for (Index j = 0; j < whole.rows(); ++j) {
    if (next < columns.size() && columns[next] == j) {
      ++next;
      continue;
    }
    if ((whole.row(j).array() != 0.0).any()) return false;
  }
  return true;
}

}  // namespace fewdim
