#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "fewdim/certificate.hpp"
#include "support/truth.hpp"

/// The judge of certificates: each claim is compared with the spectrum that LAPACK finds.
namespace fewdim::test {

/// What is judged: pairs with their certificate.
struct Claimed {
  const Vector<double>& values;  ///< descending
  const Matrix<double>& vectors;
  const Certificate& certificate;
  double scale = 1.0;     ///< what the certificate's numbers are relative to: the first value, or a norm
  double rounding = 0.0;  ///< what rounding may add to a value, relative to `scale`
};

/// What rounding leaves uncertain, relative to ‖A‖. Sums of n products err by √n·u times a small factor (Higham & Mary
/// 2019, who take 4): so does each of A v in the judge's own arithmetic, A itself, which is rounded to double, and
/// LAPACK's eigenvalues; together 8·√n·ε.
inline double rounding_of(Index rows, Index cols) {
  return 8.0 * std::numeric_limits<double>::epsilon() *
         (std::sqrt(static_cast<double>(rows)) + std::sqrt(static_cast<double>(cols)));
}

/// One claim that doesn't hold.
struct Violation {
  std::string claim;  ///< "value", "angle", "outside", "residual", "orthogonality", "form", ...
  std::string words;
  bool random = false;  ///< the certificate gave a probability that it may fail
};

/// Beside the truth, a line for each component.
inline std::string table_of(const Truth& truth, const Claimed& claimed) {
  const Certificate& c = claimed.certificate;
  std::string out =
      fmt::format("route {}, forming error {:.1e}, outside {:.6e} but for {:.1e}, rounding {:.1e}\n", word_of(c.route),
                  c.forming_error, c.outside_bound, c.outside_probability, claimed.rounding);
  for (Index i = 0; i < std::min(truth.values.size(), claimed.values.size() + 3); ++i) {
    out += fmt::format("{:4} true {:.15e}", i + 1, truth.values[i] / claimed.scale);
    if (i < std::min(claimed.values.size(), c.angle_bounds.size()))
      out += fmt::format(" found {:.15e} residual {:.1e} value bound {:.1e} angle bound {:.1e} group {}",
                         claimed.values[i] / claimed.scale, c.residuals[i], c.value_bounds[i], c.angle_bounds[i],
                         c.groups[static_cast<std::size_t>(i)]);
    out += "\n";
  }
  return out;
}

class Judge {
 public:
  Judge(const Truth& truth, const Claimed& claimed) : truth_(truth), claimed_(claimed), c_(claimed.certificate) {}

  std::vector<Violation> violations() {
    if (std::getenv("FEWDIM_CLAIM_SEED")) std::puts(table_of(truth_, claimed_).c_str());
    if (!well_formed()) return found_;
    judge_values();
    judge_residuals();
    judge_orthogonality();
    judge_angles();
    if (c_.outside_probability < 1.0) judge_outside();
    return found_;
  }

 private:
  Index count() const { return claimed_.vectors.cols(); }
  double slack() const { return c_.forming_error + claimed_.rounding; }
  bool random() const { return c_.outside_probability > 0.0 && c_.outside_probability < 1.0; }
  double true_value(Index i) const { return truth_.values[i] / claimed_.scale; }

  void expect(bool holds, const char* claim, double truth, double bound, const std::string& words,
              bool random = false) {
    if (!holds) found_.push_back({claim, fmt::format("{}: {:.3e}, claimed {:.3e}", words, truth, bound), random});
  }

  bool well_formed() {
    const bool sizes = claimed_.values.size() == count() && c_.residuals.size() == count() &&
                       c_.value_bounds.size() == count() && c_.angle_bounds.size() == count() &&
                       std::ssize(c_.groups) == count() && count() > 0;
    expect(sizes, "form", 0, 0, "sizes of the certificate's lists");
    if (!sizes) return false;
    for (Index i = 0; i < count(); ++i) {
      const bool numbers = c_.residuals[i] >= 0.0 && c_.value_bounds[i] >= 0.0 && c_.angle_bounds[i] >= 0.0 &&
                           c_.angle_bounds[i] <= std::numbers::pi / 2;
      expect(numbers, "form", c_.angle_bounds[i], 0, fmt::format("numbers of component {}", i + 1));
      const auto at = static_cast<std::size_t>(i);
      expect(i == 0 || c_.groups[at] >= c_.groups[at - 1], "form", 0, 0, fmt::format("group of component {}", i + 1));
      expect(i == 0 || claimed_.values[i] <= claimed_.values[i - 1], "form", 0, 0, "values in descending order");
    }
    expect(c_.outside_probability >= 0.0 && c_.outside_probability <= 1.0 && !std::isnan(c_.outside_bound), "form",
           c_.outside_probability, 0, "probability");
    return found_.empty();
  }

