#include "solvers/eigen/svd_update.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "fewdim/error.hpp"
#include "solvers/eigen/blocks.hpp"
#include "solvers/eigen/direct.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

using test::sample, test::sparse_sample, test::to_csr;

// Figures are relative to the largest singular value; LAPACK errs by some ε, and so may what is compared with it.
constexpr double kTight = 1e-12;

struct Svd {
  Matrix<double> u;
  Vector<double> values;
  Matrix<double> v;

  Matrix<double> whole() const { return u * values.asDiagonal() * v.transpose(); }
};

Svd svd_of(Matrix<double> a, Index rank) {
  ThinSvd svd = svd_dense(a, true);
  rank = std::min(rank, svd.values.size());
  return {svd.u.leftCols(rank), svd.values.head(rank), svd.v.leftCols(rank)};
}

Matrix<double> stacked(const Matrix<double>& above, const Matrix<double>& below) {
  Matrix<double> out(above.rows() + below.rows(), below.cols());
  out << above, below;
  return out;
}

/// What the caller makes of an update.
Svd after(const Svd& before, const SvdUpdate& update) {
  return {stacked(before.u * update.rotation, update.rows), update.values, update.v};
}

Svd append(const Svd& before, const Matrix<double>& b, Index rank, double* discarded = nullptr) {
  const SvdUpdate update = append_rows(before.values, before.v, to_csr(b).view(), rank, {});
  if (discarded) *discarded += update.discarded;
  return after(before, update);
}

void expect_orthonormal(const Svd& svd) {
  EXPECT_LE(orthogonality_defect(svd.v, {}), 1e-13);
  EXPECT_LE(orthogonality_defect(svd.u, {}), kTight);
}

void expect_same_matrix(const Matrix<double>& a, const Matrix<double>& b, double scale) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  EXPECT_LE((a - b).cwiseAbs().maxCoeff(), kTight * scale);
}

/// Left vectors for zero values may be any: they need not be compared.
void expect_whole(const Svd& found, const Matrix<double>& truth) {
  const Svd right = svd_of(truth, found.values.size());
  ASSERT_EQ(found.values.size(), right.values.size());
  EXPECT_LE((found.values - right.values).cwiseAbs().maxCoeff(), kTight * right.values[0]);
  expect_same_matrix(found.whole(), truth, right.values[0]);
  EXPECT_LE(orthogonality_defect(found.v, {}), 1e-13);
}

TEST(SvdUpdate, KeepsAllWhereTheRankMayGrow) {
  const Svd before = svd_of(sample(60, 90), 10);
  for (const Index m : {1, 7, 31, 32, 33, 50}) {
    const Matrix<double> b = sparse_sample(m, 90, 0.2, 5);
    double discarded = 0.0;
    const Svd now = append(before, b, 10 + m, &discarded);
    ASSERT_EQ(now.values.size(), 10 + m);
    expect_whole(now, stacked(before.whole(), b));
    expect_orthonormal(now);
    EXPECT_LE(discarded, 1e-24 * now.values[0] * now.values[0]);
  }
}

TEST(SvdUpdate, CutsOffTheLeastOfOneChunk) {
  const Svd before = svd_of(sample(60, 90), 10);
  const Matrix<double> b = 3.0 * sparse_sample(30, 90, 0.2, 5), all = stacked(before.whole(), b);
  double discarded = 0.0;
  const Svd now = append(before, b, 10, &discarded), right = svd_of(all, 10), full = svd_of(all, 90);
  ASSERT_EQ(now.values.size(), 10);
  EXPECT_LE((now.values - right.values).cwiseAbs().maxCoeff(), kTight * right.values[0]);
  // The tenth and the eleventh value are 1 % apart or more here: vectors lose two digits.
  expect_same_matrix(now.whole(), right.whole(), 100.0 * right.values[0]);
  const double tail = full.values.tail(full.values.size() - 10).squaredNorm();
  EXPECT_NEAR(discarded, tail, kTight * tail);
  expect_orthonormal(now);
}

