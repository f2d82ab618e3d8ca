#pragma once

#include <vector>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"

namespace fewdim {

/// X ≈ WHᵀ without negative entries: the least of
///
///   ‖X − WHᵀ‖² + ridge (‖W‖² + ‖H‖²) + 2 lasso (Σ W + Σ H).
struct NmfRequest {
  double ridge = 0.0, lasso = 0.0;
  Index iterations = 10000;
  double tolerance = 1e-5;
};

struct NmfFactors {
  Matrix<double> w;  ///< N×k
  Matrix<double> h;  ///< D×k
};

struct NmfResult {
  NmfFactors factors;
  double loss = 0.0;         ///< ‖X − WHᵀ‖²
  std::vector<double> path;  ///< the whole sum to make least, at the start and after each iteration
  Index iterations = 0;
  Vector<double> residuals;  ///< one per component, see below
  bool converged = false;
};

/// Products with X of a data set in memory. Sparse rows are kept a second time by columns, so that both products read
/// along them.
class NmfData {
 public:
  NmfData(const Dataset& data, const Execution& exec);

  Index rows() const { return data_.rows(); }
  Index cols() const { return data_.cols(); }
  double square_sum() const { return square_sum_; }  ///< ‖X‖²
  double sum() const { return sum_; }
  void times(ConstBlock<double> h, Block<double> out) const;             ///< X H
  void transposed_times(ConstBlock<double> w, Block<double> out) const;  ///< Xᵀ W
  /// Σ (X − WHᵀ)², entry by entry: O(NDk) work. For where ‖X‖² − 2⟨XH, W⟩ + ⟨WᵀW, HᵀH⟩ has lost its digits.
  double residual(const NmfFactors& f) const;

  static std::uint64_t bytes(const Dataset& data);

 private:
  Dataset data_;
  Dataset columns_;  // Xᵀ, of sparse data
  Execution exec_;
  double square_sum_ = 0.0, sum_ = 0.0;
};

/// From U, V with XV = UΣ (Boutsidis & Gallopoulos 2008): of each pair of singular vectors the larger of its positive
/// and its negative part. `fill`: what stands in place of zeros (0, or the mean of X for NNDSVDa).
NmfFactors nndsvd(const NmfData& x, const Vector<double>& singular_values, const Matrix<double>& v, double fill);
/// Uniform numbers of the size that makes WHᵀ as large as X on average.
NmfFactors random_factors(const NmfData& x, Index components, Seed seed);

/// Hierarchical alternating least squares (Cichocki & Phan 2009), with several sweeps over the columns of a factor for
/// each product with X (Gillis & Glineur 2012); the sum never rises. It stops when, for every component c,
///
///   (‖∇ᴾ w_c‖ ‖w_c‖ + ‖∇ᴾ h_c‖ ‖h_c‖) / ‖X‖²  ≤  tolerance,
///
/// with ∇ᴾ half the projected gradient (Lin 2007): the gradient where an entry is positive, its negative part where
/// the entry is zero. The lengths make the measure the same for any scale of a component. At the end every row of W is
/// the exact least of its own sum for the H there is, and the measure is taken anew.
NmfResult factorize(const NmfData& x, NmfFactors start, const NmfRequest& request, const Execution& exec);

/// W for a given H: the exact non-negative least squares of every row.
Matrix<double> place_rows(const NmfData& x, const Matrix<double>& h, const NmfRequest& request, const Execution& exec);

}  // namespace fewdim
