#pragma once

#include "fewdim/dataset.hpp"

/// Products of compressed sparse rows with a block of exactly eight columns, kept row-major so that one entry
/// touches one cache line (x, y and u should start at one). Each of the eight columns is a chain of plain
/// multiplications and additions in a fixed order: every vector width gives the same bits.
namespace fewdim {

constexpr Index kCsrWidth = 8;

/// For rows first .. last: u_i = w_i (x_i·X − shift), then Y += x_iᵀ u_i and sum += u_i.
/// x, y: cols×8 row-major; shift, sum: 8; weights: per row or null.
template <class S>
void csr_normal(const CsrView<S>& a, Index first, Index last, const double* x, const double* shift,
                const double* weights, double* y, double* sum);

/// For rows first .. last: y_i = r_i (x_i·X − shift); y: rows×8 row-major, root_weights per row or null.
template <class S>
void csr_apply(const CsrView<S>& a, Index first, Index last, const double* x, const double* shift,
               const double* root_weights, double* y);

/// For rows first .. last: Y += x_iᵀ (r_i u_i), sum += r_i u_i; u: rows×8 row-major.
template <class S>
void csr_adjoint(const CsrView<S>& a, Index first, Index last, const double* u, const double* root_weights, double* y,
                 double* sum);

}  // namespace fewdim