// Over many chunks and updates: ‖[A; B] − U'Σ'V'ᵀ‖² is what was discarded, with what was before the first.
TEST(SvdUpdate, TellsWhatWasThrownAway) {
  const Matrix<double> a = sample(60, 90);
  Svd now = svd_of(a, 12);
  double discarded = (a - now.whole()).squaredNorm();
  Matrix<double> all = a;
  for (const Index m : {100, 3, 47}) {
    const Matrix<double> b = sparse_sample(m, 90, 0.3, static_cast<Seed>(m));
    all = stacked(all, b);
    now = append(now, b, 12, &discarded);
    EXPECT_NEAR((all - now.whole()).squaredNorm(), discarded, kTight * all.squaredNorm());
    EXPECT_NEAR(all.squaredNorm() - now.values.squaredNorm(), discarded, kTight * all.squaredNorm());
    expect_orthonormal(now);
  }
  // No worse than the best of that rank by more than a little: these data have a spectrum that falls slowly.
  EXPECT_LE(discarded, 1.05 * (all - svd_of(all, 12).whole()).squaredNorm());
}

// Rows of a space of eight dimensions, five of them known: nothing is lost, in however many steps.
TEST(SvdUpdate, IsExactWhereTheRankSuffices) {
  const Matrix<double> space = sample(8, 70), first = sample(40, 5, 2) * space.topRows(5),
                       second = sample(200, 8, 3) * space;
  double discarded = 0.0;
  const Svd now = append(svd_of(first, 5), second, 8, &discarded);
  ASSERT_EQ(now.values.size(), 8);
  expect_whole(now, stacked(first, second));
  expect_orthonormal(now);
  EXPECT_LE(discarded, 1e-24 * now.values[0] * now.values[0]);
  // From nothing at all, and with more room than there is rank.
  const Svd nothing{Matrix<double>(0, 0), Vector<double>(0), Matrix<double>(70, 0)};
  for (const Index rank : {8, 20}) {
    const Svd fresh = append(nothing, second, rank);
    ASSERT_GE(fresh.values.size(), 8);
    expect_same_matrix(fresh.whole(), second, fresh.values[0]);
    EXPECT_LE(fresh.values.tail(fresh.values.size() - 8).sum(), kTight * fresh.values[0]);
    EXPECT_LE(orthogonality_defect(fresh.v, {}), 1e-13);
  }
}

TEST(SvdUpdate, TakesEmptyRowsAndRowsInsideTheSpan) {
  const Svd before = svd_of(sample(60, 90), 10);
  Matrix<double> b = Matrix<double>::Zero(40, 90);
  const Svd same = append(before, b, 10);  // all empty
  EXPECT_LE((same.values - before.values).cwiseAbs().maxCoeff(), kTight * before.values[0]);
  expect_whole(same, stacked(before.whole(), b));
  b.middleRows(3, 30) = sample(30, 10, 4) * before.v.transpose();  // inside
  b.row(20) = b.row(19);
  double discarded = 0.0;
  const Svd inside = append(before, b, 20, &discarded);
  EXPECT_EQ(inside.values.size(), 10);  // no direction is new
  expect_whole(inside, stacked(before.whole(), b));
  EXPECT_EQ(discarded, 0.0);
  const Svd none = append(before, Matrix<double>(0, 90), 10);
  EXPECT_EQ(none.values, before.values);
  EXPECT_EQ(none.u.rows(), 60);
  // From nothing, with nothing.
  const Svd nothing{Matrix<double>(0, 0), Vector<double>(0), Matrix<double>(90, 0)};
  EXPECT_EQ(append(nothing, Matrix<double>::Zero(100, 90), 5).values.size(), 0);
  Matrix<double> late = Matrix<double>::Zero(100, 90);
  late(99, 7) = 2.0;
  expect_whole(append(nothing, late, 5), late);
}

// What is new is 1e-6, 1e-9 and 1e-12 of what is not: bases stay orthonormal, and the small parts keep their digits.
TEST(SvdUpdate, FindsSmallNewDirectionsBesideLargeOldOnes) {
  const Svd before = svd_of(sample(60, 90), 10);
  for (const double size : {1e-6, 1e-9, 1e-12, 1e-15}) {
    Matrix<double> b = sample(20, 10, 4) * before.v.transpose() + size * sample(20, 90, 6);
    b.row(4) = b.row(3);
    b.bottomRows(5) = sample(5, 90, 7);  // and some that are all new
    const Svd now = append(before, b, 30);
    expect_same_matrix(now.whole(), stacked(before.whole(), b), now.values[0]);
    expect_orthonormal(now);
  }
}

