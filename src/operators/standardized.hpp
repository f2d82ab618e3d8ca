#pragma once

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "operators/operator.hpp"
#include "operators/tiles.hpp"

namespace fewdim {

/// A = W^½ (X − 1μᵀ) S⁻¹ without forming it: X dense, sparse or a stream, each of weights, mean and scale
/// optional. Dense tiles are centered in a small buffer before the product; for sparse rows the rank-one term
/// is applied, never formed. Holds references only.
class Standardized {
 public:
  Standardized(const Dataset& data, const Standardization& standardization, bool float64_products,
               const Execution& exec)
      : data_(data), standardization_(standardization), float64_products_(float64_products), exec_(exec) {}

  Index rows() const { return data_.rows(); }
  Index cols() const { return data_.cols(); }

  void apply(ConstBlock<double> x, Block<double> y) const;          ///< y = A x
  void apply_adjoint(ConstBlock<double> u, Block<double> y) const;  ///< y = Aᵀ u
  /// y = AᵀA x in one pass over the data: the product every Krylov step needs, at half the memory traffic.
  void apply_normal(ConstBlock<double> x, Block<double> y) const;

 private:
  template <class S>
  void sparse_normal(const CsrView<S>& a, ConstBlock<double> x, Block<double> y) const;
  template <class S>
  void sparse_apply(const CsrView<S>& a, ConstBlock<double> x, Block<double> y) const;
  template <class S>
  void sparse_adjoint(const CsrView<S>& a, ConstBlock<double> u, Block<double> y) const;
  template <class C>
  void dense_normal(ConstBlock<double> x, Block<double> y) const;
  template <class C>
  void dense_apply(ConstBlock<double> x, Block<double> y) const;
  template <class C>
  void dense_adjoint(ConstBlock<double> u, Block<double> y) const;
  bool in_float() const { return data_.precision() == Precision::float32 && !float64_products_; }

  const Dataset& data_;
  const Standardization& standardization_;
  bool float64_products_;
  const Execution& exec_;
};

}  // namespace fewdim
