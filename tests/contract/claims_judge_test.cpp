// The judge of claims_test.cpp must be able to find what it looks for: a certificate that is right passes, and each
// claim that is made too small is found.

#include <gtest/gtest.h>

#include "support/claims.hpp"
#include "support/spectra.hpp"

namespace fewdim {
namespace {

using test::Violation;

/// The three largest of 4, 2, 2, 1, ½, …, turned; their certificate says the truth.
class JudgeOfClaims : public ::testing::Test {
 protected:
  JudgeOfClaims() {
    test::Draw draw(7);
    Vector<double> values(12);
    values << 4, 2, 2, 1, 0.5, 0.25, 0.125, 0, 0, 0, 0, 0;
    truth_ = test::truth_of(test::symmetric_with(draw, values));
    values_ = truth_.values.head(3);
    vectors_ = truth_.vectors.leftCols(3);
    c_.residuals = c_.value_bounds = c_.angle_bounds = Vector<double>::Zero(3);
    c_.groups = {0, 1, 1};
    c_.outside_bound = 0.25;
    c_.outside_probability = 0.0;
  }

  /// The claims that were found to be false.
  std::string found() {
    std::string out;
    const test::Claimed claimed{values_, vectors_, c_, values_[0], test::rounding_of(12, 12)};
    for (const Violation& v : test::Judge(truth_, claimed).violations())
      if (!out.ends_with(v.claim + " ")) out += v.claim + " ";
    return out;
  }

  void turn(Index component, Index towards, double angle) {
    vectors_.col(component) =
        std::cos(angle) * truth_.vectors.col(component) + std::sin(angle) * truth_.vectors.col(towards);
  }