  /// |θ_i − λ_i| with λ_i the i-th largest of all.
  void judge_values() {
    for (Index i = 0; i < count(); ++i) {
      const double error = std::abs(claimed_.values[i] / claimed_.scale - true_value(i));
      expect(error <= c_.value_bounds[i] + slack(), "value", error, c_.value_bounds[i] + slack(),
             fmt::format("value {} is off the {}. largest", i + 1, i + 1), random());
    }
  }

  void judge_residuals() {
    const Matrix<double> products = truth_.matrix * claimed_.vectors;
    for (Index i = 0; i < count(); ++i) {
      const double residual = (products.col(i) - claimed_.values[i] * claimed_.vectors.col(i)).norm() / claimed_.scale;
      worst_residual_ = std::max(worst_residual_, residual);
      expect(residual <= c_.residuals[i] + slack(), "residual", residual, c_.residuals[i] + slack(),
             fmt::format("residual {}", i + 1));
    }
  }

  void judge_orthogonality() {
    const Matrix<double> gram = claimed_.vectors.transpose() * claimed_.vectors;
    const double defect = (gram - Matrix<double>::Identity(count(), count())).cwiseAbs().maxCoeff();
    const double rounding = rounding_of(claimed_.vectors.rows(), 0);
    expect(defect <= c_.orthogonality + rounding, "orthogonality", defect, c_.orthogonality + rounding, "|VᵀV − I|");
  }

  /// The angle to the span of the true vectors with the group's numbers. LAPACK's own vectors make it uncertain by
  /// rounding/gap, the gap from the value to the nearest that is not of the group (Davis & Kahan). Where that says
  /// nothing the gap is no gap, and an angle claimed across it is a claim about rounding.
  void judge_angles() {
    for (Index first = 0, last = 0; first < count(); first = last + 1) {
      last = first;
      while (last + 1 < count() && group(last + 1) == group(first)) ++last;
      const Matrix<double> space = truth_.vectors.middleCols(first, last - first + 1);
      for (Index i = first; i <= last; ++i) {
        const double bound = c_.angle_bounds[i];
        if (bound >= std::numbers::pi / 2) continue;
        const Vector<double> inside = space.transpose() * claimed_.vectors.col(i);
        const double angle = std::atan2((claimed_.vectors.col(i) - space * inside).norm(), inside.norm());
        const double gap =
            std::max(gap_from(claimed_.values[i] / claimed_.scale, first, last), gap_from(true_value(i), first, last));
        const double turn = claimed_.rounding / gap;
        const std::string words = fmt::format("angle {} to {}..{}, gap {:.1e}", i + 1, first + 1, last + 1, gap);
        if (turn < 1.0)
          expect(angle <= bound + std::asin(turn) + claimed_.rounding, "angle", angle, bound + std::asin(turn), words,
                 random());
        else
          expect(gap > claimed_.rounding / 16.0 || bound >= 1.0, "angle", angle, bound, words + " (no gap)", random());
      }
    }
  }

  /// From a value to the true ones beside components first .. last; 0 where it is beyond one of them.
  double gap_from(double value, Index first, Index last) const {
    const double above = first > 0 ? true_value(first - 1) - value : INFINITY;
    const double below = last + 1 < truth_.values.size() ? value - true_value(last + 1) : INFINITY;
    return std::max(std::min(above, below), 0.0);
  }

  /// λ_{k+1}; and the largest value of A on what is orthogonal to the vectors, which is the same where they are right.
  void judge_outside() {
    const Index n = truth_.values.size();
    if (count() >= n) return;
    const double bound = c_.outside_bound + slack();
    expect(true_value(count()) <= bound, "outside", true_value(count()), bound, fmt::format("value {}", count() + 1),
           random());
    // P A P with P = I − QQᵀ and Q an orthonormal basis of the vectors; on their span it is 0.
    Matrix<double> q = claimed_.vectors;
    for (int pass = 0; pass < 2; ++pass)
      for (Index c = 0; c < q.cols(); ++c) {
        for (Index b = 0; b < c; ++b) q.col(c) -= q.col(b).dot(q.col(c)) * q.col(b);
        const double norm = q.col(c).norm();
        if (norm > 1e-8)
          q.col(c) /= norm;
        else
          q.col(c).setZero();
      }
    const Matrix<double> aq = truth_.matrix * q, form = q.transpose() * aq;
    Matrix<double> rest = truth_.matrix - aq * q.transpose() - q * aq.transpose() + q * form * q.transpose();
    const double largest = truth_of(std::move(rest), false).values[0] / claimed_.scale;
    expect(largest <= bound + worst_residual_, "outside", largest, bound, "largest value outside of the vectors",
           random());
  }

  Index group(Index i) const { return c_.groups[static_cast<std::size_t>(i)]; }

  const Truth& truth_;
  const Claimed& claimed_;
  const Certificate& c_;
  double worst_residual_ = 0.0;
  std::vector<Violation> found_;
};

}  // namespace fewdim::test
