#pragma once

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"

namespace fewdim {

/// Lower triangle of XᵀX (D×D) of sparse rows, from the entries that are there: Σ nnz_i² multiply-adds.
template <class T>
Matrix<double> sparse_scatter(const CsrView<T>& x, const Execution& exec);

/// Lower triangle of X diag(w) Xᵀ (N×N) of sparse rows: N·nnz multiply-adds at most.
template <class T>
Matrix<double> sparse_gram(const CsrView<T>& x, const Vector<double>& weights, const Execution& exec);

/// X v.
template <class T>
Vector<double> sparse_times(const CsrView<T>& x, const Vector<double>& v);

}  // namespace fewdim