TEST(SvdUpdate, FillsTheWholeSpaceAndNoMore) {
  const Svd before = svd_of(sample(60, 12), 9);
  const Matrix<double> b = sample(50, 12, 3);
  const Svd now = append(before, b, 40);
  ASSERT_EQ(now.values.size(), 12);
  expect_whole(now, stacked(before.whole(), b));
}

TEST(SvdUpdate, TakesFloats) {
  const Svd before = svd_of(sample(60, 90), 10);
  const Matrix<float> b = sparse_sample<float>(25, 90, 0.2, 5);
  const Svd now = after(before, append_rows(before.values, before.v, to_csr(b).view(), 35, {}));
  expect_whole(now, stacked(before.whole(), b.cast<double>()));
}

TEST(SvdUpdate, GivesTheSameBitsAtAnyThreadCount) {
  const Svd before = svd_of(sample(50, 3000), 20);
  const auto b = to_csr(sparse_sample(130, 3000, 0.02, 5));
  const SvdUpdate one = append_rows(before.values, before.v, b.view(), 20, {.threads = 1});
  const SvdRemoval less = remove_rows(sample(3000, 20), before.values, before.v, {3, 700}, {.threads = 1});
  const FoldInDrift drift = fold_in_drift(before.v, b.view(), {.threads = 1});
  for (const int threads : {2, 3}) {
    const SvdUpdate many = append_rows(before.values, before.v, b.view(), 20, {.threads = threads});
    EXPECT_EQ(one.values, many.values);
    EXPECT_EQ(one.v, many.v);
    EXPECT_EQ(one.rotation, many.rotation);
    EXPECT_EQ(one.rows, many.rows);
    EXPECT_EQ(one.discarded, many.discarded);
    const SvdRemoval again = remove_rows(sample(3000, 20), before.values, before.v, {3, 700}, {.threads = threads});
    EXPECT_EQ(less.values, again.values);
    EXPECT_EQ(less.u, again.u);
    EXPECT_EQ(less.v, again.v);
    EXPECT_EQ(drift.share, fold_in_drift(before.v, b.view(), {.threads = threads}).share);
  }
}

TEST(SvdUpdate, RefusesWhatItCantDo) {
  const Svd before = svd_of(sample(60, 90), 10);
  const auto b = to_csr(sparse_sample(25, 90, 0.2, 5));
  EXPECT_THROW(append_rows(before.values, before.v, b.view(), 0, {}), InvalidOption);
  EXPECT_THROW(append_rows(before.values, before.v, b.view(), 10, {.memory_limit = 1000}), OverMemory);
  EXPECT_THROW(append_rows(before.values, Matrix<double>(before.v.topRows(80)), b.view(), 10, {}), Error);
  EXPECT_THROW(append_rows(before.values, before.v, b.view(), 10, {.progress = [](const Progress&) { return false; }}),
               Interrupted);
}

TEST(FoldInDrift, MeasuresWhatIsOutside) {
  Matrix<double> v = Matrix<double>::Zero(5, 2);
  v(0, 0) = v(1, 1) = 1.0;
  Matrix<double> b = Matrix<double>::Zero(4, 5);
  b(0, 0) = 3.0, b(0, 1) = 4.0;  // inside
  b(1, 0) = 3.0, b(1, 4) = 4.0;  // 16/25 outside
  b(3, 2) = 2.0;                 // outside; row 2 is empty
  const FoldInDrift drift = fold_in_drift(v, to_csr(b).view(), {});
  EXPECT_NEAR(drift.share, 20.0 / 54.0, 1e-15);
  EXPECT_NEAR(drift.mean, (0.0 + 16.0 / 25.0 + 1.0) / 3.0, 1e-15);
  EXPECT_EQ(drift.largest, 1.0);
  EXPECT_EQ(drift.row, 3);
  const FoldInDrift none = fold_in_drift(v, to_csr(Matrix<double>(Matrix<double>::Zero(3, 5))).view(), {});
  EXPECT_EQ(none.row, -1);
  EXPECT_EQ(none.share, 0.0);
  const Svd before = svd_of(sample(60, 90), 10);
  const Matrix<double> inside = sample(7, 10, 4) * before.v.transpose();
  EXPECT_LE(fold_in_drift(before.v, to_csr(inside).view(), {}).largest, 1e-14);
}