  test::Truth truth_;
  Vector<double> values_;
  Matrix<double> vectors_;
  Certificate c_;
};

TEST_F(JudgeOfClaims, AcceptsTheTruth) { EXPECT_EQ(found(), ""); }

TEST_F(JudgeOfClaims, FindsAValueThatIsNotTheLargest) {  // a true pair, but the fourth
  values_[2] = truth_.values[3];
  vectors_.col(2) = truth_.vectors.col(3);
  c_.groups = {0, 1, 2};
  c_.angle_bounds.setConstant(std::numbers::pi / 2);
  EXPECT_EQ(found(), "value outside ");
}

TEST_F(JudgeOfClaims, FindsAValueBeyondItsBound) {
  values_[1] += 1e-6;
  c_.residuals[1] = 1e-6;
  EXPECT_EQ(found(), "value ");
  c_.value_bounds[1] = 0.3e-6;
  EXPECT_EQ(found(), "");  // 1e-6 of 4
}

TEST_F(JudgeOfClaims, FindsAVectorBeyondItsAngle) {
  turn(0, 3, 1e-6);
  c_.residuals[0] = c_.value_bounds[0] = c_.orthogonality = 1e-5;
  EXPECT_EQ(found(), "angle ");
  c_.angle_bounds[0] = 1.01e-6;
  EXPECT_EQ(found(), "");
}

TEST_F(JudgeOfClaims, TakesVectorsOfOneValueForOneSpace) {
  turn(1, 2, 0.5);
  vectors_.col(2) = std::cos(0.5) * truth_.vectors.col(2) - std::sin(0.5) * truth_.vectors.col(1);
  EXPECT_EQ(found(), "");
  c_.groups = {0, 1, 2};  // axes of their own
  EXPECT_EQ(found(), "angle ");
}

TEST_F(JudgeOfClaims, FindsASpaceThatEndsInsideAMultipleValue) {
  values_ = truth_.values.head(2);
  vectors_ = truth_.vectors.leftCols(2).eval();
  c_.residuals = c_.value_bounds = c_.angle_bounds = Vector<double>::Zero(2);
  c_.groups = {0, 1};
  c_.outside_bound = 0.5;
  EXPECT_EQ(found(), "angle ");
  c_.angle_bounds[1] = std::numbers::pi / 2;
  EXPECT_EQ(found(), "");
}

TEST_F(JudgeOfClaims, FindsWhatIsLeftOutside) {
  c_.outside_bound = 0.2499999;
  EXPECT_EQ(found(), "outside ");
  c_.outside_probability = 1.0;  // nothing is said
  EXPECT_EQ(found(), "");
}

TEST_F(JudgeOfClaims, FindsResidualsAndLossOfOrthogonality) {
  vectors_.col(1) += 1e-6 * truth_.vectors.col(0);
  c_.value_bounds.setConstant(1e-5);
  c_.angle_bounds.setConstant(1e-5);
  EXPECT_EQ(found(), "residual orthogonality ");
  c_.residuals[1] = c_.orthogonality = 1.01e-6;
  EXPECT_EQ(found(), "");
}

TEST_F(JudgeOfClaims, FindsWhatIsNoCertificate) {
  c_.value_bounds[1] = std::nan("");
  EXPECT_EQ(found(), "form ");
  c_.value_bounds[1] = 0.0;
  c_.groups = {0, 1};
  EXPECT_EQ(found(), "form ");
}

/// Bounds that can be proved, of any orthonormal V with values Θ. With R = AV − VΘ and M the largest value of A on what
/// is orthogonal to V, A differs from diag(Θ, C), λ_max(C) = M, by a matrix of norm (1+√5)/2·‖R‖ at most:
///   |θ_i − λ_i| ≤ max(0, M − θ_i) + 1.62 ‖R‖_F   (Weyl),   λ_{k+1} ≤ M   (Cauchy),
///   sin ∠(v_i, its group) ≤ r_i / gap             (Davis & Kahan), the gap from θ_i to the values outside of the group
/// as far as they are known.
Certificate proved(const test::Truth& truth, const Vector<double>& values, const Matrix<double>& v, double rounding) {
  const Index k = v.cols();
  const Matrix<double> av = truth.matrix * v, r = av - v * values.asDiagonal();
  const Matrix<double> rest =
      truth.matrix - av * v.transpose() - v * av.transpose() + v * (v.transpose() * av) * v.transpose();
  const double scale = values[0], outside = test::truth_of(rest, false).values[0] / scale;
  Certificate c;
  c.residuals = r.colwise().norm().transpose() / scale;
  c.outside_bound = k < v.rows() ? outside : 0.0;
  c.outside_probability = 0.0;
  c.value_bounds.resize(k);
  for (Index i = 0; i < k; ++i)
    c.value_bounds[i] = std::max(0.0, c.outside_bound - values[i] / scale) + 1.62 * r.norm() / scale;
  c.angle_bounds.resize(k);
  c.groups.assign(static_cast<std::size_t>(k), 0);
  const auto low = [&](Index i) { return values[i] / scale - c.value_bounds[i] - rounding; };
  const auto high = [&](Index i) { return values[i] / scale + c.value_bounds[i] + rounding; };
  for (Index i = 1; i < k; ++i)
    c.groups[static_cast<std::size_t>(i)] = c.groups[static_cast<std::size_t>(i - 1)] + (low(i - 1) > high(i) ? 1 : 0);
  for (Index i = 0; i < k; ++i) {
    double gap = k < v.rows() ? values[i] / scale - c.outside_bound - rounding : INFINITY;
    for (Index j = 0; j < k; ++j)
      if (c.groups[static_cast<std::size_t>(j)] < c.groups[static_cast<std::size_t>(i)])
        gap = std::min(gap, low(j) - values[i] / scale);
      else if (c.groups[static_cast<std::size_t>(j)] > c.groups[static_cast<std::size_t>(i)])
        gap = std::min(gap, values[i] / scale - high(j));
    const double sine = gap > 0.0 ? (c.residuals[i] + rounding) / gap : 1.0;
    c.angle_bounds[i] = sine < 1.0 ? std::asin(sine) : std::numbers::pi / 2;
  }
  c.orthogonality = (v.transpose() * v - Matrix<double>::Identity(k, k)).cwiseAbs().maxCoeff();
  return c;
}

/// The first k vectors of A turned by an angle, or a choice of any k of them: what is proved of them is never found
/// false, so that a violation is one.
TEST(JudgeOfProvedClaims, FindsNothing) {
  Index claims = 0;
  for (Seed seed = 0; seed < 2000; ++seed) {
    test::Draw draw(seed);
    const auto spread = static_cast<test::Spread>(draw.between(0, 8));
    const Index size = draw.between(2, 40), k = draw.between(1, size);
    const test::Truth truth =
        test::truth_of(test::symmetric_with(draw, test::drawn_spectrum(draw, spread, size).values));
    Matrix<double> v = truth.vectors.leftCols(k);
    if (k < size && draw.chance(0.3)) v.col(k - 1) = truth.vectors.col(draw.between(k, size - 1));
    const double angle = draw.chance(0.3) ? 0.0 : draw.decades(-15, 0);
    for (Index i = 0; i < k; ++i) {
      v.col(i) += angle * draw.unit(size);
      for (int pass = 0; pass < 2; ++pass)
        for (Index j = 0; j < i; ++j) v.col(i) -= v.col(j).dot(v.col(i)) * v.col(j);
      v.col(i) /= v.col(i).norm();
    }
    const test::Truth ritz = test::truth_of(v.transpose() * truth.matrix * v);
    const Vector<double> values = ritz.values;
    v = (v * ritz.vectors).eval();
    if (!(values[0] > 1e-6)) continue;
    const double rounding = test::rounding_of(size, size) / values[0];
    const Certificate c = proved(truth, values, v, rounding);
    claims += (c.angle_bounds.array() < 1.5).count();
    for (const Violation& found : test::Judge(truth, {values, v, c, values[0], rounding}).violations())
      ADD_FAILURE() << "seed " << seed << ", " << name_of(spread) << ' ' << size << ", k " << k << ", turned by "
                    << angle << ": " << found.claim << ", " << found.words;
  }
  EXPECT_GT(claims, 10'000);  // and it does claim something
}

}  // namespace
}  // namespace fewdim
