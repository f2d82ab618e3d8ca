#include <fmt/format.h>

#include <Eigen/QR>
#include <cmath>
#include <limits>
#include <vector>

#include "fewdim/error.hpp"
#include "fewdim/ica.hpp"

namespace fewdim {

namespace {

void require_gain(const Matrix<double>& gain, std::string_view who) {
  if (gain.rows() < 1 || gain.rows() != gain.cols())
    throw DataError(fmt::format("{}: a gain of {}×{} is not square", who, gain.rows(), gain.cols()));
  for (Index i = 0; i < gain.size(); ++i)
    if (!std::isfinite(gain.data()[i]))
      throw DataError(fmt::format("{}: the gain has a number that is not finite", who));
  for (Index i = 0; i < gain.rows(); ++i)
    if (!(gain.row(i).cwiseAbs().maxCoeff() > 0.0) || !(gain.col(i).cwiseAbs().maxCoeff() > 0.0))
      throw DataError(fmt::format("{}: row or column {} of the gain is all 0", who, i + 1));
}

/// The largest sum of one entry a row and a column: the Hungarian method by shortest paths, O(k³) (Jonker & Volgenant
/// 1987).
double best_assignment(const Matrix<double>& gain) {
  const Index k = gain.rows();
  const auto size = static_cast<std::size_t>(k) + 1;
  std::vector<double> row_price(size, 0.0), col_price(size, 0.0);
  std::vector<Index> row_of(size, 0), before(size, 0);
  for (Index i = 1; i <= k; ++i) {
    std::vector<double> least(size, std::numeric_limits<double>::infinity());
    std::vector<bool> done(size, false);
    row_of[0] = i;
    Index col = 0;
    do {
      done[static_cast<std::size_t>(col)] = true;
      const Index row = row_of[static_cast<std::size_t>(col)];
      double step = std::numeric_limits<double>::infinity();
      Index next = 0;
      for (Index j = 1; j <= k; ++j) {
        const auto at = static_cast<std::size_t>(j);
        if (done[at]) continue;
        const double cost = -gain(row - 1, j - 1) - row_price[static_cast<std::size_t>(row)] - col_price[at];
        if (cost < least[at]) least[at] = cost, before[at] = col;
        if (least[at] < step) step = least[at], next = j;
      }
      for (std::size_t at = 0; at < size; ++at) {
        if (done[at])
          row_price[static_cast<std::size_t>(row_of[at])] += step, col_price[at] -= step;
        else
          least[at] -= step;
      }
      col = next;
    } while (row_of[static_cast<std::size_t>(col)] != 0);
    for (; col != 0; col = before[static_cast<std::size_t>(col)])
      row_of[static_cast<std::size_t>(col)] = row_of[static_cast<std::size_t>(before[static_cast<std::size_t>(col)])];
  }
  double sum = 0.0;
  for (Index j = 1; j <= k; ++j) sum += gain(row_of[static_cast<std::size_t>(j)] - 1, j - 1);
  return sum;
}

}  // namespace

double amari_index(const Matrix<double>& gain) {
  require_gain(gain, "amari_index");
  const Index k = gain.rows();
  if (k == 1) return 0.0;
  const Matrix<double> size = gain.cwiseAbs();
  double sum = 0.0;
  for (Index i = 0; i < k; ++i)
    sum += size.row(i).sum() / size.row(i).maxCoeff() + size.col(i).sum() / size.col(i).maxCoeff() - 2.0;
  return sum / (2.0 * static_cast<double>(k) * static_cast<double>(k - 1));
}

/// For row i of G in place j, the best scale leaves 1 − G_ij²/|G_i|² of |e_j|².
double minimum_distance_index(const Matrix<double>& gain) {
  require_gain(gain, "minimum_distance_index");
  const Index k = gain.rows();
  if (k == 1) return 0.0;
  Matrix<double> shares = gain.cwiseAbs2();
  for (Index i = 0; i < k; ++i) shares.row(i) /= shares.row(i).sum();
  const double rest = static_cast<double>(k) - best_assignment(shares);
  return std::sqrt(std::max(0.0, rest) / static_cast<double>(k - 1));
}

Matrix<double> source_gain(const Matrix<double>& found, const Matrix<double>& truth) {
  if (found.rows() != truth.rows() || found.rows() <= truth.cols())
    throw DataError(
        fmt::format("source_gain: {} rows of found sources and {} of true ones, of {}; there must be as many "
                    "of both, and more than sources",
                    found.rows(), truth.rows(), truth.cols()));
  const Matrix<double> f = found.rowwise() - found.colwise().mean(), t = truth.rowwise() - truth.colwise().mean();
  return t.colPivHouseholderQr().solve(f).transpose();
}

}  // namespace fewdim
