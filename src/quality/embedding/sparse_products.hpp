#pragma once

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"

namespace fewdim {

/// Lower triangle of XᵀX (D×D) of sparse rows, from the entries that are there: Σ nnz_i² multiply-adds.
template <class T>
Matrix<double> sparse_scatter(const CsrView<T>& x, const Execution& exec);

/// Rows become columns; what was column j is multiplied by factor_j (empty: by nothing).
template <class T>
Csr<double> transposed(const CsrView<T>& x, const Vector<double>& factor);

}  // namespace fewdim
