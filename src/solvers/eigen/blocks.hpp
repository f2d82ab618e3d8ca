#pragma once

#include "fewdim/execution.hpp"
#include "fewdim/types.hpp"

/// Products of tall, thin blocks, cut into row chunks of fixed size so that threads change no bits.
namespace fewdim {

/// QᵀW.
Matrix<double> project(ConstBlock<double> q, ConstBlock<double> w, const Execution& exec);

/// W −= Q H.
void subtract(ConstBlock<double> q, ConstBlock<double> h, Block<double> w, const Execution& exec);

/// W −= Q H and then PᵀW, in one pass over the rows; P may be W itself.
Matrix<double> subtract_and_project(ConstBlock<double> q, ConstBlock<double> h, Block<double> w, ConstBlock<double> p,
                                    const Execution& exec);

/// out = Q S.
void combine(ConstBlock<double> q, ConstBlock<double> s, Block<double> out, const Execution& exec);

/// ‖column c‖ for each column.
Vector<double> column_norms(ConstBlock<double> w);

/// Makes the columns of W orthonormal among themselves and to Q (Gram–Schmidt, twice), and returns B with
/// W_before ≈ W_after B + Q(…). A column that has nothing left (below `negligible`) is replaced by a random direction
/// orthogonal to all the others, with a zero row in B; when the whole space is used up the block gets narrower.
Matrix<double> orthonormalize(ConstBlock<double> q, Matrix<double>& w, double negligible, Seed seed,
                              std::uint32_t stream, const Execution& exec);

/// V ← V R⁻¹ with RᵀR = VᵀV (Cholesky QR: what Gram–Schmidt does, in one product), for columns that are orthonormal but
/// for small errors.
void polish_orthonormal(Matrix<double>& v, const Execution& exec);

/// max |VᵀV − I|.
double orthogonality_defect(ConstBlock<double> v, const Execution& exec);

}  // namespace fewdim