std::vector<Index> all_but(Index rows, const std::vector<Index>& kept) {
  std::vector<Index> out;
  for (Index i = 0; i < rows; ++i)
    if (std::ranges::find(kept, i) == kept.end()) out.push_back(i);
  return out;
}

TEST(SvdRemoval, IsTheDecompositionOfTheRest) {
  const Svd before = svd_of(sample(60, 90), 10);
  const Matrix<double> whole = before.whole();
  const std::vector<std::vector<Index>> kept_rows{{}, {7}, {59, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {5, 8, 40}};
  for (std::size_t trial = 0; trial < kept_rows.size(); ++trial) {
    // The first: a third is taken out, in no order and some twice. The others: all but a few.
    const std::vector<Index> removed =
        trial == 0 ? std::vector<Index>{40, 3, 3, 59, 0, 17, 18, 19, 20, 21, 40} : all_but(60, kept_rows[trial]);
    std::vector<Index> kept = all_but(60, removed);
    Matrix<double> rest(std::ssize(kept), 90);
    for (Index i = 0; i < rest.rows(); ++i) rest.row(i) = whole.row(kept[static_cast<std::size_t>(i)]);
    const SvdRemoval found = remove_rows(before.u, before.values, before.v, removed, {});
    ASSERT_EQ(found.values.size(), std::min<Index>(10, rest.rows()));
    const Svd now{found.u, found.values, found.v};
    expect_same_matrix(now.whole(), rest, before.values[0]);
    EXPECT_LE((now.values - svd_of(rest, 10).values.head(now.values.size())).cwiseAbs().maxCoeff(),
              kTight * before.values[0]);
    EXPECT_LE(orthogonality_defect(now.u, {}), 1e-13);
    EXPECT_LE(orthogonality_defect(now.v, {}), kTight);
  }
}

TEST(SvdRemoval, TakesBackWhatWasAppended) {
  const Svd before = svd_of(sample(60, 90), 10);
  const Svd more = append(before, sparse_sample(15, 90, 0.2, 5), 25);
  std::vector<Index> added(15);
  std::iota(added.begin(), added.end(), 60);
  const SvdRemoval back = remove_rows(more.u, more.values, more.v, added, {});
  ASSERT_EQ(back.values.size(), 10);
  EXPECT_LE((back.values - before.values).cwiseAbs().maxCoeff(), kTight * before.values[0]);
  expect_same_matrix(Svd{back.u, back.values, back.v}.whole(), before.whole(), before.values[0]);
}

// Rows of one space are taken out, and their dimensions go with them.
TEST(SvdRemoval, LosesDimensionsThatNoRowHasAnyMore) {
  Matrix<double> a = Matrix<double>::Zero(40, 30);
  a.topLeftCorner(20, 10) = sample(20, 10);
  a.bottomRightCorner(20, 20) = sample(20, 20, 2);
  const Svd before = svd_of(a, 30);
  std::vector<Index> lower(20);
  std::iota(lower.begin(), lower.end(), 20);
  const SvdRemoval found = remove_rows(before.u, before.values, before.v, lower, {});
  EXPECT_EQ(found.values.size(), 10);
  expect_same_matrix(Svd{found.u, found.values, found.v}.whole(), a.topRows(20), before.values[0]);
}

TEST(SvdRemoval, RefusesWhatItCantDo) {
  const Svd before = svd_of(sample(20, 30), 5);
  EXPECT_THROW(remove_rows(before.u, before.values, before.v, {20}, {}), DataError);
  EXPECT_THROW(remove_rows(before.u, before.values, before.v, {-1}, {}), DataError);
  EXPECT_THROW(remove_rows(before.u, before.values, before.v, all_but(20, {}), {}), DataError);
  const Vector<double> zeros = Vector<double>::Zero(5);
  EXPECT_EQ(remove_rows(before.u, zeros, before.v, {1}, {}).values.size(), 0);
}

}  // namespace
}  // namespace fewdim
