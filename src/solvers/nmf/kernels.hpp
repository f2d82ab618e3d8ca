#pragma once

#include "fewdim/types.hpp"

/// One factor of a non-negative factorization, with the other one fixed. F is n×k, column-major, `products` (XH or XᵀW)
/// too; `gram` is the k×k matrix of the other factor, with the ridge on its diagonal. Rows of F don't depend on each
/// other: eight of them go side by side, and every vector width gives the same bits.
namespace fewdim {

/// Sweeps over the columns, f_c ← max(0, f_c + (p_c − lasso − F g_c)/g_cc), for rows first .. last: at most `sweeps`
/// for each eight rows, and no more when one moves them by less than a tenth of the first.
void descend_rows(const Matrix<double>& gram, const Matrix<double>& products, double lasso, int sweeps, Index first,
                  Index last, Matrix<double>& f);

/// squares_c += Σ over rows first .. last of ∇ᴾ², with ∇ = Fg_c − p_c + lasso, and its negative part where f_c = 0.
void add_projected_gradient(const Matrix<double>& gram, const Matrix<double>& products, double lasso, Index first,
                            Index last, const Matrix<double>& f, double* squares);

}  // namespace fewdim
